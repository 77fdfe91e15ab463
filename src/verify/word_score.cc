// Scores the texts of a column by the evidence of their words.
#include "verify/word_score.h"

#include <algorithm>
#include <compare>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "core/real_functions.h"
#include "core/utf8.h"
#include "kernels/hash_bytes.h"

namespace sosie {
namespace {

// Shares of the words in copies: written the same way, with a typo, or as an initial.
constexpr double kAlike = 0.85;
constexpr double kWithSlip = 0.1;
constexpr double kAsLetter = 0.04;
// Missing words, or words replaced by others, by kind.
constexpr double kMissingNumber = 0.03;
constexpr double kOtherNumber = 0.03;
constexpr double kMissingWord = 0.1;
constexpr double kMissingCommon = 0.3;
constexpr double kCommon = 0.01;          // share of the texts that contain a common word
constexpr std::size_t kShortestSlip = 4;  // letters of a word with a typo
constexpr std::size_t kLongestSlip = 32;  // longer words are texts written without spaces
constexpr std::size_t kHashed = 16;       // bytes that a hash may read
constexpr std::size_t kMostNear = 256;    // words with the same rest that others are compared with
constexpr std::size_t kUncancelled = 1024;
constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostJoined = 6;  // words of a side in which joined words are searched for
constexpr std::size_t kMostRest = 32;   // words of a side in which typos are searched for

// Two lists that someone wants to link have many partners in common, so a pair that is the best for
// both of its records is rarely a coincidence.
constexpr double kBitsOfTwo = 8;
constexpr double kBitsAbove = 3;
constexpr double kBitsBelow = 2.0 / 3;
constexpr double kNaturalOfTwo = 0.6931471805599453;

double bits_of(double ratio) { return logarithm(ratio) / kNaturalOfTwo; }

bool has_digit(std::string_view word) noexcept {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool continues_letter(char c) noexcept { return detail::continues(static_cast<unsigned char>(c)); }

std::size_t letters_of(std::string_view word) noexcept {
  return word.size() -
         static_cast<std::size_t>(std::count_if(word.begin(), word.end(), continues_letter));
}

std::string_view first_letter(std::string_view word) noexcept {
  std::size_t size = std::min<std::size_t>(1, word.size());
  while (size < word.size() && continues_letter(word[size])) ++size;
  return word.substr(0, size);
}

std::string_view without_first(std::string_view word) noexcept {
  return word.substr(first_letter(word).size());
}

bool may_slip(std::string_view word) noexcept {
  constexpr std::size_t kMostBytes = 4;  // a letter has
  if (word.size() < kShortestSlip || word.size() > kMostBytes * kLongestSlip) return false;
  const std::size_t letters = letters_of(word);
  return letters >= kShortestSlip && letters <= kLongestSlip && !has_digit(word);
}

// Numbers of bytes that two words share at the beginning and at the end, and of the bytes between.
struct Apart {
  std::size_t front = 0;
  std::size_t back = 0;
  std::string_view a = {};
  std::string_view b = {};
};

Apart parts_of(std::string_view a, std::string_view b) noexcept {
  Apart apart;
  const std::size_t most = std::min(a.size(), b.size());
  const auto continues_at = [](std::string_view text, std::size_t at) {
    return at < text.size() && continues_letter(text[at]);
  };
  while (apart.front < most && a[apart.front] == b[apart.front]) ++apart.front;
  while (apart.front > 0 && (continues_at(a, apart.front) || continues_at(b, apart.front))) {
    --apart.front;
  }
  while (apart.back < most - apart.front &&
         a[a.size() - apart.back - 1] == b[b.size() - apart.back - 1]) {
    ++apart.back;
  }
  while (apart.back > 0 && continues_letter(a[a.size() - apart.back])) --apart.back;
  apart.a = a.substr(apart.front, a.size() - apart.front - apart.back);
  apart.b = b.substr(apart.front, b.size() - apart.front - apart.back);
  return apart;
}

bool is_slip(const Apart& apart) noexcept {
  const std::string_view a = first_letter(apart.a);
  const std::string_view b = first_letter(apart.b);
  if (a.size() == apart.a.size() && b.size() == apart.b.size()) return true;
  return !a.empty() && !b.empty() && without_first(apart.a) == b && without_first(apart.b) == a;
}

// Removes the first word from a text; empty if there is none.
std::string_view take_word(std::string_view& text, const WordScoreTask& task) {
  const auto take = [&](bool letters) {
    const auto* begin = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    while (size < text.size()) {
      const DecodedCodePoint next = decode_code_point(begin + size, begin + text.size());
      if (task.is_letter(next.code_point) != letters) break;
      size += next.size;
    }
    const std::string_view taken = text.substr(0, size);
    text.remove_prefix(size);
    return taken;
  };
  take(false);
  return take(true);
}

std::uint64_t hash_of(std::string& text) {
  text.reserve(kHashed);  // its first bytes may be read
  return hash_bytes(text.data(), text.size());
}

// Hash of the common part of two words that differ by a typo, without one character of the first.
std::uint64_t hash_of_rest(std::string_view a, const Apart& apart, std::string& text) {
  text.assign(a.substr(0, apart.front));
  text.append(without_first(apart.a));
  text.append(a.substr(a.size() - apart.back));
  return hash_of(text);
}

}  // namespace

bool are_one_slip_apart(std::string_view a, std::string_view b) noexcept {
  return is_slip(parts_of(a, b));
}

WordScore::WordScore(RecordColumn column, const WordScoreTask& task)
    : cosine_(column),
      column_(std::move(column)),
      all_(std::max<double>(1, column_.distinct() - 1)),
      partners_(std::min<double>(task.records, all_)),
      before_(task.are_two ? kBitsOfTwo : 0) {
  cut_words(task);
  count_near(task);
  count_series(task);
}

// Memory for words, mostly in the table that numbers them, and for their positions.
std::uint64_t WordScore::word_bytes() const noexcept {
  constexpr std::uint64_t kBytesOfWord = 160;
  return kBytesOfWord * texts_.size() + sizeof(std::uint32_t) * words_.capacity() +
         sizeof(std::uint64_t) * starts_.capacity();
}

// Numbers the words of each value.
void WordScore::cut_words(const WordScoreTask& task) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  counts_.push_back(0);
  starts_ = {0, 0};
  texts_ = {""};
  for (std::uint32_t value = 1; value < column_.distinct(); ++value) {
    if (value % kUncancelled == 0) {
      task.check_cancelled();
      task.require(word_bytes());
    }
    std::string_view text = column_.text(value);
    const auto first = static_cast<std::ptrdiff_t>(words_.size());
    for (std::string_view word = take_word(text, task); !word.empty();
         word = take_word(text, task)) {
      const auto [found, is_new] =
          numbers.try_emplace(word, static_cast<std::uint32_t>(texts_.size()));
      if (is_new) {
        texts_.push_back(word);
        counts_.push_back(0);
      }
      words_.push_back(found->second);
    }
    std::sort(words_.begin() + first, words_.end());
    words_.erase(std::unique(words_.begin() + first, words_.end()), words_.end());
    starts_.push_back(words_.size());
    for (const std::uint32_t number : words_of(value)) counts_[number] += 1;
  }
}

bool WordScore::has_own_number(Words ones, Words others) const {
  return std::any_of(ones.begin(), ones.end(), [&](std::uint32_t number) {
    return has_digit(texts_[number]) && !std::binary_search(others.begin(), others.end(), number);
  });
}

std::vector<WordScore::NumberedText> WordScore::numbered_texts(const WordScoreTask& task) const {
  std::vector<NumberedText> with_numbers;
  std::string words;
  for (std::uint32_t value = 1; value < column_.distinct(); ++value) {
    if (value % kUncancelled == 0) {
      task.check_cancelled();
      task.require(word_bytes() + sizeof(NumberedText) * with_numbers.capacity());
    }
    words.clear();
    bool has_number = false;
    for (const std::uint32_t number : words_of(value)) {
      const bool is_number = has_digit(texts_[number]);
      has_number = has_number || is_number;
      if (!is_number) words.append(texts_[number]).push_back(' ');
    }
    if (has_number) with_numbers.push_back({hash_of(words), value});
  }
  std::sort(with_numbers.begin(), with_numbers.end());
  return with_numbers;
}

// Counts texts that have the same words except for a number. One copy per text is assumed to differ
// in this way by mistake; any further texts belong to a series.
void WordScore::count_series(const WordScoreTask& task) {
  const std::vector<NumberedText> with_numbers = numbered_texts(task);
  double pairs = 0;
  for (std::size_t i = 1; i < with_numbers.size(); ++i) {
    if (i % kUncancelled == 0) task.check_cancelled();
    const Words own = words_of(with_numbers[i].value);
    for (std::size_t j = i; j-- > 0 && i - j <= kMostNear;) {
      if (with_numbers[j].words != with_numbers[i].words) break;
      const Words other = words_of(with_numbers[j].value);
      pairs += has_own_number(own, other) && has_own_number(other, own) ? 1 : 0;
    }
  }
  series_bits_ = std::max(0.0, bits_of(std::max(1.0, pairs) / (kOtherNumber * all_)));
}

// Remainders of all words that may contain typos, sorted.
std::vector<WordScore::Rest> WordScore::rests(const WordScoreTask& task) const {
  std::size_t count = 0;
  for (const std::string_view word : texts_) count += may_slip(word) ? letters_of(word) + 1 : 0;
  task.require(word_bytes() + sizeof(Rest) * count);
  std::vector<Rest> rests;
  rests.reserve(count);
  std::string text;
  for (std::uint32_t number = 1; number < texts_.size(); ++number) {
    if (number % kUncancelled == 0) task.check_cancelled();
    const std::string_view word = texts_[number];
    if (!may_slip(word)) continue;
    text.assign(word);
    rests.push_back({hash_of(text), number});
    for (std::string_view left = word; !left.empty(); left = without_first(left)) {
      text.assign(word.substr(0, word.size() - left.size()));
      text.append(without_first(left));
      rests.push_back({hash_of(text), number});
    }
  }
  std::sort(rests.begin(), rests.end());
  rests.erase(std::unique(rests.begin(), rests.end()), rests.end());
  return rests;
}

// Counts texts with words that differ by a typo, i.e. that are equal without one character each.
void WordScore::count_near(const WordScoreTask& task) {
  near_counts_ = counts_;
  for (std::uint32_t number = 1; number < counts_.size(); ++number) {
    initials_[first_letter(texts_[number])] += counts_[number];
  }
  const std::vector<Rest> all = rests(task);
  for (std::size_t begin = 0, groups = 0; begin < all.size(); ++groups) {
    if (groups % kUncancelled == 0) task.check_cancelled();
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].hash == all[begin].hash) ++end;
    count_near(std::span(all).subspan(begin, end - begin));
    begin = end;
  }
}

