// Fits m, u and the prior of a Fellegi–Sunter model to counted patterns of levels.
#include "plan/match_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr double kLn2 = 0.69314718055994530942;
constexpr double kSmallestMove = 1e-7;
// Pairs that every level is believed to have been seen in, so that no share becomes 0.
constexpr double kPseudoPairs = 0.05;

double log2_of(double x) { return logarithm(x) / kLn2; }

double odds_of(double probability) {
  constexpr double kLeast = 1e-15;
  return std::max(probability, kLeast) / std::max(1 - probability, kLeast);
}

// Part of the fields that are there in which a pattern's records are equal or near: 1 for equal
// values, less for lower levels.
double agreement_of(std::span<const std::uint8_t> levels,
                    std::span<const std::uint32_t> level_counts) {
  double sum = 0;
  double there = 0;
  for (std::size_t f = 0; f < levels.size(); ++f) {
    if (levels[f] == 0) continue;
    sum += static_cast<double>(levels[f] - 1) / static_cast<double>(level_counts[f] - 2);
    there += 1;
  }
  return there == 0 ? 0 : sum / there;
}

std::uint32_t differing_fields(std::span<const std::uint8_t> levels,
                               std::span<const std::uint32_t> level_counts) {
  std::uint32_t differing = 0;
  for (std::size_t f = 0; f < levels.size(); ++f) {
    differing += levels[f] != 0 && levels[f] + 1U != level_counts[f] ? 1U : 0U;
  }
  return differing;
}

std::vector<double> first_guess(const PatternCounts& patterns,
                                std::span<const std::uint32_t> level_counts, ModelStart start) {
  constexpr double kSure = 0.99;
  constexpr double kLooseAgreement = 0.6;
  std::vector<double> guess(patterns.size());
  for (std::size_t i = 0; i < guess.size(); ++i) {
    const auto levels = patterns[i];
    const std::uint32_t differing = differing_fields(levels, level_counts);
    const bool is_match = start == ModelStart::equal_in_all ? differing == 0
                          : start == ModelStart::equal_but_one
                              ? differing <= 1
                              : agreement_of(levels, level_counts) >= kLooseAgreement;
    guess[i] = is_match ? kSure : 1 - kSure;
  }
  return guess;
}

// Weighted counts of the levels of one field, or of two together.
struct LevelSums {
  std::vector<double> matches;
  std::vector<double> others;

  explicit LevelSums(std::size_t levels) : matches(levels), others(levels) {}

  void add(std::size_t level, double of_matches, double of_others) {
    matches[level] += of_matches;
    others[level] += of_others;
  }
};

// Sums of the joint levels of fields that are weighed together.
std::vector<LevelSums> joint_sums(const PatternCounts& patterns,
                                  std::span<const std::uint32_t> level_counts,
                                  const std::vector<double>& guess) {
  std::vector<LevelSums> sums;
  sums.reserve(patterns.together.size());
  for (const FieldPair& pair : patterns.together) {
    const std::size_t second_levels = level_counts[pair.second];
    LevelSums& sum = sums.emplace_back(level_counts[pair.first] * second_levels);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const auto levels = patterns[i];
      if (levels[pair.first] == 0 || levels[pair.second] == 0) continue;
      const auto count = static_cast<double>(patterns.patterns.count(i));
      sum.add(levels[pair.first] * second_levels + levels[pair.second], guess[i] * count,
              (1 - guess[i]) * count);
    }
  }
  return sums;
}

// Weighs fields together; the model has the weights of each field alone.
void add_joint(const PatternCounts& patterns, std::span<const std::uint32_t> level_counts,
               const std::vector<double>& guess, const RandomPairs* random, MatchModel& model) {
  const std::vector<LevelSums> sums = joint_sums(patterns, level_counts, guess);
  model.joint.reserve(sums.size());
  for (std::size_t g = 0; g < sums.size(); ++g) {
    const FieldPair pair = patterns.together[g];
    const FieldWeights& first = model.fields[pair.first];
    const FieldWeights& second = model.fields[pair.second];
    model.joint.push_back(
        {pair, second.m.size(), joint_shares(sums[g].matches, first.m, second.m),
         random != nullptr ? random->joint[g] : joint_shares(sums[g].others, first.u, second.u)});
  }
}

