#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sosie/arrow_c_data.h"
#include "sosie/error.h"
#include "sosie/memory_file.h"

namespace sosie {
namespace {

// Batches of two columns of numbers, "a" and "b", whose data the test owns.
struct Numbers {
  std::vector<std::vector<std::int32_t>> batches;
  std::size_t next = 0;
  std::vector<const void*> no_buffers = {nullptr};
  std::vector<ArrowSchema> columns = {column("a"), column("b")};
  std::vector<ArrowSchema*> schemas = {&columns[0], &columns[1]};
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray*> children;
  std::vector<std::vector<const void*>> of_batch;

  static ArrowSchema column(const char* name) {
    ArrowSchema schema{};
    schema.format = "i";
    schema.name = name;
    return schema;
  }

  static Numbers& of(ArrowArrayStream* stream) {
    return *static_cast<Numbers*>(stream->private_data);
  }

  // Gives each batch arrays of its own, which live as long as this object.
  void lay_out() {
    arrays.assign(2 * batches.size(), ArrowArray{});
    children.clear();
    of_batch.clear();
    of_batch.reserve(batches.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      const auto& values = batches[i / 2];
      if (i % 2 == 0) of_batch.push_back({nullptr, values.data()});
      arrays[i].length = static_cast<std::int64_t>(values.size());
      arrays[i].n_buffers = 2;
      arrays[i].buffers = of_batch[i / 2].data();
      children.push_back(&arrays[i]);
    }
  }

  ArrowArrayStream stream() {
    lay_out();
    ArrowArrayStream stream{};
    stream.private_data = this;
    stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      *out = {};
      out->format = "+s";
      out->n_children = 2;
      out->children = of(self).schemas.data();
      out->release = [](ArrowSchema* schema) { schema->release = nullptr; };
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      *out = {};
      Numbers& all = of(self);
      if (all.next == all.batches.size()) return 0;
      out->length = static_cast<std::int64_t>(all.batches[all.next].size());
      out->n_buffers = 1;
      out->buffers = all.no_buffers.data();
      out->n_children = 2;
      out->children = &all.children[2 * all.next++];
      out->release = [](ArrowArray* array) { array->release = nullptr; };
      return 0;
    };
    stream.get_last_error = [](ArrowArrayStream*) -> const char* { return "gone"; };
    stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
    return stream;
  }
};

RC_GTEST_PROP(ArrowLines, AnyStretchIsThatOfAllLines,
              (std::vector<std::vector<std::int32_t>> batches)) {
  const auto copies = *rc::gen::inRange(1, 200);  // more lines than one group has
  std::string lines;
  for (auto& batch : batches) {
    std::vector<std::int32_t> longer;
    for (int i = 0; i < copies; ++i) longer.insert(longer.end(), batch.begin(), batch.end());
    batch = std::move(longer);
    for (const std::int32_t value : batch) lines += fmt::format("{{\"b\": {}}}\n", value);
  }
  Numbers numbers;
  numbers.batches = std::move(batches);
  ArrowArrayStream stream = numbers.stream();
  const auto file = json_lines_of(&stream, {"b"});
  RC_ASSERT(file->size() == lines.size());
  const auto begin = *rc::gen::inRange<std::size_t>(0, lines.size() + 1);
  const auto size = *rc::gen::inRange<std::size_t>(0, lines.size() - begin + 1);
  std::string read(size, '\0');
  if (size > 0) file->read(begin, read.data(), size);
  RC_ASSERT(read == lines.substr(begin, size));
}

TEST(ArrowLines, NamesTheColumnsThereAreWhereOneIsMissing) {
  Numbers numbers;
  ArrowArrayStream stream = numbers.stream();
  try {
    (void)json_lines_of(&stream, {"c"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "table: column 'c' is missing");
    EXPECT_EQ(error.place(), "table");
    EXPECT_NE(error.hint().find("a, b"), std::string::npos);
  }
}

TEST(ArrowLines, TellWhyTheStreamFailed) {
  Numbers numbers;
  ArrowArrayStream stream = numbers.stream();
  stream.get_next = [](ArrowArrayStream*, ArrowArray*) { return 5; };
  try {
    (void)json_lines_of(&stream, {"a"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "table: gone");
  }
}

}  // namespace
}  // namespace sosie
