// Fits a mixture of kinds of pairs by expectation maximisation.
#include "plan/mixture_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/mix64.h"
#include "core/real_functions.h"
#include "plan/usual_bits.h"

namespace sosie {
namespace {

constexpr double kUsualMatches = 20;  // pairs that usual shares of matches count like
constexpr double kUsualOthers = 2;    // likewise the shares of random pairs, in other classes
constexpr double kLeastShare = 1e-15;

// A number above 0 and below 1.
double unit_of(std::uint64_t random) {
  constexpr double kUnits = 9007199254740992.0;  // 2^53
  return (static_cast<double>(random >> 11) + 0.5) / kUnits;
}

// Initial shares of a pattern's pairs in the classes of siblings, which sum to 1. They are drawn by
// a hash of the levels, so that the classes differ: each share is a sum of two exponential
// variables divided by the total (a Dirichlet law).
std::vector<double> sibling_parts(std::span<const std::uint8_t> levels, std::size_t kinds) {
  std::uint64_t seed = 0;
  for (const std::uint8_t level : levels) seed = mix64(seed * 64 + level + 1);
  std::vector<double> parts(kinds);
  double sum = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    parts[k] = -logarithm(unit_of(random64(seed, 2 * k)) * unit_of(random64(seed, 2 * k + 1)));
    sum += parts[k];
  }
  for (double& part : parts) part /= sum;
  return parts;
}

}  // namespace

MixtureFit::MixtureFit(const FitTask& task, Competition one_partner, std::size_t classes)
    : task_(task),
      one_partner_(one_partner),
      classes_(classes),
      stride_(classes <= kFewClasses ? kFewClasses : kMostClasses),
      candidates_(task.candidates.size()),
      parts_(stride_ * (candidates_ + task.random.size())),
      odds_(candidates_) {
  count_rows();
  place_levels();
}

FittedModel MixtureFit::run() {
  FittedModel fitted;
  start();
  settle(fitted);
  if (one_partner_.is_there() && task_.left > 0) {
    if (classes_ > 2 && task_.parts_families) fitted.kin = part_kin();
    fitted.has_families = fitted.kin.has_value();
    if (fitted.has_families) settle(fitted);
  } else if (!one_partner_.is_there()) {
    if (classes_ > 2 && task_.parts_families) part_families(fitted);
    add_copies(fitted.matches);
  }
  fitted.model = MatchModel(std::move(learnt_), task_.together, task_.chances);
  return fitted;
}

void MixtureFit::settle(FittedModel& fitted) {
  constexpr int kLeastRounds = 20;
  double before = 0;
  for (fitted.rounds = 0; fitted.rounds < task_.most_rounds; ++fitted.rounds) {
    if (task_.on_round) task_.on_round();
    if (stride_ == kFewClasses) {
      learn<kFewClasses>();
      judge<kFewClasses>();
    } else {
      learn<kMostClasses>();
      judge<kMostClasses>();
    }
    if (one_partner_.is_there()) compete(fitted.rounds);
    fitted.matches = 0;
    for (std::size_t row = 0; row < candidates_; ++row) {
      fitted.matches += parts_[row * stride_] * weights_[row];
    }
    const double move = std::abs(fitted.matches - before);
    if (fitted.rounds > kLeastRounds &&
        move < task_.smallest_move * std::max(1.0, fitted.matches)) {
      break;
    }
    before = fitted.matches;
  }
}

// Counts patterns of candidates, followed by patterns of random pairs.
void MixtureFit::count_rows() {
  double counted = 0;
  double drawn = 0;
  for (std::size_t i = 0; i < candidates_; ++i) {
    weights_.push_back(static_cast<double>(task_.candidates.count(i)));
    counted += weights_.back();
  }
  for (std::size_t i = 0; i < task_.random.size(); ++i) {
    drawn += static_cast<double>(task_.random.count(i));
  }
  const double weight = std::max(task_.all_pairs - counted, 0.0) / std::max(drawn, 1.0);
  for (std::size_t i = 0; i < task_.random.size(); ++i) {
    weights_.push_back(weight * static_cast<double>(task_.random.count(i)));
  }
}

