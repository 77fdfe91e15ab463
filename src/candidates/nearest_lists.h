#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
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

// Lists of pairs of records, low below high, some perhaps more than once, under the lower one.
[[nodiscard]] PartnerLists lists_of(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                                    std::size_t records);

// Weight of an element of a set.
enum class ElementWeight : std::uint8_t {
  equal,  // 1
  rare,   // log(1 + sets / sets that have it): TF-IDF of sets
};

// The K records of greatest cosine to each record, by the weighted sets of their elements, where K
// may differ from record to record; ties in input order; a cosine of 0 makes no partner. With two
// collections (records below `split`, and the others) partners are looked for in the other one,
// from both sides; else (split = 0) among all others.
//
// Every partner is found: lists of the sets that have an element are counted along, rarest element
// first, until the elements that remain cannot lift a set that shares none of the earlier ones over
// the K-th best (by Cauchy and Schwarz), and then only sets that still may be among the best are
// compared in full. Memory: 4 bytes an element, 8 bytes a record and thread.
// Source: MMDS 3.9; Turtle, Flood 1995 (max score).
class NearestLists {
 public:
  NearestLists(const HashedSets& sets, std::uint32_t split, ElementWeight weight, ThreadPool& pool);

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
  // A set that shares an element, and what it is known to share.
  struct Met {
    std::uint32_t set;
    double cosine;
  };
  // Buffers of one thread.
  struct Finder {
    std::vector<double> shared;       // by set: weight of the elements that were met; 0 between
    std::vector<std::uint32_t> sets;  // sets that share something
    std::vector<Met> met;
  };

  [[nodiscard]] std::span<const std::uint32_t> list_of(std::uint32_t token, bool of_right) const;
  void find_one(std::uint32_t record, std::uint32_t most, Finder& finder);
  [[nodiscard]] double kth_best(std::uint32_t set, std::uint32_t most, Finder& finder) const;
  [[nodiscard]] std::uint64_t survivors(std::uint32_t set, double least,
                                        const Finder& finder) const;
  [[nodiscard]] std::size_t count_along(std::uint32_t set, std::uint32_t most,
                                        Finder& finder) const;
  void keep_best(std::uint32_t set, std::size_t seen, std::uint32_t most, Finder& finder) const;
  [[nodiscard]] double cosine_of(std::uint32_t left, std::uint32_t right) const;
  void make_lists();
  void weigh(ElementWeight weight);

  TokenSets sets_;
  std::uint32_t split_;
  std::vector<std::uint32_t> set_of_;  // by record; kNoSet for one without elements
  std::vector<double> squares_;        // by token: the square of its weight
  std::vector<double> lengths_;        // by set
  std::vector<std::uint64_t> starts_;  // by token: its list, left sets in front
  std::vector<std::uint64_t> splits_;  // by token: its first right set
  std::vector<std::uint32_t> lists_;
  std::vector<std::vector<std::uint32_t>> nearest_;  // by record
};

}  // namespace sosie
