// Hashes the shingles of a text: words, characters, stop words or elements.
#include "represent/text_shingler.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <memory>
#include <utility>

#include "kernels/hash_bytes.h"
#include "kernels/hash_words.h"
#include "kernels/intersection_size.h"
#include "represent/element_lines.h"
#include "represent/find_non_ascii.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 3> kUnitNames = {"words", "chars", "stopwords"};

// Runs of different lengths start differently, so that a short text is not a prefix of a longer
// one.
constexpr std::uint64_t start_of_run(std::size_t words) noexcept {
  return words * 0x9E3779B97F4A7C15ULL;
}

bool starts_code_point(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

// Byte length of the first code point of a non-empty text.
std::size_t first_length(std::string_view text, std::size_t at) noexcept {
  std::size_t next = at + 1;
  while (next < text.size() && !starts_code_point(text[next])) ++next;
  return next - at;
}

std::uint64_t count_code_points(std::string_view text) noexcept {
  std::uint64_t count = 0;
  for (const char byte : text) count += starts_code_point(byte) ? 1 : 0;
  return count;
}

void grow_to(std::size_t count, std::vector<std::uint64_t>& out) {
  if (out.size() < count) out.resize(count + count / 2);
}

// Number of leading ASCII bytes in the text.
std::size_t ascii_from(std::string_view text) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  return static_cast<std::size_t>(lanes::find_non_ascii(bytes, bytes + text.size()) - bytes);
}

}  // namespace

CommonShingles::CommonShingles(std::vector<std::uint64_t> hashes)
    : slots_(std::bit_ceil(2 * hashes.size() + 2), kFree),
      mask_(slots_.size() - 1),
      size_(hashes.size()) {
  std::sort(hashes.begin(), hashes.end());
  fingerprint_ =
      fmt::format("{:016x}", XXH3_64bits(hashes.data(), hashes.size() * sizeof(std::uint64_t)));
  for (const std::uint64_t hash : hashes) {
    if (hash == kFree) {
      has_free_ = true;
      continue;
    }
    std::size_t at = hash & mask_;
    while (slots_[at] != kFree) at = (at + 1) & mask_;
    slots_[at] = hash;
  }
}

std::optional<TokenMode> parse_tokens(std::string_view text) noexcept {
  if (text == "unicode") return TokenMode::unicode;
  if (text == "raw") return TokenMode::raw;
  if (text == "ascii") return TokenMode::ascii;
  return std::nullopt;
}

std::optional<ShingleRecipe> parse_shingle(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto* unit = std::find(kUnitNames.begin(), kUnitNames.end(), text.substr(0, colon));
  if (unit == kUnitNames.end()) return std::nullopt;
  ShingleRecipe recipe;
  recipe.unit = static_cast<ShingleUnit>(unit - kUnitNames.begin());
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), recipe.size);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size();
  if (!whole || recipe.size < 1 || recipe.span() > kMaxShingleSize) return std::nullopt;
  return recipe;
}

std::string shingle_name(const ShingleRecipe& recipe) {
  std::string name = "elements";
  if (recipe.unit != ShingleUnit::elements) {
    name = kUnitNames[static_cast<std::size_t>(recipe.unit)];
    name += ':' + std::to_string(recipe.size);
  }
  if (recipe.stop_words) name += '@' + recipe.stop_words->fingerprint();
  return name;
}

std::size_t hash_word_shingles(std::span<const std::uint64_t> words, int size,
                               std::vector<std::uint64_t>& out) {
  if (words.empty()) return 0;
  const std::size_t run = std::min(words.size(), static_cast<std::size_t>(size));
  const std::size_t count = words.size() - run + 1;
  grow_to(count, out);
  kernels::hash_word_runs(words.data(), count, static_cast<int>(run), start_of_run(run),
                          out.data());
  return count;
}

std::size_t hash_char_shingles(std::string_view text, int size, std::vector<std::uint64_t>& out) {
  if (text.empty()) return 0;
  grow_to(text.size(), out);
  const char* bytes = text.data();
  const auto characters = static_cast<std::size_t>(size);
  std::size_t count = 0;
  std::size_t begin = 0;
  std::size_t end = 0;  // behind the window
  for (int i = 0; i < size && end < text.size(); ++i) end += first_length(text, end);
  while (true) {
    if (end - begin == characters) {  // all ASCII, as are those up to the next other byte
      const std::size_t more = ascii_from(text.substr(end));
      kernels::hash_windows(bytes + begin, more + 1, characters, &out[count]);
      count += more + 1;
      begin += more;
      end += more;
    } else {
      out[count++] = hash_bytes(bytes + begin, end - begin);
    }
    if (end == text.size()) return count;
    begin += first_length(text, begin);
    end += first_length(text, end);
  }
}

