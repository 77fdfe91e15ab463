// Hashes of one row, for explain --all.
#include "join/hashed_row.h"

#include <fmt/format.h>

#include <numeric>

namespace sosie {
namespace {

// True if all cells of one row are near the cells of the other.
bool is_near(const BandedRows& table, std::size_t band, RowId one, RowId other) {
  for (std::size_t f = 0; f < table.functions; ++f) {
    if ((table.near_of(other, band)[f] >> table.cells_of(one, band)[f] & 1) == 0) return false;
  }
  return true;
}

bool meet(const BandedRows& table, std::size_t band, RowId a, RowId b) {
  if (table.functions == 0) return table.keys_of(a)[band] == table.keys_of(b)[band];
  return is_near(table, band, a, b) || is_near(table, band, b, a);
}

// `band`: in the table.
HashedRow::Band band_of(const BandedRows& table, std::size_t band, RowId row) {
  HashedRow::Band out;
  if (table.functions == 0) {
    out.key = fmt::format("{:08x}", table.keys_of(row)[band]);
  } else {
    const std::span cells(table.cells_of(row, band), table.functions);
    out.key = fmt::format("{}", fmt::join(cells, "."));
  }
  for (RowId other = 0; other < table.rows; ++other) {
    if (other == row || meet(table, band, row, other)) out.rows.push_back(other);
  }
  return out;
}

}  // namespace

HashedRow hashed_row(
    const BandedRows& table, std::size_t bands, RowId row,
    const std::function<void(const BandRange& bands, std::span<const std::uint32_t> rows)>& hash) {
  HashedRow out;
  out.sketch.assign(table.sketch_of(row), table.sketch_of(row) + table.sketch_words);
  const bool holds_all = table.bands == bands;
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  for (std::size_t band = 0; band < bands; ++band) {
    if (!holds_all) hash({band, band + 1}, rows);
    out.bands.push_back(band_of(table, holds_all ? band : 0, row));
  }
  return out;
}

}  // namespace sosie
