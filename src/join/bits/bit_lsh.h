#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "core/thread_pool.h"
#include "corpus/items/sketched_items.h"
#include "data/banded_rows.h"
#include "io/scratch.h"
#include "join/bits/bit_join.h"
#include "join/grouped_join.h"
#include "join/hashed_join.h"
#include "join/scored_pairs.h"
#include "options/bit_settings.h"

namespace sosie {

// Joins bit strings within a Hamming distance by sampled bits. As in VectorLsh, it depends only on
// the two strings, the plan and the seed whether a pair is found.
class BitLsh {
 public:
  // Column, settings and pool must outlive this object. `known`: hashes from sketches, or null.
  BitLsh(const BitColumn& column, const BitSettings& settings, ThreadPool& pool,
         const LshPlan& plan, std::unique_ptr<SketchedItems> known = nullptr);

  [[nodiscard]] const LshPlan& plan() const noexcept { return plan_; }

  // See VectorLsh.
  void hash(Scratch& scratch, std::uint64_t besides);
  [[nodiscard]] std::uint64_t sort_bytes() const noexcept { return memory_share_.sort_bytes; }
  std::uint64_t join(std::span<const std::uint32_t> rows, std::size_t split,
                     const std::function<void(std::span<const ScoredPair>)>& each) const;
  void join_part(std::span<const std::uint32_t> rows, const KeyRange& range,
                 const std::function<void(std::span<const ScoredPair>)>& each) const;
  [[nodiscard]] HashedRow hashed(std::uint32_t row) const;
  [[nodiscard]] std::optional<double> measure(std::uint32_t left, std::uint32_t right) const;

  // All hashes of the column, for sketch files. Called in place of hash().
  [[nodiscard]] HashedItems hashes() const;

 private:
  [[nodiscard]] GroupedJoin join_of(std::span<const std::uint32_t> rows, std::size_t split) const;
  // Computes the keys of some rows in these bands, which become the bands of the table.
  void hash(const BandRange& bands, std::span<const std::uint32_t> some) const;

  const BitColumn& column_;
  const BitSettings& settings_;
  ThreadPool& pool_;
  LshPlan plan_;
  CascadeRule cascade_;
  std::unique_ptr<SketchedItems> known_;
  std::unique_ptr<BandedRows> table_ = std::make_unique<BandedRows>();
  BandMemory memory_share_;
  Scratch* scratch_ = nullptr;
};

// See the function for vectors.
[[nodiscard]] BandNeeds needs_of_bands(const BitColumn& column, const LshPlan& plan,
                                       const BitSettings& settings, const ThreadPool& pool,
                                       std::uint64_t besides);

// The bytes of a row.
[[nodiscard]] std::string_view bytes_of_row(const BitColumn& column, std::size_t row);

}  // namespace sosie
