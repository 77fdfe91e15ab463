// Weighs the levels of pairs by a mixture of classes.
#include "plan/match_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr double kLn2 = 0.69314718055994530942;
constexpr double kNever = -std::numeric_limits<double>::infinity();

double odds_of(double probability) {
  constexpr double kLeast = 1e-15;
  return std::max(probability, kLeast) / std::max(1 - probability, kLeast);
}

std::uint8_t level_in(std::uint8_t level) noexcept { return level; }
std::uint8_t level_in(const Grade& grade) noexcept { return grade.level; }
double above_in(std::uint8_t /*level*/) noexcept { return 0; }
double above_in(const Grade& grade) noexcept { return grade.above; }

// Keeps products of many ratios from overflowing.
void bring_to_one(std::span<double> parts) {
  const double most = *std::max_element(parts.begin(), parts.end());
  for (double& part : parts) part /= most;
}

}  // namespace

double log2_of(double x) noexcept { return logarithm(x) / kLn2; }

// Uses a table of 2^(i / 64) and a series for the remaining factor, which is below 2^(1 / 128).
double power_of_two(double x) noexcept {
  constexpr int kSteps = 64;
  constexpr double kMost = 1000;
  static const std::array<double, kSteps> steps = [] {
    std::array<double, kSteps> made{};
    for (int i = 0; i < kSteps; ++i)
      made[static_cast<std::size_t>(i)] = exponential(kLn2 * i / kSteps);
    return made;
  }();
  const double bounded = std::clamp(x, -kMost, kMost);
  const double nearest = std::floor(bounded * kSteps + 0.5);
  const auto step = static_cast<int>(nearest);
  const double rest = (bounded - nearest / kSteps) * kLn2;
  const double sum =
      1 + rest * (1 + rest * (1.0 / 2 + rest * (1.0 / 6 + rest * (1.0 / 24 + rest / 120))));
  constexpr int kBias = 1023;  // added to the exponent of a double
  const std::uint64_t exponent = static_cast<std::uint32_t>((step >> 6) + kBias);
  return steps[static_cast<std::size_t>(step & (kSteps - 1))] * sum *
         std::bit_cast<double>(exponent << 52);
}

double log_of_sum(std::span<const double> logs) noexcept {
  constexpr double kLeast = -40;  // parts below are lost in the last bits of the sum
  if (logs.size() == 1) return logs.front();
  double most = kNever;
  for (const double x : logs) most = std::max(most, x);
  if (most == kNever) return kNever;
  double sum = 0;
  for (const double x : logs) {
    if (x - most > kLeast) sum += exponential(x - most);
  }
  return most + logarithm(sum);
}

double FieldWeights::frequency_bits(std::uint32_t level, double share) const {
  constexpr double kFuzzyWeight = 0.5;
  if (chance == 0 || level < 2) return 0;
  const double bits = log2_of(chance / share);
  return level + 1 == m.size() ? bits : kFuzzyWeight * bits;
}

double FieldWeights::bits(std::uint32_t level) const {
  return level == 0 ? 0 : log2_of(m[level] / u[level]);
}

MatchModel::MatchModel(std::vector<PairClass> classes, std::vector<FieldPair> together,
                       const std::vector<double>& chances)
    : classes_(std::move(classes)), together_(std::move(together)) {
  for (const PairClass& of : classes_) {
    prior_ += of.is_match ? of.share : 0;
    share_logs_[logs_.size()] = logarithm(of.share);
    auto& logs = logs_.emplace_back();
    for (const std::vector<double>& shares : of.levels) {
      std::vector<double>& field = logs.emplace_back();
      for (const double share : shares) field.push_back(logarithm(share));
      field.front() = 0;
    }
  }
  const PairClass& last = classes_.back();
  for (std::size_t f = 0; f < last.levels.size(); ++f) {
    starts_.push_back(ratios_.size() / classes_.size());
    for (std::size_t level = 0; level < last.levels[f].size(); ++level) {
      for (const PairClass& of : classes_) {
        ratios_.push_back(level == 0 ? 1 : of.levels[f][level] / last.levels[f][level]);
        ratio_bits_.push_back(log2_of(ratios_.back()));
      }
    }
  }
  prior_bits_ = log2_of(odds_of(prior_));
  weigh_fields(chances);
}

