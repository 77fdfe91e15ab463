// Fits models to the candidates of `sosie link`, starting from the usual levels of matches.
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "join/records/record_linker.h"
#include "options/link_rules.h"
#include "plan/match_model.h"

namespace sosie {
namespace {

// Share of the values of matches below a similarity.
struct Mark {
  double similarity;
  double below;
};

constexpr std::array kOfWords = {Mark{0, 0}, Mark{.7, .08}, Mark{.82, .11}, Mark{.92, .17},
                                 Mark{1, .30}};
constexpr std::array kOfTexts = {Mark{0, 0},    Mark{.15, .06}, Mark{.3, .10}, Mark{.4, .15},
                                 Mark{.5, .21}, Mark{.6, .28},  Mark{.7, .36}, Mark{.8, .45},
                                 Mark{.9, .55}, Mark{1, .65}};
constexpr std::array kOfCodes = {Mark{0, 0},    Mark{.6, .08},  Mark{.7, .10},
                                 Mark{.8, .13}, Mark{.87, .18}, Mark{1, .30}};
constexpr std::array kOfNumbers = {Mark{0, 0},     Mark{.5, .08},   Mark{.8, .12}, Mark{.95, .18},
                                   Mark{.99, .26}, Mark{.998, .36}, Mark{1, .46}};
constexpr double kEqualValues = 0.8;  // where values are equal or not
// Shares of values with one edit, two edits, and so on; the remaining values count as different.
constexpr std::array kOfEdits = {.12, .05, .03, .02};
constexpr double kEqualCodes = 0.7;
// Shares of short distances, shortest first; the remaining values count as different.
constexpr std::array kOfDistances = {.10, .10, .08, .06, .04};
constexpr double kEqualDistances = 0.54;

double below(std::span<const Mark> marks, double similarity) {
  for (std::size_t i = 1; i < marks.size(); ++i) {
    if (similarity > marks[i].similarity) continue;
    const double part =
        (similarity - marks[i - 1].similarity) / (marks[i].similarity - marks[i - 1].similarity);
    return marks[i - 1].below + part * (marks[i].below - marks[i - 1].below);
  }
  return marks.back().below;
}

// Shares by ascending level, for levels bounded by similarities.
void fill_by(std::span<const Mark> marks, const FieldComparison& comparison,
             std::vector<double>& shares) {
  double before = 0;
  std::size_t level = 1;
  for (std::size_t i = comparison.bounds.size(); i-- > 0;) {
    const double part = below(marks, comparison.bounds[i]);
    shares[level++] = part - before;
    before = part;
  }
  shares[level++] = marks.back().below - before;
  shares[level] = 1 - marks.back().below;
}

// Shares by descending level, for levels bounded by edits.
void fill_edits(const FieldComparison& comparison, std::vector<double>& shares) {
  shares.back() = kEqualCodes;
  double different = 1 - kEqualCodes;
  std::size_t edits = 0;
  for (std::size_t i = 0; i < comparison.bounds.size(); ++i) {
    double& share = shares[comparison.highest() - 1 - i];
    for (; edits < kOfEdits.size() && static_cast<double>(edits + 1) <= comparison.bounds[i];
         ++edits) {
      share += kOfEdits[edits];
    }
    different -= share;
  }
  shares[1] = different;
}

void fill_distances(const FieldComparison& comparison, std::vector<double>& shares) {
  shares.back() = kEqualDistances;
  double different = 1 - kEqualDistances;
  for (std::size_t i = 0; i < comparison.bounds.size(); ++i) {
    double& share = shares[comparison.highest() - 1 - i];
    share = kOfDistances[std::min(i, kOfDistances.size() - 1)];
    different -= share;
  }
  constexpr double kLeastDifferent = 0.05;
  shares[1] = std::max(different, kLeastDifferent);
}

// Texts of several columns are rarely equal as a whole: the more similar, the more matches.
void fill_joined(const FieldComparison& comparison, std::vector<double>& shares) {
  constexpr double kEach = 0.02;
  constexpr double kUsualChance = 0.15;  // cosine of texts that have nothing to do with each other
  constexpr double kDifferent = 0.05;
  constexpr double kEqual = 2;
  double before = 0;
  std::size_t level = 1;
  for (std::size_t i = comparison.bounds.size(); i-- > 0;) {
    const double middle = level == 1 ? kDifferent : (before + comparison.bounds[i]) / 2;
    shares[level++] = kEach + std::max(0.0, middle - kUsualChance);
    before = comparison.bounds[i];
  }
  shares[level++] = kEach + (before + 1) / 2 - kUsualChance;
  shares[level] = kEqual;
  double sum = 0;
  for (const double share : shares) sum += share;
  for (double& share : shares) share /= sum;
}

// Assumed shares of the levels of a field among matches, before any data are seen, by level (level
// 0 is not used): mostly equal, the rest similar. `random`: shares among random pairs; the ratio to
// these does not decrease with the level.
std::vector<double> usual_shares(const LinkField& field, const std::vector<double>& random) {
  const FieldComparison& comparison = field.comparison;
  constexpr double kLeast = 1e-3;  // so that no level is without matches
  std::vector<double> shares(comparison.levels(), 0);
  switch (comparison.measure) {
    case FieldMeasure::jaro_winkler:
      fill_by(kOfWords, comparison, shares);
      break;
    case FieldMeasure::cosine:
    case FieldMeasure::tfidf:
      if (field.columns.size() > 1) {
        fill_joined(comparison, shares);
      } else {
        fill_by(kOfTexts, comparison, shares);
      }
      break;
    case FieldMeasure::edit_similarity:
      fill_by(kOfCodes, comparison, shares);
      break;
    case FieldMeasure::nearness:
      fill_by(kOfNumbers, comparison, shares);
      break;
    case FieldMeasure::levenshtein:
    case FieldMeasure::damerau:
      fill_edits(comparison, shares);
      break;
    case FieldMeasure::number:
    case FieldMeasure::ratio:
    case FieldMeasure::days:
      fill_distances(comparison, shares);
      break;
    case FieldMeasure::equal:
      shares.back() = kEqualValues;
      shares[1] = 1 - kEqualValues;
      break;
  }
  for (double& share : shares) share = std::max(share, kLeast);
  make_monotone(shares, random);
  shares.front() = 1;
  return shares;
}

constexpr double kLeastCompeting = 1e-4;  // pairs below take no partner from others

// Positions, among the compared fields, of fields that are weighted together.
std::vector<FieldPair> together_of(const LinkRules& rules) {
  const std::vector<std::uint32_t> compared = rules.compared();
  const auto position = [&](std::uint32_t field) {
    return static_cast<std::size_t>(std::find(compared.begin(), compared.end(), field) -
                                    compared.begin());
  };
  std::vector<FieldPair> pairs;
  pairs.reserve(rules.together.size());
  for (const std::vector<std::uint32_t>& group : rules.together) {
    const std::size_t first = position(group[0]);
    const std::size_t second = position(group[1]);
    pairs.push_back({std::min(first, second), std::max(first, second)});
  }
  return pairs;
}

// For each compared single-column text field, the lowest level at which two texts are the same
// apart from typos; texts below it only share words. 0 for other fields.
std::vector<std::uint32_t> least_same_texts(const LinkRules& rules) {
  constexpr double kSame = 0.6;  // cosine
  std::vector<std::uint32_t> levels;
  for (const std::uint32_t f : rules.compared()) {
    const LinkField& field = rules.fields[f];
    const FieldMeasure measure = field.comparison.measure;
    const bool is_text = field.columns.size() == 1 &&
                         (measure == FieldMeasure::tfidf || measure == FieldMeasure::cosine);
    const std::vector<double>& bounds = field.comparison.bounds;
    const auto below =
        std::count_if(bounds.begin(), bounds.end(), [&](double bound) { return bound < kSame; });
    levels.push_back(is_text ? static_cast<std::uint32_t>(below) + 2 : 0);
  }
  return levels;
}

}  // namespace

// Draws random pairs, and weighs the levels that they and matches typically have.
void RecordLinker::draw_strangers() {
  const std::vector<std::uint32_t> compared = rules_.compared();
  random_ = RandomRecordPairs(table_, comparer_, pool_);
  random_shares_ = random_.level_shares(table_, comparer_, compared);
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = rules_.fields[compared[f]];
    usual_shares_.push_back(usual_shares(field, random_shares_[f]));
    chances_.push_back(field.frequency ? equal_share(table_, table_.columns[compared[f]]) : 0);
  }
  strangers_ = random_.without(counts_.kept.pairs);
}

