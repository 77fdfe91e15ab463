#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/hash128.h"
#include "represent/normalize.h"

namespace sosie {

enum class ShingleUnit : std::uint8_t { words, chars };

inline constexpr int kMaxShingleSize = 64;

// How a text becomes a set: `--shingle words:5 --tokens unicode`.
struct ShingleRecipe {
  ShingleUnit unit = ShingleUnit::words;
  int size = 5;  // tokens a shingle, 1 to kMaxShingleSize
  TokenMode tokens = TokenMode::unicode;

  friend bool operator==(const ShingleRecipe&, const ShingleRecipe&) = default;
};

// Reads "words:5" or "chars:9"; nothing when it is neither.
[[nodiscard]] std::optional<ShingleRecipe> parse_shingle(std::string_view text);
[[nodiscard]] std::string shingle_name(const ShingleRecipe& recipe);  // "words:5"

// 64-bit hashes of all shingles of token sequences (MMDS 3.2): one per position, so a shingle that
// occurs twice is listed twice. Fewer tokens than a shingle: one shingle of all; none: none.
void hash_word_shingles(std::span<const std::uint64_t> words, int size,
                        std::vector<std::uint64_t>& out);

// The same for the code points of well-formed UTF-8 `text`, which has kPadding readable bytes
// behind.
void hash_char_shingles(std::string_view text, int size, std::vector<std::uint64_t>& out);

// Turns texts into shingle hashes; keeps its buffers, so a worker owns one.
class TextShingler {
 public:
  explicit TextShingler(const ShingleRecipe& recipe) : recipe_(recipe) {}

  // `text` has kPadding readable bytes behind its end. Views live until the next call.
  void read(std::string_view text);

  // In text order, repetitions included.
  [[nodiscard]] std::span<const std::uint64_t> shingles() const noexcept { return shingles_; }
  // Words (words:n) or code points (chars:k) of the normalised text.
  [[nodiscard]] std::uint64_t token_count() const noexcept { return token_count_; }
  // Of the normalised text; equal for texts that differ only in what normalising takes away.
  [[nodiscard]] Hash128 text_hash() const;
  // The normalised text: words joined by one blank, or what char shingles see.
  [[nodiscard]] std::string normalized_text() const;

 private:
  ShingleRecipe recipe_;
  FoldedText folded_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> shingles_;
  std::uint64_t token_count_ = 0;
};

}  // namespace sosie
