#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/columns.h"
#include "io/scratch.h"
#include "join/grouped_join.h"
#include "join/hashed_join.h"
#include "join/scored_pairs.h"
#include "join/vectors/vector_bands.h"
#include "options/vector_settings.h"
#include "plan/lsh_forecast.h"

namespace sosie {

// The join of vectors of a column by locality-sensitive hashing. Whether a pair is found depends on
// its two vectors, the plan and the seed alone, so any part of the rows can be joined.
class VectorLsh {
 public:
  // `rows`: all of a column; `known`: hashes that sketches bring, or null. What they refer to,
  // settings and pool outlive this.
  VectorLsh(const VectorSubset& rows, const VectorSettings& settings, ThreadPool& pool,
            const LshPlan& plan, std::unique_ptr<SketchedItems> known = nullptr);

  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }
  // Before the first join, for sides that have rows. Sees to it that a join keeps to the
  // memory of the settings, of which `besides` are taken, and what the column and this have;
  // `scratch` outlives this. Throws Error{limit_exceeded}, and as SketchedItems.
  void hash(Scratch& scratch, std::uint64_t besides);

  // Part of the memory for found pairs. Call after hash().
  [[nodiscard]] std::uint64_t sort_bytes() const noexcept { return memory_share_.sort_bytes; }

  // Hands over the found pairs of some rows (`split` above 0: between those before it and the
  // others), by positions, in blocks of any order, from several workers at a time. Returns how many
  // pairs were measured. One join at a time. Throws Error{cancelled}.
  std::uint64_t join(std::span<const std::uint32_t> rows, std::size_t split,
                     const std::function<void(std::span<const ScoredPair>)>& each) const;
  // Hands over all candidates whose first equal key is in a range (see BandedJoin), as
  // measure_part() does.
  void join_part(std::span<const std::uint32_t> rows, const KeyRange& range,
                 const std::function<void(std::span<const ScoredPair>)>& each) const;

  // Hashes of a row. Must not run during a join.
  [[nodiscard]] HashedRow hashed(std::uint32_t row) const;

  // The value of a pair that reaches the bound; nothing of others.
  [[nodiscard]] std::optional<double> measure(std::uint32_t left, std::uint32_t right) const;

 private:
  [[nodiscard]] GroupedJoin join_of(std::span<const std::uint32_t> rows, std::size_t split) const;

  const VectorColumn& column_;
  std::span<const double> squares_;  // by row
  const VectorSettings& settings_;
  ThreadPool& pool_;
  LshPlan plan_;
  CascadeRule cascade_;
  std::unique_ptr<SketchedItems> known_;
  std::unique_ptr<VectorBands> bands_;
  BandMemory memory_share_;
  Scratch* scratch_ = nullptr;
};

// All hashes of some vectors, for sketch files.
[[nodiscard]] HashedItems hashes_of(const VectorColumn& column, const RowRange& rows,
                                    const VectorHashing& hashing, ThreadPool& pool);

// Memory that such a join needs; `besides`: bytes that are taken besides the column and this.
[[nodiscard]] BandNeeds needs_of_bands(const VectorColumn& column, const LshPlan& plan,
                                       const VectorSettings& settings, const ThreadPool& pool,
                                       std::uint64_t besides);

// Fewer comparisons a row than this are made exactly without thinking of hashes.
[[nodiscard]] bool is_worth_planning(const JoinSides& sides) noexcept;

// Forecast for the pairs of `sides`, from a sample drawn with the seed; a column without rows, of
// some dimension, is planned for by assumptions. `rows`: all of a column. `taken`: a plan that was
// made before.
[[nodiscard]] LshForecast forecast_vectors(const VectorSubset& rows, const JoinSides& sides,
                                           const VectorSettings& settings, ThreadPool& pool,
                                           const std::optional<LshPlan>& taken = {});

}  // namespace sosie
