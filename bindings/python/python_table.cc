// Accepts rows from Python: Arrow data, data frames, lists and iterables.
#include "python_table.h"

#include <string>
#include <utility>
#include <vector>

#include "held.h"
#include "sosie/arrow_c_data.h"
#include "sosie/error.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

// The strings of a sequence; Python itself caches their UTF-8 form.
class TextList final : public Table {
 public:
  explicit TextList(const nb::sequence& texts) : held_(nb::list(texts)) {
    texts_.reserve(nb::len(texts));
    for (const nb::handle item : texts) texts_.push_back(text_of(item, texts_.size()));
  }

  [[nodiscard]] std::uint64_t rows() const noexcept override { return texts_.size(); }
  [[nodiscard]] std::vector<std::string> column_names() const override { return {""}; }
  [[nodiscard]] bool holds_text(std::size_t /*column*/) const noexcept override { return true; }
  [[nodiscard]] FieldValue value(std::size_t /*column*/, std::uint64_t row) const override {
    const std::string_view text = texts_[row];
    if (text.data() == nullptr) return {};
    return {FieldValue::Kind::text, 0, text};
  }

 private:
  static std::string_view text_of(nb::handle item, std::size_t row) {
    if (item.is_none()) return {};
    Py_ssize_t size = 0;
    if (PyUnicode_Check(item.ptr())) {
      const char* utf8 = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
      if (utf8 == nullptr) throw_no_text(row);
      return {utf8, static_cast<std::size_t>(size)};
    }
    throw nb::type_error(("a list of texts may contain str and None, not " +
                          std::string(nb::type_name(item.type()).c_str()) +
                          "; for other rows set kind= to 'vectors', 'sets', 'bags' or 'bits'")
                             .c_str());
  }

  // Throws for half of a surrogate pair, which `errors="surrogateescape"` may leave in a text.
  [[noreturn]] static void throw_no_text(std::size_t row) {
    const nb::python_error cause;
    if (!cause.matches(PyExc_UnicodeEncodeError)) throw nb::python_error(cause);
    throw Error(ErrorKind::malformed_input, BadPlace{"row " + std::to_string(row)},
                "the text contains a lone surrogate (at " +
                    std::to_string(nb::cast<std::int64_t>(cause.value().attr("start"))) +
                    "), which is not a character",
                "text.encode(errors='replace').decode() replaces them");
  }

  Held held_;
  std::vector<std::string_view> texts_;
};

// A stream that yields one array.
struct SingleArray {
  ArrowSchema schema;
  ArrowArray array;
};

SingleArray& single(ArrowArrayStream* stream) {
  return *static_cast<SingleArray*>(stream->private_data);
}

ArrowArrayStream stream_of(ArrowSchema* schema, ArrowArray* array) {
  auto parts = std::make_unique<SingleArray>(SingleArray{*schema, *array});
  schema->release = nullptr;
  array->release = nullptr;
  ArrowArrayStream stream{};
  stream.private_data = parts.release();
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    *out = std::exchange(single(self).schema, ArrowSchema{});
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    *out = std::exchange(single(self).array, ArrowArray{});
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream.release = [](ArrowArrayStream* self) {
    const std::unique_ptr<SingleArray> own(&single(self));
    if (own->schema.release != nullptr) own->schema.release(&own->schema);
    if (own->array.release != nullptr) own->array.release(&own->array);
    self->release = nullptr;
  };
  return stream;
}

template <typename T>
T* in_capsule(nb::handle capsule, const char* name) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return static_cast<T*>(pointer);
}

}  // namespace

bool has_arrow_stream(nb::handle data) {
  return nb::hasattr(data, "__arrow_c_stream__") || nb::hasattr(data, "__arrow_c_array__");
}

ArrowArrayStream arrow_stream_of(nb::handle data) {
  if (nb::hasattr(data, "__arrow_c_stream__")) {
    const nb::object capsule = data.attr("__arrow_c_stream__")();
    return std::exchange(*in_capsule<ArrowArrayStream>(capsule, "arrow_array_stream"),
                         ArrowArrayStream{});
  }
  const auto capsules = nb::cast<nb::tuple>(data.attr("__arrow_c_array__")());
  return stream_of(in_capsule<ArrowSchema>(capsules[0], "arrow_schema"),
                   in_capsule<ArrowArray>(capsules[1], "arrow_array"));
}

void throw_no_rows(nb::handle data) {
  throw nb::type_error(
      ("cannot read rows from " + std::string(nb::type_name(data.type()).c_str()) +
       ": pass an Arrow table (pyarrow, polars, pandas, DuckDB), a list of str, or a path")
          .c_str());
}

std::shared_ptr<const Table> table_from_python(nb::handle data) {
  if (has_arrow_stream(data)) {
    ArrowArrayStream stream = arrow_stream_of(data);
    return table_from_arrow(&stream);
  }
  if (PyList_Check(data.ptr()) || PyTuple_Check(data.ptr())) {
    return std::make_shared<const TextList>(nb::borrow<nb::sequence>(data));
  }
  throw_no_rows(data);
}

}  // namespace sosie::python
