// Estimates the precision and recall of a link run by methods that need no labels.
#include "decide/link_estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/count_text.h"
#include "decide/one_to_one.h"
#include "plan/runner_up.h"

namespace sosie {
namespace {

constexpr std::size_t kRandomPairs = 20000;
constexpr double kMostByRules = 0.1;  // maximum share of links that rules make of non-matches
constexpr std::string_view kModel = "model";
constexpr std::string_view kWords = "words";  // scores whose odds labels have scaled
constexpr std::string_view kRunnerUp = "runner-up";
constexpr std::string_view kCheckBy = "check-by ";
constexpr std::string_view kAuto = "check-by auto";

// Difference between two values, by their level: from 0 for equal values to 1; -1 if one is
// missing.
double difference_of(std::uint32_t level, std::uint32_t highest) {
  if (level == 0) return -1;
  return 1 - static_cast<double>(level - 1) / static_cast<double>(highest - 1);
}

// Share of true links at a score: the share in its band, or in the next higher band.
double part_at(const std::vector<ScoreBand>& bands, double score) {
  for (const ScoreBand& band : bands) {
    if (score >= band.low) return band.true_part;
  }
  return bands.empty() ? 0 : bands.back().true_part;
}

// Shares of a field's levels among high-confidence and random pairs, with each count increased by
// one half.
struct LevelShares {
  std::vector<double> sure;
  std::vector<double> random;

  explicit LevelShares(std::size_t levels) : sure(levels, 0.5), random(levels, 0.5) {}

  // Odds of a match implied by the level; 1 if a value is missing.
  [[nodiscard]] double odds(std::uint32_t level) const {
    return level == 0 ? 1 : share(sure, level) / share(random, level);
  }

