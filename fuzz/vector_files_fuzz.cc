// Any bytes are read as a vector file or rejected. The vectors are at the positions given by
// vector_rows(), and can be read again after a header for the same number of rows. The first byte
// selects the format.
#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "fuzz/input.h"
#include "options/formats.h"
#include "read/vector_files.h"
#include "sosie/error.h"

namespace {

using namespace sosie;
using fuzz::require;

std::optional<VectorColumn> read(const Format& format, const File& file) {
  try {
    return format.read_vectors(file, 3);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input);
    return std::nullopt;
  }
}

void check_components(const VectorColumn& column) {
  std::visit(
      [&](const auto& components) {
        require(components.size() == column.rows * column.dimension);
        const auto bad = not_finite(column, 0);
        for (std::size_t i = 0; i < components.size(); ++i) {
          if (std::isfinite(static_cast<double>(components[i]))) continue;
          require(bad.has_value());
          require(bad->row * column.dimension + bad->component == i);
          return;
        }
        require(!bad.has_value());
      },
      column.components);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array kNames = {"npy", "fvecs", "bvecs", "ivecs"};
  fuzz::Input input(data, size);
  const Format& format = *format_by_name(kNames[input.byte() % kNames.size()]);
  const std::string bytes(input.rest());
  const File file = fuzz::file_of(bytes);
  const std::optional<VectorColumn> column = read(format, file);
  if (!column) return 0;
  check_components(*column);
  if (column->rows == 0) return 0;
  const VectorRows rows = format.vector_rows(file);
  require(rows.begin <= bytes.size());
  require(rows.begin + rows.row_bytes * column->rows == bytes.size());
  if (format.vector_header == nullptr) return 0;
  const File again =
      fuzz::file_of(format.vector_header(file, column->rows) + bytes.substr(rows.begin));
  const std::optional<VectorColumn> same = read(format, again);
  require(same && same->rows == column->rows && same->dimension == column->dimension);
  if (!not_finite(*column, 0)) require(same->components == column->components);
  return 0;
}
