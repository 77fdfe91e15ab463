// Cuts strings where they differ, judging by the symbols that a sample of them shares.
#include "candidates/string_cuts.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "candidates/equal_pairs.h"

namespace sosie {
namespace {

// Pieces shared by a smaller share of the sampled pairs are rare enough.
constexpr double kRareShare = 1.0 / 64;
// Other cuts must avoid at least half of the shared pieces.
constexpr double kWorthShare = 0.5;

class SampledStrings {
 public:
  SampledStrings(const StringColumn& column, std::span<const std::uint32_t> rows)
      : column_(column), rows_(rows) {}

  [[nodiscard]] double pairs() const noexcept {
    const auto count = static_cast<double>(rows_.size());
    return count * (count - 1) / 2;
  }

  // Number of pairs of strings that share a piece, summed over the pieces.
  [[nodiscard]] double shared(const StringCuts& cuts) const {
    double shared = 0;
    std::vector<std::uint64_t> hashes(rows_.size());
    for (std::size_t piece = 0; piece + 1 < cuts.size(); ++piece) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        hashes[i] = hash_part(rows_[i], cuts[piece], cuts[piece + 1], 0);
      }
      shared += equal_pairs(hashes);
    }
    return shared;
  }

  // For each number n of symbols: the number of bits by which the first n symbols distinguish
  // strings. Strings are compared only with strings that agree in all earlier symbols or, once few
  // of these are left, with all strings.
  [[nodiscard]] std::vector<double> bits_before(std::uint32_t length) const {
    std::vector<double> bits(std::size_t{length} + 1, 0);
    std::vector<std::uint64_t> alike(rows_.size(), 0);
    std::vector<std::uint64_t> sorted;
    double before = pairs();
    for (std::uint32_t at = 0; at < length; ++at) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        alike[i] = hash_part(rows_[i], at, at + 1, alike[i]);
      }
      sorted = alike;
      const double after = equal_pairs(sorted);
      bits[at + 1] = bits[at] + std::log2((before + 1) / (after + 1));
      before = after;
      if (after > pairs() * kRareShare) continue;
      std::fill(alike.begin(), alike.end(), 0);
      before = pairs();
    }
    return bits;
  }

 private:
  [[nodiscard]] std::uint64_t hash_part(std::uint32_t row, std::uint32_t begin, std::uint32_t end,
                                        std::uint64_t seed) const noexcept {
    const SymbolSpan string = column_.row(row);
    return XXH3_64bits_withSeed(string.data + std::size_t{begin} * string.width,
                                std::size_t{end - begin} * string.width, seed);
  }

  const StringColumn& column_;
  std::span<const std::uint32_t> rows_;
};

// Gives each piece the same number of bits, but at least one symbol.
StringCuts cuts_of(const std::vector<double>& bits, std::uint32_t pieces) {
  const auto length = static_cast<std::uint32_t>(bits.size() - 1);
  StringCuts cuts = {0};
  for (std::uint32_t piece = 1; piece < pieces; ++piece) {
    const double wanted = bits.back() * piece / pieces;
    const auto past = std::lower_bound(bits.begin(), bits.end(), wanted);
    auto cut = static_cast<std::uint32_t>(past - bits.begin());
    if (cut > 0 && wanted - bits[cut - 1] < bits[cut] - wanted) --cut;
    cuts.push_back(std::clamp(cut, cuts.back() + 1, length - (pieces - piece)));
  }
  cuts.push_back(length);
  return cuts;
}

}  // namespace

StringCuts equal_cuts(std::uint32_t length, std::uint32_t pieces) {
  StringCuts cuts = {0};
  const std::uint32_t shorter = pieces - length % pieces;
  for (std::uint32_t piece = 0; piece < pieces; ++piece) {
    cuts.push_back(cuts.back() + length / pieces + (piece < shorter ? 0 : 1));
  }
  return cuts;
}

StringCuts rare_cuts(const StringColumn& column, std::span<const std::uint32_t> rows,
                     const StringCuts& equal) {
  const SampledStrings sample(column, rows);
  const double shared = sample.shared(equal);
  if (shared <= sample.pairs() * kRareShare) return equal;
  const auto pieces = static_cast<std::uint32_t>(equal.size() - 1);
  StringCuts cuts = cuts_of(sample.bits_before(equal.back()), pieces);
  return sample.shared(cuts) <= shared * kWorthShare ? cuts : equal;
}

}  // namespace sosie
