// Expected pairs, candidates and verified shingles of a run, from sampled pairs.
#include "plan/expected_work.h"

#include <algorithm>
#include <utility>

#include "plan/candidate_probability.h"
#include "plan/filter.h"

namespace sosie {
namespace {

// Pairs of rows, from which a sample was drawn.
struct ExpectedPairs {
  double similar = 0;
  double candidates = 0;  // below the threshold, in a bucket
  double passing = 0;     // pairs that pass the filter, too
  double shingles = 0;    // shingles of both rows of pairs that are similar or pass the filter
};

ExpectedPairs expected(const SampledRowPairs& pairs, double among_all, double growth,
                       const PlannedRun& run) noexcept {
  constexpr double kBins = 64;
  ExpectedPairs sum;
  if (pairs.drawn == 0) return sum;
  for (std::size_t i = 0; i < pairs.by_similarity.size(); ++i) {
    const auto drawn = static_cast<double>(pairs.by_similarity[i]);
    if (drawn == 0) continue;
    const double shingles = static_cast<double>(pairs.shingles[i]) / drawn;
    const double similarity = std::min(1.0, (static_cast<double>(i) + 0.5) / kBins);
    // A row's relatives do not increase with the number of rows, but rows that are similar by
    // chance do.
    const bool are_related = similarity >= run.threshold.value() / 2;
    const double count = are_related ? drawn / growth : drawn;
    if (is_similar_bin(i, run.threshold)) {
      sum.similar += count;
      sum.shingles += count * shingles;
    } else if (run.method == Method::lsh) {
      const double met =
          count * candidate_probability(similarity, run.banding.bands, run.banding.rows);
      const double passing =
          met * filter_pass_of_candidates(run.banding.components, run.banding.filter_agreements,
                                          run.banding.rows, similarity);
      sum.candidates += met;
      sum.passing += passing;
      sum.shingles += passing * shingles;
    }
  }
  const double scale = among_all / static_cast<double>(pairs.drawn);
  // A pair seen once may stand for anything between none and many, so it does not count in full.
  const double seen = sum.similar + sum.passing;
  const double trusted = scale * seen / (seen + 1);
  return {sum.similar * trusted, sum.candidates * scale, sum.passing * trusted,
          sum.shingles * trusted};
}

class Extrapolation {
 public:
  Extrapolation(const RowSurvey& survey, const PlannedRun& run) noexcept
      : survey_(survey),
        run_(run),
        distinct_share_(1 - static_cast<double>(survey.copied_rows) /
                                std::max(1.0, static_cast<double>(survey.rows))),
        rows_(static_cast<double>(survey.rows) * distinct_share_) {
    const double neighbours =
        distinct_share_ * static_cast<double>(survey.neighbours) / (survey.whole ? 2 : 1);
    // Rows of two collections are not adjacent.
    near_ = expected(survey.near, survey.other_rows > 0 ? 0 : rows_ * neighbours, 1, run);
    far_ = expected(survey.far, pairs_of_rows(), survey.growth, run);
  }

  [[nodiscard]] ExpectedWork work() const noexcept {
    ExpectedWork work;
    work.near = verified_of(near_);
    work.far = verified_of(far_);
    work.candidates = near_.candidates + far_.candidates + work.near.pairs + work.far.pairs;
    // A pair of texts is listed for each row with the first of them, and so is each copy.
    work.found = (near_.similar + far_.similar) / std::max(1e-9, distinct_share_) +
                 static_cast<double>(survey_.copied_rows);
    work.verified_rows = verified_rows();
    return work;
  }

 private:
  [[nodiscard]] double pairs_of_rows() const noexcept {
    const auto others = distinct_share_ * static_cast<double>(survey_.other_rows);
    return others > 0 ? (rows_ - others) * others : rows_ * (rows_ - 1) / 2;
  }

  // Number of rows with similar rows. In the sample, rows with many partners are
  // overrepresented: of rows with d partners each there are s d / (d - 1) if s of them were
  // seen.
  [[nodiscard]] double partnered_rows() const noexcept {
    const double most = std::min(rows_, 2 * (near_.similar + far_.similar));
    double seen_pairs = 0;
    for (std::size_t i = 0; i < survey_.far.by_similarity.size(); ++i) {
      if (!is_similar_bin(i, run_.threshold)) continue;
      seen_pairs +=
          static_cast<double>(survey_.far.by_similarity[i] + survey_.near.by_similarity[i]);
    }
    const auto partnered = static_cast<double>(survey_.partnered);
    if (2 * seen_pairs <= partnered) return most;
    const double degree = 2 * seen_pairs / partnered;
    const double drawn_share = static_cast<double>(survey_.drawn) / std::max(1.0, rows_);
    return std::min(most, partnered / drawn_share * degree / (degree - 1));
  }

  // Each row with a better one is removed by one pair and then meets no other: one row of each
  // group remains.
  [[nodiscard]] VerifiedPairs verified_of(const ExpectedPairs& expected) const noexcept {
    const double all = expected.similar + expected.passing;
    if (all == 0) return {};
    VerifiedPairs verified{all, expected.shingles};
    if (run_.use == JoinUse::survivors) {
      const double partnered = std::max(1.0, partnered_rows());
      const double group = 1 + 2 * (near_.similar + far_.similar) / partnered;
      verified.pairs =
          std::min(expected.similar, partnered) + expected.passing * std::min(1.0, 2 / group);
      verified.shingles *= verified.pairs / all;
    }
    return verified;
  }

  // Number of rows in verified pairs: counted per group for rows that are in groups.
  [[nodiscard]] double verified_rows() const noexcept {
    const double similar = near_.similar + far_.similar;
    if (similar == 0) return rows_;
    return std::min(rows_, partnered_rows() * (1 + (near_.passing + far_.passing) / similar));
  }

  const RowSurvey& survey_;
  const PlannedRun& run_;
  double distinct_share_;  // distinct texts per row; copies are not compared
  double rows_;            // with distinct texts
  ExpectedPairs near_;     // pairs of rows that stand next to each other
  ExpectedPairs far_;      // pairs of other rows
};

}  // namespace

RowSurvey grown(const RowSurvey& survey, std::uint64_t rows) noexcept {
  RowSurvey out = survey;
  out.growth =
      static_cast<double>(rows) / static_cast<double>(std::max<std::uint64_t>(1, survey.rows));
  for (std::uint64_t RowSurvey::*figure :
       {&RowSurvey::bytes, &RowSurvey::spooled_bytes, &RowSurvey::gunzipped_bytes,
        &RowSurvey::unzstd_bytes, &RowSurvey::unkept_bytes, &RowSurvey::stored_bytes,
        &RowSurvey::other_rows, &RowSurvey::copied_rows, &RowSurvey::copied_elements,
        &RowSurvey::foreign_bytes, &RowSurvey::tokens, &RowSurvey::shingles,
        &RowSurvey::elements}) {
    out.*figure = static_cast<std::uint64_t>(
        std::min(kMostOfSurvey, static_cast<double>(survey.*figure) * out.growth));
  }
  out.rows = rows;
  out.whole = false;
  // Pairs of a single piece represent all pairs.
  if (survey.far.drawn == 0) std::swap(out.near, out.far);
  return out;
}

ExpectedWork expected_work(const RowSurvey& survey, const PlannedRun& run) noexcept {
  return Extrapolation(survey, run).work();
}

}  // namespace sosie
