#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace sosie::python {

// A numpy array that takes over the contents of the vector.
template <typename T>
nanobind::object to_numpy(std::vector<T> values) {
  auto own = std::make_unique<std::vector<T>>(std::move(values));
  T* data = own->data();
  const std::size_t size = own->size();
  const nanobind::capsule owner(own.release(),
                                [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(data, {size}, owner));
}

inline nanobind::object to_numpy(const std::vector<bool>& values) {
  const std::size_t size = values.size();
  auto own = std::make_unique<bool[]>(size);
  std::copy(values.begin(), values.end(), own.get());
  bool* data = own.get();
  const nanobind::capsule owner(own.release(),
                                [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  return nanobind::cast(
      nanobind::ndarray<nanobind::numpy, bool, nanobind::ndim<1>>(data, {size}, owner));
}

}  // namespace sosie::python