FitTask RecordLinker::fit_task() const {
  return {.candidates = counts_.patterns,
          .random = strangers_,
          .all_pairs = all_pairs_of(table_),
          .records = fewest_records(),
          .usual = usual_shares_,
          .random_shares = random_shares_,
          .together = together_of(rules_),
          .chances = chances_,
          .same_texts = least_same_texts(rules_),
          .pairs = counts_.kept.pairs,
          .numbers = table_.size(),
          .left = table_.across ? table_.left : 0,
          .on_round = [this] { pool_.check_cancelled(); },
          .kin = fitted_.kin,
          .known = known_patterns_};
}

FittedModel RecordLinker::fitted_by(Competition one_partner, std::size_t classes) const {
  return fit_model(fit_task(), one_partner, classes);
}

double RecordLinker::fewest_records() const {
  return static_cast<double>(table_.across ? std::min(table_.left, table_.right) : table_.left);
}

bool RecordLinker::misses_matches() const {
  constexpr double kFewest = 1;
  constexpr double kSeenPart = 0.1;  // matches by record
  return has_model() && !fitted_.has_families && matches() < kFewest &&
         usual_matches(fit_task()) >= std::max(kFewest, kSeenPart * fewest_records());
}

// Fits the model. If a record has several similar partners, or there are few fields, other classes
// of pairs may displace the matches round by round until none is left. In this case, fits again
// with fewer classes and, at last, with the features that usually indicate matches.
void RecordLinker::fit() {
  for (std::size_t classes = kUsualClasses; classes >= kFewestClasses; --classes) {
    fitted_.kin = {};
    fitted_ = fitted_by(one_partner_, classes);
    look();
    if (!misses_matches()) return;
  }
  FitTask task = fit_task();
  task.most_rounds = 1;
  fitted_ = fit_model(task, one_partner_, kFewestClasses);
  look();
}