void set_shares(const std::vector<double>& sums, std::vector<double>& shares) {
  double all = 0;
  for (std::size_t level = 1; level < sums.size(); ++level) all += sums[level] + kPseudoPairs;
  shares.assign(sums.size(), 1);
  for (std::size_t level = 1; level < sums.size(); ++level) {
    shares[level] = (sums[level] + kPseudoPairs) / all;
  }
}

MatchModel model_of(const PatternCounts& patterns, std::span<const std::uint32_t> level_counts,
                    const std::vector<double>& guess, const RandomPairs* random) {
  std::vector<LevelSums> sums;
  sums.reserve(level_counts.size());
  for (const std::uint32_t levels : level_counts) sums.emplace_back(levels);
  double matches = 0;
  double all = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto levels = patterns[i];
    const auto count = static_cast<double>(patterns.patterns.count(i));
    const double of_matches = guess[i] * count;
    for (std::size_t f = 0; f < sums.size(); ++f) {
      sums[f].add(levels[f], of_matches, count - of_matches);
    }
    matches += of_matches;
    all += count;
  }
  MatchModel model;
  if (random != nullptr) all = random->all_pairs;
  model.prior = all == 0 ? 0 : matches / all;
  model.fields.resize(sums.size());
  for (std::size_t f = 0; f < sums.size(); ++f) {
    set_shares(sums[f].matches, model.fields[f].m);
    if (random != nullptr) {
      model.fields[f].u = random->shares[f];
    } else {
      set_shares(sums[f].others, model.fields[f].u);
    }
  }
  add_joint(patterns, level_counts, guess, random, model);
  return model;
}

// The largest change of a share of a level, or of the prior.
double move_between(const MatchModel& a, const MatchModel& b) {
  double move = std::abs(a.prior - b.prior);
  for (std::size_t f = 0; f < a.fields.size(); ++f) {
    for (std::size_t level = 1; level < a.fields[f].m.size(); ++level) {
      move = std::max(move, std::abs(a.fields[f].m[level] - b.fields[f].m[level]));
      move = std::max(move, std::abs(a.fields[f].u[level] - b.fields[f].u[level]));
    }
  }
  return move;
}

// The largest change of a share of two levels together.
double joint_move(const MatchModel& a, const MatchModel& b) {
  double move = 0;
  for (std::size_t g = 0; g < a.joint.size(); ++g) {
    for (std::size_t i = 0; i < a.joint[g].m.size(); ++i) {
      move = std::max(move, std::abs(a.joint[g].m[i] - b.joint[g].m[i]));
      move = std::max(move, std::abs(a.joint[g].u[i] - b.joint[g].u[i]));
    }
  }
  return move;
}

// Likelihood of a pattern among matches, or among other pairs.
double likelihood(const MatchModel& model, std::span<const std::uint8_t> levels, bool of_matches) {
  double product = of_matches ? model.prior : 1 - model.prior;
  for (std::size_t f = 0; f < levels.size(); ++f) {
    if (levels[f] == 0) continue;
    product *= (of_matches ? model.fields[f].m : model.fields[f].u)[levels[f]];
  }
  for (const JointWeights& joint : model.joint) {
    if (!joint.counts_for(levels)) continue;
    const std::size_t first = levels[joint.pair.first];
    const std::size_t second = levels[joint.pair.second];
    const auto& shares = of_matches ? joint.m : joint.u;
    const auto share = [&](std::size_t field, std::size_t level) {
      return (of_matches ? model.fields[field].m : model.fields[field].u)[level];
    };
    product *= shares[first * joint.second_levels + second] /
               (share(joint.pair.first, first) * share(joint.pair.second, second));
  }
  return product;
}

