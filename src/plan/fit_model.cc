// Fits a mixture of kinds of pairs to the patterns of candidates and of random pairs.
#include "plan/fit_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/mix64.h"
#include "core/real_functions.h"
#include "plan/match_families.h"

namespace sosie {
namespace {

constexpr double kUsualMatches = 20;  // pairs that usual shares of matches count like
constexpr double kUsualOthers = 2;    // likewise the shares of random pairs, in other classes
constexpr double kMatchedPart = 0.5;  // part of the records that have a match, at the start
constexpr double kLeastShare = 1e-15;
constexpr double kMostOdds = 5e21;

// Probability at so many bits.
double probability_of(double bits) {
  constexpr double kLn2 = 0.69314718055994530942;
  constexpr double kManyBits = 1000;
  return 1 / (1 + exponential(-std::clamp(bits, -kManyBits, kManyBits) * kLn2));
}

// Number above 0 and below 1.
double unit_of(std::uint64_t random) {
  constexpr double kUnits = 9007199254740992.0;  // 2^53
  return (static_cast<double>(random >> 11) + 0.5) / kUnits;
}

// Parts that the pairs of a pattern have in kinds of siblings at the start, which sum to 1: drawn
// by a hash of the levels, so that kinds are not alike. Each is a sum of two exponential variables
// over that of all (a Dirichlet law).
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

// Bits that the levels of a pair are usually worth, before anything is learnt.
class UsualBits {
 public:
  explicit UsualBits(const FitTask& task) {
    for (std::size_t f = 0; f < task.usual.size(); ++f) {
      std::vector<double>& bits = bits_.emplace_back(task.usual[f].size());
      for (std::size_t level = 1; level < bits.size(); ++level) {
        bits[level] = log2_of(task.usual[f][level] / task.random_shares[f][level]);
      }
    }
  }

  [[nodiscard]] const LevelBits& by_level() const noexcept { return bits_; }
  [[nodiscard]] double of(std::span<const std::uint8_t> levels) const {
    double bits = 0;
    for (std::size_t f = 0; f < bits_.size(); ++f) bits += bits_[f][levels[f]];
    return bits;
  }

  // Bits at which a pair is as likely a match as not.
  [[nodiscard]] static double likely(const FitTask& task) {
    return log2_of(task.all_pairs / (kMatchedPart * task.records));
  }

 private:
  LevelBits bits_;
};

class Fit {
 public:
  Fit(const FitTask& task, Competition one_partner, std::size_t classes)
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

  FittedModel run() {
    FittedModel fitted;
    start();
    settle(fitted);
    if (one_partner_.is_there() && task_.left > 0) {
      if (classes_ > 2 && task_.parts_families) fitted.kin = part_kin();
      fitted.has_families = fitted.kin.has_value();
      if (fitted.has_families) settle(fitted);
    } else if (!one_partner_.is_there()) {
      fitted.has_families = classes_ > 2 && task_.parts_families && part_families();
      if (fitted.has_families) settle(fitted);
      add_copies(fitted.matches);
    }
    fitted.model = MatchModel(std::move(learnt_), task_.together, task_.chances);
    return fitted;
  }