void MatchModel::weigh_fields(const std::vector<double>& chances) {
  for (std::size_t f = 0; f < classes_.front().levels.size(); ++f) {
    FieldWeights& weights = fields_.emplace_back();
    const std::size_t levels = classes_.front().levels[f].size();
    weights.m.assign(levels, 0);
    weights.u.assign(levels, 0);
    double others = 0;
    for (const PairClass& of : classes_) others += of.is_match ? 0 : of.share;
    for (const PairClass& of : classes_) {
      std::vector<double>& sums = of.is_match ? weights.m : weights.u;
      const double part = of.share / (of.is_match ? prior_ : others);
      for (std::size_t level = 0; level < levels; ++level)
        sums[level] += part * of.levels[f][level];
    }
    if (!chances.empty()) weights.chance = chances[f];
  }
}

double MatchModel::of_field(std::size_t k, std::size_t field, const Grade& grade) const {
  const double here = logs_[k][field][grade.level];
  if (grade.above == 0) return here;
  return here + grade.above * (logs_[k][field][grade.level + 1U] - here);
}

// Logarithm of the information that two fields provide together beyond that of each alone.
double MatchModel::of_joint(std::size_t k, std::size_t group, std::size_t first,
                            std::size_t second) const {
  if (first == 0 || second == 0) return 0;
  const FieldPair& pair = together_[group];
  const std::size_t seconds = classes_[k].levels[pair.second].size();
  return logarithm(classes_[k].joint[group][first * seconds + second]) -
         logs_[k][pair.first][first] - logs_[k][pair.second][second];
}

// Logarithms of share and likelihood of a pair in each class.
MatchModel::ClassLogs MatchModel::logs_of(std::span<const Grade> pair) const {
  ClassLogs logs = share_logs_;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    for (std::size_t f = 0; f < pair.size(); ++f) logs[k] += of_field(k, f, pair[f]);
    for (std::size_t g = 0; g < together_.size(); ++g) {
      logs[k] += of_joint(k, g, pair[together_[g].first].level, pair[together_[g].second].level);
    }
  }
  return logs;
}

// Bits of a pair through products of ratios, which need only one logarithm.
template <typename Level>
double MatchModel::bits_of(std::span<const Level> pair) const {
  constexpr std::size_t kFieldsAtOnce = 16;  // whose ratios do not overflow
  const std::size_t classes = classes_.size();
  ClassLogs parts;
  ClassLogs logs{};
  for (std::size_t k = 0; k < classes; ++k) parts[k] = classes_[k].share;
  bool has_logs = !together_.empty();
  for (std::size_t f = 0; f < pair.size(); ++f) {
    const double* const ratios = &ratios_[(starts_[f] + level_in(pair[f])) * classes];
    for (std::size_t k = 0; k < classes; ++k) parts[k] *= ratios[k];
    if (const double above = above_in(pair[f]); above > 0) {
      has_logs = true;
      const double* const here = &ratio_bits_[(starts_[f] + level_in(pair[f])) * classes];
      for (std::size_t k = 0; k < classes; ++k) logs[k] += above * (here[classes + k] - here[k]);
    }
    if ((f + 1) % kFieldsAtOnce == 0) bring_to_one(std::span(parts).first(classes));
  }
  double matches = 0;
  double others = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t g = 0; g < together_.size(); ++g) {
      logs[k] +=
          of_joint(k, g, level_in(pair[together_[g].first]), level_in(pair[together_[g].second])) /
          kLn2;
    }
    if (has_logs && logs[k] != 0) parts[k] *= power_of_two(logs[k]);
    (classes_[k].is_match ? matches : others) += parts[k];
  }
  constexpr double kLeast = 1e-300;
  return log2_of(std::max(matches, kLeast) / std::max(others, kLeast)) - prior_bits_;
}

// Logarithm of the odds of all matches against all others.
double MatchModel::log_odds(const ClassLogs& logs) const {
  ClassLogs matches;
  ClassLogs others;
  std::size_t of_matches = 0;
  std::size_t of_others = 0;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    if (classes_[k].is_match) {
      matches[of_matches++] = logs[k];
    } else {
      others[of_others++] = logs[k];
    }
  }
  return log_of_sum(std::span(matches).first(of_matches)) -
         log_of_sum(std::span(others).first(of_others));
}