double log_likelihood(const MatchModel& model, const PatternCounts& patterns) {
  constexpr double kLeast = 1e-300;
  double sum = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const double all = likelihood(model, patterns[i], true) + likelihood(model, patterns[i], false);
    sum += static_cast<double>(patterns.patterns.count(i)) * logarithm(std::max(all, kLeast));
  }
  return sum;
}

// A model that calls everything a match, or nothing, or in which matches agree no more often than
// other pairs, has not found two classes.
bool separates(const FittedModel& fitted, double pairs, const RandomPairs* random) {
  constexpr double kLeastMatches = 0.5;
  if (random != nullptr) pairs = random->all_pairs;
  if (fitted.matches < kLeastMatches || fitted.matches > pairs - kLeastMatches) return false;
  double bits = 0;
  for (const FieldWeights& field : fitted.model.fields) {
    bits += field.bits(static_cast<std::uint32_t>(field.m.size() - 1));
  }
  return bits > 1;
}

// m / u of two fields as if they were independent.
double alone(const MatchModel& model, const JointWeights& joint,
             std::span<const std::uint8_t> levels) {
  return model.fields[joint.pair.first].ratio(levels[joint.pair.first]) *
         model.fields[joint.pair.second].ratio(levels[joint.pair.second]);
}

}  // namespace

double FieldWeights::frequency_bits(std::uint32_t level, double share) const {
  constexpr double kFuzzyWeight = 0.5;
  if (chance == 0 || level < 2) return 0;
  const double bits = log2_of(chance / share);
  return level + 1 == m.size() ? bits : kFuzzyWeight * bits;
}

double JointWeights::ratio(std::span<const std::uint8_t> levels) const {
  const std::size_t level = levels[pair.first] * second_levels + levels[pair.second];
  return m[level] / u[level];
}

double FieldWeights::ratio(std::uint32_t level) const {
  return level == 0 ? 1 : m[level] / u[level];
}

double FieldWeights::bits(std::uint32_t level) const {
  return level == 0 ? 0 : log2_of(m[level] / u[level]);
}

double MatchModel::bits(std::span<const std::uint8_t> levels) const {
  double sum = 0;
  for (std::size_t f = 0; f < levels.size(); ++f) sum += fields[f].bits(levels[f]);
  for (const JointWeights& both : joint) {
    if (both.counts_for(levels)) sum += log2_of(both.ratio(levels) / alone(*this, both, levels));
  }
  return sum;
}

std::vector<double> MatchModel::field_bits(std::span<const std::uint8_t> levels) const {
  std::vector<double> bits(levels.size());
  for (std::size_t f = 0; f < levels.size(); ++f) bits[f] = fields[f].bits(levels[f]);
  for (const JointWeights& both : joint) {
    if (!both.counts_for(levels)) continue;
    bits[both.pair.second] += log2_of(both.ratio(levels) / alone(*this, both, levels));
  }
  return bits;
}

double MatchModel::bits_at(double probability) const {
  return log2_of(odds_of(probability) / odds_of(prior));
}

double MatchModel::odds_at(double bits) const { return exponential(bits * kLn2) * odds_of(prior); }

double MatchModel::probability_at(double bits) const {
  constexpr double kManyBits = 1000;  // beyond, exponential() overflows
  const double odds = odds_at(std::clamp(bits, -kManyBits, kManyBits));
  return std::isfinite(odds) ? odds / (1 + odds) : 1;
}

double MatchModel::probability(std::span<const std::uint8_t> levels) const {
  double odds = prior / (1 - prior);
  for (std::size_t f = 0; f < levels.size(); ++f) odds *= fields[f].ratio(levels[f]);
  for (const JointWeights& both : joint) {
    if (both.counts_for(levels)) odds *= both.ratio(levels) / alone(*this, both, levels);
  }
  return std::isfinite(odds) ? odds / (1 + odds) : 1;
}