 private:
  static double share(const std::vector<double>& counts, std::uint32_t level) {
    double all = 0;
    for (std::size_t i = 1; i < counts.size(); ++i) all += counts[i];
    return counts[level] / all;
  }
};

// Probability that the pair (i, j) of a group is true: by its own score, or because both records
// belong to the same entity as a third one. `parts`: probabilities of all pairs, row by row.
double part_by_others(std::span<const double> parts, std::size_t size, std::size_t i,
                      std::size_t j) {
  double most = parts[i * size + j];
  for (std::size_t other = 0; other < size; ++other) {
    if (other == i || other == j) continue;
    most = std::max(most, parts[i * size + other] * parts[other * size + j]);
  }
  return most;
}

bool is_of_model(const QualityEstimate& estimate) {
  return estimate.method == kModel || estimate.method == kWords;
}

double shifted(double part, double odds) {
  return part <= 0 || part >= 1 ? part : part * odds / (part * odds + 1 - part);
}

}  // namespace

bool is_of_runners_up(const QualityEstimate& estimate) { return estimate.method == kRunnerUp; }

LinkEstimates::LinkEstimates(const EstimateTask& task) : task_(task) {
  scored_.reserve(task.links.size());
  for (const CandidateLink& link : task.links) scored_.push_back(link.link);
  judged_ = judged(scored_);
  if (task.has_model) judge_by_model();
  if (task.check_by) judge_by_field(*task.check_by);
  const std::size_t fields = task.rules.compared().size();
  for (std::size_t f = 0; task.check_each && f < fields; ++f) judge_without(f);
  if (task.one_to_one && !(task.by_words && task.has_model)) judge_by_runners_up();
}

std::vector<std::size_t> LinkEstimates::judged(std::span<const ScoredLink> scored) const {
  if (task_.one_to_one) return one_to_one(scored);
  std::vector<std::size_t> all(scored.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

// Pairs that the model confidently rejects. They show whether a field repeats scored information.
std::vector<std::size_t> LinkEstimates::sure_others(std::span<const ScoredLink> scored) const {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; task_.has_model && i < scored.size(); ++i) {
    if (scored[i].probability <= 1 - kSureProbability) others.push_back(i);
  }
  return others;
}

void LinkEstimates::judge_by_model() {
  Method method;
  method.estimate.method = task_.by_words ? kWords : kModel;
  std::vector<ScoredLink> links;
  links.reserve(judged_.size());
  for (const std::size_t i : judged_) links.push_back(scored_[i]);
  std::stable_sort(links.begin(), links.end(),
                   [](const ScoredLink& a, const ScoredLink& b) { return a.score > b.score; });
  std::vector<double> scores;
  scores.reserve(links.size());
  std::vector<JudgedScore> judged;  // link by link, because bands would cut elsewhere
  judged.reserve(links.size());
  for (const ScoredLink& link : links) {
    scores.push_back(link.score);
    judged.push_back({link.score, link.probability});
  }
  const std::vector<std::size_t> ends = band_ends(scores);
  std::vector<double> parts;
  parts.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += links[i].probability;
    parts.push_back(sum / static_cast<double>(end - begin));
    begin = end;
  }
  const LinkEstimate estimate = estimate_of_bands(scores, ends, parts);
  method.estimate.parted = task_.linker.parted_matches();
  method.estimate.matches = task_.linker.matches() + method.estimate.parted.slips;
  const double score = choose_cut(judged, task_.linker.matches()).score;
  method.estimate.cut = choose_cut(judged, method.estimate.matches, {CutRule::Kind::fixed, score});
  method.estimate.bands = joined_bands(estimate.bands);
  method.true_part = [](const CandidateLink& link) { return link.link.probability; };
  methods_.push_back(std::move(method));
}

std::vector<RecordPair> LinkEstimates::drawn_pairs() const {
  const RecordTable& table = task_.table;
  std::vector<RecordPair> pairs =
      random_pairs(table.left, table.across ? table.right : 0, kRandomPairs, /*seed=*/2);
  for (RecordPair& pair : pairs) pair.right += table.across ? table.left : 0;
  return pairs;
}

void LinkEstimates::add_field(const std::string& name, FieldEstimate field, TruePart true_part) {
  Method method;
  method.estimate.method = std::string(kCheckBy) + name;
  method.estimate.refusal = field.refusal;
  method.estimate.matches = field.estimate.matches;
  method.estimate.cut = field.estimate.cut;
  method.estimate.bands = field.estimate.bands;
  method.estimate.by_field = std::move(field);
  method.true_part = std::move(true_part);
  methods_.push_back(std::move(method));
}

void LinkEstimates::judge_by_field(std::uint32_t field) {
  const RecordColumn& column = task_.table.columns[field];
  const FieldComparison& comparison = task_.rules.fields[field].comparison;
  const ComparedValues values =
      compared_values(column, comparison.measure, task_.table.across ? task_.table.left : 0);
  const FieldComparer comparer(column, comparison, values);
  const auto difference = [&](std::uint32_t left, std::uint32_t right) {
    return difference_of(comparer.level(column.values[left], column.values[right]),
                         comparison.highest());
  };
  const auto held_out = [&](std::span<const std::size_t> indexes) {
    std::vector<HeldOutLink> links;
    links.reserve(indexes.size());
    for (const std::size_t i : indexes) {
      const ScoredLink& link = scored_[i];
      links.push_back(
          {link.score, task_.has_model ? link.probability : 0, difference(link.left, link.right)});
    }
    return links;
  };
  std::vector<double> random;
  random.reserve(kRandomPairs);
  for (const RecordPair& pair : drawn_pairs()) {
    const double value = difference(pair.left, pair.right);
    if (value >= 0) random.push_back(value);
  }
  const std::vector<HeldOutLink> links = held_out(judged_);
  const std::vector<HeldOutLink> others =
      held_out(task_.one_to_one ? runner_up_pairs({scored_, judged_}) : sure_others(scored_));
  FieldEstimate estimate =
      estimate_by_field({.links = links, .random = random, .runners_up = others});
  const std::vector<ScoreBand> bands = estimate.estimate.bands;
  add_field(column.name, std::move(estimate),
            [bands](const CandidateLink& link) { return part_at(bands, link.link.score); });
}

void LinkEstimates::judge_without(std::size_t compared) {
  const std::uint32_t field = task_.rules.compared()[compared];
  const std::uint32_t highest = task_.rules.fields[field].comparison.highest();
  const auto model = std::make_shared<const MatchModel>(task_.linker.model().without(compared));
  const RecordComparer& comparer = task_.linker.comparer();
  const auto level_in = [&comparer, compared](const CandidateLink& link) {
    return comparer.level(compared, link.link.left, link.link.right);
  };
  const auto score_of = [model, &comparer](const CandidateLink& link) {
    return model->bits(comparer.levels(link.link.left, link.link.right));
  };
  std::vector<ScoredLink> scored = scored_;
  for (std::size_t i = 0; i < scored.size(); ++i) {
    scored[i].score = score_of(task_.links[i]);
    scored[i].probability = model->probability_at(scored[i].score);
  }
  const std::vector<std::size_t> competing = judged(scored);
  LevelShares shares(highest + 1);
  const auto held_out = [&](std::span<const std::size_t> indexes) {
    std::vector<HeldOutLink> links;
    links.reserve(indexes.size());
    for (const std::size_t i : indexes) {
      const std::uint32_t level = level_in(task_.links[i]);
      links.push_back({scored[i].score, scored[i].probability, difference_of(level, highest)});
    }
    return links;
  };
  const std::vector<std::size_t> sure_not = sure_others(scored);
  const bool by_candidates = !task_.one_to_one && sure_not.size() >= kFewestSurePairs;
  std::vector<double> random;
  random.reserve(by_candidates ? sure_not.size() : kRandomPairs);
  const auto add_random = [&](std::uint32_t level) {
    shares.random[level] += 1;
    if (level != 0) random.push_back(difference_of(level, highest));
  };
  if (by_candidates) {
    for (const std::size_t i : sure_not) add_random(level_in(task_.links[i]));
  } else {
    for (const RecordPair& pair : drawn_pairs()) {
      add_random(comparer.level(compared, pair.left, pair.right));
    }
  }
  for (const std::size_t i : competing) {
    if (scored[i].probability < kSureProbability) continue;
    shares.sure[level_in(task_.links[i])] += 1;
  }
  const std::vector<HeldOutLink> links = held_out(competing);
  const std::vector<HeldOutLink> others =
      held_out(task_.one_to_one ? runner_up_pairs({scored, competing}) : sure_not);
  FieldEstimate estimate =
      estimate_by_field({.links = links, .random = random, .runners_up = others});
  const std::vector<ScoreBand> bands = estimate.estimate.bands;
  add_field(task_.rules.fields[field].name, std::move(estimate),
            [bands, shares, score_of, level_in](const CandidateLink& link) {
              return shifted(part_at(bands, score_of(link)), shares.odds(level_in(link)));
            });
}

void LinkEstimates::judge_by_runners_up() {
  RunnerUpEstimate found = estimate_by_runners_up({scored_, judged_});
  Method method;
  method.estimate.method = kRunnerUp;
  method.estimate.refusal = found.refusal;
  method.estimate.knows_recall = !task_.by_words;
  method.estimate.matches = found.estimate.matches;
  method.estimate.cut = found.estimate.cut;
  method.estimate.bands = found.estimate.bands;
  method.true_part = [bands = found.estimate.bands](const CandidateLink& link) {
    return part_at(bands, link.link.score);
  };
  methods_.push_back(std::move(method));
}

void LinkEstimates::add(const CandidateLink& link, double pairs) {
  output_ += pairs;
  by_words_ += pairs * link.link.probability;
  for (Method& method : methods_) {
    if (!method.estimate.refusal.empty()) continue;
    const double part = method.true_part(link);
    method.found += pairs * (is_certain(link) ? 1 : part);
    method.direct += pairs * part;
    if (is_certain(link)) method.by_rules += pairs * (1 - part);
  }
}

// Rejects an estimate from runners-up for a single column if the words of the links contradict it:
// if namesakes have partners, the runners-up score as high as the links.
void LinkEstimates::compare_with_words(QualityEstimate& estimate) const {
  constexpr double kFarOff = 0.15;
  if (estimate.knows_recall || !estimate.refusal.empty() || output_ == 0) return;
  const double by_words = by_words_ / output_;
  if (std::abs(by_words - estimate.precision) <= kFarOff) return;
  estimate.refusal =
      fmt::format("they give a precision of {:.2f}, but the words of the links give {:.2f}",
                  estimate.precision, by_words);
}

bool LinkEstimates::is_certain(const CandidateLink& link) const {
  return task_.linker.pair_rules().is_always(link.link.left, link.link.right);
}

// All pairs among some records, row by row; the pair of a record with itself is empty.
std::vector<CandidateLink> LinkEstimates::links_among(
    std::span<const std::uint32_t> members) const {
  std::vector<CandidateLink> links(members.size() * members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = i + 1; j < members.size(); ++j) {
      links[i * members.size() + j] = task_.linker.score_pair(members[i], members[j]);
      links[j * members.size() + i] = links[i * members.size() + j];
    }
  }
  return links;
}

