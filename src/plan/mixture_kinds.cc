// Separates kinds of pairs that the mixture merges: members of families, careless copies.
#include <algorithm>
#include <utility>

#include "plan/mixture_fit.h"
#include "plan/usual_bits.h"

namespace sosie {
namespace {

constexpr double kFewestDiffering = 10;
constexpr double kMostSlips = 0.3;  // kin have few, as their other values are often written once

// Relatives may differ in this field alone: such pairs are listed as pairs of two identical fields.
FieldPair alone(std::size_t field) { return {field, field}; }

}  // namespace

// Turns matches into siblings if they differ in two fields together, as members of a family do, or
// in one field, and continues the fit.
void MixtureFit::part_families(FittedModel& fitted) {
  const std::vector<double> matches = matches_by_pattern();
  const UsualBits usual(task_);
  const LevelBits of_kin = kin_bits(usual.by_level());
  Households found;
  if (!task_.kin) found = households_by_both(matches, usual.by_level(), of_kin);
  fitted.kin = task_.kin ? task_.kin : found.sure;
  std::optional<FieldPair> families;
  if (!fitted.kin) families = fields_of_families(task_.candidates, matches, usual.by_level());
  if (!families && !fitted.kin) fitted.kin = found.likely;
  if (!families && !fitted.kin && !task_.kin) fitted.kin = mostly_alone(matches, of_kin);
  if (fitted.kin) {
    part_for_good(*fitted.kin, of_kin);
  } else if (families) {
    part(*families, usual.by_level());
  }
  fitted.has_families = has_families_;
  if (has_families_) settle(fitted);
  if (!fitted.kin && found.doubtful) note_doubt(*found.doubtful, of_kin, fitted);
  fitted.lone_field = lone_field(fitted, usual.by_level());
  if (!fitted.lone_field) fitted.lone_field = lone_field(fitted, of_kin);
  if (!fitted.lone_field) fitted.lone_field = mostly_differing(usual.by_level());
  if (fitted.kin) {
    fitted.kin_are_sure = !may_be_slips(*fitted.kin, of_kin) && are_surely_kin(*fitted.kin);
  }
}

// Finds households by the levels as they are or, failing that, by those in which the texts of
// relatives count as different.
MixtureFit::Households MixtureFit::households_by_both(const std::vector<double>& matches,
                                                      const LevelBits& usual,
                                                      const LevelBits& of_kin) {
  Households found = households(matches, usual);
  if (found.sure) return found;
  const Households of_texts = households(matches, of_kin);
  found.sure = of_texts.sure ? of_texts.sure : surely_alone(matches, of_kin);
  if (!found.likely) found.likely = of_texts.likely;
  if (!found.doubtful) found.doubtful = of_texts.doubtful_as_written;
  return found;
}

// Bits of the levels if a text that only shares some words with another one counts as different.
LevelBits MixtureFit::kin_bits(LevelBits bits) const {
  for (std::size_t f = 0; f < task_.same_texts.size(); ++f) {
    for (std::size_t level = 1; level < task_.same_texts[f]; ++level) {
      bits[f][level] = std::min(bits[f][level], -1.0);
    }
  }
  return bits;
}

// A field in which many matches differ alone, if only relatives explain the matches that differ in
// it. Excludes fields whose values recur, such as given names, because copies with a typo there
// would be lost unnoticed.
std::optional<FieldPair> MixtureFit::surely_alone(const std::vector<double>& matches,
                                                  const LevelBits& bits) {
  constexpr double kMany = 0.1;
  const std::vector<double> parts = parts_that_differ_alone(task_.candidates, matches, bits);
  const auto of_random = std::span<const double>(weights_).subspan(candidates_);
  const std::vector<bool> recurring = recurring_fields(task_.random, of_random, bits);
  std::optional<FieldPair> found;
  double most = kMany;
  for (std::size_t f = 0; f < parts.size(); ++f) {
    if (parts[f] < most || recurring[f] || !evidence_of(alone(f), bits).is_sure()) continue;
    most = parts[f];
    found = alone(f);
  }
  return found;
}

// True for a single field whose values recur: copies with a typo there would be lost unnoticed.
bool MixtureFit::may_be_slips(const FieldPair& fields, const LevelBits& bits) const {
  const auto of_random = std::span<const double>(weights_).subspan(candidates_);
  return fields.first == fields.second &&
         recurring_fields(task_.random, of_random, bits)[fields.first];
}

// A field in which most matches differ alone, if records have several such partners more often than
// several copies, and these have few typos: so many copies of an entity do not differ like that.
std::optional<FieldPair> MixtureFit::mostly_alone(const std::vector<double>& matches,
                                                  const LevelBits& bits) {
  constexpr double kMost = 0.5;
  constexpr double kNotRarer = 0.75;
  constexpr double kClearlyMore = 2;
  const std::vector<double> parts = parts_that_differ_alone(task_.candidates, matches, bits);
  for (std::size_t f = 0; f < parts.size(); ++f) {
    if (parts[f] < kMost) continue;
    const KinEvidence evidence = kin_evidence(kin_pairs(), differing(alone(f), bits),
                                              slips_beside(alone(f), /*of_texts=*/false));
    if (evidence.allows_kin(kNotRarer) && evidence.slips_of_kin <= kMostSlips &&
        evidence.several_kin >= std::max(kMost, kClearlyMore * evidence.several_copies)) {
      return alone(f);
    }
  }
  return std::nullopt;
}

KinEvidence MixtureFit::evidence_of(const FieldPair& fields, const LevelBits& bits) {
  return kin_evidence(kin_pairs(), differing(fields, bits), slips_beside(fields));
}

// A field in which many matches differ alone and which may distinguish relatives: its values recur
// among strangers, relatives are known to differ in it, or records with a copy have such pairs as
// often as others.
std::optional<std::size_t> MixtureFit::lone_field(const FittedModel& fitted,
                                                  const LevelBits& bits) {
  constexpr double kMany = 0.15;
  constexpr double kNotRarer = 0.75;
  const std::vector<double> matches = matches_by_pattern();
  const auto of_random = std::span<const double>(weights_).subspan(candidates_);
  std::vector<bool> may_tell = recurring_fields(task_.random, of_random, bits);
  const std::vector<double> parts = parts_that_differ_alone(task_.candidates, matches, bits);
  for (std::size_t f = 0; f < parts.size(); ++f) {
    if (may_tell[f] || parts[f] < kMany) continue;
    const KinEvidence evidence = evidence_of(alone(f), bits);
    may_tell[f] = (fitted.kin && (fitted.kin->first == f || fitted.kin->second == f)) ||
                  (evidence.allows_kin(kNotRarer) &&
                   (is_text(f) || (evidence.share && evidence.share_what_is_written())));
  }
  return field_that_differs_alone(parts, may_tell);
}

// The only field that distinguishes entities and differs in many matches, which otherwise have few
// typos: an entity rarely varies like that, but if several fields do, records describe its
// activities. Typos in texts do not count, since texts of relatives are similar.
std::optional<std::size_t> MixtureFit::mostly_differing(const LevelBits& bits) {
  constexpr double kMost = 0.4;
  constexpr double kTellingBits = 6;
  const std::vector<double> matches = matches_by_pattern();
  std::vector<std::size_t> found;
  for (std::size_t f = 0; f < fields(); ++f) {
    if (bits[f].back() < kTellingBits) continue;
    const std::vector<bool> have_slips = slips_beside(alone(f), /*of_texts=*/false);
    double both = 0;
    double differing = 0;
    double with_slips = 0;
    for (std::size_t row = 0; row < candidates_; ++row) {
      const std::uint8_t level = levels_of(row)[f];
      if (level == 0) continue;
      both += matches[row];
      if (bits[f][level] >= 0) continue;
      differing += matches[row];
      with_slips += have_slips[row] ? matches[row] : 0;
    }
    if (differing < std::max(kMost * both, kFewestDiffering)) continue;
    if (is_text(f) || with_slips > kMostSlips * differing) return std::nullopt;
    found.push_back(f);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

// Notes fields in which many matches differ together, even if families were separated.
void MixtureFit::note_doubt(const FieldPair& fields, const LevelBits& usual, FittedModel& fitted) {
  constexpr double kMany = 0.1;
  const std::vector<double> matches = matches_by_pattern();
  const std::vector<bool> differ = differing(fields, usual);
  double all = 0;
  double together = 0;
  for (std::size_t row = 0; row < candidates_; ++row) {
    all += matches[row];
    together += differ[row] ? matches[row] : 0;
  }
  if (together >= kMany * all) fitted.doubtful_kin = fields;
}

// True if only relatives explain the pairs that are ruled out, judging by the remaining matches.
bool MixtureFit::are_surely_kin(const FieldPair& fields) {
  constexpr double kLikelyKin = 0.5;
  std::vector<bool> are_kin(candidates_);
  for (std::size_t row = 0; row < candidates_; ++row) {
    are_kin[row] = are_kin_[row] && parts_of(row)[2] >= kLikelyKin;
    if (are_kin[row]) odds_[row] = kMostOdds;
  }
  return kin_evidence(kin_pairs(), are_kin, slips_beside(fields)).is_sure();
}

MixtureFit::Households MixtureFit::households(const std::vector<double>& matches,
                                              const LevelBits& usual) {
  constexpr double kMostMatches = 0.5;
  constexpr double kAsOften = 0.9;
  constexpr double kNotRarer = 0.75;
  std::vector<DifferingFields> fields = fields_of_households(task_.candidates, matches, usual);
  // Fields in which most matches differ come last.
  std::stable_sort(fields.begin(), fields.end(),
                   [](const auto& a, const auto& b) { return a.part < b.part; });
  Households found;
  if (fields.empty()) return found;
  const KinPairs pairs = kin_pairs();
  for (const auto& [of, part] : fields) {
    const KinEvidence evidence = kin_evidence(pairs, differing(of, usual), slips_beside(of));
    if (evidence.is_sure()) found.sure = of;
    if (part >= kMostMatches && evidence.allows_kin(kAsOften) &&
        evidence.slips_of_kin <= kMostSlips) {
      found.likely = of;
    }
    if (!evidence.allows_kin(kNotRarer)) continue;
    found.doubtful = of;
    if (evidence.slips_of_kin <= kMostSlips) found.doubtful_as_written = of;
  }
  return found;
}

// Expected number of matches, by candidate pattern.
std::vector<double> MixtureFit::matches_by_pattern() {
  std::vector<double> matches(candidates_);
  for (std::size_t row = 0; row < candidates_; ++row) {
    matches[row] = parts_of(row)[0] * weights_[row];
  }
  return matches;
}

// Turns matches that differ in these fields together into siblings.
void MixtureFit::part(const FieldPair& fields, const LevelBits& usual) {
  for (std::size_t row = 0; row < rows(); ++row) {
    double* const parts = parts_of(row);
    // Other siblings make space.
    parts[classes_ > 3 ? 3 : 1] += std::exchange(parts[2], 0);
    if (row < candidates_ && differ_together(levels_of(row), fields, usual)) {
      parts[2] = std::exchange(parts[0], 0);
    }
  }
  has_families_ = true;
}

// Like part(), but also rules these pairs out as matches permanently.
void MixtureFit::part_for_good(const FieldPair& fields, const LevelBits& usual) {
  part(fields, usual);
  are_kin_ = differing(fields, usual);
  if (fields.first == fields.second) lone_kin_field_ = fields.first;
}

// Turns matches that differ in two fields together into siblings if records that already have their
// partner have such pairs, too, because then these are not what they need. Returns the fields.
std::optional<FieldPair> MixtureFit::part_kin() {
  double most = 0.4;  // so many times as often as records without a partner
  const std::vector<double> matches = matches_by_pattern();
  const UsualBits usual(task_);
  const auto take = [&](const FieldPair& fields) {
    part_for_good(fields, usual.by_level());
    return fields;
  };
  if (task_.kin) return take(*task_.kin);
  const std::vector<FieldPair> all =
      fields_that_differ_together(task_.candidates, matches, usual.by_level());
  if (all.empty()) return std::nullopt;
  std::optional<FieldPair> found;
  const KinPairs pairs = kin_pairs();
  for (const FieldPair& fields : all) {
    const auto share = kin_evidence(pairs, differing(fields, usual.by_level())).share;
    if (!share || *share < most) continue;
    most = *share;
    found = fields;
  }
  return found ? std::optional(take(*found)) : found;
}

// Candidate patterns that differ in both fields.
std::vector<bool> MixtureFit::differing(const FieldPair& fields, const LevelBits& usual) const {
  std::vector<bool> differs(candidates_);
  for (std::size_t row = 0; row < candidates_; ++row) {
    differs[row] = differ_together(levels_of(row), fields, usual);
  }
  return differs;
}

KinPairs MixtureFit::kin_pairs() const {
  KinPairs found{.pairs = {},
                 .numbers = task_.numbers,
                 .left = task_.left,
                 .left_has_one = one_partner_.left,
                 .right_has_one = one_partner_.right};
  for (const PatternPair& pair : task_.pairs) {
    if (odds_[pair.pattern] < 1) continue;
    found.pairs.push_back({pair.left, pair.right, pair.pattern, match_of(pair) >= kSureCopy});
  }
  return found;
}

// Candidate patterns with typos outside the fields in which relatives differ.
std::vector<bool> MixtureFit::slips_beside(const FieldPair& fields, bool of_texts) const {
  std::vector<bool> have_slips(candidates_);
  for (std::size_t row = 0; row < candidates_; ++row) {
    if (odds_[row] < 1) continue;
    const auto levels = levels_of(row);
    for (std::size_t f = 0; f < levels.size(); ++f) {
      if (f == fields.first || f == fields.second) continue;
      if (!of_texts && is_text(f)) continue;
      const bool is_near = levels[f] > 1 && levels[f] + 1U < task_.usual[f].size();
      if (is_near) have_slips[row] = true;
    }
  }
  return have_slips;
}

// Classes of siblings that agree in nearly everything that matches agree in are careless copies of
// them.
void MixtureFit::add_copies(double matches) {
  constexpr double kFewestMatches = 10;
  constexpr double kFewestBits = 5;
  constexpr double kLeastBits = 0.45;     // part of the bits of matches
  constexpr double kLeastAgreeing = 0.6;  // part of the telling fields
  constexpr double kTellingBits = 0.05;   // part of all bits that a telling field has
  constexpr double kSeldom = 0.1;         // part of the copies that agree in a field
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
    bool differs = false;  // nearly always in a telling field
    for (std::size_t f = 0; f < fields(); ++f) {
      const double of_field = mean_bits(k, f) * filled[f];
      bits += of_field;
      if (of_matches[f] <= kTellingBits * all) continue;
      telling += filled[f];
      differs = differs || agreeing_part(k, f) < kSeldom;
      agreeing += of_field > 0 ? filled[f] : 0;
    }
    learnt_[k].is_match =
        !differs && bits >= kLeastBits * all && agreeing >= kLeastAgreeing * telling;
  }
}

// Shares of the candidates that have each field.
std::vector<double> MixtureFit::filled_parts() const {
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

// Share of the pairs in a class for which a field indicates a match.
double MixtureFit::agreeing_part(std::size_t k, std::size_t f) const {
  double part = 0;
  for (std::size_t level = 1; level < task_.usual[f].size(); ++level) {
    const bool agrees = learnt_[0].levels[f][level] > learnt_[1].levels[f][level];
    part += agrees ? learnt_[k].levels[f][level] : 0;
  }
  return part;
}

// Mean bits of a field in a class.
double MixtureFit::mean_bits(std::size_t k, std::size_t f) const {
  double bits = 0;
  for (std::size_t level = 1; level < task_.usual[f].size(); ++level) {
    bits += learnt_[k].levels[f][level] *
            log2_of(learnt_[0].levels[f][level] / learnt_[1].levels[f][level]);
  }
  return bits;
}

}  // namespace sosie
