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

// Measures the candidates of a banded join (rows of its table) and hands over those that are pairs,
// by positions, in blocks of any order, from several workers at a time. Returns how many were
// measured.
std::uint64_t measure_candidates(const BandedJoin& join, ThreadPool& pool,
                                 const MeasurePair& measure,
                                 const std::function<void(std::span<const ScoredPair>)>& each);

// A join of rows whose equal ones are joined as one.
struct HashedJoin {
  using Each = std::function<void(std::span<const ScoredPair>)>;

  JoinSides sides;
  std::function<std::string_view(std::size_t row)> bytes_of;  // equal for equal items
  // Joins like VectorLsh::join().
  std::function<std::uint64_t(std::span<const std::uint32_t> rows, std::size_t split, const Each&)>
      join;
  MeasurePair measure;  // the value of a pair that reaches the bound; nothing of others
  Scratch* scratch = nullptr;
  std::uint64_t sort_bytes = 0;  // memory for found pairs
};

// Hands over the pairs of one of `lefts` with one of `rights`, by positions in each, as the join
// does.
std::uint64_t join_between(const decltype(HashedJoin::join)& join,
                           std::span<const std::uint32_t> lefts,
                           std::span<const std::uint32_t> rights, const HashedJoin::Each& each);

// Bytes that join_hashed() keeps for each row.
inline constexpr std::uint64_t kEqualItemBytes = 20;

// Hands every found pair to the sink. Equal items are joined as one, which stands for all their
// pairs: these are made when they are written, and no more of them than --top or --top-pairs can
// leave. Returns how many pairs were measured. Throws
// Error{limit_exceeded} as the sink does, as soon as it is known.
std::uint64_t join_hashed(const HashedJoin& join, const Options& options, const BoundFacts& facts,
                          PairSink& sink);

// True if at least half of the items are copies of others.
[[nodiscard]] bool are_mostly_copies(std::size_t count,
                                     const std::function<std::string_view(std::size_t)>& bytes_of);

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
