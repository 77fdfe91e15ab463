#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/record_table.h"
#include "verify/field_comparer.h"

namespace sosie {

// Points for a field with this many edits (insertions and deletions): 100 - 2 d², at least 0. MMDS
// 3.8.1.
[[nodiscard]] constexpr double book_points(double edits) noexcept {
  constexpr double kPoints = 100;
  constexpr double kPenalty = 2;
  const double points = kPoints - kPenalty * edits * edits;
  return points > 0 ? points : 0;
}

// A score for two records that needs no learning. Thread-safe.
class PairScore {
 public:
  virtual ~PairScore() = default;
  // The score of two records, from none() to greatest(); higher for more similar records.
  [[nodiscard]] virtual double score(std::uint32_t left, std::uint32_t right) const = 0;
  [[nodiscard]] virtual double greatest() const noexcept = 0;
  // Learns the number of partners of each record in a single collection from the groups found so
  // far. `first`: for each record, the first record in its group. Returns true if the mean number
  // has clearly changed.
  virtual bool learn_groups(std::span<const std::uint32_t> /*first*/) { return false; }
  // The score of two records that have nothing to compare.
  [[nodiscard]] virtual double none() const noexcept { return 0; }
  // True if scores represent the odds of a match. The functions below then return the logarithm of
  // the odds for a score, and the score for given odds.
  [[nodiscard]] virtual bool has_odds() const noexcept { return false; }
  [[nodiscard]] virtual double log_odds(double score) const noexcept { return score; }
  [[nodiscard]] virtual double score_at(double log_odds) const noexcept { return log_odds; }
};

// The sum of the points of all fields. A field that is missing on one side gets the mean of the
// other fields; a pair without a common field scores 0. MMDS 3.8.1.
class BookScore : public PairScore {
 public:
  // The columns must outlive this object.
  explicit BookScore(std::vector<const RecordColumn*> columns) : columns_(std::move(columns)) {}
  [[nodiscard]] double score(std::uint32_t left, std::uint32_t right) const override;
  [[nodiscard]] double greatest() const noexcept override;

 private:
  std::vector<const RecordColumn*> columns_;
};

// The cosine of the sets of 3-character sequences of a column, in which rare sequences count more.
class TfidfScore : public PairScore {
 public:
  explicit TfidfScore(RecordColumn column);
  [[nodiscard]] double score(std::uint32_t left, std::uint32_t right) const override;
  [[nodiscard]] double greatest() const noexcept override { return 1; }

 private:
  RecordColumn column_;
  FieldComparison comparison_;
  ComparedValues values_;
  FieldComparer comparer_;
};

}  // namespace sosie
