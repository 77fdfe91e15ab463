// Parquet and Arrow files through the caller's pyarrow.
#include "python_files.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <stdexcept>
#include <utility>

#include "held.h"
#include "sosie/error.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

// Message of the exception, on one line.
std::string reason_of(const nb::python_error& error) {
  const std::string text = nb::cast<std::string>(nb::str(error.value()));
  return text.empty() ? nb::cast<std::string>(nb::str(error.type().attr("__name__")))
                      : text.substr(0, text.find('\n'));
}

// Runs `work` with the interpreter's lock; converts Python exceptions to the exceptions of
// TableFiles.
template <typename Work>
auto in_python(const Work& work) {
  const nb::gil_scoped_acquire lock;
  try {
    return work();
  } catch (const nb::python_error& error) {
    const std::string reason = reason_of(error);
    if (!error.matches(PyExc_ImportError)) throw std::runtime_error(reason);
    throw Error(ErrorKind::unsupported, "Parquet and Arrow files need pyarrow (" + reason + ")",
                "pip install 'pyarrow>=14.0.1'");
  }
}

nb::object functions() { return nb::module_::import_("sosie._table_files"); }

template <typename T>
void release(PyObject* capsule, const char* name) {
  auto* value = static_cast<T*>(PyCapsule_GetPointer(capsule, name));
  if (value->release != nullptr) value->release(value);
  delete value;
}

void release_schema(PyObject* capsule) { release<ArrowSchema>(capsule, "arrow_schema"); }
void release_array(PyObject* capsule) { release<ArrowArray>(capsule, "arrow_array"); }

// Takes ownership of the structure.
template <typename T>
nb::object in_capsule(T* value, const char* name, PyCapsule_Destructor destructor) {
  auto own = std::make_unique<T>(std::exchange(*value, T{}));
  return nb::steal(PyCapsule_New(own.release(), name, destructor));
}

nb::object schema_capsule(ArrowSchema* schema) {
  if (schema == nullptr) return nb::none();
  return in_capsule(schema, "arrow_schema", release_schema);
}

nb::object array_capsule(ArrowArray* array) {
  return in_capsule(array, "arrow_array", release_array);
}

nb::object write_function(WriteBytes sink) {
  return nb::cpp_function([sink = std::move(sink)](const nb::bytes& bytes) {
    const std::string_view view(bytes.c_str(), bytes.size());
    const nb::gil_scoped_release unlocked;
    sink(view);
  });
}

// choose(rows) -> (a mask of bytes, further columns or None)
nb::object choose_function(const ChooseRows& choose) {
  return nb::cpp_function([&choose](std::uint64_t rows) {
    RowChoice choice;
    choice.keep.resize(rows);
    {
      const nb::gil_scoped_release unlocked;
      choose(rows, choice);
    }
    nb::object added = nb::none();
    if (choice.added.release != nullptr) added = array_capsule(&choice.added);
    return nb::make_tuple(nb::bytes(choice.keep.data(), choice.keep.size()), added);
  });
}

class PythonWriter final : public TableFileWriter {
 public:
  explicit PythonWriter(nb::object writer) : writer_(std::move(writer)) {}

  void copy(const std::string& path, const ChooseRows& choose) override {
    in_python([&] { writer().attr("copy")(path, choose_function(choose)); });
  }
  void append(ArrowArray* batch) override {
    in_python([&] { writer().attr("append")(array_capsule(batch)); });
  }
  void finish() override {
    in_python([&] { writer().attr("finish")(); });
  }

 private:
  [[nodiscard]] nb::handle writer() const { return writer_.get(); }

  Held writer_;
};

class PythonFiles final : public TableFiles {
 public:
  [[nodiscard]] std::vector<std::string> column_names(std::string_view format,
                                                      const std::string& path) const override {
    return in_python([&] {
      return nb::cast<std::vector<std::string>>(functions().attr("column_names")(format, path));
    });
  }

  void read(std::string_view format, const std::string& path,
            const std::vector<std::string>& columns, ArrowArrayStream* out) const override {
    in_python([&] {
      const nb::object reader = functions().attr("read")(format, path, columns);
      const nb::object capsule = reader.attr("__arrow_c_stream__")();
      auto* stream =
          static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
      if (stream == nullptr) throw nb::python_error();
      *out = std::exchange(*stream, ArrowArrayStream{});
    });
  }

  [[nodiscard]] std::unique_ptr<TableFileWriter> write_like(std::string_view format,
                                                            const std::string& model,
                                                            ArrowSchema* added,
                                                            WriteBytes sink) const override {
    return in_python([&]() -> std::unique_ptr<TableFileWriter> {
      return std::make_unique<PythonWriter>(functions().attr("write_like")(
          format, model, schema_capsule(added), write_function(std::move(sink))));
    });
  }

  [[nodiscard]] std::unique_ptr<TableFileWriter> write(std::string_view format,
                                                       ArrowSchema* columns,
                                                       WriteBytes sink) const override {
    return in_python([&]() -> std::unique_ptr<TableFileWriter> {
      return std::make_unique<PythonWriter>(functions().attr("write")(
          format, schema_capsule(columns), write_function(std::move(sink))));
    });
  }
};

}  // namespace

const TableFiles& python_table_files() {
  static const PythonFiles files;
  return files;
}

}  // namespace sosie::python
