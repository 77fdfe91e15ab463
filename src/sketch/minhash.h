#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sosie {

// A hash function h(x) = (a x + b) mod m, as constructed in the book.
struct LinearHash {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  std::uint64_t modulus = 1;

  [[nodiscard]] std::uint64_t operator()(std::uint64_t x) const noexcept;
};

// Method of computing signatures (`--sketch`).
//   permfill  one permutation: one pass over the set. A value's low bits select its bin, which
//             keeps its smallest value. A bin that stays empty gets the smallest value of its own
//             permutation a_j x + b_j over the whole set, tagged so that it never equals a value
//             from the pass, as in fast similarity sketching (Dahlgaard, Knudsen, Thorup, FOCS
//             2017); one pass: Li, Owen, Zhang, NIPS 2012. O(n + empty bins * n).
//   classic   a hash function (a_j x + b_j) mod (2^61 - 1) for each component, universal in the
//             sense of Carter and Wegman (MMDS 3.3.5). O(components * n).
enum class SketchKind : std::uint8_t { permfill, classic };

// K = `components` minhash values of a set. In each component, two signatures agree with
// probability SIM(A, B). The values depend only on the set and the seed.
class MinHasher {
 public:
  // components: a power of two, 16 to 4096.
  MinHasher(int components, std::uint64_t seed, SketchKind kind = SketchKind::permfill);

  [[nodiscard]] int components() const noexcept { return components_; }

  // `shingles`: 64-bit hashes, at least one; duplicates are allowed. `signature` must have space
  // for components() values.
  void sketch(std::span<const std::uint64_t> shingles, std::span<std::uint32_t> signature);

 private:
  int components_;
  std::vector<LinearHash> functions_;  // classic; empty otherwise
  std::uint64_t multiplier_ = 0;
  std::vector<std::uint32_t> a_;
  std::vector<std::uint32_t> b_;
  std::vector<std::uint32_t> values_;
};

inline constexpr std::uint64_t kNoMinhash = ~std::uint64_t{0};

// The signature as defined in the book (MMDS 3.3.5): for each function, the smallest value over the
// rows in `set`, or kNoMinhash if the set is empty.
[[nodiscard]] std::vector<std::uint64_t> classic_signature(std::span<const std::uint64_t> set,
                                                           std::span<const LinearHash> functions);

// Share of equal components: an estimate of SIM. Both signatures have the same length, at least
// one.
[[nodiscard]] double estimate_similarity(std::span<const std::uint64_t> left,
                                         std::span<const std::uint64_t> right) noexcept;

}  // namespace sosie
