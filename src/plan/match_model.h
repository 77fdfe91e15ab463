#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/level_patterns.h"

namespace sosie {

// Two fields that depend on each other, whose levels are weighed together; first < second.
struct FieldPair {
  std::size_t first = 0;
  std::size_t second = 0;
};

// Level of a pair in a field, and how far on the way to the next level it lies, from 0 to 1: where
// texts are compared, values of one level are in order.
struct Grade {
  std::uint8_t level = 0;
  double above = 0;
};

// Shares of the levels of one field among matches (m) and among other pairs (u), by level; level 0
// is not used: a missing value says nothing.
struct FieldWeights {
  std::vector<double> m;
  std::vector<double> u;
  double chance = 0;  // share of pairs that are equal by chance; 0: all values say as much

  // Bits that agreement in a value of this share adds: log2(chance / share) for equal values, half
  // of it for near ones, whose share is that of the more frequent value. 0 for other levels.
  // Source: Winkler 2000; adjustment of fuzzy levels as in Splink.
  [[nodiscard]] double frequency_bits(std::uint32_t level, double share) const;
  // log2(m / u); 0 for a missing value.
  [[nodiscard]] double bits(std::uint32_t level) const;
};

// Class of pairs within which fields are independent, but for those that are weighed together.
struct PairClass {
  bool is_match = false;
  double share = 0;                         // part of all pairs
  std::vector<std::vector<double>> levels;  // shares by field and level; level 0: 1
  // By two fields that are weighed together: shares of their joint levels, by first level · levels
  // of the second + second level; they count where both fields are there.
  std::vector<std::vector<double>> joint = {};
};

inline constexpr std::size_t kMostClasses = 8;

// Change of a model's odds of a match by what is known of them: log2 of the odds becomes
// shift + slope · log2 of the odds.
struct OddsScale {
  double shift = 0;
  double slope = 1;

  friend bool operator==(const OddsScale&, const OddsScale&) = default;
};

// Mixture of at most kMostClasses classes of pairs: matches (which may be of several kinds),
// strangers, and siblings, which agree in some fields and are no matches.
class MatchModel {
 public:
  MatchModel() = default;
  // There is a match and another class, shares are above 0. `chances`: by field, of FieldWeights.
  explicit MatchModel(std::vector<PairClass> classes, std::vector<FieldPair> together = {},
                      const std::vector<double>& chances = {});

  [[nodiscard]] bool is_empty() const noexcept { return classes_.empty(); }
  [[nodiscard]] const std::vector<PairClass>& classes() const noexcept { return classes_; }
  [[nodiscard]] const std::vector<FieldPair>& together() const noexcept { return together_; }
  // Share of matches among all pairs.
  [[nodiscard]] double prior() const noexcept { return prior_; }
  // Weights of each field alone: of all matches, and of all other pairs.
  [[nodiscard]] const std::vector<FieldWeights>& fields() const noexcept { return fields_; }

  // Match weight of a pair: log2 of how much oftener its levels are seen among matches than among
  // other pairs.
  [[nodiscard]] double bits(std::span<const std::uint8_t> levels) const;
  [[nodiscard]] double bits(std::span<const Grade> grades) const;
  // Bits of each field, whose sum is the match weight: what it says beyond the fields before it.
  [[nodiscard]] std::vector<double> field_bits(std::span<const Grade> grades) const;
  // Logarithms of the odds that the pair is of each class, against all others.
  [[nodiscard]] std::vector<double> class_bits(std::span<const Grade> grades) const;
  // Match weight at which a pair has this probability; both it and the prior are above 0.
  [[nodiscard]] double bits_at(double probability) const;
  // Odds of a match at a match weight.
  [[nodiscard]] double odds_at(double bits) const;
  // Probability at a match weight, in [0, 1].
  [[nodiscard]] double probability_at(double bits) const;
  // A model like this with a field that says nothing.
  [[nodiscard]] MatchModel without(std::size_t field) const;
  // A model like this whose odds are scaled, in place of how they were before.
  [[nodiscard]] MatchModel scaled(const OddsScale& scale) const;
  [[nodiscard]] const OddsScale& scale() const noexcept { return scale_; }

 private:
  using ClassLogs = std::array<double, kMostClasses>;

  template <typename Level>
  [[nodiscard]] double bits_of(std::span<const Level> pair) const;
  [[nodiscard]] ClassLogs logs_of(std::span<const Grade> pair) const;
  [[nodiscard]] double of_field(std::size_t k, std::size_t field, const Grade& grade) const;
  [[nodiscard]] double of_joint(std::size_t k, std::size_t group, std::size_t first,
                                std::size_t second) const;
  [[nodiscard]] double log_odds(const ClassLogs& logs) const;
  void weigh_fields(const std::vector<double>& chances);

  std::vector<PairClass> classes_;
  std::vector<FieldPair> together_;
  std::vector<FieldWeights> fields_;
  // Logarithms of shares by class, field and level.
  std::vector<std::vector<std::vector<double>>> logs_;
  ClassLogs share_logs_{};
  // Shares divided by the shares of the last class, and these ratios in bits, by level and class;
  // levels of field f begin at starts_[f].
  std::vector<std::size_t> starts_;
  std::vector<double> ratios_;
  std::vector<double> ratio_bits_;
  double prior_ = 0;
  double prior_bits_ = 0;
  OddsScale scale_ = {};
};

[[nodiscard]] double log2_of(double x) noexcept;
// 2^x, in a tenth of the time of exponential(); beyond ±1000 as there. Errors stay below 1e-15.
[[nodiscard]] double power_of_two(double x) noexcept;
// Logarithm of the sum of exp(x), by a fixed order; of nothing minus infinity.
[[nodiscard]] double log_of_sum(std::span<const double> logs) noexcept;

// Shares of joint levels: the shares of independent fields, each times how many more pairs were
// counted than these make expect, (count + 1) / (expected + 1). So levels that are too rare to be
// counted keep the share of independent fields. Level 0 has none.
[[nodiscard]] std::vector<double> joint_shares(std::span<const double> counts,
                                               std::span<const double> first,
                                               std::span<const double> second);

// Shares whose ratio to `others` does not fall with the level, nearest to `shares` (isotonic, with
// weights `others`), in place; their sum becomes 1. Level 0 is not used. Source: Ayer et al. 1955.
void make_monotone(std::span<double> shares, std::span<const double> others);

}  // namespace sosie
