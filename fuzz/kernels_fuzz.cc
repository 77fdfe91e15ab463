// Every instruction set gives the same results as plain loops. The first byte is a size; the rest
// is used as text, as words and as signatures.
#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/mix64.h"
#include "fuzz/input.h"
#include "kernels/agreement.h"
#include "kernels/hash_words.h"
#include "kernels/intersection_size.h"
#include "kernels/minhash_values.h"
#include "kernels/simd.h"
#include "kernels/word_marks.h"

namespace {

using namespace sosie;
using namespace sosie::kernels;
using fuzz::require;
using Bytes = std::vector<std::uint8_t>;
using Hashes = std::vector<std::uint64_t>;
using Values = std::vector<std::uint32_t>;

// Passes the text in pieces, so words continue from one call to the next.
void check_marks(const Bytes& text, std::size_t piece) {
  Bytes in = text;
  in.resize(text.size() + kPadding, 'x');
  Bytes out(in.size());
  Values places(text.size() + kMarkCapacity);
  WordMarks marks{places.data(), 0};
  for (std::size_t at = 0; at < text.size(); at += piece) {
    mark_ascii_words(&in[at], std::min(piece, text.size() - at), &out[at],
                     static_cast<std::uint32_t>(at), marks);
  }
  Values expected;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint8_t c = text[i];
    const bool upper = c >= 'A' && c <= 'Z';
    require(out[i] == (upper ? c + 32 : c));
    const bool word =
        upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
    if (word != inside) expected.push_back(static_cast<std::uint32_t>(i));
    inside = word;
  }
  require(marks.count == expected.size());
  require(std::equal(expected.begin(), expected.end(), places.begin()));
}

void check_runs(const Hashes& words, int size) {
  const auto run = static_cast<std::size_t>(size);
  if (words.size() < run) return;
  Hashes out(words.size() - run + 1);
  hash_word_runs(words.data(), out.size(), size, 99, out.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::uint64_t combined = 99;
    for (int place = 0; place < size; ++place) {
      combined ^= std::rotl(words[i + static_cast<std::size_t>(place)], 11 * place);
    }
    require(out[i] == mix64(combined));
  }
}

void check_minhash(const Hashes& shingles) {
  constexpr std::size_t kBins = 64;
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  if (shingles.empty()) return;
  Values values(shingles.size());
  minhash_values(shingles.data(), shingles.size(), kMultiplier, values.data());
  Values a(kBins);
  Values b(kBins);
  Values expected(kBins, kEmptyBin);
  for (std::size_t j = 0; j < kBins; ++j) {
    a[j] = static_cast<std::uint32_t>(random64(2, j)) | 1U;
    b[j] = static_cast<std::uint32_t>(random64(3, j));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(values[i] == static_cast<std::uint32_t>((shingles[i] * kMultiplier) >> 32));
    expected[values[i] % kBins] = std::min(expected[values[i] % kBins], values[i]);
  }
  Values bins(kBins, kEmptyBin);
  minhash_bins(values.data(), values.size(), bins.data(), kBins);
  require(bins == expected);
  for (std::uint32_t j = 0; j < kBins; ++j) {
    if (expected[j] != kEmptyBin) continue;
    for (const std::uint32_t v : values) expected[j] = std::min(expected[j], a[j] * v + b[j]);
    expected[j] = (expected[j] & ~std::uint32_t{kBins - 1}) | (j ^ 1U);
  }
  minhash_fill(values.data(), values.size(), a.data(), b.data(), bins.data(), kBins);
  require(bins == expected);
}

void check_agreement(const Bytes& bytes, const Hashes& words) {
  constexpr std::size_t kRows = 3;
  const Values which = {2, 0, 1, 1};
  const std::size_t width = bytes.size() / kRows;
  const std::size_t word_width = words.size() / kRows;
  Values equal(which.size());
  Values distance(which.size());
  agreements(bytes.data(), bytes.data(), width, which.data(), which.size(), equal.data());
  hamming_distances(words.data(), words.data(), word_width, which.data(), which.size(),
                    distance.data());
  for (std::size_t i = 0; i < which.size(); ++i) {
    std::uint32_t same = 0;
    for (std::size_t j = 0; j < width; ++j) same += bytes[j] == bytes[which[i] * width + j];
    int bits = 0;
    for (std::size_t j = 0; j < word_width; ++j) {
      bits += std::popcount(words[j] ^ words[which[i] * word_width + j]);
    }
    require(equal[i] == same && distance[i] == static_cast<std::uint32_t>(bits));
  }
}

Hashes check_sorted(Hashes hashes) {
  const std::set<std::uint64_t> expected(hashes.begin(), hashes.end());
  Hashes scratch(hashes.size());
  hashes.resize(sort_unique_hashes(hashes.data(), hashes.size(), scratch.data()));
  require(hashes == Hashes(expected.begin(), expected.end()));
  return hashes;
}

void check_sets(const Hashes& words) {
  const auto half = words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2);
  const Hashes left = check_sorted({words.begin(), half});
  const Hashes right = check_sorted({half, words.end()});
  Hashes shared;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(shared));
  require(intersection_size(left.data(), left.size(), right.data(), right.size()) == shared.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto targets = simd_targets();
  fuzz::Input input(data, size);
  const std::size_t first = input.byte();
  const Bytes bytes(input.rest().begin(), input.rest().end());
  // Small numbers are often equal; mixed numbers are spread like hashes.
  constexpr std::size_t kMostWords = 200;  // enough for all, and quick
  Hashes words(bytes.begin(),
               bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), kMostWords)));
  check_sets(words);
  for (std::uint64_t& word : words) word = mix64(word);
  check_sets(words);
  for (const auto target : targets) {
    require(limit_simd(target));
    check_marks(bytes, first % 2 == 0 ? kMarkBytes : first);
    check_runs(words, static_cast<int>(1 + first % 64));
    check_minhash(words);
    check_agreement(bytes, words);
  }
  return 0;
}