std::size_t hash_stopword_shingles(std::span<const std::uint64_t> words, int after,
                                   const StopWords& list, std::vector<std::uint64_t>& out,
                                   std::vector<std::uint32_t>& first) {
  grow_to(words.size(), out);
  first.clear();
  const std::size_t run = static_cast<std::size_t>(after) + 1;
  for (std::size_t i = 0; i + run <= words.size(); ++i) {
    if (!list.contains(words[i])) continue;
    kernels::hash_word_runs(&words[i], 1, static_cast<int>(run), start_of_run(run),
                            &out[first.size()]);
    first.push_back(static_cast<std::uint32_t>(i));
  }
  return first.size();
}

void TextShingler::read(std::string_view text) {
  text_hash_.reset();
  if (recipe_.unit == ShingleUnit::elements) {
    elements_ = text;
    count_ = hash_element_lines(text, shingles_);
    token_count_ = count_;
    is_well_formed_ = simdjson::validate_utf8(text.data(), text.size());
  } else if (recipe_.cuts_words()) {
    read_words(text);
  } else {
    fold_chars(text, recipe_.tokens, folded_);
    const std::string_view folded = folded_.bytes.view();
    count_ = hash_char_shingles(folded, recipe_.size, shingles_);
    // A window begins at every code point except the last few.
    token_count_ = count_ < 2 ? count_code_points(folded) : count_ + recipe_.span() - 1;
  }
  if (recipe_.unit != ShingleUnit::elements) is_well_formed_ = folded_.is_well_formed;
  if (recipe_.common) leave_common_out();
  if (recipe_.bag) number_occurrences(std::span(shingles_).first(count_));
}

// Sets are identical only if all of their elements are.
void TextShingler::leave_common_out() {
  if (recipe_.unit == ShingleUnit::elements) {
    std::vector<std::uint64_t> all(shingles().begin(), shingles().end());
    if (recipe_.bag) number_occurrences(all);
    text_hash_ = hash_of_set(all);
  }
  const bool has_firsts = recipe_.unit == ShingleUnit::stopwords;
  if (!has_firsts) first_tokens_.resize(count_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (recipe_.common->contains(shingles_[i])) continue;
    first_tokens_[kept] = has_firsts ? first_tokens_[i] : static_cast<std::uint32_t>(i);
    shingles_[kept++] = shingles_[i];
  }
  count_ = kept;
  first_tokens_.resize(kept);
}

// Stores the hashes of the words after `before` others.
void TextShingler::fold_and_hash_words(std::string_view text, std::size_t before) {
  fold_words(text, recipe_.tokens, folded_);
  const std::size_t count = folded_.tokens.size();
  grow_to(before + count, words_);
  if (count > 0) {
    kernels::hash_words(folded_.bytes.data(), &folded_.tokens.front().begin, count,
                        &words_[before]);
  }
}

// Hashes the shingles of these words, from the beginning of shingles_.
void TextShingler::hash_shingles_of(std::span<const std::uint64_t> words) {
  if (recipe_.unit == ShingleUnit::words) {
    count_ = hash_word_shingles(words, recipe_.size, shingles_);
  } else {
    count_ =
        hash_stopword_shingles(words, recipe_.size, *recipe_.stop_words, shingles_, first_tokens_);
  }
}

void TextShingler::read_words(std::string_view text) {
  fold_and_hash_words(text, 0);
  token_count_ = folded_.tokens.size();
  hash_shingles_of(std::span(words_).first(token_count_));
}

void TextShingler::read_set(std::string_view text, std::size_t piece_bytes) {
  constexpr std::size_t kMostTextBytes = std::size_t{1} << 31;  // read() refuses more
  // In a bag, each occurrence is an element of its own, so none is dropped.
  if (text.size() <= piece_bytes || text.size() > kMostTextBytes || recipe_.bag) {
    read(text);
    return;
  }
  text_hash_.reset();
  token_count_ = 0;
  in_set_ = 0;
  different_ = 0;
  if (recipe_.unit == ShingleUnit::elements) {
    read_element_pieces(text, piece_bytes);
  } else if (recipe_.cuts_words()) {
    read_word_pieces(text, piece_bytes);
  } else {
    read_char_pieces(text, piece_bytes);
  }
  std::swap(shingles_, set_);
  count_ = in_set_;
  if (recipe_.common) leave_common_out();
}

