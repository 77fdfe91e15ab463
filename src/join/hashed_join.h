#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "candidates/banded_join.h"
#include "core/ids.h"
#include "core/thread_pool.h"
#include "data/banded_rows.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"
#include "options/settings.h"

namespace sosie {

using MeasurePair = std::function<std::optional<double>(std::uint32_t left, std::uint32_t right)>;

// Measures the candidates of a banded join (rows of its table) and reports those that are pairs: as
// positions, in blocks in arbitrary order, from several workers concurrently. Returns how many
// candidates were measured.
std::uint64_t measure_candidates(const BandedJoin& join, ThreadPool& pool,
                                 const MeasurePair& measure,
                                 const std::function<void(std::span<const ScoredPair>)>& each);

// A join in which equal rows are treated as one.
struct HashedJoin {
  using Each = std::function<void(std::span<const ScoredPair>)>;

  JoinSides sides;
  std::function<std::string_view(std::size_t row)> bytes_of;  // equal for equal items
  // Joins as VectorLsh::join() does.
  std::function<std::uint64_t(std::span<const std::uint32_t> rows, std::size_t split, const Each&)>
      join;
  MeasurePair measure;  // the value of a pair that reaches the bound; else nullopt
  Scratch* scratch = nullptr;
  std::uint64_t sort_bytes = 0;  // memory for found pairs
};

// Uses the join to report all pairs of a row in `lefts` and a row in `rights`, as positions in
// these lists.
std::uint64_t join_between(const decltype(HashedJoin::join)& join,
                           std::span<const std::uint32_t> lefts,
                           std::span<const std::uint32_t> rights, const HashedJoin::Each& each);

// Number of bytes that join_hashed() keeps per row.
inline constexpr std::uint64_t kEqualItemBytes = 20;

// Passes every pair that is found to the sink. Equal items are joined as one item, which stands for
// all their pairs; these pairs are generated on output, and only as many as --top or --top-pairs
// can list. Returns how many pairs were measured. Throws Error{limit_exceeded} as the sink does, as
// early as possible.
std::uint64_t join_hashed(const HashedJoin& join, const Options& options, const BoundFacts& facts,
                          PairSink& sink);

// True if at least half of the items are copies of others.
[[nodiscard]] bool are_mostly_copies(std::size_t count,
                                     const std::function<std::string_view(std::size_t)>& bytes_of);

// The hashes of a row in memory: its sketch and, for each band, its key and the rows in the same
// bucket, including the row itself.
struct HashedRow {
  struct Band {
    std::string key;  // with multi-probe: the cells of its functions
    std::vector<RowId> rows;
  };
  std::vector<std::uint64_t> sketch;
  std::vector<Band> bands;
};

// `hash` puts the keys of the given rows in the given bands into the table; not called if the table
// holds all `bands`. O(rows * bands).
[[nodiscard]] HashedRow hashed_row(
    const BandedRows& table, std::size_t bands, RowId row,
    const std::function<void(const BandRange& bands, std::span<const std::uint32_t> rows)>& hash);

}  // namespace sosie
