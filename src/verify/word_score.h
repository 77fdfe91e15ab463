#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/record_table.h"
#include "verify/pair_score.h"

namespace sosie {

// Context for scoring words.
struct WordScoreTask {
  std::uint32_t records = 0;                        // a record's partner is one of this many
  bool are_two = false;                             // collections whose records have one partner
  bool (*is_letter)(char32_t) = nullptr;            // true for a part of a word
  std::function<void(std::uint64_t)> require = {};  // throws if this many bytes do not fit
  std::function<void()> check_cancelled = {};       // throws if the run is to stop
};

// The score of two texts in the same column, from the evidence of their words and the cosine of
// their characters. The rarer a word is among the distinct texts of the column, the more bits it
// contributes if both texts contain it; a word with a typo contributes fewer. Words that only one
// text contains, above all numbers, count against the pair. If many texts have the same words and
// differ in numbers (sizes of a part, numbers in a series, years), these numbers count against a
// pair; the more such texts there are, the more they count. The score is in bits; 0 means even
// odds.
class WordScore : public PairScore {
 public:
  WordScore(RecordColumn column, const WordScoreTask& task);
  [[nodiscard]] double score(std::uint32_t left, std::uint32_t right) const override;
  [[nodiscard]] double greatest() const noexcept override {
    return std::numeric_limits<double>::infinity();
  }
  bool learn_groups(std::span<const std::uint32_t> first) override;
  [[nodiscard]] double none() const noexcept override;
  [[nodiscard]] bool has_odds() const noexcept override { return true; }
  [[nodiscard]] double log_odds(double score) const noexcept override;
  [[nodiscard]] double score_at(double log_odds) const noexcept override;
  // The bits contributed by the words alone.
  [[nodiscard]] double word_bits(std::uint32_t left, std::uint32_t right) const;

 private:
  using Words = std::span<const std::uint32_t>;
  // Words on the two sides that are variants of each other; 0: none.
  struct Variant {
    double bits = 0;
    std::array<std::uint32_t, 3> words = {};
  };

  // A text with a number, and a hash of its other words.
  struct NumberedText {
    std::uint64_t words;
    std::uint32_t value;
    friend auto operator<=>(const NumberedText&, const NumberedText&) = default;
  };

  [[nodiscard]] Words words_of(std::uint32_t value) const noexcept {
    return Words(words_).subspan(starts_[value], starts_[value + 1] - starts_[value]);
  }
  // The hash of a word, possibly with one letter removed.
  struct Rest {
    std::uint64_t hash;
    std::uint32_t word;
    friend auto operator<=>(const Rest&, const Rest&) = default;
  };

  // Words of two texts that the other text contains neither unchanged nor as variants.
  struct Leftover {
    double bits = 0;
    double bits_of_mates = 0;   // for the average number of partners of the two texts
    bool is_of_series = false;  // numbers on both sides, and words on at most one
  };

  void cut_words(const WordScoreTask& task);
  // Sorted.
  [[nodiscard]] std::vector<NumberedText> numbered_texts(const WordScoreTask& task) const;
  void count_series(const WordScoreTask& task);
  [[nodiscard]] bool has_own_number(Words ones, Words others) const;
  void count_near(const WordScoreTask& task);
  void count_near(std::span<const Rest> same);
  [[nodiscard]] std::vector<Rest> rests(const WordScoreTask& task) const;
  [[nodiscard]] std::uint64_t word_bytes() const noexcept;
  [[nodiscard]] double rarity(double texts) const;
  [[nodiscard]] double near_bits(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] double joined_bits(std::uint32_t joined, std::uint32_t a, std::uint32_t b) const;
  void add_joined(Words ones, Words others, std::vector<Variant>& variants) const;
  void add_variants(Words left, Words right, std::vector<Variant>& variants) const;
  [[nodiscard]] Leftover leftover(Words left, Words right) const;
  [[nodiscard]] Leftover compare(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] double bits_besides_words(const Leftover& found) const;
  [[nodiscard]] double bits_of_mates(std::uint32_t left, std::uint32_t right) const;
  [[nodiscard]] double bits_missing(std::uint32_t number) const;

  TfidfScore cosine_;
  RecordColumn column_;
  double all_;                           // different texts
  double partners_;                      // distinct texts among which a text has its partner
  double mean_mates_ = 1;                // average number of partners of a text, at least 1
  std::vector<double> mates_;            // by value: number of partners; empty: no groups are known
  double before_;                        // bits of a pair before it is examined
  std::vector<std::string_view> texts_;  // by word: its letters, in a text; 0 is none
  std::vector<std::uint32_t> words_;     // by value: its distinct words, ascending
  std::vector<std::uint64_t> starts_;    // by value
  std::vector<double> counts_;           // by word: number of texts with it
  std::vector<double> near_counts_;      // by word: texts with the word, or with a typo of it
  double series_bits_ = 0;               // against two texts in a series
  // By letter: number of texts with a word that begins with it.
  std::unordered_map<std::string_view, double> initials_;
};

// True if omitting, inserting or replacing a single letter (code point), or swapping two adjacent
// letters, turns one of two different words into the other.
[[nodiscard]] bool are_one_slip_apart(std::string_view a, std::string_view b) noexcept;

}  // namespace sosie
