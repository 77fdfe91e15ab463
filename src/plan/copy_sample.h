#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/mix64.h"

namespace sosie {

// Equal for rows that are copies of each other. Rows of --against are no copies of other rows.
[[nodiscard]] inline std::uint64_t copy_key(const Hash128& text_hash, bool of_others) noexcept {
  return mix64(text_hash.low + (of_others ? 1 : 0));
}

// Counts how often each text occurs in a sample of rows, and estimates from these counts how many
// distinct texts all rows have. A sample alone shows too few copies: of a text that occurs twice in
// a collection, a sixteenth of the rows rarely contains both. Uses only + - * / on doubles in a
// fixed order, so that every machine makes the same estimate.
class CopySample {
 public:
  // Parts of the rows in input order that are told apart, to see whether copies stand close
  // together or anywhere: two halves, or pieces by turns.
  enum class Part : std::uint8_t { first, second };

  void add(std::uint64_t copy_key, Part part);

  // Number of added rows.
  [[nodiscard]] std::uint64_t rows() const noexcept { return added_; }

  // Estimates the number of distinct texts of `rows` rows, of which `seen` rows that follow each
  // other, or stand in pieces, were the ones to be drawn from at random. At most `rows`; exactly
  // this number if no copy was added. O(added rows · log(added rows)) time.
  [[nodiscard]] std::uint64_t distinct_among(std::uint64_t rows, std::uint64_t seen) const;

 private:
  struct Row {
    std::uint64_t key;
    Part part;
  };
  // Texts that occur k times are counted one by one up to this k.
  static constexpr std::size_t kMostTimes = 32;

  // Numbers of texts that occur k times in the sample.
  struct Times {
    std::array<double, kMostTimes + 1> texts = {};  // by k
    double more_often = 0;                          // k > kMostTimes
    double repeated = 0;                            // k > 1
    double in_both_parts = 0;                       // texts in both parts
    double expected_in_both = 0;  // texts expected in both parts if copies stand anywhere

    [[nodiscard]] double distinct() const noexcept;
  };

  [[nodiscard]] Times count() const;
  // Distinct texts of a collection in which each row was drawn with this probability.
  [[nodiscard]] static double distinct_of(const Times& times, double drawn_share);

  std::vector<Row> rows_;  // rows whose key is at most limit_
  std::uint64_t added_ = 0;
  std::uint64_t limit_ = ~std::uint64_t{0};
  double stands_for_ = 1;  // texts for each text in rows_
};

}  // namespace sosie
