#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "data/level_patterns.h"

namespace sosie {

// Two dependent fields whose levels are weighted together; first < second.
struct FieldPair {
  std::size_t first = 0;
  std::size_t second = 0;
};

// The level of a pair in a field, and its position between this level and the next, from 0 to 1,
// which ranks pairs of texts at the same level.
struct Grade {
  std::uint8_t level = 0;
  double above = 0;
};

// Shares of the levels of a field among matches (m) and among all other pairs (u), by level. Level
// 0 is not used, because a missing value carries no information.
struct FieldWeights {
  std::vector<double> m;
  std::vector<double> u;
  double chance = 0;  // share of pairs that are equal by chance; 0: all values count the same

  // Bits that agreement in a value with this share adds: log2(chance / share) for equal values;
  // half of that for near values, with the share of the more frequent one; 0 for other levels.
  // Source: Winkler 2000; the adjustment for fuzzy levels is as in Splink.
  [[nodiscard]] double frequency_bits(std::uint32_t level, double share) const;
  // log2(m / u); 0 for a missing value.
  [[nodiscard]] double bits(std::uint32_t level) const;
};

// A class of pairs within which fields are independent, except for fields that are weighted
// together.
struct PairClass {
  bool is_match = false;
  double share = 0;                         // share of all pairs
  std::vector<std::vector<double>> levels;  // shares by field and level; level 0: 1
  // For each pair of fields that are weighted together: the shares of their joint levels, at first
  // level · levels of the second + second level. Used if both fields are present.
  std::vector<std::vector<double>> joint = {};
};

inline constexpr std::size_t kMostClasses = 8;

// Calibrates the odds of a match given by a model: log2 of the odds becomes shift + slope · log2 of
// the odds.
struct OddsScale {
  double shift = 0;
  double slope = 1;

  friend bool operator==(const OddsScale&, const OddsScale&) = default;
};

// A mixture of at most kMostClasses classes of pairs: matches (possibly of several kinds),
// strangers, and siblings, which agree in some fields without being matches.
class MatchModel {
 public:
  MatchModel() = default;
  // There must be a class of matches and another class, and all shares must be above 0. `chances`:
  // by field, see FieldWeights.
  explicit MatchModel(std::vector<PairClass> classes, std::vector<FieldPair> together = {},
                      const std::vector<double>& chances = {});

  [[nodiscard]] bool is_empty() const noexcept { return classes_.empty(); }
  [[nodiscard]] const std::vector<PairClass>& classes() const noexcept { return classes_; }
  [[nodiscard]] const std::vector<FieldPair>& together() const noexcept { return together_; }
  // Share of matches among all pairs.
  [[nodiscard]] double prior() const noexcept { return prior_; }
  // The weights of each field by itself, of all matches compared with all other pairs.
  [[nodiscard]] const std::vector<FieldWeights>& fields() const noexcept { return fields_; }

  // The match weight of a pair: log2 of the ratio between the frequency of its levels among matches
  // and among all other pairs.
  [[nodiscard]] double bits(std::span<const std::uint8_t> levels) const;
  [[nodiscard]] double bits(std::span<const Grade> grades) const;
  // The bits of each field, whose sum is the match weight: the information that it adds to earlier
  // fields.
  [[nodiscard]] std::vector<double> field_bits(std::span<const Grade> grades) const;
  // Logarithms of the odds that the pair belongs to each class, against all others.
  [[nodiscard]] std::vector<double> class_bits(std::span<const Grade> grades) const;
  // The match weight at which a pair has this probability. Both the probability and the prior must
  // be above 0.
  [[nodiscard]] double bits_at(double probability) const;
  // Odds of a match at a match weight.
  [[nodiscard]] double odds_at(double bits) const;
  // Probability at a match weight, in [0, 1].
  [[nodiscard]] double probability_at(double bits) const;
  // A copy of this model in which a field carries no information.
  [[nodiscard]] MatchModel without(std::size_t field) const;
  // A copy of this model with scaled odds; the scale replaces any earlier scale.
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
  // Shares divided by those in the last class, and these ratios in bits, by level and class. The
  // levels of field f begin at starts_[f].
  std::vector<std::size_t> starts_;
  std::vector<double> ratios_;
  std::vector<double> ratio_bits_;
  double prior_ = 0;
  double prior_bits_ = 0;
  OddsScale scale_ = {};
};

[[nodiscard]] double log2_of(double x) noexcept;
// 2^x, in a tenth of the time that exponential() takes and with the same result beyond ±1000. The
// error is below 1e-15.
[[nodiscard]] double power_of_two(double x) noexcept;
// Logarithm of the sum of exp(x), in a fixed order; minus infinity for an empty list.
[[nodiscard]] double log_of_sum(std::span<const double> logs) noexcept;

// Shares of joint levels: the shares that independent fields would have, multiplied by the ratio of
// counted to expected pairs, (count + 1) / (expected + 1). Levels that are too rare to be counted
// thus keep the share of independent fields. Level 0 has no share.
[[nodiscard]] std::vector<double> joint_shares(std::span<const double> counts,
                                               std::span<const double> first,
                                               std::span<const double> second);

// Replaces `shares` with the nearest shares whose ratio to `others` does not fall with the level
// (isotonic regression with weights `others`); their sum becomes 1. Level 0 is not used. Source:
// Ayer et al. 1955.
void make_monotone(std::span<double> shares, std::span<const double> others);

}  // namespace sosie
