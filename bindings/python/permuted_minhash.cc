// Sketches for sosie.datasketch: sosie/lower_minima.h with numpy arrays and bytes.
#include "permuted_minhash.h"

#include <nanobind/ndarray.h>

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/lower_minima.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sosie::python {
namespace {

template <typename T>
using Row = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Row 0 contains the factors a, row 1 the summands b.
template <typename T>
using Permutations = nb::ndarray<const T, nb::shape<2, -1>, nb::c_contig, nb::device::cpu>;

template <typename T>
void lower(std::span<const T> hashes, const Permutations<T>& permutations, const Row<T>& minima,
           bool is_legacy) {
  const std::size_t count = minima.shape(0);
  if (permutations.shape(1) != count) {
    throw nb::value_error("the number of permutations must equal the number of hash values");
  }
  const std::span<const T> a(permutations.data(), count);
  const std::span<const T> b(permutations.data() + count, count);
  const std::span<T> lowered(minima.data(), count);
  if constexpr (sizeof(T) == sizeof(std::uint64_t)) {
    if (is_legacy) return lower_minima_legacy(hashes, a, b, lowered);
  }
  lower_minima(hashes, a, b, lowered);
}

template <typename T>
void lower_by_hashes(const Row<const T>& hashes, const Permutations<T>& permutations,
                     const Row<T>& minima, bool is_legacy) {
  lower(std::span<const T>(hashes.data(), hashes.shape(0)), permutations, minima, is_legacy);
}

// Bytes of the items in a tuple. Items other than `bytes` are copied, since another thread may
// change them.
class ItemBytes {
 public:
  explicit ItemBytes(const nb::tuple& items) {
    views_.reserve(items.size());
    for (const nb::handle item : items) views_.push_back(bytes_of(item));
  }

  [[nodiscard]] const std::vector<std::string_view>& views() const noexcept { return views_; }

 private:
  // Accepts and rejects the same types as hashlib, with the same messages.
  std::string_view bytes_of(nb::handle item) {
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_Check(item.ptr())) {
      if (PyBytes_AsStringAndSize(item.ptr(), &data, &size) != 0) throw nb::python_error();
      return {data, static_cast<std::size_t>(size)};
    }
    if (PyUnicode_Check(item.ptr())) {
      throw nb::type_error("Strings must be encoded before hashing");
    }
    if (PyObject_CheckBuffer(item.ptr()) == 0) {
      throw nb::type_error("object supporting the buffer API required");
    }
    Py_buffer buffer = {};
    if (PyObject_GetBuffer(item.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
    copies_.emplace_back(static_cast<const char*>(buffer.buf),
                         static_cast<std::size_t>(buffer.len));
    PyBuffer_Release(&buffer);
    return copies_.back();
  }

  std::vector<std::string_view> views_;
  std::deque<std::string> copies_;
};

template <typename T>
void lower_by_items(const nb::tuple& items, const Permutations<T>& permutations,
                    const Row<T>& minima, bool is_legacy) {
  const ItemBytes bytes(items);
  std::vector<std::uint64_t> prefixes(bytes.views().size());
  sha1_prefixes(bytes.views(), prefixes);
  if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    const std::vector<std::uint32_t> hashes(prefixes.begin(), prefixes.end());
    return lower(std::span(hashes), permutations, minima, is_legacy);
  } else {
    if (is_legacy) {
      for (std::uint64_t& prefix : prefixes) prefix &= 0xffffffffU;
    }
    lower(std::span<const T>(prefixes), permutations, minima, is_legacy);
  }
}

template <typename T>
void define_for(nb::module_& module) {
  module.def("lower_minima", lower_by_hashes<T>, "hashes"_a, "permutations"_a, "minima"_a,
             "is_legacy"_a);
  module.def("lower_minima_of_items", lower_by_items<T>, "items"_a, "permutations"_a, "minima"_a,
             "is_legacy"_a);
}

}  // namespace

void define_permuted_minhash(nb::module_& module) {
  define_for<std::uint32_t>(module);
  define_for<std::uint64_t>(module);
}

}  // namespace sosie::python