void MixtureFit::place_levels() {
  starts_.push_back(0);
  for (const std::vector<double>& shares : task_.usual) {
    starts_.push_back(starts_.back() + shares.size());
  }
  ratios_.assign(starts_.back() * stride_, 1);
  sums_.resize(starts_.back() * stride_);
}

// First guess of the classes of all rows, from the bits that levels usually have.
void MixtureFit::start() {
  const double likely = UsualBits::likely(task_);
  const UsualBits usual(task_);
  for (std::size_t row = 0; row < rows(); ++row) {
    double* const parts = parts_of(row);
    const auto levels = levels_of(row);
    const double bits = usual.of(levels);
    if (row >= candidates_) {
      // If groups are as large as the collection, random pairs are matches, too.
      parts[1] = 1;
      if (bits > likely) weights_[row] = 0;
      continue;
    }
    const double match = probability_of(bits - likely);
    const double sibling = classes_ > 2 ? probability_of(bits) : 0;
    parts[0] = match;
    parts[1] = (1 - match) * (1 - sibling);
    if (classes_ == 2) continue;
    const std::vector<double> kinds = sibling_parts(levels, classes_ - 2);
    for (std::size_t k = 2; k < classes_; ++k) parts[k] = (1 - match) * sibling * kinds[k - 2];
  }
  for (const double of_row : weights_) all_ += of_row;
}

// M step: shares of the classes and of their levels.
template <std::size_t kStride>
void MixtureFit::learn() {
  std::fill(sums_.begin(), sums_.end(), 0);
  std::array<double, kStride> all{};
  for (std::size_t row = 0; row < rows(); ++row) {
    const double* const parts = parts_of(row);
    std::array<double, kStride> weighed;
    for (std::size_t k = 0; k < kStride; ++k) {
      weighed[k] = parts[k] * weights_[row];
      all[k] += weighed[k];
    }
    const auto levels = levels_of(row);
    for (std::size_t f = 0; f < levels.size(); ++f) {
      double* const sums = sums_.data() + (starts_[f] + levels[f]) * kStride;
      for (std::size_t k = 0; k < kStride; ++k) sums[k] += weighed[k];
    }
  }
  learn_known(all);
  learnt_.assign(classes_, {});
  for (std::size_t k = 0; k < classes_; ++k) {
    learnt_[k].is_match = k == 0;
    learnt_[k].share = std::max(all[k] / all_, kLeastShare);
    learnt_[k].levels.resize(fields());
  }
  for (std::size_t f = 0; f < fields(); ++f) learn_field(f);
  learn_joint();
}

// Changes of a pattern's shares caused by a judged pair: it is entirely a match, or shared by the
// other classes.
template <std::size_t kStride>
void MixtureFit::move_judged(const double* parts, bool is_match,
                             std::array<double, kStride>& moved) const {
  const double others = 1 - parts[0];
  for (std::size_t k = 1; k < classes_; ++k) {
    const double part = others > 0 ? parts[k] / others : (k == 1 ? 1 : 0);
    moved[k] = (is_match ? 0 : part) - parts[k];
  }
  moved[0] = (is_match ? 1 : 0) - parts[0];
}

// Moves judged pairs into or out of the class of matches.
template <std::size_t kStride>
void MixtureFit::learn_known(std::array<double, kStride>& all) {
  for (const JudgedPattern& known : task_.known) {
    std::array<double, kStride> moved{};
    if (known.number) {
      move_judged(parts_of(*known.number), known.is_match, moved);
    } else {
      moved[known.is_match ? 0 : 1] = 1;
    }
    for (std::size_t k = 0; k < kStride; ++k) all[k] += moved[k];
    for (std::size_t f = 0; f < known.levels.size(); ++f) {
      double* const sums = sums_.data() + (starts_[f] + known.levels[f]) * kStride;
      for (std::size_t k = 0; k < kStride; ++k) sums[k] += moved[k];
    }
  }
}