FittedModel fit_model(const PatternCounts& patterns, std::span<const std::uint32_t> level_counts,
                      ModelStart start, int most_rounds, const RandomPairs* random,
                      const std::function<void()>& on_round) {
  std::vector<double> guess = first_guess(patterns, level_counts, start);
  FittedModel fitted;
  fitted.model = model_of(patterns, level_counts, guess, random);
  while (fitted.rounds < most_rounds) {
    if (on_round) on_round();
    for (std::size_t i = 0; i < guess.size(); ++i) {
      guess[i] = fitted.model.probability(patterns[i]);
    }
    MatchModel next = model_of(patterns, level_counts, guess, random);
    const double move = std::max(move_between(fitted.model, next), joint_move(fitted.model, next));
    fitted.model = std::move(next);
    ++fitted.rounds;
    if (move < kSmallestMove) break;
  }
  fitted.matches = expected_matches(fitted.model, patterns);
  fitted.log_likelihood = log_likelihood(fitted.model, patterns);
  return fitted;
}

MatchModel neutral_model(std::span<const std::uint32_t> level_counts) {
  MatchModel model;
  model.fields.reserve(level_counts.size());
  for (const std::uint32_t levels : level_counts) {
    model.fields.push_back({std::vector<double>(levels, 1), std::vector<double>(levels, 1)});
  }
  return model;
}

double expected_matches(const MatchModel& model, const PatternCounts& patterns) {
  double matches = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    matches += model.probability(patterns[i]) * static_cast<double>(patterns.patterns.count(i));
  }
  return matches;
}

std::vector<double> joint_shares(std::span<const double> counts, std::span<const double> first,
                                 std::span<const double> second) {
  double all = 0;
  for (const double count : counts) all += count;
  std::vector<double> shares(counts.size(), 1);
  double sum = 0;
  const auto for_each_level = [&](const auto& each) {
    for (std::size_t a = 1; a < first.size(); ++a) {
      for (std::size_t b = 1; b < second.size(); ++b) {
        each(a * second.size() + b, first[a] * second[b]);
      }
    }
  };
  for_each_level([&](std::size_t level, double share) {
    shares[level] = share * (counts[level] + 1) / (all * share + 1);
    sum += shares[level];
  });
  if (sum <= 0) return shares;
  for_each_level([&](std::size_t level, double) { shares[level] /= sum; });
  return shares;
}

ModelChoice choose_model(const PatternCounts& patterns, std::span<const std::uint32_t> level_counts,
                         const RandomPairs* random, const std::function<void()>& on_round) {
  constexpr int kMostRounds = 500;
  double pairs = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    pairs += static_cast<double>(patterns.patterns.count(i));
  }
  ModelChoice choice;
  choice.has_two_classes = false;
  std::vector<double> matches;
  for (const ModelStart start :
       {ModelStart::equal_but_one, ModelStart::equal_in_all, ModelStart::loose}) {
    FittedModel fitted = fit_model(patterns, level_counts, start, kMostRounds, random, on_round);
    if (!separates(fitted, pairs, random)) continue;
    matches.push_back(fitted.matches);
    if (!choice.has_two_classes) choice.fitted = std::move(fitted);
    choice.has_two_classes = true;
  }
  if (matches.empty()) {
    choice.fitted.model = neutral_model(level_counts);
    return choice;
  }
  const auto [least, most] = std::minmax_element(matches.begin(), matches.end());
  if (*most > 1.2 * *least) {
    choice.warnings.push_back(fmt::format(
        "the starts of the model disagree: between {:.0f} and {:.0f} matches; namesakes "
        "may outnumber the duplicates, so check the links, or narrow the candidates",
        *least, *most));
  }
  return choice;
}

}  // namespace sosie
