#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "candidates/prefix_length.h"
#include "data/measure.h"

namespace sosie {

// The rarest shingles of a set, as many as every similar set shares one of (MMDS 3.9.4): first
// those that the order does not know, by their hashes cut to 32 bits, then ranks of those it knows.
struct RarePrefix {
  std::uint32_t set_size = 0;
  std::uint32_t unknown = 0;  // the first tokens
  std::vector<std::uint32_t> tokens;
};

// An order of all shingles that has what many sets share at its end: learned from some of the sets,
// and then the same for all of them.
class RarityOrder {
 public:
  // `hashes`: the shingles of the sets to learn from, one set behind the other. What occurs once
  // among them counts as unknown. Takes O(n log n).
  void learn(std::vector<std::uint64_t> hashes);

  // `ranks` is working memory.
  void prefix_of(SetView set, const Measure& measure, const Rational& threshold,
                 std::vector<std::uint32_t>& ranks, RarePrefix& out) const;

  // Number of known shingles; their ranks are below it.
  [[nodiscard]] std::uint32_t known() const noexcept { return known_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

 private:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};

  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t rank = kUnknown;
  };

  [[nodiscard]] std::uint32_t rank_of(std::uint64_t hash) const noexcept;

  std::vector<Slot> slots_;  // open addressing
  std::uint32_t known_ = 0;
};

}  // namespace sosie