MatchModel RecordLinker::refitted_with_families() const {
  FitTask task = fit_task();
  task.parts_families = false;
  return fit_model(task, one_partner_).model.scaled(scale_);
}

MatchModel RecordLinker::refitted(std::size_t classes) const {
  return fitted_by(has_endless_families_ ? kOnePartner : one_partner_, classes)
      .model.scaled(scale_);
}

MatchModel RecordLinker::settled() const {
  constexpr int kManyRounds = 300;
  constexpr double kHardly = 1e-4;
  FitTask task = fit_task();
  task.most_rounds = kManyRounds;
  task.smallest_move = kHardly;
  return fit_model(task, has_endless_families_ ? kOnePartner : one_partner_,
                   model().classes().size())
      .model.scaled(scale_);
}

// Lets the records of one side have several partners if this yields clearly more matches that
// remain clear; or the records of both sides.
void RecordLinker::choose_partners() {
  constexpr double kClearlyMore = 1.2;
  if (is_one_to_one() || free_copies() || rules_.assign == Assign::best) return;
  for (const Competition one_partner : {Competition{false, true}, Competition{true, false}}) {
    const Competition before = std::exchange(one_partner_, one_partner);
    FittedModel other = fitted_by(one_partner, kUsualClasses);
    const std::vector<CandidateLink> links = score_by(other.model, kLeastCompeting);
    other.matches = expected_matches(links);
    if (other.matches > kClearlyMore * fitted_.matches &&
        has_several(links, other.model, one_partner)) {
      fitted_ = std::move(other);
    } else {
      one_partner_ = before;
    }
  }
}

// True if the model with at most one partner per record expects most of the usual matches, and by
// the odds alone almost no record has two partners. In this case, neither side has several.
bool RecordLinker::is_one_to_one() const {
  constexpr double kMostSeen = 0.5;
  constexpr double kNearlyNone = 0.01;
  const PartnerCounts counts = count_partners(likely_, fitted_.model);
  return fitted_.matches >= kMostSeen * usual_matches(fit_task()) &&
         counts.left_with_two < kNearlyNone && counts.right_with_two < kNearlyNone;
}

// Lets all records have several partners if, on each side, many records that have a partner seem to
// have several, which are copies of each other, and a model without competition expects no more
// matches than these. (For products without a partner, such a model sees siblings everywhere.)
// Returns true if so.
bool RecordLinker::free_copies() {
  constexpr double kSome = 0.1;
  constexpr double kNearlyAll = 0.9;
  constexpr double kHardlyMore = 1.1;
  const PartnerCounts counts = count_partners(likely_, fitted_.model);
  if ((one_partner_.left && counts.left_with_two < kSome) ||
      (one_partner_.right && counts.right_with_two < kSome) || shared_part(likely_) < kNearlyAll) {
    return false;
  }
  const Competition before = std::exchange(one_partner_, {});
  FittedModel other = fitted_by(one_partner_, kUsualClasses);
  other.matches = expected_matches(score_by(other.model, kLeastCompeting));
  if (other.matches < counts.sum / kHardlyMore || other.matches > counts.sum * kHardlyMore) {
    one_partner_ = before;
    return false;
  }
  fitted_ = std::move(other);
  return true;
}

