#pragma once

#include <nanobind/nanobind.h>

namespace sosie::python {

// A Python object that worker threads may release.
class Held {
 public:
  explicit Held(nanobind::object object) : object_(object.release().ptr()) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    const nanobind::gil_scoped_acquire lock;
    Py_DECREF(object_);
  }

  // Call only with the interpreter's lock held.
  [[nodiscard]] nanobind::handle get() const noexcept { return object_; }

 private:
  PyObject* object_;
};

}  // namespace sosie::python
