#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "data/level_patterns.h"

namespace sosie {

// Two fields that depend on each other, whose levels are weighed together; first < second.
struct FieldPair {
  std::size_t first = 0;
  std::size_t second = 0;
};

// Counted patterns of candidate pairs, and the fields that are weighed together.
struct PatternCounts {
  LevelPatterns patterns;
  std::vector<FieldPair> together = {};

  [[nodiscard]] std::size_t size() const noexcept { return patterns.size(); }
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t row) const noexcept {
    return patterns[row];
  }
};

// Shares of the levels of one field among matches (m) and among other candidates (u), by level;
// level 0 is not used: a missing value says nothing.
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
  // m / u; 1 for a missing value.
  [[nodiscard]] double ratio(std::uint32_t level) const;
};

// Shares of the levels of two fields together, by first level · levels of the second + second
// level; they count where both fields are there.
struct JointWeights {
  FieldPair pair;
  std::size_t second_levels = 0;
  std::vector<double> m;
  std::vector<double> u;

  // m / u.
  [[nodiscard]] double ratio(std::span<const std::uint8_t> levels) const;
  // Both fields are there.
  [[nodiscard]] bool counts_for(std::span<const std::uint8_t> levels) const {
    return levels[pair.first] != 0 && levels[pair.second] != 0;
  }
};

// Fellegi–Sunter model of candidate pairs: fields are independent within matches and within other
// pairs, but for those that are weighed together.
struct MatchModel {
  double prior = 0;  // share of matches among the candidates
  std::vector<FieldWeights> fields;
  std::vector<JointWeights> joint = {};

  // Bits of each field, whose sum is the match weight; of fields that are weighed together the
  // second one has what both say beyond the first.
  [[nodiscard]] std::vector<double> field_bits(std::span<const std::uint8_t> levels) const;

  // Match weight of a pattern: the sum of its fields' bits.
  [[nodiscard]] double bits(std::span<const std::uint8_t> levels) const;
  // Match weight at which a pair has this probability; both it and the prior are above 0.
  [[nodiscard]] double bits_at(double probability) const;
  // Odds of a match at a match weight.
  [[nodiscard]] double odds_at(double bits) const;
  // Probability at a match weight, in [0, 1].
  [[nodiscard]] double probability_at(double bits) const;
  // Probability of a match, in [0, 1].
  [[nodiscard]] double probability(std::span<const std::uint8_t> levels) const;
};

// First guess of which patterns are matches: all fields that are there agree, all but one, most.
enum class ModelStart : std::uint8_t { equal_in_all, equal_but_one, loose };

// Levels of random pairs, for candidates that were chosen by equal values: other pairs among those
// agree in the very fields that were chosen by, and say little of pairs that do not match.
struct RandomPairs {
  std::vector<std::vector<double>> shares;      // by field and level: u
  double all_pairs = 0;                         // matches are a part of them: the prior
  std::vector<std::vector<double>> joint = {};  // by pair of fields that are weighed together
};

struct FittedModel {
  MatchModel model;
  double log_likelihood = 0;
  double matches = 0;  // expected number of matches among the candidates
  int rounds = 0;
};

// Fits a model by expectation maximisation from one start, until no parameter moves by more than
// 1e-7, at most `most_rounds` times. `level_counts`: levels of each field. Deterministic: patterns
// are summed in their order. `random`: if there, u is theirs, and pairs that are no candidates
// count as no matches; else u is learnt from the candidates. `on_round`: called before each round;
// what it throws ends the fit. O(rounds · patterns · fields).
// Sources: Fellegi, Sunter, JASA 64, 1969; Winkler 1988.
[[nodiscard]] FittedModel fit_model(const PatternCounts& patterns,
                                    std::span<const std::uint32_t> level_counts, ModelStart start,
                                    int most_rounds = 500, const RandomPairs* random = nullptr,
                                    const std::function<void()>& on_round = {});

// Model that says of every pair that it is no match, and nothing by its fields.
[[nodiscard]] MatchModel neutral_model(std::span<const std::uint32_t> level_counts);

// Expected number of matches among the patterns by a model.
[[nodiscard]] double expected_matches(const MatchModel& model, const PatternCounts& patterns);

// Shares of joint levels: the shares of independent fields, each times how many more pairs were
// counted than these make expect, (count + 1) / (expected + 1). So levels that are too rare to be
// counted keep the share of independent fields. Level 0 has none.
[[nodiscard]] std::vector<double> joint_shares(std::span<const double> counts,
                                               std::span<const double> first,
                                               std::span<const double> second);

// Result of fitting from several starts.
struct ModelChoice {
  FittedModel fitted;
  std::vector<std::string> warnings;
  bool has_two_classes = true;  // false: matches and other pairs cannot be told apart
};

// Fits from every start and takes the first one that separates the patterns; warns when others see
// matches that differ by more than a fifth. `on_round`: as of fit_model().
[[nodiscard]] ModelChoice choose_model(const PatternCounts& patterns,
                                       std::span<const std::uint32_t> level_counts,
                                       const RandomPairs* random = nullptr,
                                       const std::function<void()>& on_round = {});

}  // namespace sosie
