// Minhash signatures, from one permutation or from a hash function for each component.
#include "sketch/minhash.h"

#include <algorithm>

#include "core/mix64.h"
#include "kernels/minhash_values.h"

namespace sosie {

namespace {

constexpr std::uint64_t kMersenne61 = (std::uint64_t{1} << 61) - 1;

}  // namespace

MinHasher::MinHasher(int components, std::uint64_t seed, SketchKind kind)
    : components_(components) {
  const auto k = static_cast<std::size_t>(components);
  if (kind == SketchKind::classic) {
    for (std::size_t j = 0; j < k; ++j) {
      functions_.push_back({1 + random64(seed, 2 * j) % (kMersenne61 - 1),
                            random64(seed, 2 * j + 1) % kMersenne61, kMersenne61});
    }
    return;
  }
  multiplier_ = random64(seed, 0) | 1;
  a_.resize(k);
  b_.resize(k);
  for (std::size_t j = 0; j < a_.size(); ++j) {
    const std::uint64_t random = random64(seed, j + 1);
    a_[j] = static_cast<std::uint32_t>(random >> 32) | 1;
    b_[j] = static_cast<std::uint32_t>(random);
  }
}

void MinHasher::sketch(std::span<const std::uint64_t> shingles,
                       std::span<std::uint32_t> signature) {
  if (!functions_.empty()) {
    // Only the lower half of a value is used: 2^-32 is far too small to affect any recall.
    const auto least = classic_signature(shingles, functions_);
    std::transform(least.begin(), least.end(), signature.begin(),
                   [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
    return;
  }
  if (values_.size() < shingles.size()) values_.resize(shingles.size() + shingles.size() / 2);
  const std::size_t count = shingles.size();
  kernels::minhash_values(shingles.data(), count, multiplier_, values_.data());
  std::fill(signature.begin(), signature.end(), kernels::kEmptyBin);
  kernels::minhash_bins(values_.data(), count, signature.data(), signature.size());
  kernels::minhash_fill(values_.data(), count, a_.data(), b_.data(), signature.data(),
                        signature.size());
}

std::uint64_t LinearHash::operator()(std::uint64_t x) const noexcept {
  const Product128 product = multiply128(a, x % modulus);
  if (modulus == kMersenne61) {  // avoids a division by adding the product's 61-bit halves
    std::uint64_t sum = (product.low & modulus) + (product.low >> 61 | product.high << 3) + b;
    sum = (sum & modulus) + (sum >> 61);
    return sum >= modulus ? sum - modulus : sum;
  }
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(((static_cast<Wide>(product.high) << 64 | product.low) + b) %
                                    modulus);
}

std::vector<std::uint64_t> classic_signature(std::span<const std::uint64_t> set,
                                             std::span<const LinearHash> functions) {
  std::vector<std::uint64_t> signature(functions.size(), kNoMinhash);
  for (const std::uint64_t row : set) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      signature[i] = std::min(signature[i], functions[i](row));
    }
  }
  return signature;
}

double estimate_similarity(std::span<const std::uint64_t> left,
                           std::span<const std::uint64_t> right) noexcept {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < left.size(); ++i) equal += left[i] == right[i] ? 1U : 0U;
  return static_cast<double>(equal) / static_cast<double>(left.size());
}

}  // namespace sosie
