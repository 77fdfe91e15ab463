#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "candidates/top_sets.h"
#include "core/thread_pool.h"
#include "data/measure.h"
#include "data/token_sets.h"

namespace sosie {

// Partners of records, by record: ascending, each once.
struct PartnerLists {
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> partners;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t record) const noexcept {
    return std::span(partners).subspan(starts[record], starts[record + 1] - starts[record]);
  }
};

// The K most similar records of each record by the sets of their elements, exactly, where K may
// differ from record to record. With two collections (records below `split`, and the others) those
// of the other one are looked for, from both sides; else (split = 0) all others.
class NearestLists {
 public:
  // `measure` outlives this.
  NearestLists(const HashedSets& sets, std::uint32_t split, const Measure& measure,
               ThreadPool& pool);
  NearestLists(const NearestLists&) = delete;
  NearestLists& operator=(const NearestLists&) = delete;

  // Looks for the `most` nearest partners of these records, in place of what was found for them.
  // Does not depend on threads. Throws Error{cancelled}.
  void find(std::span<const std::uint32_t> records, std::uint32_t most, ThreadPool& pool);

  // Partners of a record, nearest first.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t record) const noexcept {
    return nearest_[record];
  }
  // Pairs that either record has found, listed under the one with the lower number.
  [[nodiscard]] PartnerLists pairs() const;

 private:
  void find_one(std::uint32_t record, std::uint32_t most, TopSets::Finder& finder);

  TokenSets sets_;
  const Measure& measure_;
  std::uint32_t split_;
  std::vector<bool> has_set_;        // by record: it has an element
  std::optional<TopSets> in_left_;   // none unless there are two collections
  std::optional<TopSets> in_right_;
  std::vector<std::vector<std::uint32_t>> nearest_;  // by record
};

}  // namespace sosie
