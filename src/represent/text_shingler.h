#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mix64.h"
#include "data/record.h"
#include "represent/folded_text.h"
#include "represent/stop_words.h"

namespace sosie {

// Shingles that occur in so many items that sharing them is no evidence of similarity, as a set of
// hashes. Thread-safe.
class CommonShingles {
 public:
  // `hashes`: in any order, without repetitions.
  explicit CommonShingles(std::vector<std::uint64_t> hashes);

  [[nodiscard]] bool contains(std::uint64_t hash) const noexcept {
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      if (slots_[at] == hash) return hash != kFree || has_free_;
      if (slots_[at] == kFree) return false;
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // 16 hexadecimal digits; equal for equal sets.
  [[nodiscard]] const std::string& fingerprint() const noexcept { return fingerprint_; }

 private:
  static constexpr std::uint64_t kFree =
      0;                              // marks an empty slot; has_free_: 0 itself is in the set
  std::vector<std::uint64_t> slots_;  // open addressing, at most half full
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
  bool has_free_ = false;
  std::string fingerprint_;
};

// stopwords: a shingle is a stop word and the words after it (MMDS 3.2.4). elements: the text
// already is a set, one element per line.
enum class ShingleUnit : std::uint8_t { words, chars, stopwords, elements };

inline constexpr int kMaxShingleSize = 64;

// The recipe by which a text is turned into a set: `--shingle words:5 --tokens unicode`.
struct ShingleRecipe {
  ShingleUnit unit = ShingleUnit::words;
  // Number of tokens per shingle, 1 to kMaxShingleSize; for stopwords, number of words after the
  // stop word, 1 to kMaxShingleSize - 1.
  int size = 5;
  TokenMode tokens = TokenMode::unicode;
  bool bag = false;  // a shingle counts as often as it occurs (see bags.h)
  std::shared_ptr<const StopWords> stop_words = nullptr;   // list for stopwords
  std::shared_ptr<const CommonShingles> common = nullptr;  // left out of every set

  [[nodiscard]] bool cuts_words() const noexcept {
    return unit == ShingleUnit::words || unit == ShingleUnit::stopwords;
  }
  // Form of the text that determines its shingles.
  [[nodiscard]] TextForm text_form() const noexcept {
    if (unit == ShingleUnit::elements) return TextForm::elements;
    return cuts_words() ? TextForm::words : TextForm::characters;
  }
  // Number of tokens that a shingle spans.
  [[nodiscard]] std::size_t span() const noexcept {
    return static_cast<std::size_t>(size) + (unit == ShingleUnit::stopwords ? 1 : 0);
  }
};

// Reads "unicode", "raw" or "ascii"; nullopt for other texts.
[[nodiscard]] std::optional<TokenMode> parse_tokens(std::string_view text) noexcept;

// Reads "words:5", "chars:9" or "stopwords:2" (without the words); nullopt for other texts.
[[nodiscard]] std::optional<ShingleRecipe> parse_shingle(std::string_view text);
// "words:5", or "elements" for sets. For stopwords, the name includes the fingerprint of the list,
// and if shingles are left out, their fingerprint. Equal names mean equal shingles.
[[nodiscard]] std::string shingle_name(const ShingleRecipe& recipe);

// The 64-bit hashes of all shingles in a sequence of tokens (MMDS 3.2), one per position, so that a
// shingle that occurs twice is listed twice. If there are fewer tokens than a shingle needs, they
// form a single shingle; no tokens form none. These functions write the hashes to the beginning of
// `out` and return their number. `out` grows if it is too small and never shrinks, because zeroing
// it for each text would cost as much as hashing.
std::size_t hash_word_shingles(std::span<const std::uint64_t> words, int size,
                               std::vector<std::uint64_t>& out);

// Hashes the shingles of code points in `text`, which must be well-formed UTF-8 and be followed by
// kPadding readable bytes.
std::size_t hash_char_shingles(std::string_view text, int size, std::vector<std::uint64_t>& out);

// Hashes each stop word together with the `after` words that follow it; if fewer words follow, the
// stop word gives no shingle. `first` receives the position of each shingle's stop word.
std::size_t hash_stopword_shingles(std::span<const std::uint64_t> words, int after,
                                   const StopWords& list, std::vector<std::uint64_t>& out,
                                   std::vector<std::uint32_t>& first);

// Turns texts into shingle hashes; keeps its buffers, so each worker owns one.
class TextShingler {
 public:
  explicit TextShingler(ShingleRecipe recipe) : recipe_(std::move(recipe)) {}

  // `text`: followed by kPadding readable bytes. Views live until the next call.
  void read(std::string_view text);
  // The variant of read() for sets: a text longer than a piece is read piece by piece, and memory
  // is needed only for its distinct shingles (for a bag: for all). shingles() is then in arbitrary
  // order and may contain duplicates; first_token() and normalized_text() have no meaning.
  void read_set(std::string_view text, std::size_t piece_bytes = std::size_t{1} << 20);

  // In text order, including repetitions (in a bag: each with a hash of its own).
  [[nodiscard]] std::span<const std::uint64_t> shingles() const noexcept {
    return std::span(shingles_).first(count_);
  }
  // Number of the token with which the i-th shingle begins.
  [[nodiscard]] std::size_t first_token(std::size_t i) const noexcept {
    return first_tokens_.empty() ? i : first_tokens_[i];
  }
  // Words, code points (chars:k) or elements of the normalised text.
  [[nodiscard]] std::uint64_t token_count() const noexcept { return token_count_; }
  // True if the text was UTF-8.
  [[nodiscard]] bool is_well_formed() const noexcept { return is_well_formed_; }
  // Hash of the normalised text; equal for texts whose only differences are removed by
  // normalisation.
  [[nodiscard]] Hash128 text_hash() const;
  // The normalised text: words joined by single spaces, the form that character shingles are cut
  // from, or the elements in ascending order, one per line (without duplicates, unless they form a
  // bag). For elements, the text passed to read() must still exist.
  [[nodiscard]] std::string normalized_text() const;

 private:
  void fold_and_hash_words(std::string_view text, std::size_t before);
  void hash_shingles_of(std::span<const std::uint64_t> words);
  void read_words(std::string_view text);
  void read_word_pieces(std::string_view text, std::size_t piece_bytes);
  void read_char_pieces(std::string_view text, std::size_t piece_bytes);
  void read_element_pieces(std::string_view text, std::size_t piece_bytes);
  void keep_piece();
  void leave_common_out();

  ShingleRecipe recipe_;
  FoldedText folded_;
  std::vector<std::uint64_t> words_;     // words of the latest text: the first token_count_
  std::vector<std::uint64_t> shingles_;  // shingles of the latest text: the first count_
  std::size_t count_ = 0;
  // First tokens of the shingles; empty if a shingle begins at each token.
  std::vector<std::uint32_t> first_tokens_;
  // Hash of the text if its parts are not kept: all elements, or the words of pieces.
  std::optional<Hash128> text_hash_;
  std::vector<std::uint64_t> set_;  // shingles of the pieces so far: the first in_set_
  std::size_t in_set_ = 0;
  std::size_t different_ = 0;           // number of these after the latest sort
  std::vector<std::uint64_t> scratch_;  // to sort them
  std::uint64_t token_count_ = 0;
  bool is_well_formed_ = true;
  std::string_view elements_;  // latest text of elements
};

}  // namespace sosie