// Counts words with the same remainder for each other, unless another remainder has already done
// so.
void WordScore::count_near(std::span<const Rest> same) {
  std::string text;
  for (std::size_t i = 1; i < same.size(); ++i) {
    const std::uint32_t b = same[i].word;
    for (const Rest& rest : same.first(std::min(i, kMostNear))) {
      const Apart apart = parts_of(texts_[rest.word], texts_[b]);
      if (!is_slip(apart) || hash_of_rest(texts_[rest.word], apart, text) != rest.hash) continue;
      near_counts_[rest.word] += counts_[b];
      near_counts_[b] += counts_[rest.word];
    }
  }
}

// The evidence, in bits, of a feature that this many texts share, including the text for which a
// partner is sought.
double WordScore::rarity(double texts) const { return bits_of(all_ / std::max(1.0, texts - 1)); }

// The evidence, in bits, of two different words if one is the other with a typo, or the other's
// initial; otherwise, none.
double WordScore::near_bits(std::uint32_t a, std::uint32_t b) const {
  const std::string_view left = texts_[a];
  const std::string_view right = texts_[b];
  const std::string_view letter = first_letter(left);
  if (letter.size() == left.size() || first_letter(right).size() == right.size()) {
    if (left.size() == right.size() || letter != first_letter(right) || has_digit(left) ||
        has_digit(right)) {
      return kNone;
    }
    return bits_of(kAsLetter) + rarity(initials_.at(letter));
  }
  if (!may_slip(left) || !may_slip(right) || !are_one_slip_apart(left, right)) return kNone;
  return bits_of(kWithSlip) + rarity(std::min(near_counts_[a], near_counts_[b]));
}

