// Uses labelled pairs to judge an answer of `sosie link`: its quality, and the confidence in it.
#include "decide/judge_by_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/count_text.h"

namespace sosie {
namespace {

// Compares each pair labelled 1 with each pair labelled 0; returns the share of these comparisons
// in which the former scores higher. Any useful model achieves a high share. Returns 1 if there are
// few labels of either kind.
double ranked_part(std::span<const LabelledPair> labels) {
  constexpr std::size_t kFewest = 5;
  std::vector<double> matches;
  std::vector<double> others;
  for (const LabelledPair& label : labels) {
    (label.is_match ? matches : others).push_back(label.score);
  }
  if (matches.size() < kFewest || others.size() < kFewest) return 1;
  std::sort(others.begin(), others.end());
  double above = 0;
  for (const double score : matches) {
    const auto [first, last] = std::equal_range(others.begin(), others.end(), score);
    above += static_cast<double>((first - others.begin()) + (last - others.begin())) / 2;
  }
  return above / static_cast<double>(matches.size() * others.size());
}

void count_label(const LabelledPair& label, LabelCounts& counts) {
  counts.linked_matches += label.is_linked && label.is_match ? 1 : 0;
  counts.linked_others += label.is_linked && !label.is_match ? 1 : 0;
  counts.missed_matches += !label.is_linked && label.is_match ? 1 : 0;
}

void count_label(const LabelledPair& label, LabelStratum& stratum) {
  stratum.labelled += 1;
  stratum.matches += label.is_match ? 1 : 0;
}

double one_if(bool is_true) { return is_true ? 1 : 0; }

LabelEstimate estimate_of(const LabelBasis& basis, std::span<const LabelledPair> labels) {
  std::vector<LabelStratum> strata;
  strata.reserve(basis.strata.size() + 1);
  double linked = 0;  // scored or labelled
  for (const PairStratum& each : basis.strata) {
    strata.push_back(
        {each.pairs, each.expected, 0, 0, each.linked, each.pairs - each.linked, each.is_doubted});
    linked += each.linked;
  }
  strata.emplace_back();
  LabelStratum& unscored = strata.back();
  LabelCounts counts;
  double links = basis.links;
  double expected = basis.expected_links;  // among links that are scored but not labelled
  for (const LabelledPair& label : labels) {
    count_label(label, counts);
    links += one_if(label.is_linked) - one_if(label.was_linked);
    linked += one_if(label.is_linked);
    if (label.stratum < basis.unscored()) {
      (label.was_linked ? strata[label.stratum].linked : strata[label.stratum].others) -= 1;
      linked -= one_if(label.was_linked);
      expected -= one_if(label.was_linked) * label.probability;
    } else {
      unscored.pairs += 1;
    }
    if (label.stratum <= basis.unscored()) count_label(label, strata[label.stratum]);
  }
  unscored.linked = std::max(0.0, links - linked);
  unscored.pairs += unscored.linked;
  const double of_model = basis.model_precision * links - counts.linked_matches;
  unscored.expected = std::clamp(of_model - expected, 0.0, unscored.pairs);
  return estimate_by_labels(strata, counts);
}

// Reasons for and against the confidence in an answer, given an estimate from labels.
class Judge {
 public:
  Judge(const LabelBasis& basis, std::span<const LabelledPair> labels, const LabelEstimate& found)
      : basis_(basis), labels_(labels), found_(found) {
    const auto matches = static_cast<std::size_t>(std::count_if(
        labels.begin(), labels.end(), [](const LabelledPair& label) { return label.is_match; }));
    are_of_both_kinds_ = matches > 0 && matches < labels.size();
    are_many_ = labels.size() >= kFewestToJudge;
    are_enough_ = are_many_ && are_of_both_kinds_ && found.is_covered && found.error <= kMostError;
    confidence_.estimated_f1 = basis.estimated_f1;
    confidence_.reasons = basis.reasons;
  }

  LinkConfidence confidence() {
    constexpr double kLeastRanked = 0.35;  // lower values are worse than chance
    if (basis_.is_by_words && are_many_) confidence_.reasons = doubts_of_words();
    if (are_enough_) believe_labels();
    if (ranked_part(labels_) < kLeastRanked) {
      confidence_.reasons.emplace_back(
          "pairs labelled 1 do not score higher than those labelled 0");
    }
    compare_with_model();
    return std::move(confidence_);
  }

 private:
  static constexpr std::size_t kFewestToJudge = 30;
  static constexpr double kMostError = 0.05;  // standard error at which an estimate says little

  [[nodiscard]] std::string count() const { return plural_text(labels_.size(), "label", "labels"); }

  // Doubts about links by a single column, after a check with labels.
  [[nodiscard]] std::vector<std::string> doubts_of_words() const {
    if (!are_of_both_kinds_) return {fmt::format("the {} are all of one kind", count())};
    if (!found_.is_covered) return {fmt::format("the {} cover too few kinds of links", count())};
    if (are_enough_) return {};
    return {fmt::format("the {} leave F1 uncertain by {:.2f}", count(), 2 * found_.error)};
  }

  // Replaces the doubts with the findings from the labels.
  void believe_labels() {
    constexpr double kLeastRecall = 0.8;
    // Labels cannot reveal matches that were never compared.
    const bool misses_many = found_.recall < kLeastRecall;
    if (basis_.has_surrounded) {
      confidence_.reasons.emplace_back(
          "records match most of their neighbours, so there may be more matches");
    }
    if (misses_many) {
      confidence_.reasons.push_back(fmt::format(
          "by the labels, the links miss {:.0f} % of the compared matches, and perhaps more",
          100 * (1 - found_.recall)));
    }
    if (basis_.has_diverged || basis_.has_surrounded || misses_many) {
      confidence_.estimated_f1 = std::min(confidence_.estimated_f1.value_or(1), found_.f1);
    } else {
      confidence_.reasons.clear();
      confidence_.estimated_f1 = found_.f1;
    }
  }

  void compare_with_model() {
    constexpr double kFarOff = 0.1;
    const double off = std::abs(found_.f1 - basis_.model_f1);
    if (off <= kFarOff + (are_enough_ ? 0 : 2 * found_.error)) return;
    confidence_.reasons.push_back(fmt::format("F1 is {:.2f} by {}, but {:.2f} by the model",
                                              found_.f1, count(), basis_.model_f1));
    confidence_.estimated_f1 = std::min(confidence_.estimated_f1.value_or(1), found_.f1);
  }

  const LabelBasis& basis_;
  std::span<const LabelledPair> labels_;
  const LabelEstimate& found_;
  bool are_of_both_kinds_ = false;
  bool are_many_ = false;
  bool are_enough_ = false;
  LinkConfidence confidence_;
};

}  // namespace

LabelJudgement judge_by_labels(const LabelBasis& basis, std::span<const LabelledPair> labels) {
  LabelJudgement judgement;
  judgement.estimate = estimate_of(basis, labels);
  judgement.confidence = Judge(basis, labels, judgement.estimate).confidence();
  return judgement;
}

}  // namespace sosie