void MixtureFit::learn_field(std::size_t f) {
  const std::size_t levels = task_.usual[f].size();
  std::vector<double> others(levels, 0);  // mixture of all classes but the matches
  double of_others = 0;
  for (std::size_t k = 0; k < classes_; ++k) {
    std::vector<double>& shares = learnt_[k].levels[f];
    shares.assign(levels, 1);
    double sum = 0;
    for (std::size_t level = 1; level < levels; ++level) {
      const double usual = k == 0 ? kUsualMatches * task_.usual[f][level]
                                  : kUsualOthers * task_.random_shares[f][level];
      shares[level] = sums_[(starts_[f] + level) * stride_ + k] + usual;
      sum += shares[level];
    }
    for (std::size_t level = 1; level < levels; ++level) shares[level] /= sum;
    if (k == kKin && lone_kin_field_ == f) shares = task_.random_shares[f];
    if (k == 0) continue;
    of_others += learnt_[k].share;
    for (std::size_t level = 1; level < levels; ++level) {
      others[level] += learnt_[k].share * shares[level];
    }
  }
  for (double& share : others) share /= of_others;
  make_monotone(learnt_[0].levels[f], others);
}

void MixtureFit::learn_joint() {
  for (const FieldPair& pair : task_.together) {
    const std::size_t seconds = task_.usual[pair.second].size();
    std::vector<std::vector<double>> counts(
        classes_, std::vector<double>(task_.usual[pair.first].size() * seconds));
    for (std::size_t row = 0; row < rows(); ++row) {
      const auto levels = levels_of(row);
      if (levels[pair.first] == 0 || levels[pair.second] == 0) continue;
      for (std::size_t k = 0; k < classes_; ++k) {
        counts[k][levels[pair.first] * seconds + levels[pair.second]] +=
            parts_of(row)[k] * weights_[row];
      }
    }
    for (std::size_t k = 0; k < classes_; ++k) {
      learnt_[k].joint.push_back(
          joint_shares(counts[k], learnt_[k].levels[pair.first], learnt_[k].levels[pair.second]));
    }
  }
}

// Sets the ratios of the shares of levels to the shares among strangers.
void MixtureFit::weigh() {
  for (std::size_t f = 0; f < fields(); ++f) {
    for (std::size_t level = 0; level < task_.usual[f].size(); ++level) {
      double* const ratios = &ratios_[(starts_[f] + level) * stride_];
      for (std::size_t k = 0; k < classes_; ++k) {
        ratios[k] = level == 0 ? 1 : learnt_[k].levels[f][level] / learnt_[1].levels[f][level];
      }
    }
  }
}

// Factor by which fields weighted together differ in a class from the product of their separate
// ratios.
double MixtureFit::joint_ratio(std::size_t k, std::span<const std::uint8_t> levels) const {
  double ratio = 1;
  for (std::size_t g = 0; g < task_.together.size(); ++g) {
    const auto [first, second] = task_.together[g];
    if (levels[first] == 0 || levels[second] == 0) continue;
    const PairClass& of = learnt_[k];
    ratio *= of.joint[g][levels[first] * of.levels[second].size() + levels[second]] /
             (of.levels[first][levels[first]] * of.levels[second][levels[second]]);
  }
  return ratio;
}

// Multiplies the shares of a pattern by the ratios of its levels.
template <std::size_t kStride>
void MixtureFit::take_levels(std::span<const std::uint8_t> levels,
                             std::array<double, kStride>& parts) const {
  constexpr std::size_t kFieldsAtOnce = 16;  // whose ratios do not overflow
  for (std::size_t f = 0; f < levels.size(); ++f) {
    const double* const ratios = ratios_.data() + (starts_[f] + levels[f]) * kStride;
    for (std::size_t k = 0; k < kStride; ++k) parts[k] *= ratios[k];
    if ((f + 1) % kFieldsAtOnce != 0) continue;
    const double most = *std::max_element(parts.begin(), parts.end());
    for (double& part : parts) part /= most;
  }
}

