// Estimates the share of true links from a field that was not used in their scores.
#include "plan/held_out_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/mix64.h"

namespace sosie {
namespace {

constexpr double kMostOfH1 = 0.7;  // a higher h0 does not distinguish matches from others
constexpr double kMostMoved = 0.05;
constexpr std::size_t kSurePart = 10;  // without a model the best tenth is sure
constexpr std::uint64_t kPairSalt = 0x6C8E9CF570932BD5ULL;
constexpr std::uint64_t kResampleSalt = 0xD1B54A32D192ED03ULL;
constexpr double kNoWeight = 1e-9;  // weight of a band that lacks the field

// Links by descending score; the differences for each band are stored one after another.
struct Judged {
  std::vector<double> scores;
  std::vector<std::size_t> ends;        // ends of bands in scores
  std::vector<double> differences;      // only links that have the field
  std::vector<std::size_t> field_ends;  // ends of bands in differences
  std::vector<double> sure;             // differences of sure pairs
};

bool has_field(const HeldOutLink& link) { return link.difference >= 0; }

// The differences of runner-up pairs in a field, sorted by score. Pairs that lack the field are not
// counted.
class RunnerUpDifferences {
 public:
  explicit RunnerUpDifferences(std::span<const HeldOutLink> pairs) {
    std::vector<HeldOutLink> sorted;
    sorted.reserve(pairs.size());
    for (const HeldOutLink& pair : pairs) {
      if (has_field(pair)) sorted.push_back(pair);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const HeldOutLink& a, const HeldOutLink& b) { return a.score < b.score; });
    scores_.reserve(sorted.size());
    sums_.reserve(sorted.size() + 1);
    sums_.push_back(0);
    for (const HeldOutLink& pair : sorted) {
      scores_.push_back(pair.score);
      sums_.push_back(sums_.back() + pair.difference);
    }
  }

  // True if at least kNearest pairs have the field.
  [[nodiscard]] bool enough() const noexcept { return scores_.size() >= kNearest; }

  // Mean difference of the pairs with scores in [low, high]. If there are fewer than kNearest, the
  // pairs with the nearest scores are included. Requires enough().
  [[nodiscard]] double mean_near(double low, double high) const {
    auto begin = static_cast<std::size_t>(std::lower_bound(scores_.begin(), scores_.end(), low) -
                                          scores_.begin());
    auto end = static_cast<std::size_t>(std::upper_bound(scores_.begin(), scores_.end(), high) -
                                        scores_.begin());
    while (end - begin < kNearest) {
      const bool all_before = begin == 0;
      const bool all_behind = end == scores_.size();
      const bool lower =
          all_behind || (!all_before && low - scores_[begin - 1] <= scores_[end] - high);
      if (lower) {
        --begin;
      } else {
        ++end;
      }
    }
    return (sums_[end] - sums_[begin]) / static_cast<double>(end - begin);
  }

 private:
  static constexpr std::size_t kNearest = 100;

  std::vector<double> scores_;  // ascending
  std::vector<double> sums_;    // sums of the differences before each score, and the sum of all
};

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<HeldOutLink> by_score(std::span<const HeldOutLink> links) {
  std::vector<HeldOutLink> sorted(links.begin(), links.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const HeldOutLink& a, const HeldOutLink& b) { return a.score > b.score; });
  return sorted;
}

std::vector<double> sure_differences(std::span<const HeldOutLink> sorted) {
  const bool has_model = std::any_of(sorted.begin(), sorted.end(),
                                     [](const HeldOutLink& link) { return link.probability > 0; });
  const std::size_t best = std::max<std::size_t>(kFewestSurePairs, sorted.size() / kSurePart);
  std::vector<double> sure;
  sure.reserve(sorted.size());
  for (const HeldOutLink& link : sorted) {
    if (!has_model && sure.size() == best) break;
    if (has_field(link) && (!has_model || link.probability >= kSureProbability)) {
      sure.push_back(link.difference);
    }
  }
  return sure;
}

