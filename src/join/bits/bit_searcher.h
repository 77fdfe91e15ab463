#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "join/bits/bit_layout.h"
#include "join/item_lookup.h"
#include "join/scored_pairs.h"
#include "options/bit_settings.h"

namespace sosie {

// The condition that a string must meet to be found.
struct SoughtBits {
  const BitMeasure* measure = nullptr;
  std::optional<Rational> bound = {};  // nullopt: the nearest, at any distance
};
[[nodiscard]] SoughtBits sought_by(const BitSettings& settings);

// Strings to be compared with others.
struct QueryStrings {
  const BitColumn& column;
  RowRange rows;
  // The strings are rows of the searched column, and each is compared only with later rows.
  bool only_later = false;
};

// Bit strings that are arranged once, so that others can be looked up as they arrive, each in one
// pass over all of them. Memory: as much again as the column.
class BitSearcher {
 public:
  // `rows`: rows of the column, which must outlive this object.
  BitSearcher(const BitColumn& data, const RowRange& rows, const SoughtBits& sought);
  BitSearcher(const BitColumn& data, const BitSettings& settings)
      : BitSearcher(data, {0, static_cast<RowId>(data.rows)}, sought_by(settings)) {}

  // For each row of `asked`, finds the `most` nearest strings (0: all) that reach the bound, if
  // there is one, nearest first (ties: in their order), as pairs of rows. Strings in `asked` must
  // have the same length. Returns the number of pairs that were compared. Throws Error{cancelled}.
  std::uint64_t find(const QueryStrings& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<std::vector<ScoredPair>>& found) const;
  std::uint64_t find(const BitColumn& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<std::vector<ScoredPair>>& found) const {
    return find({asked, {0, static_cast<RowId>(asked.rows)}}, most, pool, found);
  }

 private:
  struct Asked;

  void search(const BitPositions& some, Asked& asked, std::vector<std::uint8_t>& near) const;
  void measure(std::size_t position, Asked& asked) const;
  // The number of differing bits at which strings in a range are no longer needed.
  [[nodiscard]] std::uint64_t limit(const Asked& asked, const BitPositions& some) const;

  const BitColumn& data_;
  SoughtBits sought_;
  BitLayout layout_;
};

// Reads the bit strings of options.against. Throws as read_bits() does.
[[nodiscard]] std::unique_ptr<ItemLookup> bit_lookup(const LookupTask& task,
                                                     const BitSettings& settings);

}  // namespace sosie