double WordScore::bits_missing(std::uint32_t number) const {
  if (has_digit(texts_[number])) return bits_of(kMissingNumber);
  return bits_of(counts_[number] > kCommon * all_ ? kMissingCommon : kMissingWord);
}

// The evidence, in bits, of a word that consists of two words of the other side written together;
// otherwise, none.
double WordScore::joined_bits(std::uint32_t joined, std::uint32_t a, std::uint32_t b) const {
  const std::string_view whole = texts_[joined];
  const std::size_t length = texts_[a].size() + texts_[b].size();
  if (whole.size() < length || !whole.starts_with(texts_[a]) || !whole.ends_with(texts_[b])) {
    return kNone;
  }
  const std::string_view between = whole.substr(texts_[a].size(), whole.size() - length);
  if (first_letter(between).size() < between.size()) return kNone;
  return bits_of(kWithSlip) + rarity(counts_[a]) + rarity(counts_[b]);
}

// Adds words of one side that consist of two words of the other side, if few are left.
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

// Adds the words of the other side of which words of one side may be variants.
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

// Sums the evidence, in bits, of the words that occur on only one side. Variants of the other
// side's words are taken first, in order of their bits; the remaining words count as missing.
WordScore::Leftover WordScore::leftover(Words left, Words right) const {
  std::vector<Variant> variants;
  add_variants(left, right, variants);
  std::sort(variants.begin(), variants.end(), [](const Variant& a, const Variant& b) {
    return std::tie(b.bits, a.words) < std::tie(a.bits, b.words);
  });
  std::vector<std::uint32_t> taken;
  const auto is_taken = [&](std::uint32_t number) {
    return std::find(taken.begin(), taken.end(), number) != taken.end();
  };
  Leftover found;
  for (const Variant& variant : variants) {
    if (std::any_of(variant.words.begin(), variant.words.end(), is_taken)) continue;
    for (const std::uint32_t number : variant.words) {
      if (number > 0) taken.push_back(number);
    }
    found.bits += variant.bits;
  }
  std::vector<std::uint32_t> both;  // in an order that is the same in both directions
  std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  for (const std::uint32_t number : both) found.bits += is_taken(number) ? 0 : bits_missing(number);
  const auto has_left = [&](Words words, bool numbers) {
    return std::any_of(words.begin(), words.end(), [&](std::uint32_t number) {
      return has_digit(texts_[number]) == numbers && !is_taken(number);
    });
  };
  found.is_of_series = has_left(left, true) && has_left(right, true) &&
                       !(has_left(left, false) && has_left(right, false));
  return found;
}