Judged judged(std::span<const HeldOutLink> links) {
  const std::vector<HeldOutLink> sorted = by_score(links);
  Judged out;
  out.scores.reserve(sorted.size());
  for (const HeldOutLink& link : sorted) out.scores.push_back(link.score);
  out.ends = band_ends(out.scores);
  out.differences.reserve(sorted.size());
  std::size_t next = 0;
  for (const std::size_t end : out.ends) {
    for (; next < end; ++next) {
      if (has_field(sorted[next])) out.differences.push_back(sorted[next].difference);
    }
    out.field_ends.push_back(out.differences.size());
  }
  out.sure = sure_differences(sorted);
  return out;
}

// The draws of one resample, one after another.
class Resample {
 public:
  Resample(std::uint64_t seed, std::uint64_t number) : seed_(random64(seed, number)) {}

  // Mean of a sample of the values, drawn with replacement and of the same size.
  double mean_of(std::span<const double> values) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += values[multiply128(random64(seed_, next_++), values.size()).high];
    }
    return sum / static_cast<double>(values.size());
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

// Shares of true links in all bands. h1_of(band): mean difference of non-matches there.
std::vector<double> true_parts(const Judged& links, double h0, const auto& h1_of,
                               const auto& mean_of) {
  std::vector<double> parts;
  std::vector<double> weights;
  parts.reserve(links.ends.size());
  weights.reserve(links.ends.size());
  std::size_t begin = 0;
  for (std::size_t band = 0; band < links.ends.size(); ++band) {
    const std::size_t end = links.field_ends[band];
    if (begin == end) {
      parts.push_back(band == 0 ? 1 : parts.back());
      weights.push_back(kNoWeight);
      continue;
    }
    const double h = mean_of(std::span(links.differences).subspan(begin, end - begin));
    parts.push_back(true_part(h0, h1_of(band), h));
    weights.push_back(static_cast<double>(end - begin));
    begin = end;
  }
  fit_true_parts(parts, weights);
  return parts;
}

// Minimum plausible mean difference of non-matches if there are too few pairs for `h1`: pairs that
// differ as little as high-confidence ones tell nothing.
double least_h1(double h0, double h1) { return std::max(h0 / kMostOfH1, h1 / 10); }

Interval middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t tail = values.size() / 40;  // 2.5 %
  return {values[tail], values[values.size() - 1 - tail]};
}

// Number of matches, and F1 if the first `kept` links are kept.
std::pair<double, double> quality(const Judged& links, std::span<const double> parts,
                                  std::uint64_t kept) {
  double matches = 0;
  double found = 0;
  std::size_t begin = 0;
  for (std::size_t band = 0; band < parts.size(); ++band) {
    const std::size_t end = links.ends[band];
    const std::size_t taken = std::clamp<std::size_t>(kept, begin, end) - begin;
    matches += parts[band] * static_cast<double>(end - begin);
    found += parts[band] * static_cast<double>(taken);
    begin = end;
  }
  const double all = static_cast<double>(kept) + matches;
  return {matches, all > 0 ? 2 * found / all : 0};
}

void add_intervals(const HeldOutTask& task, const Judged& links, FieldEstimate& field,
                   std::span<const double> parts) {
  const auto resamples = std::clamp<std::size_t>(200'000'000 / links.scores.size(), 40, 200);
  std::vector<double> matches;
  std::vector<double> f1;
  std::vector<std::vector<double>> of_band(parts.size());
  for (std::size_t number = 0; number < resamples; ++number) {
    Resample resample(task.seed ^ kResampleSalt, number);
    const double h0 = resample.mean_of(links.sure);
    const double h1 = std::max(resample.mean_of(task.random), least_h1(h0, field.h1));
    const std::vector<double> drawn = true_parts(
        links, h0, [h1](std::size_t) { return h1; },
        [&resample](std::span<const double> values) { return resample.mean_of(values); });
    const auto [all, best] = quality(links, drawn, field.estimate.cut.links);
    matches.push_back(all);
    f1.push_back(best);
    for (std::size_t band = 0; band < parts.size(); ++band) of_band[band].push_back(drawn[band]);
  }
  field.matches = middle_of(std::move(matches));
  field.f1 = middle_of(std::move(f1));
  for (std::size_t band = 0; band < parts.size(); ++band) {
    const Interval interval = middle_of(std::move(of_band[band]));
    field.estimate.bands[band].least = interval.least;
    field.estimate.bands[band].most = interval.most;
  }
  field.estimate.bands = joined_bands(field.estimate.bands);
}