 private:
  void settle(FittedModel& fitted) {
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

  [[nodiscard]] std::size_t rows() const noexcept { return weights_.size(); }
  [[nodiscard]] std::size_t fields() const noexcept { return task_.usual.size(); }
  [[nodiscard]] std::span<const std::uint8_t> levels_of(std::size_t row) const noexcept {
    return row < candidates_ ? task_.candidates[row] : task_.random[row - candidates_];
  }
  [[nodiscard]] double* parts_of(std::size_t row) noexcept { return &parts_[row * stride_]; }

  // Counts patterns of candidates, and behind them patterns of random pairs.
  void count_rows() {
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

  void place_levels() {
    starts_.push_back(0);
    for (const std::vector<double>& shares : task_.usual) {
      starts_.push_back(starts_.back() + shares.size());
    }
    ratios_.assign(starts_.back() * stride_, 1);
    sums_.resize(starts_.back() * stride_);
  }

  // First guess of the classes of all rows, by the bits that levels usually are worth.
  void start() {
    const double likely = UsualBits::likely(task_);
    const UsualBits usual(task_);
    for (std::size_t row = 0; row < rows(); ++row) {
      double* const parts = parts_of(row);
      const auto levels = levels_of(row);
      const double bits = usual.of(levels);
      if (row >= candidates_) {
        // Where groups are as large as the collection, random pairs are matches, too.
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
  void learn() {
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
    learnt_.assign(classes_, {});
    for (std::size_t k = 0; k < classes_; ++k) {
      learnt_[k].is_match = k == 0;
      learnt_[k].share = std::max(all[k] / all_, kLeastShare);
      learnt_[k].levels.resize(fields());
    }
    for (std::size_t f = 0; f < fields(); ++f) learn_field(f);
    learn_joint();
  }

  void learn_field(std::size_t f) {
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
      if (k == 0) continue;
      of_others += learnt_[k].share;
      for (std::size_t level = 1; level < levels; ++level) {
        others[level] += learnt_[k].share * shares[level];
      }
    }
    for (double& share : others) share /= of_others;
    make_monotone(learnt_[0].levels[f], others);
  }

  void learn_joint() {
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

  // Sets the ratios of the shares of levels to what strangers have.
  void weigh() {
    for (std::size_t f = 0; f < fields(); ++f) {
      for (std::size_t level = 0; level < task_.usual[f].size(); ++level) {
        double* const ratios = &ratios_[(starts_[f] + level) * stride_];
        for (std::size_t k = 0; k < classes_; ++k) {
          ratios[k] = level == 0 ? 1 : learnt_[k].levels[f][level] / learnt_[1].levels[f][level];
        }
      }
    }
  }

  // Ratio that fields weighed together add in a class to what each says alone.
  [[nodiscard]] double joint_ratio(std::size_t k, std::span<const std::uint8_t> levels) const {
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

  // Multiplies the parts of a pattern by the ratios of its levels.
  template <std::size_t kStride>
  void take_levels(std::span<const std::uint8_t> levels, std::array<double, kStride>& parts) const {
    constexpr std::size_t kFieldsAtOnce = 16;  // whose ratios do not overflow
    for (std::size_t f = 0; f < levels.size(); ++f) {
      const double* const ratios = ratios_.data() + (starts_[f] + levels[f]) * kStride;
      for (std::size_t k = 0; k < kStride; ++k) parts[k] *= ratios[k];
      if ((f + 1) % kFieldsAtOnce != 0) continue;
      const double most = *std::max_element(parts.begin(), parts.end());
      for (double& part : parts) part /= most;
    }
  }

  // E step: parts of each row in the classes, and odds of a match.
  template <std::size_t kStride>
  void judge() {
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

  // Pairs whose odds are too small to take a partner from others are left out; which ones is asked
  // again while the model still moves far.
  void list_active(int round) {
    constexpr double kLeastOdds = 1e-7;
    if ((round & (round - 1)) != 0) return;
    active_.clear();
    for (std::size_t i = 0; i < task_.pairs.size(); ++i) {
      if (odds_[task_.pairs[i].pattern] >= kLeastOdds)
        active_.push_back(static_cast<std::uint32_t>(i));
    }
  }

  // Sums the odds of the pairs of each record that has one partner at most.
  void sum_odds() {
    of_record_.assign(task_.numbers, 0);
    for (const std::uint32_t i : active_) {
      const PatternPair& pair = task_.pairs[i];
      if (one_partner_.left) of_record_[pair.left] += odds_[pair.pattern];
      if (one_partner_.right) of_record_[pair.right] += odds_[pair.pattern];
    }
  }

  // Sets the part of a row that matches; the other classes share what is left as before.
  void set_match(std::size_t row, double match) {
    double* const parts = parts_of(row);
    double others = 0;
    for (std::size_t k = 1; k < classes_; ++k) others += parts[k];
    parts[0] = match;
    for (std::size_t k = 1; k < classes_; ++k) {
      parts[k] = others > 0 ? parts[k] * (1 - match) / others : (k == 1 ? 1 - match : 0);
    }
  }

  // Gives the pairs of each pattern the mean of their probabilities, for which records that have
  // one partner at most let their pairs compete.
  void compete(int round) {
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

  // Parts of the candidates that have each field.
  [[nodiscard]] std::vector<double> filled_parts() const {
    std::vector<double> filled(fields());
    double pairs = 0;
    for (std::size_t row = 0; row < candidates_; ++row) {
      pairs += weights_[row];
      const auto levels = levels_of(row);
      for (std::size_t f = 0; f < fields(); ++f) filled[f] += levels[f] > 0 ? weights_[row] : 0;
    }
    for (double& part : filled) part /= pairs;
    return filled;
  }

  // Mean bits of a field in a class.
  [[nodiscard]] double mean_bits(std::size_t k, std::size_t f) const {
    double bits = 0;
    for (std::size_t level = 1; level < task_.usual[f].size(); ++level) {
      bits += learnt_[k].levels[f][level] *
              log2_of(learnt_[0].levels[f][level] / learnt_[1].levels[f][level]);
    }
    return bits;
  }

  // Makes siblings of matches that differ in two fields together, as members of a family do. False:
  // there are none.
  bool part_families() {
    std::vector<double> matches(candidates_);
    for (std::size_t row = 0; row < candidates_; ++row) {
      matches[row] = parts_of(row)[0] * weights_[row];
    }
    const UsualBits usual(task_);
    const auto found = fields_of_families(task_.candidates, matches, usual.by_level());
    if (found) part(*found, usual.by_level());
    return found.has_value();
  }

  // Makes siblings of matches that differ in these fields together.
  void part(const FieldPair& fields, const LevelBits& usual) {
    for (std::size_t row = 0; row < rows(); ++row) {
      double* const parts = parts_of(row);
      // Other siblings make room.
      parts[classes_ > 3 ? 3 : 1] += std::exchange(parts[2], 0);
      if (row < candidates_ && differ_together(levels_of(row), fields, usual)) {
        parts[2] = std::exchange(parts[0], 0);
      }
    }
    has_families_ = true;
  }

  // Makes siblings of matches that differ in two fields together, where records that have their
  // partner have such others, too: then these are not what they look for. Returns the fields.
  std::optional<FieldPair> part_kin() {
    double most = 0.4;  // so many times as often as records without a partner
    std::vector<double> matches(candidates_);
    for (std::size_t row = 0; row < candidates_; ++row) {
      matches[row] = parts_of(row)[0] * weights_[row];
    }
    const UsualBits usual(task_);
    const auto take = [&](const FieldPair& fields) {
      part(fields, usual.by_level());
      are_kin_ = differing(fields, usual.by_level());
      return fields;
    };
    if (task_.kin) return take(*task_.kin);
    std::optional<FieldPair> found;
    for (const FieldPair& fields :
         fields_that_differ_together(task_.candidates, matches, usual.by_level())) {
      const double share = share_beside(fields, usual.by_level());
      if (share < most) continue;
      most = share;
      found = fields;
    }
    return found ? std::optional(take(*found)) : found;
  }

  // Patterns of candidates that differ in both fields.
  [[nodiscard]] std::vector<bool> differing(const FieldPair& fields, const LevelBits& usual) const {
    std::vector<bool> differs(candidates_);
    for (std::size_t row = 0; row < candidates_; ++row) {
      differs[row] = differ_together(levels_of(row), fields, usual);
    }
    return differs;
  }

  // Part of the records that surely have their one partner in which there is another likely one,
  // which differs in these fields together, over that part of the other records.
  [[nodiscard]] double share_beside(const FieldPair& fields, const LevelBits& usual) const {
    constexpr double kFewestExpected = 10;
    const std::vector<bool> differs = differing(fields, usual);
    const std::vector<bool> has_partner = with_sure_partners(differs);
    const std::vector<bool> has_other = with_others_beside(differs, has_partner);
    double most = 0;
    const auto see_side = [&](std::uint32_t begin, std::uint32_t end) {
      std::array<double, 2> records{};  // by whether they have their partner
      std::array<double, 2> others{};   // with another likely one, likewise
      for (std::uint32_t record = begin; record < end; ++record) {
        records[has_partner[record] ? 1 : 0] += 1;
        others[has_partner[record] ? 1 : 0] += has_other[record] ? 1 : 0;
      }
      if (records[0] == 0) return;
      const double expected = others[0] / records[0] * records[1];
      if (expected >= kFewestExpected) most = std::max(most, others[1] / expected);
    };
    if (one_partner_.left) see_side(0, task_.left);
    if (one_partner_.right) see_side(task_.left, task_.numbers);
    return most;
  }

  // Records that surely match one that does not differ so.
  [[nodiscard]] std::vector<bool> with_sure_partners(const std::vector<bool>& differs) const {
    constexpr double kSure = 0.9;
    std::vector<bool> records(task_.numbers);
    for (const std::uint32_t i : active_) {
      const PatternPair& pair = task_.pairs[i];
      if (differs[pair.pattern] || match_of(pair) < kSure) continue;
      records[pair.left] = records[pair.right] = true;
    }
    return records;
  }

  // Records with one partner at most that likely match one which differs so and is still free.
  [[nodiscard]] std::vector<bool> with_others_beside(const std::vector<bool>& differs,
                                                     const std::vector<bool>& has_partner) const {
    std::vector<bool> records(task_.numbers);
    for (const std::uint32_t i : active_) {
      const PatternPair& pair = task_.pairs[i];
      if (!differs[pair.pattern] || odds_[pair.pattern] < 1) continue;
      const bool left_is_free = !one_partner_.left || !has_partner[pair.left];
      const bool right_is_free = !one_partner_.right || !has_partner[pair.right];
      if (one_partner_.left && right_is_free) records[pair.left] = true;
      if (one_partner_.right && left_is_free) records[pair.right] = true;
    }
    return records;
  }

  // Probability of a pair where records with one partner at most let their pairs compete.
  [[nodiscard]] double match_of(const PatternPair& pair) const {
    const double odds = odds_[pair.pattern];
    double rivals = odds;
    if (one_partner_.left) rivals = std::max(rivals, of_record_[pair.left]);
    if (one_partner_.right) rivals = std::max(rivals, of_record_[pair.right]);
    return odds / (1 + rivals);
  }

  // Kinds of siblings that agree in nearly what matches agree in are careless copies of them.
  void add_copies(double matches) {
    constexpr double kFewestMatches = 10;
    constexpr double kFewestBits = 5;
    constexpr double kLeastBits = 0.45;     // part of the bits of matches
    constexpr double kLeastAgreeing = 0.6;  // part of the telling fields
    constexpr double kTellingBits = 0.05;   // part of all bits that a telling field has
    const std::vector<double> filled = filled_parts();
    std::vector<double> of_matches;
    double all = 0;
    for (std::size_t f = 0; f < fields(); ++f) {
      of_matches.push_back(mean_bits(0, f) * filled[f]);
      all += of_matches.back();
    }
    if (all <= kFewestBits || matches <= kFewestMatches) return;
    for (std::size_t k = has_families_ ? 3 : 2; k < classes_; ++k) {
      double bits = 0;
      double agreeing = 0;
      double telling = 0;
      for (std::size_t f = 0; f < fields(); ++f) {
        const double of_field = mean_bits(k, f) * filled[f];
        bits += of_field;
        if (of_matches[f] <= kTellingBits * all) continue;
        telling += filled[f];
        agreeing += of_field > 0 ? filled[f] : 0;
      }
      learnt_[k].is_match = bits >= kLeastBits * all && agreeing >= kLeastAgreeing * telling;
    }
  }

  const FitTask& task_;
  Competition one_partner_;
  static constexpr std::size_t kFewClasses = 4;

  std::size_t classes_;
  std::size_t stride_;           // places of classes in a row, those behind the last one empty
  std::size_t candidates_;       // patterns of candidates
  std::vector<double> parts_;    // by row and class
  std::vector<double> odds_;     // odds of a match, by pattern of candidates
  std::vector<double> weights_;  // pairs by row
  double all_ = 0;
  bool has_families_ = false;        // class 2 is of members of families
  std::vector<bool> are_kin_;        // by pattern of candidates: no match; empty: none is known
  std::vector<std::size_t> starts_;  // by field: where its levels begin
  std::vector<double> ratios_;       // by level and class
  std::vector<double> sums_;
  std::vector<PairClass> learnt_;
  std::vector<std::uint32_t> active_;  // pairs that compete
  std::vector<double> of_record_;      // sums of odds
  std::vector<double> of_pattern_;     // sums of probabilities
  std::vector<double> competing_;      // pairs by pattern
};

}  // namespace

FittedModel fit_model(const FitTask& task, Competition one_partner, std::size_t classes) {
  return Fit(task, one_partner, classes).run();
}

double usual_matches(const FitTask& task) {
  const UsualBits usual(task);
  const double likely = UsualBits::likely(task);
  double matches = 0;
  for (std::size_t i = 0; i < task.candidates.size(); ++i) {
    const double probability = probability_of(usual.of(task.candidates[i]) - likely);
    matches += probability * static_cast<double>(task.candidates.count(i));
  }
  return matches;
}

}  // namespace sosie