WordScore::Leftover WordScore::compare(std::uint32_t left, std::uint32_t right) const {
  const Words a = words_of(column_.values[left]);
  const Words b = words_of(column_.values[right]);
  std::vector<std::uint32_t> common;
  std::vector<std::uint32_t> of_left;
  std::vector<std::uint32_t> of_right;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(of_left));
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(of_right));
  Leftover found = leftover(of_left, of_right);
  found.bits_of_mates = bits_of_mates(column_.values[left], column_.values[right]);
  found.bits -= bits_of(partners_);
  for (const std::uint32_t number : common) found.bits += bits_of(kAlike) + rarity(counts_[number]);
  return found;
}

// The bits to be added for the average number of partners of two texts, at least one.
double WordScore::bits_of_mates(std::uint32_t left, std::uint32_t right) const {
  if (mates_.empty()) return 0;
  return bits_of((std::max(1.0, mates_[left]) + std::max(1.0, mates_[right])) / 2);
}

// The bits to be added for the partners of the texts, less those for a series.
double WordScore::bits_besides_words(const Leftover& found) const {
  return found.bits_of_mates - (found.is_of_series ? series_bits_ : 0);
}

double WordScore::word_bits(std::uint32_t left, std::uint32_t right) const {
  const Leftover found = compare(left, right);
  return found.bits + bits_besides_words(found);
}

double WordScore::score(std::uint32_t left, std::uint32_t right) const {
  constexpr double kLeastBits = -6;  // texts with other words are judged by their characters
  constexpr double kBitsOfCosine = 20;
  constexpr double kEvenCosine = 0.65;
  if (column_.values[left] == RecordColumn::kMissing ||
      column_.values[right] == RecordColumn::kMissing) {
    return none();
  }
  const Leftover found = compare(left, right);
  return before_ + bits_besides_words(found) + std::max(kLeastBits, found.bits) +
         kBitsOfCosine * (cosine_.score(left, right) - kEvenCosine);
}

bool WordScore::learn_groups(std::span<const std::uint32_t> first) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> group_of(column_.distinct(), kNone);  // by value
  std::vector<double> sizes(first.size());                         // by group: distinct values
  for (std::size_t record = 0; record < first.size(); ++record) {
    const std::uint32_t value = column_.values[record];
    if (value == RecordColumn::kMissing || group_of[value] != kNone) continue;
    group_of[value] = first[record];
    sizes[first[record]] += 1;
  }
  double pairs = 0;
  mates_.assign(column_.distinct(), 0);
  for (std::uint32_t value = 0; value < column_.distinct(); ++value) {
    if (group_of[value] != kNone) mates_[value] = sizes[group_of[value]] - 1;
    pairs += mates_[value];
  }
  constexpr double kClearly = 1.05;
  const double before = std::exchange(mean_mates_, std::clamp(pairs / all_, 1.0, all_));
  return std::max(before, mean_mates_) > kClearly * std::min(before, mean_mates_);
}

double WordScore::none() const noexcept {
  constexpr double kNone = -1024;
  return kNone;
}

// Words depend on each other: in synthetic and labelled lists, the odds of a match double with
// every three bits above even odds, and halve with every two thirds of a bit below.
double WordScore::log_odds(double score) const noexcept {
  return score > 0 ? score / kBitsAbove : score / kBitsBelow;
}

double WordScore::score_at(double log_odds) const noexcept {
  return log_odds > 0 ? log_odds * kBitsAbove : log_odds * kBitsBelow;
}

}  // namespace sosie
