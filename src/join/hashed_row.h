#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.h"
#include "data/banded_rows.h"

namespace sosie {

// Hashes of a row that lies in memory: its sketch, and in each band its key and the rows that it
// meets there, itself among them.
struct HashedRow {
  struct Band {
    std::string key;  // with multi-probe: the cells of its functions
    std::vector<RowId> rows;
  };
  std::vector<std::uint64_t> sketch;
  std::vector<Band> bands;
};

// `hash` puts the keys of some rows in some bands into the table, unless it holds all `bands`.
// O(rows * bands).
[[nodiscard]] HashedRow hashed_row(
    const BandedRows& table, std::size_t bands, RowId row,
    const std::function<void(const BandRange& bands, std::span<const std::uint32_t> rows)>& hash);

}  // namespace sosie
