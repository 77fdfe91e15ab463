#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/record_table.h"
#include "verify/field_comparer.h"

namespace sosie {

// Points of a field with so many edits (insertions and deletions): 100 - 2 d², at least 0.
// MMDS 3.8.1.
[[nodiscard]] constexpr double book_points(double edits) noexcept {
  constexpr double kPoints = 100;
  constexpr double kPenalty = 2;
  const double points = kPoints - kPenalty * edits * edits;
  return points > 0 ? points : 0;
}

// Score of two records that is learnt from nothing. Safe for many threads at once.
class PairScore {
 public:
  virtual ~PairScore() = default;
  // Score of two records, none() to greatest(); larger for records that are more alike.
  [[nodiscard]] virtual double score(std::uint32_t left, std::uint32_t right) const = 0;
  [[nodiscard]] virtual double greatest() const noexcept = 0;
  // Learns how many partners a record of one collection has, from groups that were found: `first`
  // is by record the first one of its group. True if it has clearly changed.
  virtual bool learn_groups(std::span<const std::uint32_t> /*first*/) { return false; }
  // Score of records that have nothing to compare.
  [[nodiscard]] virtual double none() const noexcept { return 0; }
  // True if scores stand for odds of a match: then the logarithm of these, and the score that has
  // it.
  [[nodiscard]] virtual bool has_odds() const noexcept { return false; }
  [[nodiscard]] virtual double log_odds(double score) const noexcept { return score; }
  [[nodiscard]] virtual double score_at(double log_odds) const noexcept { return log_odds; }
};

// Sum of the points of the fields; a field that is missing on one side has the mean of the others,
// and a pair without any field in common scores 0. MMDS 3.8.1.
class BookScore : public PairScore {
 public:
  // The columns outlive this.
  explicit BookScore(std::vector<const RecordColumn*> columns) : columns_(std::move(columns)) {}
  [[nodiscard]] double score(std::uint32_t left, std::uint32_t right) const override;
  [[nodiscard]] double greatest() const noexcept override;

 private:
  std::vector<const RecordColumn*> columns_;
};

// Cosine of the sets of 3 characters in a row of a column, rare ones counting more.
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
