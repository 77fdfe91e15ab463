#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// One-permutation MinHash with permfill: K = `components` minhash values of a set from one pass
// over it. A value's low bits name its bin, the bin keeps its least value. A bin that stays empty
// takes the least of its own permutation a_j x + b_j over the whole set, tagged so that it can
// never equal a value that came from the pass. Each component of two signatures agrees with
// probability SIM(A, B), as in fast similarity sketching (Dahlgaard, Knudsen, Thorup, FOCS 2017);
// one pass: Li, Owen, Zhang, NIPS 2012. Deterministic in seed. O(n + empty bins * n).
class MinHasher {
 public:
  // components: a power of two, 16 to 4096.
  MinHasher(int components, std::uint64_t seed);

  [[nodiscard]] int components() const noexcept { return static_cast<int>(a_.size()); }

  // `shingles`: 64-bit hashes, repetitions allowed, at least one. `signature` has room for
  // components() values.
  void sketch(std::span<const std::uint64_t> shingles, std::span<std::uint32_t> signature);

 private:
  std::uint64_t multiplier_;
  std::vector<std::uint32_t> a_;
  std::vector<std::uint32_t> b_;
  std::vector<std::uint32_t> values_;
};

// One hash function h(x) = (a x + b) mod m of the book's construction.
struct LinearHash {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  std::uint64_t modulus = 1;

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const noexcept;
};

inline constexpr std::uint64_t kNoMinhash = ~std::uint64_t{0};

// The book's signature (MMDS 3.3.5): for each function the least value over the rows in `set`;
// kNoMinhash for an empty set.
[[nodiscard]] std::vector<std::uint64_t> classic_signature(std::span<const std::uint64_t> set,
                                                           std::span<const LinearHash> functions);

// Part of equal components: the estimate of SIM. Both of the same length, at least one.
[[nodiscard]] double estimate_similarity(std::span<const std::uint64_t> left,
                                         std::span<const std::uint64_t> right) noexcept;

}  // namespace sosie
