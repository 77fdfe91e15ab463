// Scores texts of one column by what their words say.
#include "verify/word_score.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/real_functions.h"
#include "kernels/hash_bytes.h"

namespace sosie {
namespace {

// Words of copies: so many are written alike, with a slip, as a letter for a word.
constexpr double kAlike = 0.85;
constexpr double kWithSlip = 0.1;
constexpr double kAsLetter = 0.04;
// Left out, or in place of another one, by kind.
constexpr double kMissingNumber = 0.03;
constexpr double kMissingWord = 0.1;
constexpr double kMissingCommon = 0.3;
constexpr double kCommon = 0.01;          // part of the texts that have a common word
constexpr std::size_t kShortestSlip = 4;  // letters of a word with a slip
constexpr std::size_t kHashed = 16;       // bytes that a hash may read
constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostJoined = 6;  // words of a side that joined ones are looked for in
constexpr std::size_t kMostRest = 32;   // words of a side that slips are looked for in

constexpr double kNaturalOfTwo = 0.6931471805599453;

double bits_of(double ratio) { return logarithm(ratio) / kNaturalOfTwo; }

bool is_letter(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_';
}

bool has_digit(std::string_view word) noexcept {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool may_slip(std::string_view word) noexcept {
  return word.size() >= kShortestSlip && !has_digit(word);
}

// Hashes of a word and of what is left of it without one letter.
std::vector<std::uint64_t> hashes_without(std::string_view word, std::string& text) {
  text.assign(word);
  std::vector<std::uint64_t> hashes = {hash_bytes(text.data(), text.size())};
  for (std::size_t i = 0; i < word.size(); ++i) {
    text.assign(word);
    text.erase(i, 1);
    hashes.push_back(hash_bytes(text.data(), text.size()));
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

}  // namespace

bool are_one_slip_apart(std::string_view a, std::string_view b) noexcept {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() > a.size() + 1) return false;
  const auto at =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  a.remove_prefix(at);
  b.remove_prefix(at);
  if (b.size() > a.size()) return a == b.substr(1);
  if (a.empty()) return false;
  return a.substr(1) == b.substr(1) ||
         (a.size() > 1 && a[0] == b[1] && a[1] == b[0] && a.substr(2) == b.substr(2));
}

WordScore::WordScore(RecordColumn column, std::uint32_t records)
    : cosine_(column),
      column_(std::move(column)),
      all_(std::max<double>(1, column_.distinct() - 1)),
      partners_(std::min<double>(records, all_)) {
  cut_words();
  count_near();
}

// Numbers the words of each value.
void WordScore::cut_words() {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  counts_.push_back(0);
  starts_ = {0, 0};
  texts_ = {""};
  for (std::uint32_t value = 1; value < column_.distinct(); ++value) {
    const std::string_view text = column_.text(value);
    const auto first = static_cast<std::ptrdiff_t>(words_.size());
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = begin;
      while (end < text.size() && is_letter(text[end])) ++end;
      if (end > begin) {
        const std::string_view word = text.substr(begin, end - begin);
        const auto [at, is_new] =
            numbers.try_emplace(word, static_cast<std::uint32_t>(texts_.size()));
        if (is_new) {
          texts_.push_back(word);
          counts_.push_back(0);
        }
        words_.push_back(at->second);
      }
      begin = end + 1;
    }
    std::sort(words_.begin() + first, words_.end());
    words_.erase(std::unique(words_.begin() + first, words_.end()), words_.end());
    starts_.push_back(words_.size());
    for (const std::uint32_t number : words_of(value)) counts_[number] += 1;
  }
}

// Counts texts with words that are a slip apart: without a letter each they are the same.
void WordScore::count_near() {
  near_counts_ = counts_;
  initials_.assign(std::numeric_limits<unsigned char>::max() + 1, 0);
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> without;
  std::string text(kHashed, '\0');  // its first bytes are read
  for (std::uint32_t number = 1; number < counts_.size(); ++number) {
    initials_[static_cast<unsigned char>(texts_[number][0])] += counts_[number];
    if (!may_slip(texts_[number])) continue;
    for (const std::uint64_t hash : hashes_without(texts_[number], text)) {
      without[hash].push_back(number);
    }
  }
  std::vector<std::uint32_t> near;
  for (std::uint32_t number = 1; number < counts_.size(); ++number) {
    if (!may_slip(texts_[number])) continue;
    near.clear();
    for (const std::uint64_t hash : hashes_without(texts_[number], text)) {
      const std::vector<std::uint32_t>& same = without[hash];
      near.insert(near.end(), same.begin(), same.end());
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const std::uint32_t other : near) {
      if (other != number && are_one_slip_apart(texts_[number], texts_[other])) {
        near_counts_[number] += counts_[other];
      }
    }
  }
}

// Bits of what so many texts have, one of them the text that looks for a partner.
double WordScore::rarity(double texts) const { return bits_of(all_ / std::max(1.0, texts - 1)); }

// Bits of two different words, one of which is the other one with a slip or its first letter; none
// if it is neither.
double WordScore::near_bits(std::uint32_t a, std::uint32_t b) const {
  const std::string_view left = texts_[a];
  const std::string_view right = texts_[b];
  if (left.size() == 1 || right.size() == 1) {
    if (left.size() == right.size() || left[0] != right[0] || has_digit(left) || has_digit(right)) {
      return kNone;
    }
    return bits_of(kAsLetter) + rarity(initials_[static_cast<unsigned char>(left[0])]);
  }
  if (!may_slip(left) || !may_slip(right) || !are_one_slip_apart(left, right)) return kNone;
  return bits_of(kWithSlip) + rarity(std::min(near_counts_[a], near_counts_[b]));
}

double WordScore::bits_missing(std::uint32_t number) const {
  if (has_digit(texts_[number])) return bits_of(kMissingNumber);
  return bits_of(counts_[number] > kCommon * all_ ? kMissingCommon : kMissingWord);
}

// Bits of a word that is two of the other side's written as one; none if it is not.
double WordScore::joined_bits(std::uint32_t joined, std::uint32_t a, std::uint32_t b) const {
  const std::string_view whole = texts_[joined];
  const std::size_t length = texts_[a].size() + texts_[b].size();
  if (whole.size() < length || whole.size() > length + 1) return kNone;
  const std::string_view front = whole.substr(0, texts_[a].size());
  if (front != texts_[a] || !whole.ends_with(texts_[b])) return kNone;
  return bits_of(kWithSlip) + rarity(counts_[a]) + rarity(counts_[b]);
}

// Adds words of one side that are two of the other side's, where few are left.
void WordScore::add_joined(Words ones, Words others, std::vector<Variant>& variants) const {
  if (ones.size() > kMostJoined || others.size() > kMostJoined) return;
  for (const std::uint32_t joined : ones) {
    for (const std::uint32_t a : others) {
      for (const std::uint32_t b : others) {
        if (a != b) variants.push_back({joined_bits(joined, a, b), {joined, a, b}});
      }
    }
  }
}

// Adds what words of one side may be of the other side's.
void WordScore::add_variants(Words left, Words right, std::vector<Variant>& variants) const {
  for (const std::uint32_t a : left.first(std::min(kMostRest, left.size()))) {
    for (const std::uint32_t b : right.first(std::min(kMostRest, right.size()))) {
      variants.push_back({near_bits(a, b), {std::min(a, b), std::max(a, b), 0}});
    }
  }
  add_joined(left, right, variants);
  add_joined(right, left, variants);
  std::erase_if(variants, [this](const Variant& variant) {
    double missing = 0;
    for (const std::uint32_t number : variant.words) {
      if (number > 0) missing += bits_missing(number);
    }
    return variant.bits <= missing;
  });
}

// Bits of words that one side has alone: variants of the other side's, best first, or left out.
double WordScore::bits_of_rest(Words left, Words right) const {
  std::vector<Variant> variants;
  add_variants(left, right, variants);
  std::sort(variants.begin(), variants.end(), [](const Variant& a, const Variant& b) {
    return std::tie(b.bits, a.words) < std::tie(a.bits, b.words);
  });
  std::vector<std::uint32_t> taken;
  const auto is_taken = [&](std::uint32_t number) {
    return std::find(taken.begin(), taken.end(), number) != taken.end();
  };
  double sum = 0;
  for (const Variant& variant : variants) {
    if (std::any_of(variant.words.begin(), variant.words.end(), is_taken)) continue;
    for (const std::uint32_t number : variant.words) {
      if (number > 0) taken.push_back(number);
    }
    sum += variant.bits;
  }
  for (const Words side : {left, right}) {
    for (const std::uint32_t number : side) sum += is_taken(number) ? 0 : bits_missing(number);
  }
  return sum;
}

double WordScore::word_bits(std::uint32_t left, std::uint32_t right) const {
  const Words a = words_of(column_.values[left]);
  const Words b = words_of(column_.values[right]);
  std::vector<std::uint32_t> common;
  std::vector<std::uint32_t> of_left;
  std::vector<std::uint32_t> of_right;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(of_left));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(of_right));
  double bits = bits_of_rest(of_left, of_right) - bits_of(partners_);
  for (const std::uint32_t number : common) bits += bits_of(kAlike) + rarity(counts_[number]);
  return bits;
}

double WordScore::score(std::uint32_t left, std::uint32_t right) const {
  constexpr double kLeastBits = -6;  // texts of other words are told by their characters
  constexpr double kBitsOfCosine = 20;
  constexpr double kEvenCosine = 0.65;
  constexpr double kBitsATurn = 16;  // the odds of the score double with so many
  if (column_.values[left] == RecordColumn::kMissing ||
      column_.values[right] == RecordColumn::kMissing) {
    return 0;
  }
  const double bits = std::max(kLeastBits, word_bits(left, right)) +
                      kBitsOfCosine * (cosine_.score(left, right) - kEvenCosine);
  return 1 / (1 + exponential(-kNaturalOfTwo * bits / kBitsATurn));
}

}  // namespace sosie
