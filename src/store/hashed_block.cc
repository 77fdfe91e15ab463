// Blocks of hashed vectors and bit strings in files of sketches.
#include "store/hashed_block.h"

#include "store/packed_bytes.h"

namespace sosie {
namespace {

constexpr std::uint64_t kLeastBytesOfRow = 4;  // the key of a band
constexpr unsigned kCells = 32;                // of a function

template <class T>
void pack_column(PackedWriter& out, const std::vector<T>& values) {
  out.column(std::span<const T>(values));
}

}  // namespace

std::string pack_hashes(const HashedRows& rows) {
  PackedWriter out;
  out.value(std::uint64_t{rows.rows});
  pack_column(out, rows.keys);
  pack_column(out, rows.cells);
  pack_column(out, rows.near);
  pack_column(out, rows.sketches);
  return out.bytes();
}

HashedRows unpack_hashes(std::string_view bytes, const HashedPlan& plan, const std::string& name) {
  PackedReader in(bytes, name);
  HashedRows rows;
  rows.rows = in.count(kLeastBytesOfRow);
  const auto bands = static_cast<std::uint64_t>(plan.bands);
  if (plan.probes > 1) {
    const std::uint64_t functions = bands * static_cast<std::uint64_t>(plan.rows);
    rows.cells = in.column<std::uint8_t>(rows.rows * functions);
    rows.near = in.column<std::uint32_t>(rows.rows * functions);
  } else {
    rows.keys = in.column<std::uint32_t>(rows.rows * bands);
  }
  for (std::size_t i = 0; i < rows.cells.size(); ++i) {
    if (rows.cells[i] >= kCells || (rows.near[i] >> rows.cells[i] & 1) == 0) in.refuse();
  }
  rows.sketches =
      in.column<std::uint64_t>(rows.rows * static_cast<std::uint64_t>(plan.sketch_bits / 64));
  in.expect_end();
  return rows;
}

}  // namespace sosie
