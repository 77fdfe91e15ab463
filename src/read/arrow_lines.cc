// Converts rows of Arrow batches to lines of JSON on each read.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "data/owned_arrow.h"
#include "io/file.h"
#include "read/arrow_json.h"
#include "read/field_paths.h"
#include "sosie/error.h"
#include "sosie/memory_file.h"

namespace sosie {
namespace {

constexpr const char* kName = "table";
constexpr std::size_t kGroupBytes = 1024;  // rows are found again by groups of about this size

[[noreturn]] void refuse_missing(const std::string& name,
                                 const std::vector<std::string_view>& there) {
  const std::string_view nearest = nearest_name(field_paths(name).front(), there);
  throw Error(ErrorKind::malformed_input, BadPlace{kName},
              fmt::format("column '{}' is missing", name),
              fmt::format("{}available columns: {}",
                          nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                          joined_text(there, ", ")));
}

// The columns that contain these fields.
std::vector<std::size_t> find_columns(const ArrowSchema& schema,
                                      const std::vector<std::string>& names) {
  std::vector<std::string_view> there;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const char* name = schema.children[i]->name;
    there.emplace_back(name == nullptr ? "" : name);
  }
  std::vector<std::size_t> columns;
  for (const std::string& name : names) {
    const auto is_asked_for = [&](std::string_view column) {
      return may_lie_in(name, column, /*nested=*/true);
    };
    if (std::none_of(there.begin(), there.end(), is_asked_for)) refuse_missing(name, there);
    for (std::size_t i = 0; i < there.size(); ++i) {
      const auto first = std::find(there.begin(), there.end(), there[i]) - there.begin();
      if (is_asked_for(there[i])) columns.push_back(static_cast<std::size_t>(first));
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

// Some of the children of a schema or an array.
template <typename T>
class Chosen {
 public:
  Chosen(const T& all, const std::vector<std::size_t>& columns) : value_(all) {
    for (const std::size_t column : columns) children_.push_back(all.children[column]);
    value_.children = children_.data();
    value_.n_children = static_cast<std::int64_t>(children_.size());
  }

  [[nodiscard]] const T& value() const noexcept { return value_; }

 private:
  T value_;
  std::vector<T*> children_;
};

class ArrowLines final : public MemoryFile {
 public:
  ArrowLines(ArrowArrayStream* stream, const std::vector<std::string>& columns) {
    OwnedArrow<ArrowArrayStream> own;
    std::swap(own.value, *stream);
    check(own.value, own.value.get_schema(&own.value, &schema_.value));
    const std::vector<std::size_t> numbers = find_columns(schema_.value, columns);
    const Chosen<ArrowSchema> schema(schema_.value, numbers);
    while (true) {
      auto batch = std::make_unique<Batch>();
      check(own.value, own.value.get_next(&own.value, &batch->all.value));
      if (batch->all.value.release == nullptr) break;
      add(std::move(batch), schema.value(), numbers);
    }
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }

  void read(std::uint64_t offset, char* out, std::size_t size) const override {
    const auto behind =
        std::upper_bound(groups_.begin(), groups_.end(), offset,
                         [](std::uint64_t at, const Group& g) { return at < g.offset; });
    std::string lines;
    for (auto group = behind - 1; size > 0; ++group) {
      lines.clear();
      const Batch& batch = *batches_[group->batch];
      const bool is_last = group + 1 == groups_.end() || (group + 1)->batch != group->batch;
      const std::int64_t end = is_last ? batch.all.value.length : (group + 1)->row;
      for (std::int64_t row = group->row; row < end; ++row) append(batch, row, lines);
      const std::size_t skipped = offset - group->offset;
      const std::size_t some = std::min(size, lines.size() - skipped);
      std::copy_n(lines.data() + skipped, some, out);
      out += some;
      offset += some;
      size -= some;
    }
  }

 private:
  struct Batch {
    OwnedArrow<ArrowArray> all;
    std::optional<Chosen<ArrowArray>> chosen;
    std::optional<ArrowJson> rows;
  };
  // Rows from this one up to the next group or the end of the batch.
  struct Group {
    std::uint64_t offset;
    std::size_t batch;
    std::int64_t row;
  };

  static void check(ArrowArrayStream& stream, int error) {
    if (error == 0) return;
    const char* reason = stream.get_last_error(&stream);
    throw Error(ErrorKind::malformed_input, BadPlace{kName},
                reason != nullptr ? reason : system_message(error));
  }

  static void append(const Batch& batch, std::int64_t row, std::string& lines) {
    batch.rows->append(row, lines);
    lines += '\n';
  }

  void add(std::unique_ptr<Batch> batch, const ArrowSchema& schema,
           const std::vector<std::size_t>& columns) {
    batch->chosen.emplace(batch->all.value, columns);
    try {
      batch->rows.emplace(schema, batch->chosen->value(), 0);
    } catch (const Error& error) {
      throw Error(error.kind(), BadPlace{kName}, error.what());
    }
    std::string lines;
    for (std::int64_t row = 0; row < batch->all.value.length; ++row) {
      if (lines.empty()) groups_.push_back({size_, batches_.size(), row});
      append(*batch, row, lines);
      if (lines.size() < kGroupBytes) continue;
      size_ += lines.size();
      lines.clear();
    }
    size_ += lines.size();
    batches_.push_back(std::move(batch));
  }

  OwnedArrow<ArrowSchema> schema_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::vector<Group> groups_;
  std::uint64_t size_ = 0;
};

}  // namespace

std::shared_ptr<const MemoryFile> json_lines_of(ArrowArrayStream* stream,
                                                const std::vector<std::string>& columns) {
  return std::make_shared<const ArrowLines>(stream, columns);
}

}  // namespace sosie