// Share of the likely partners of left records, adjacent in the list, that match each other by the
// odds alone. `links`: sorted by (left, right).
double RecordLinker::shared_part(std::span<const CandidateLink> links) const {
  constexpr double kLikely = 0.5;
  double matching = 0;
  double pairs = 0;
  std::optional<RecordPair> last;
  for (const CandidateLink& link : links) {
    if (model().probability_at(link.link.score) < kLikely) continue;
    const RecordPair pair = link.link.pair();
    const auto before = std::exchange(last, pair);
    if (!before || before->left != pair.left) continue;
    pool_.check_cancelled();
    matching += probability(before->right, pair.right);
    ++pairs;
  }
  return pairs == 0 ? 0 : matching / pairs;
}

// Counts partners by the odds alone.
RecordLinker::PartnerCounts RecordLinker::count_partners(std::span<const CandidateLink> links,
                                                         const MatchModel& model) const {
  constexpr double kSure = 0.9;
  std::vector<std::uint32_t> partners(table_.size());
  PartnerCounts counts;
  for (const CandidateLink& link : links) {
    const double p = model.probability_at(link.link.score);
    counts.doubtful += p * (1 - p);
    counts.sum += p;
    if (p <= kSure) continue;
    ++partners[link.link.left];
    ++partners[link.link.right];
  }
  const auto part_with_two = [](auto begin, auto end) {
    const auto linked = std::count_if(begin, end, [](std::uint32_t n) { return n > 0; });
    const auto twice = std::count_if(begin, end, [](std::uint32_t n) { return n > 1; });
    return linked == 0 ? 1 : static_cast<double>(twice) / static_cast<double>(linked);
  };
  const auto split = partners.begin() + table_.left;
  counts.left_with_two = part_with_two(partners.begin(), split);
  counts.right_with_two = part_with_two(split, partners.end());
  return counts;
}

// The share of records with two partners on the side that may have several, divided by the share
// that siblings explain. Siblings are on both sides, as often as the sizes of the collections
// suggest; copies are on one side.
double RecordLinker::beyond_siblings(const PartnerCounts& counts, Competition one_partner) const {
  constexpr double kNone = 1e-9;
  const auto ones = static_cast<double>(one_partner.left ? table_.left : table_.right);
  const double of_one = one_partner.left ? counts.left_with_two : counts.right_with_two;
  const double of_other = one_partner.left ? counts.right_with_two : counts.left_with_two;
  return of_other / std::max(kNone, of_one * std::max(1.0, (table_.size() - ones) / ones));
}

bool RecordLinker::may_link_siblings(std::span<const CandidateLink> links) const {
  constexpr double kFarMore = 3;
  return one_partner_.left != one_partner_.right &&
         beyond_siblings(count_partners(links, model()), one_partner_) < kFarMore;
}

// True if few records on the side with one partner have two, many records on the other side do,
// more than siblings explain, and few pairs are in between.
bool RecordLinker::has_several(std::span<const CandidateLink> links, const MatchModel& model,
                               Competition one_partner) const {
  constexpr double kFew = 0.2;
  constexpr double kSome = 0.1;
  constexpr double kClearlyMore = 1.5;
  const PartnerCounts counts = count_partners(links, model);
  const double of_one = one_partner.left ? counts.left_with_two : counts.right_with_two;
  const double of_other = one_partner.left ? counts.right_with_two : counts.left_with_two;
  return of_one < kFew && of_other > kSome && beyond_siblings(counts, one_partner) > kClearlyMore &&
         counts.doubtful < kSome * std::max(1.0, counts.sum);
}

// Scores the candidates that are likely enough to count, with the model or the score that replaces
// it.
void RecordLinker::look() {
  likely_ = {};
  likely_ = score(kLeastCompeting);
  if (has_model()) fitted_.matches = expected_matches(likely_);
}

// Fits the model to families without clear limits: siblings agree in everything except what
// distinguishes entities, so a model of all likely pairs would describe families. A record's own
// entity is the nearest of its candidates. Pairs therefore compete for partners while the model
// learns what matches are, but not in the answer, where groups are larger. There are as many
// classes of siblings as possible, because families share different things.
void RecordLinker::fit_endless_families() {
  if (!counts_.kept.is_complete) return;
  look();
  if (is_transitive()) return;  // groups of hundreds
  FittedModel fitted = fitted_by(kOnePartner, kMostClasses);
  if (fitted.matches < 1) return;
  has_endless_families_ = true;
  fitted_ = std::move(fitted);
  look();
}

}  // namespace sosie