void LinkEstimates::add_group(std::span<const std::uint32_t> members) {
  const std::vector<CandidateLink> links = links_among(members);
  output_ += static_cast<double>(members.size() * (members.size() - 1)) / 2;
  std::vector<double> parts(links.size(), 1);
  for (Method& method : methods_) {
    if (!method.estimate.refusal.empty()) continue;
    for (std::size_t i = 0; i < links.size(); ++i) parts[i] = method.true_part(links[i]);
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = i + 1; j < members.size(); ++j) {
        const double direct = parts[i * members.size() + j];
        method.direct += direct;
        if (is_certain(links[i * members.size() + j])) {
          method.found += 1;
          method.by_rules += 1 - direct;
          continue;
        }
        method.found +=
            is_of_model(method.estimate) ? direct : part_by_others(parts, members.size(), i, j);
      }
    }
  }
}

std::optional<std::size_t> LinkEstimates::judge() const {
  for (std::size_t i = 0; i < methods_.size(); ++i) {
    if (!is_of_model(methods_[i].estimate) && methods_[i].estimate.refusal.empty()) return i;
  }
  return std::nullopt;
}

std::uint64_t LinkEstimates::links_by_runners_up() const {
  for (const Method& method : methods_) {
    if (!is_of_runners_up(method.estimate) || !method.estimate.refusal.empty()) continue;
    return method.estimate.cut.links;
  }
  return 0;
}