// E step: shares of each row in the classes, and odds of a match.
template <std::size_t kStride>
void MixtureFit::judge() {
  weigh();
  std::array<double, kStride> shares{};
  for (std::size_t k = 0; k < classes_; ++k) shares[k] = learnt_[k].share;
  for (std::size_t row = 0; row < rows(); ++row) {
    const auto levels = levels_of(row);
    std::array<double, kStride> parts = shares;
    for (std::size_t k = 0; !task_.together.empty() && k < classes_; ++k) {
      parts[k] *= joint_ratio(k, levels);
    }
    take_levels(levels, parts);
    if (row >= candidates_ || (!are_kin_.empty() && are_kin_[row])) parts[0] = 0;
    double others = 0;
    for (std::size_t k = 1; k < kStride; ++k) others += parts[k];
    const double all = others + parts[0];
    if (row < candidates_) {
      odds_[row] = parts[0] >= kMostOdds * others ? kMostOdds : parts[0] / others;
    }
    double* const to = parts_of(row);
    for (std::size_t k = 0; k < kStride; ++k) to[k] = parts[k] / all;
  }
}

// Leaves out pairs whose odds are too low to take a partner from others; the selection is repeated
// while the model still changes much.
void MixtureFit::list_active(int round) {
  constexpr double kLeastOdds = 1e-7;
  if ((round & (round - 1)) != 0) return;
  active_.clear();
  for (std::size_t i = 0; i < task_.pairs.size(); ++i) {
    if (odds_[task_.pairs[i].pattern] >= kLeastOdds)
      active_.push_back(static_cast<std::uint32_t>(i));
  }
}

// Sums the odds of the pairs of each record with at most one partner.
void MixtureFit::sum_odds() {
  of_record_.assign(task_.numbers, 0);
  for (const std::uint32_t i : active_) {
    const PatternPair& pair = task_.pairs[i];
    if (one_partner_.left) of_record_[pair.left] += odds_[pair.pattern];
    if (one_partner_.right) of_record_[pair.right] += odds_[pair.pattern];
  }
}

// Sets the share of a row that matches; the other classes divide the rest in the same proportions.
void MixtureFit::set_match(std::size_t row, double match) {
  double* const parts = parts_of(row);
  double others = 0;
  for (std::size_t k = 1; k < classes_; ++k) others += parts[k];
  parts[0] = match;
  for (std::size_t k = 1; k < classes_; ++k) {
    parts[k] = others > 0 ? parts[k] * (1 - match) / others : (k == 1 ? 1 - match : 0);
  }
}

// Gives the pairs of each pattern the mean of their probabilities, for which the pairs of records
// with at most one partner compete.
void MixtureFit::compete(int round) {
  list_active(round);
  sum_odds();
  of_pattern_.assign(candidates_, 0);
  competing_.assign(candidates_, 0);
  for (const std::uint32_t i : active_) {
    const PatternPair& pair = task_.pairs[i];
    of_pattern_[pair.pattern] += match_of(pair);
    competing_[pair.pattern] += 1;
  }
  for (std::size_t row = 0; row < candidates_; ++row) {
    const double alone = weights_[row] - competing_[row];  // pairs that are not listed
    set_match(row, (of_pattern_[row] + alone * odds_[row] / (1 + odds_[row])) / weights_[row]);
  }
}

// Probability of a pair if the pairs of records with at most one partner compete.
double MixtureFit::match_of(const PatternPair& pair) const {
  const double odds = odds_[pair.pattern];
  double rivals = odds;
  if (one_partner_.left) rivals = std::max(rivals, of_record_[pair.left]);
  if (one_partner_.right) rivals = std::max(rivals, of_record_[pair.right]);
  return odds / (1 + rivals);
}

}  // namespace sosie
