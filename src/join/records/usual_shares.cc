// Levels in which matches usually agree, by the measure of a field.
#include "join/records/usual_shares.h"

#include <algorithm>
#include <array>
#include <span>

#include "plan/match_model.h"

namespace sosie {
namespace {

// Part of the values of matches below a similarity.
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
// Parts of values with one edit, with two, and so on; further ones differ.
constexpr std::array kOfEdits = {.12, .05, .03, .02};
constexpr double kEqualCodes = 0.7;
// Parts of near distances, nearest first; further ones differ.
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

// Shares by ascending level, of levels that similarities bound.
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

// Shares by descending level, of levels that edits bound.
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

// Texts of several columns are seldom equal as a whole: the nearer, the more matches.
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

}  // namespace

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

}  // namespace sosie