double MatchModel::bits(std::span<const std::uint8_t> levels) const { return bits_of(levels); }

double MatchModel::bits(std::span<const Grade> grades) const { return bits_of(grades); }

std::vector<double> MatchModel::field_bits(std::span<const Grade> grades) const {
  ClassLogs logs = share_logs_;
  std::vector<double> bits;
  bits.reserve(grades.size());
  double before = log_odds(logs);
  for (std::size_t f = 0; f < grades.size(); ++f) {
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      logs[k] += of_field(k, f, grades[f]);
      for (std::size_t g = 0; g < together_.size(); ++g) {
        if (together_[g].second != f) continue;
        logs[k] += of_joint(k, g, grades[together_[g].first].level, grades[f].level);
      }
    }
    const double now = log_odds(logs);
    bits.push_back((now - before) / kLn2);
    before = now;
  }
  return bits;
}

std::vector<double> MatchModel::class_bits(std::span<const Grade> grades) const {
  const ClassLogs logs = logs_of(grades);
  std::vector<double> bits;
  bits.reserve(classes_.size());
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    ClassLogs others = logs;
    others[k] = kNever;
    bits.push_back((logs[k] - log_of_sum(std::span(others).first(classes_.size()))) / kLn2);
  }
  return bits;
}

double MatchModel::bits_at(double probability) const {
  if (scale_ == OddsScale{}) return log2_of(odds_of(probability) / odds_of(prior_));
  return (log2_of(odds_of(probability)) - scale_.shift) / scale_.slope - prior_bits_;
}

double MatchModel::odds_at(double bits) const {
  constexpr double kManyBits = 1000;  // beyond, exponential() overflows
  const double bounded = std::clamp(bits, -kManyBits, kManyBits);
  if (scale_ == OddsScale{}) return power_of_two(bounded) * odds_of(prior_);
  return power_of_two(scale_.shift + scale_.slope * (bounded + prior_bits_));
}

double MatchModel::probability_at(double bits) const {
  const double odds = odds_at(bits);
  return std::isfinite(odds) ? odds / (1 + odds) : 1;
}

MatchModel MatchModel::without(std::size_t field) const {
  std::vector<PairClass> classes = classes_;
  std::vector<FieldPair> together;
  std::vector<std::size_t> kept;
  for (std::size_t g = 0; g < together_.size(); ++g) {
    if (together_[g].first == field || together_[g].second == field) continue;
    together.push_back(together_[g]);
    kept.push_back(g);
  }
  std::vector<double> chances;
  chances.reserve(fields_.size());
  for (const FieldWeights& weights : fields_) chances.push_back(weights.chance);
  chances[field] = 0;
  for (PairClass& of : classes) {
    std::fill(of.levels[field].begin(), of.levels[field].end(), 1.0);
    std::vector<std::vector<double>> joint;
    joint.reserve(kept.size());
    for (const std::size_t g : kept) joint.push_back(of.joint[g]);
    of.joint = std::move(joint);
  }
  return MatchModel(std::move(classes), std::move(together), chances).scaled(scale_);
}

MatchModel MatchModel::scaled(const OddsScale& scale) const {
  MatchModel model = *this;
  model.scale_ = scale;
  return model;
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

void make_monotone(std::span<double> shares, std::span<const double> others) {
  struct Pool {
    double ratio;
    double weight;
    std::size_t levels;
  };
  std::vector<Pool> pools;
  for (std::size_t level = 1; level < shares.size(); ++level) {
    pools.push_back({shares[level] / others[level], others[level], 1});
    while (pools.size() > 1 && pools[pools.size() - 2].ratio > pools.back().ratio) {
      const Pool last = pools.back();
      pools.pop_back();
      Pool& before = pools.back();
      before.ratio =
          (before.ratio * before.weight + last.ratio * last.weight) / (before.weight + last.weight);
      before.weight += last.weight;
      before.levels += last.levels;
    }
  }
  std::size_t level = 1;
  double sum = 0;
  for (const Pool& pool : pools) {
    for (std::size_t i = 0; i < pool.levels; ++i, ++level) {
      shares[level] = pool.ratio * others[level];
      sum += shares[level];
    }
  }
  for (level = 1; level < shares.size(); ++level) shares[level] /= sum;
}

}  // namespace sosie
