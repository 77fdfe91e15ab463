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

// Joins the vectors of a column by locality-sensitive hashing. It depends only on the two vectors,
// the plan and the seed whether a pair is found, so any subset of the rows can be joined on its
// own.
class VectorLsh {
 public:
  // `rows`: all rows of a column; `known`: hashes from sketches, or null. The data to which they
  // refer, the settings and the pool must outlive this object.
  VectorLsh(const VectorSubset& rows, const VectorSettings& settings, ThreadPool& pool,
            const LshPlan& plan, std::unique_ptr<SketchedItems> known = nullptr);

  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }
  // Must be called before the first join if the sides have rows. Keeps joins within the memory of
  // the settings, part of which is already in use by the column, this object and `besides`.
  // `scratch` must outlive this object. Throws Error{limit_exceeded}, and as SketchedItems does.
  void hash(Scratch& scratch, std::uint64_t besides);

  // The memory for pairs that are found. Available after hash().
  [[nodiscard]] std::uint64_t sort_bytes() const noexcept { return memory_share_.sort_bytes; }

  // Reports the pairs that are found among some rows, as positions, in blocks in arbitrary order,
  // from several workers concurrently. `split` above 0: only pairs of a row before it and a later
  // row. Returns how many pairs were measured. Only one join may run at a time. Throws
  // Error{cancelled}.
  std::uint64_t join(std::span<const std::uint32_t> rows, std::size_t split,
                     const std::function<void(std::span<const ScoredPair>)>& each) const;
  // Reports all candidates whose first equal key is in a range (see BandedJoin), in the same form
  // as measure_part().
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

// The memory that such a join needs. `besides`: bytes in use in addition to the column and the
// VectorLsh.
[[nodiscard]] BandNeeds needs_of_bands(const VectorColumn& column, const LshPlan& plan,
                                       const VectorSettings& settings, const ThreadPool& pool,
                                       std::uint64_t besides);

// False if there are so few comparisons per row that no alternative to an exact join is needed.
[[nodiscard]] bool is_worth_planning(const JoinSides& sides) noexcept;

// A forecast for the pairs of `sides`, from a sample that depends on the seed; for a column without
// rows, from assumptions based on its dimension. `rows`: all rows of a column. `taken`: an existing
// plan.
[[nodiscard]] LshForecast forecast_vectors(const VectorSubset& rows, const JoinSides& sides,
                                           const VectorSettings& settings, ThreadPool& pool,
                                           const std::optional<LshPlan>& taken = {});

}  // namespace sosie