// Compares with the estimate that uses as h1 the runner-up pairs with the nearest scores.
void check_for_repetition(const HeldOutTask& task, const Judged& links, FieldEstimate& field) {
  const RunnerUpDifferences runners_up(task.runners_up);
  field.checked = runners_up.enough();
  if (!field.checked) return;
  const double least = least_h1(field.h0, field.h1);
  const auto h1_of = [&](std::size_t band) {
    const std::size_t begin = band == 0 ? 0 : links.ends[band - 1];
    return std::max(least,
                    runners_up.mean_near(links.scores[links.ends[band] - 1], links.scores[begin]));
  };
  const LinkEstimate other =
      estimate_of_bands(links.scores, links.ends, true_parts(links, field.h0, h1_of, mean));
  field.moved = std::abs(other.cut.f1 - field.estimate.cut.f1);
  if (field.moved <= kMostMoved) return;
  field.refusal = fmt::format(
      "the field repeats what was scored: with known non-matches in place of random pairs, the "
      "estimated F1 would be {:.3f}, not {:.3f}",
      other.cut.f1, field.estimate.cut.f1);
}

}  // namespace

FieldEstimate estimate_by_field(const HeldOutTask& task) {
  FieldEstimate field;
  const Judged links = judged(task.links);
  field.sure_pairs = links.sure.size();
  if (links.sure.size() < kFewestSurePairs) {
    field.refusal = fmt::format("{} high-confidence pairs have the field; at least {} are needed",
                                links.sure.size(), kFewestSurePairs);
    return field;
  }
  if (task.random.size() < kFewestSurePairs) {
    field.refusal = fmt::format("{} random pairs have the field; at least {} are needed",
                                task.random.size(), kFewestSurePairs);
    return field;
  }
  field.h0 = mean(links.sure);
  field.h1 = mean(task.random);
  if (field.h0 >= kMostOfH1 * field.h1) {
    field.refusal = fmt::format(
        "the field does not tell matches from others: "
        "high-confidence pairs differ by {:.3f} on average, random pairs by {:.3f}",
        field.h0, field.h1);
    return field;
  }
  const std::vector<double> parts = true_parts(
      links, field.h0, [&field](std::size_t) { return field.h1; }, mean);
  field.estimate = estimate_of_bands(links.scores, links.ends, parts);
  check_for_repetition(task, links, field);
  add_intervals(task, links, field, parts);
  return field;
}

std::vector<RecordPair> random_pairs(std::uint32_t left_records, std::uint32_t right_records,
                                     std::size_t count, std::uint64_t seed) {
  std::vector<RecordPair> pairs;
  const bool one = right_records == 0;
  if (left_records < (one ? 2U : 1U)) return pairs;
  pairs.reserve(count);
  // Within one collection, the right record is one of the other records.
  const std::uint32_t rights = one ? left_records - 1 : right_records;
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&](std::uint64_t which, std::uint32_t below) {
      const std::uint64_t random = random64(seed ^ kPairSalt, 2 * i + which);
      return static_cast<std::uint32_t>(multiply128(random, below).high);
    };
    const std::uint32_t left = draw(0, left_records);
    std::uint32_t right = draw(1, rights);
    if (one && right >= left) ++right;
    pairs.push_back(one ? RecordPair{std::min(left, right), std::max(left, right)}
                        : RecordPair{left, right});
  }
  return pairs;
}

}  // namespace sosie
