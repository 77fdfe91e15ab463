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

// Joins vectors of a column by locality-sensitive hashing. Whether a pair is found depends only on
// its two vectors, the plan and the seed, so any part of the rows can be joined.
class VectorLsh {
 public:
  // `rows`: all of a column; `known`: hashes from sketches, or null. The data they refer to,
  // settings and pool must outlive this object.
  VectorLsh(const VectorSubset& rows, const VectorSettings& settings, ThreadPool& pool,
            const LshPlan& plan, std::unique_ptr<SketchedItems> known = nullptr);

  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }
  // Call it before the first join, if the sides have rows. Keeps joins within the memory of the
  // settings, of which `besides`, the column and this object already use a part; `scratch` must
  // outlive this object. Throws Error{limit_exceeded}, and as SketchedItems.
  void hash(Scratch& scratch, std::uint64_t besides);

  // Share of the memory for found pairs. Call it after hash().
  [[nodiscard]] std::uint64_t sort_bytes() const noexcept { return memory_share_.sort_bytes; }

  // Reports the found pairs of some rows (`split` above 0: between those before it and the others),
  // by positions, in blocks in any order, concurrently from several workers. Returns the number of
  // measured pairs. One join at a time. Throws Error{cancelled}.
  std::uint64_t join(std::span<const std::uint32_t> rows, std::size_t split,
                     const std::function<void(std::span<const ScoredPair>)>& each) const;
  // Reports all candidates whose first equal key is in a range (see BandedJoin), as measure_part()
  // does.
  void join_part(std::span<const std::uint32_t> rows, const KeyRange& range,
                 const std::function<void(std::span<const ScoredPair>)>& each) const;

  // Hashes of a row. Must not run during a join.
  [[nodiscard]] HashedRow hashed(std::uint32_t row) const;

  // The value of a pair that reaches the bound; else nullopt.
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

// Memory needed by such a join; `besides`: bytes in use in addition to the column and the
// VectorLsh.
[[nodiscard]] BandNeeds needs_of_bands(const VectorColumn& column, const LshPlan& plan,
                                       const VectorSettings& settings, const ThreadPool& pool,
                                       std::uint64_t besides);

// False if there are so few comparisons per row that an exact join needs no alternative.
[[nodiscard]] bool is_worth_planning(const JoinSides& sides) noexcept;

// Forecast for the pairs of `sides`, from a sample drawn with the seed; for a column without rows,
// based on assumptions about its dimension. `rows`: all of a column. `taken`: an existing plan.
[[nodiscard]] LshForecast forecast_vectors(const VectorSubset& rows, const JoinSides& sides,
                                           const VectorSettings& settings, ThreadPool& pool,
                                           const std::optional<LshPlan>& taken = {});

}  // namespace sosie