std::vector<QualityEstimate> LinkEstimates::estimates() const {
  std::vector<QualityEstimate> all;
  std::vector<QualityEstimate> of_fields;
  for (const Method& method : methods_) {
    QualityEstimate estimate = method.estimate;
    estimate.by_rules = method.by_rules;
    estimate.trusts_rules = method.by_rules <= kMostByRules * output_;
    const double found = method.found - (estimate.trusts_rules ? 0 : method.by_rules);
    // The output may contain pairs that were not judged.
    estimate.matches = std::max(estimate.matches - method.direct, 0.0) + found;
    if (output_ > 0) {
      estimate.precision = found / output_;
    } else if (estimate.refusal.empty()) {
      estimate.refusal =
          fmt::format("no pair is linked, although it expects {}",
                      plural_text(static_cast<std::uint64_t>(std::llround(estimate.matches)),
                                  "match", "matches"));
    }
    if (estimate.matches > 0) estimate.recall = found / estimate.matches;
    if (output_ + estimate.matches > 0) estimate.f1 = 2 * found / (output_ + estimate.matches);
    compare_with_words(estimate);
    if (estimate.by_field && estimate.refusal.empty()) of_fields.push_back(estimate);
    all.push_back(std::move(estimate));
  }
  if (!task_.check_each) return all;
  std::stable_sort(of_fields.begin(), of_fields.end(),
                   [](const QualityEstimate& a, const QualityEstimate& b) { return a.f1 < b.f1; });
  QualityEstimate median;
  if (of_fields.empty()) {
    median.refusal = "no field gives an estimate";
  } else {
    median = of_fields[(of_fields.size() - 1) / 2];
  }
  median.method = kAuto;
  all.push_back(std::move(median));
  return all;
}

}  // namespace sosie