// Folding never reaches across a space, and pieces end before one. The last words of a piece are
// kept at the front of the next, because shingles extend across both.
void TextShingler::read_word_pieces(std::string_view text, std::size_t piece_bytes) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(),
                                                                      XXH3_freeState);
  XXH3_128bits_reset(hash.get());
  std::size_t before = 0;  // words of the pieces before, at the front of words_
  bool is_well_formed = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", piece_bytes), text.size());
    fold_and_hash_words(text.substr(0, end), before);
    text.remove_prefix(end);
    is_well_formed = is_well_formed && folded_.is_well_formed;
    const std::size_t words = before + folded_.tokens.size();
    token_count_ += folded_.tokens.size();
    XXH3_128bits_update(hash.get(), words_.data() + before,
                        folded_.tokens.size() * sizeof(std::uint64_t));
    const bool is_short = text.empty() && token_count_ < recipe_.span();
    if (words >= recipe_.span() || is_short) {  // all words of a short text are a shingle
      hash_shingles_of(std::span(words_).first(words));
      keep_piece();
    }
    before = std::min(words, recipe_.span() - 1);
    std::copy_n(words_.data() + (words - before), before, words_.data());
  }
  is_well_formed_ = is_well_formed;
  const XXH128_hash_t digest = XXH3_128bits_digest(hash.get());
  text_hash_ = {digest.high64, digest.low64};
}

// A piece contains at most as many windows as bytes, and extends beyond the last of them.
void TextShingler::read_char_pieces(std::string_view text, std::size_t piece_bytes) {
  fold_chars(text, recipe_.tokens, folded_);
  const std::string_view folded = folded_.bytes.view();
  const std::size_t windows = std::max<std::size_t>(1, piece_bytes / sizeof(std::uint64_t));
  for (std::size_t begin = 0; begin < folded.size();) {
    std::size_t next = std::min(begin + windows, folded.size());
    while (next < folded.size() && !starts_code_point(folded[next])) ++next;
    std::size_t end = next;
    for (int i = 1; i < recipe_.size && end < folded.size(); ++i) end += first_length(folded, end);
    count_ = hash_char_shingles(folded.substr(begin, end - begin), recipe_.size, shingles_);
    keep_piece();
    begin = end < folded.size() ? next : end;  // all windows are there once the end is
  }
  token_count_ = count_code_points(folded);
  is_well_formed_ = folded_.is_well_formed;
}

void TextShingler::read_element_pieces(std::string_view text, std::size_t piece_bytes) {
  elements_ = text;
  is_well_formed_ = simdjson::validate_utf8(text.data(), text.size());
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n', piece_bytes);
    const std::size_t end = line_end == std::string_view::npos ? text.size() : line_end + 1;
    count_ = hash_element_lines(text.substr(0, end), shingles_);
    text.remove_prefix(end);
    token_count_ += count_;
    keep_piece();
  }
}

// Adds the shingles of a piece to the set, which is sorted whenever it has doubled in
// size.
void TextShingler::keep_piece() {
  constexpr std::size_t kLeastShingles = std::size_t{1} << 18;
  grow_to(in_set_ + count_, set_);
  std::copy_n(shingles_.begin(), count_, set_.begin() + static_cast<std::ptrdiff_t>(in_set_));
  in_set_ += count_;
  if (in_set_ < std::max(kLeastShingles, 2 * different_)) return;
  grow_to(in_set_, scratch_);
  in_set_ = kernels::sort_unique_hashes(set_.data(), in_set_, scratch_.data());
  different_ = in_set_;
}

Hash128 TextShingler::text_hash() const {
  if (text_hash_) return *text_hash_;
  if (recipe_.unit == ShingleUnit::elements) return hash_of_set(shingles());
  const XXH128_hash_t hash = recipe_.cuts_words()
                                 ? XXH3_128bits(words_.data(), token_count_ * sizeof(std::uint64_t))
                                 : XXH3_128bits(folded_.bytes.data(), folded_.bytes.size());
  return {hash.high64, hash.low64};
}

std::string TextShingler::normalized_text() const {
  if (recipe_.unit == ShingleUnit::elements) return sorted_element_lines(elements_, recipe_.bag);
  if (!recipe_.cuts_words()) return std::string(folded_.bytes.view());
  std::string text;
  for (const TokenSpan token : folded_.tokens) {
    if (!text.empty()) text += ' ';
    text.append(folded_.bytes.data() + token.begin, token.end - token.begin);
  }
  return text;
}

}  // namespace sosie
