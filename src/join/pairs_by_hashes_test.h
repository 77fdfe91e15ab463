#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <mutex>
#include <set>

#include "join/hashed_join.h"
#include "join/items_test.h"

// Joins by locality-sensitive hashing for tests, computed from the hashes of each row.
namespace sosie {

// Pairs of listed rows, as positions, that share a key in a band, whose sketches differ by at most
// `most_different` bits, and that the measure accepts. `split` above 0: only pairs of a row before
// it and a later row.
template <class Lsh>
ValuedPairs pairs_by_hashes(const Lsh& lsh, std::span<const RowId> rows, std::size_t split,
                            std::uint64_t most_different) {
  std::vector<HashedRow> hashed;
  for (const RowId row : rows) hashed.push_back(lsh.hashed(row));
  ValuedPairs pairs;
  for (RowId i = 0; i < (split == 0 ? rows.size() : split); ++i) {
    for (RowId j = split == 0 ? i + 1 : static_cast<RowId>(split); j < rows.size(); ++j) {
      const auto& bands = hashed[i].bands;
      const bool meet = std::any_of(bands.begin(), bands.end(), [&](const HashedRow::Band& band) {
        return std::find(band.rows.begin(), band.rows.end(), rows[j]) != band.rows.end();
      });
      std::uint64_t different = 0;
      for (std::size_t w = 0; w < hashed[i].sketch.size(); ++w) {
        different +=
            static_cast<unsigned>(std::popcount(hashed[i].sketch[w] ^ hashed[j].sketch[w]));
      }
      const auto value = lsh.measure(rows[i], rows[j]);
      if (meet && different <= most_different && value) pairs.emplace_back(i, j, *value);
    }
  }
  return pairs;
}

template <class Lsh>
ValuedPairs joined_by(const Lsh& lsh, std::span<const RowId> rows, std::size_t split) {
  ValuedPairs found;
  std::mutex mutex;
  (void)lsh.join(rows, split, [&](std::span<const ScoredPair> pairs) {
    const std::lock_guard lock(mutex);
    add_to(found)(pairs);
  });
  std::sort(found.begin(), found.end());
  return found;
}

// Lists of rows in any order without duplicates, and splits of these lists.
template <class Each>
void for_some_lists(RowId rows, const Each& each) {
  std::vector<RowId> list(rows);
  for (RowId i = 0; i < rows; ++i) list[i] = i;
  each(std::span<const RowId>(list), 0);
  for (std::size_t i = rows; i-- > 1;) std::swap(list[i], list[random64(rows, i) % (i + 1)]);
  list.resize(rows - rows / 4);
  each(std::span<const RowId>(list), 0);
  each(std::span<const RowId>(list), list.size() / 3);
}

}  // namespace sosie
