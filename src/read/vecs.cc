// Readers of .fvecs, .bvecs and .ivecs files.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "core/most_rows.h"
#include "read/vector_files.h"

namespace sosie {
namespace {

constexpr std::size_t kSizeBytes = 4;
constexpr std::size_t kBatchBytes = std::size_t{1} << 22;

std::int32_t dimension_at(const char* bytes) {
  std::int32_t dimension = 0;
  std::memcpy(&dimension, bytes, sizeof dimension);
  return dimension;
}

// Reads rows of T from the file as rows of Kept in the column.
template <typename T, typename Kept>
VectorColumn read_vecs(const File& file, std::size_t spare) {
  VectorColumn column;
  std::vector<Kept> components;
  if (file.size() == 0) return {0, 0, std::move(components)};
  char first[kSizeBytes];
  if (file.read_some(0, first, kSizeBytes) < kSizeBytes) refuse_vectors(file, "ends within row 0");
  const std::int32_t dimension = dimension_at(first);
  if (dimension < 1 || static_cast<std::size_t>(dimension) > kMaxDimension) {
    refuse_vectors(file, "row 0 claims " + std::to_string(dimension) + " components; 1 to " +
                             std::to_string(kMaxDimension) + " are read");
  }
  column.dimension = static_cast<std::size_t>(dimension);
  const std::size_t row_bytes = kSizeBytes + column.dimension * sizeof(T);
  column.rows = file.size() / row_bytes;
  check_rows_of_run(column.rows);
  components.reserve(column.rows * column.dimension + spare);
  const std::size_t batch = std::max<std::size_t>(1, kBatchBytes / row_bytes);
  std::vector<char> buffer;
  std::vector<T> values(column.dimension);
  for (std::size_t row = 0; row < column.rows;) {
    const std::size_t count = std::min(batch, column.rows - row);
    buffer.resize(count * row_bytes);
    file.read_at(row * row_bytes, buffer.data(), buffer.size());
    for (const char* at = buffer.data(); at < buffer.data() + buffer.size();
         at += row_bytes, ++row) {
      if (dimension_at(at) != dimension) {
        refuse_vectors(file, "row " + std::to_string(row) + " has " +
                                 std::to_string(dimension_at(at)) + " components, row 0 has " +
                                 std::to_string(dimension));
      }
      std::memcpy(values.data(), at + kSizeBytes, column.dimension * sizeof(T));
      components.insert(components.end(), values.begin(), values.end());
    }
  }
  if (file.size() % row_bytes != 0) {
    refuse_vectors(file, "ends within row " + std::to_string(column.rows));
  }
  column.components = std::move(components);
  return column;
}

VectorRows rows_of(const File& file, std::size_t component_bytes) {
  char first[kSizeBytes] = {};
  file.read_some(0, first, kSizeBytes);
  return {0, kSizeBytes + static_cast<std::uint64_t>(dimension_at(first)) * component_bytes};
}

}  // namespace

VectorRows rows_of_words(const File& file) { return rows_of(file, 4); }
VectorRows rows_of_bytes(const File& file) { return rows_of(file, 1); }
VectorColumn read_fvecs(const File& file, std::size_t spare) {
  return read_vecs<float, float>(file, spare);
}
VectorColumn read_bvecs(const File& file, std::size_t spare) {
  return read_vecs<std::uint8_t, std::uint8_t>(file, spare);
}
VectorColumn read_ivecs(const File& file, std::size_t spare) {
  return read_vecs<std::int32_t, double>(file, spare);
}

std::optional<NotFinite> not_finite(const VectorColumn& column, std::uint64_t first_row) {
  return std::visit(
      [&](const auto& components) -> std::optional<NotFinite> {
        using T = typename std::decay_t<decltype(components)>::value_type;
        if constexpr (std::is_floating_point_v<T>) {
          const auto begin =
              components.begin() + static_cast<std::ptrdiff_t>(first_row * column.dimension);
          const auto at =
              std::find_if(begin, components.end(), [](T value) { return !std::isfinite(value); });
          if (at == components.end()) return std::nullopt;
          const auto place = static_cast<std::uint64_t>(at - components.begin());
          return NotFinite{place / column.dimension, place % column.dimension, std::isnan(*at)};
        } else {
          return std::nullopt;
        }
      },
      column.components);
}

}  // namespace sosie
