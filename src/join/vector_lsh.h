#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "io/scratch.h"
#include "join/band_groups.h"
#include "join/measured_pairs.h"
#include "join/vector_bands.h"
#include "options/vector_settings.h"

namespace sosie {

// The join of vectors of a column by locality-sensitive hashing. Whether a pair is found depends on
// its two vectors, the plan and the seed alone, so any part of the rows can be joined.
class VectorLsh {
 public:
  // Plans for the pairs of `sides`, from a sample drawn with the seed. `rows`: all of a column.
  // What they refer to, settings and pool outlive this.
  VectorLsh(const VectorSubset& rows, const JoinSides& sides, const VectorSettings& settings,
            ThreadPool& pool);

  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }
  // True if hashing is predicted to cost less than comparing all rows exactly.
  [[nodiscard]] bool is_cheaper() const noexcept { return plan_.cost < exact_cost_; }
  // Pairs that the sample lets expect.
  [[nodiscard]] double expected_pairs() const noexcept { return expected_pairs_; }

  // Before the first join, for sides that have rows. Sees to it that a join keeps to the
  // memory of the settings, of which `besides` are taken, and what the column and this have;
  // `scratch` outlives this. Throws Error{limit_exceeded}.
  void hash(Scratch& scratch, std::uint64_t besides);

  // Part of the memory for found pairs. Call after hash().
  [[nodiscard]] std::uint64_t sort_bytes() const noexcept { return room_.sort_bytes; }

  // Hands over the found pairs of some rows (`split` above 0: between those before it and the
  // others), by positions, in blocks of any order, from several workers at a time. Returns how many
  // pairs were measured. One join at a time. Throws Error{cancelled}.
  std::uint64_t join(std::span<const std::uint32_t> rows, std::size_t split,
                     const std::function<void(std::span<const MeasuredPair>)>& each) const;

  // The value of a pair that reaches the bound; nothing of others.
  [[nodiscard]] std::optional<double> measure(std::uint32_t left, std::uint32_t right) const;

 private:
  [[nodiscard]] VectorSums sums(const VectorMeasure& measure, std::uint32_t left,
                                std::uint32_t right) const;
  [[nodiscard]] std::vector<double> sampled_distances(const VectorMeasure& measure) const;
  // Part of all pairs that an exact join measures besides the pairs within the bound.
  [[nodiscard]] double passing_part() const;
  [[nodiscard]] LshTask task_of(const HashFamily& family, std::span<const double> sample) const;

  const VectorColumn& column_;
  std::span<const double> squares_;  // by row
  JoinSides sides_;
  const VectorSettings& settings_;
  ThreadPool& pool_;
  LshPlan plan_;
  double exact_cost_ = 0;  // nanoseconds a left row
  double expected_pairs_ = 0;
  std::unique_ptr<VectorBands> bands_;
  BandRoom room_;
  Scratch* scratch_ = nullptr;
};

// Fewer comparisons a row than this are made exactly without thinking of hashes.
[[nodiscard]] bool is_worth_planning(const JoinSides& sides) noexcept;

}  // namespace sosie
