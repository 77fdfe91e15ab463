// Hands result tables to Python as Arrow streams.
#include "arrow_export.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sosie/arrow_c_data.h"
#include "sosie/error.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

constexpr std::int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE

struct Column {
  std::string name;
  const char* format = "";
  std::int64_t length = 0;
  std::int64_t nulls = 0;
  std::vector<std::uint8_t> validity;  // bits; empty: no nulls
  std::vector<std::uint8_t> values;    // strings: 64-bit offsets
  std::vector<std::uint8_t> bytes;     // all strings of the column
};

void set_bit(std::vector<std::uint8_t>& bits, std::size_t position) {
  bits[position / 8] = static_cast<std::uint8_t>(bits[position / 8] | 1U << position % 8);
}

template <typename T>
bool take_array(nb::handle value, const char* format, Column& column) {
  nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
  if (!nb::try_cast(value, array, false)) return false;
  column.format = format;
  column.length = static_cast<std::int64_t>(array.shape(0));
  column.values.resize(array.shape(0) * sizeof(T));
  if (array.shape(0) > 0) std::memcpy(column.values.data(), array.data(), column.values.size());
  return true;
}

bool take_booleans(nb::handle value, Column& column) {
  nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
  if (!nb::try_cast(value, array, false)) return false;
  column.format = "b";
  column.length = static_cast<std::int64_t>(array.shape(0));
  column.values.resize((array.shape(0) + 7) / 8);
  for (std::size_t i = 0; i < array.shape(0); ++i) {
    if (array.data()[i]) set_bit(column.values, i);
  }
  return true;
}

std::string_view utf8_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (utf8 != nullptr) return {utf8, static_cast<std::size_t>(size)};
  const nb::python_error cause;
  if (!cause.matches(PyExc_UnicodeEncodeError)) throw nb::python_error(cause);
  const nb::str shown(text.attr("encode")("utf-8", "backslashreplace").attr("decode")("utf-8"));
  throw Error(ErrorKind::malformed_input,
              "id '" + std::string(shown.c_str()) + "' is not UTF-8, so Arrow cannot hold it",
              "result columns such as result.removed['id'] can; --id row uses row numbers");
}

void take_texts(nb::handle value, Column& column) {
  const auto texts = nb::cast<nb::list>(value);
  std::vector<std::int64_t> offsets{0};
  column.format = "U";
  column.length = static_cast<std::int64_t>(nb::len(texts));
  column.validity.resize((nb::len(texts) + 7) / 8);
  for (std::size_t i = 0; i < nb::len(texts); ++i) {
    if (texts[i].is_none()) {
      ++column.nulls;
    } else {
      const std::string_view text = utf8_of(texts[i]);
      column.bytes.insert(column.bytes.end(), text.begin(), text.end());
      set_bit(column.validity, i);
    }
    offsets.push_back(static_cast<std::int64_t>(column.bytes.size()));
  }
  column.values.resize(offsets.size() * sizeof(std::int64_t));
  std::memcpy(column.values.data(), offsets.data(), column.values.size());
}

// Everything given to a consumer is stored in one of these, owned jointly by schema and array.
struct Batch {
  std::vector<Column> columns;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowSchema*> schema_pointers;
  std::vector<ArrowArray> arrays;
  std::vector<ArrowArray*> array_pointers;
  std::vector<std::array<const void*, 3>> buffers;
  const void* no_buffer = nullptr;
};

using Shared = std::shared_ptr<Batch>;

template <typename T>
void release_parent(T* self) {
  delete static_cast<Shared*>(self->private_data);
  self->release = nullptr;
}

template <typename T>
void release_child(T* self) {
  self->release = nullptr;
}

void describe(Batch& batch) {
  const std::size_t count = batch.columns.size();
  batch.schemas.resize(count);
  batch.arrays.resize(count);
  batch.buffers.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    Column& column = batch.columns[i];
    ArrowSchema& schema = batch.schemas[i];
    schema.format = column.format;
    schema.name = column.name.c_str();
    schema.flags = column.validity.empty() ? 0 : kNullable;
    schema.release = release_child<ArrowSchema>;
    ArrowArray& array = batch.arrays[i];
    const bool texts = std::string_view(column.format) == "U";
    batch.buffers[i] = {column.validity.empty() ? nullptr : column.validity.data(),
                        column.values.data(), column.bytes.data()};
    array.length = column.length;
    array.null_count = column.nulls;
    array.n_buffers = texts ? 3 : 2;
    array.buffers = batch.buffers[i].data();
    array.release = release_child<ArrowArray>;
    batch.schema_pointers.push_back(&schema);
    batch.array_pointers.push_back(&array);
  }
}

struct Stream {
  Shared batch;
  bool given = false;
};

Stream& stream_in(ArrowArrayStream* self) { return *static_cast<Stream*>(self->private_data); }

int get_schema(ArrowArrayStream* self, ArrowSchema* out) {
  const Shared& batch = stream_in(self).batch;
  *out = {};
  out->format = "+s";
  out->name = "";
  out->n_children = static_cast<std::int64_t>(batch->schemas.size());
  out->children = batch->schema_pointers.data();
  out->private_data = new Shared(batch);
  out->release = release_parent<ArrowSchema>;
  return 0;
}

int get_next(ArrowArrayStream* self, ArrowArray* out) {
  Stream& stream = stream_in(self);
  *out = {};
  if (std::exchange(stream.given, true)) return 0;
  const Shared& batch = stream.batch;
  out->length = batch->columns.empty() ? 0 : batch->columns.front().length;
  out->n_buffers = 1;
  out->buffers = &batch->no_buffer;
  out->n_children = static_cast<std::int64_t>(batch->arrays.size());
  out->children = batch->array_pointers.data();
  out->private_data = new Shared(batch);
  out->release = release_parent<ArrowArray>;
  return 0;
}

void release_stream(ArrowArrayStream* self) {
  delete static_cast<Stream*>(self->private_data);
  self->release = nullptr;
}

void release_capsule(PyObject* capsule) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

}  // namespace

nb::object arrow_stream(const nb::dict& columns) {
  auto batch = std::make_shared<Batch>();
  for (const auto [name, value] : columns) {
    Column& column = batch->columns.emplace_back();
    column.name = nb::cast<std::string>(name);
    const bool taken = take_array<std::int64_t>(value, "l", column) ||
                       take_array<std::uint64_t>(value, "L", column) ||
                       take_array<double>(value, "g", column) || take_booleans(value, column);
    if (!taken) take_texts(value, column);
  }
  describe(*batch);
  auto stream = std::make_unique<ArrowArrayStream>();
  stream->get_schema = get_schema;
  stream->get_next = get_next;
  stream->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream->release = release_stream;
  stream->private_data = new Stream{std::move(batch)};
  return nb::steal(PyCapsule_New(stream.release(), "arrow_array_stream", release_capsule));
}

}  // namespace sosie::python
