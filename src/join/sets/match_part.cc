// Compares the rows that share a key within one part.
#include "join/sets/match_part.h"

#include <algorithm>
#include <atomic>

#include "cluster/star.h"
#include "kernels/agreement.h"

namespace sosie {
namespace {

class PartMatcher {
 public:
  PartMatcher(SetRun& run, const MatchPart& part)
      : run_(run),
        part_(run.prepare_part(part)),
        keys_(part, static_cast<std::size_t>(run.choice.banding.bands)),
        found_(run.pool.size()) {}

  PartVerdicts run() && {
    StarSteps steps;
    steps.prune = [&](unsigned worker, Place item, std::vector<Place>& candidates) {
      run_.matcher->prune(worker, item, candidates);
    };
    steps.first_match = [&](unsigned worker, Place item, std::span<const Place> candidates) {
      return first_match(worker, item, candidates);
    };
    steps.count = [](unsigned /*worker*/, std::size_t /*compared*/) {};
    steps.progress = run_.progress("comparing");
    HotBucketFilter filter(hot_bucket_rule(run_.settings), sets_of(*run_.matcher), run_.pool);
    steps.hot_buckets = hot_bucket_steps(filter);
    (void)star_clusters(run_.matcher->buckets(), run_.matcher->buckets_of(), run_.pool, steps);
    PartVerdicts verdicts{.columns = std::move(part_.columns), .buckets = std::move(part_.buckets)};
    verdicts.overlaps.reserve(compared_);
    for (std::vector<SavedOverlap>& found : found_) {
      verdicts.overlaps.insert(verdicts.overlaps.end(), found.begin(), found.end());
      std::vector<SavedOverlap>().swap(found);
    }
    sort_overlaps(verdicts.overlaps);
    return verdicts;
  }

 private:
  std::optional<Match> first_match(unsigned worker, Place item, std::span<const Place> candidates) {
    for (const Place candidate : candidates) {
      if (!is_own(item, candidate)) {
        if (is_likely(item, candidate)) return Match{candidate, {}};
        continue;
      }
      const auto match = run_.matcher->first_match(worker, item, {&candidate, 1});
      record(worker, item, candidate, match ? match->overlap : Overlap{});
      if (match) return match;
    }
    return std::nullopt;
  }

  // True if the first band in which two rows share a key has that key in this part. Earlier bands
  // are compared through the filters: equal components have equal filters.
  [[nodiscard]] bool is_own(Place item, Place other) const {
    const BandRange bands = keys_.bands();
    const auto length = static_cast<std::size_t>(run_.choice.banding.rows);
    const std::uint8_t* const left = run_.matcher->filter_of(item).data();
    const std::uint8_t* const right = run_.matcher->filter_of(other).data();
    for (std::size_t band = 0; band < bands.first; ++band) {
      const std::size_t at = band * length;
      if (std::equal(left + at, left + at + length, right + at)) return false;
    }
    for (std::size_t band = bands.first; band < bands.last; ++band) {
      const std::uint64_t key = key_of(item, band);
      if (key == key_of(other, band)) return keys_.of_band(band).holds(key);
    }
    return false;
  }

  [[nodiscard]] std::uint64_t key_of(Place item, std::size_t band) const {
    const std::size_t of_band = (band - keys_.bands().first) * part_.rows.size();
    return part_.keys[of_band + run_.items.rows[item]];
  }

  // True if the filter suggests a similar pair: items at the threshold agree in a third of the
  // components between the filter's limit and all.
  [[nodiscard]] bool is_likely(Place item, Place other) const {
    const BandingPlan& plan = run_.choice.banding;
    std::uint32_t agreements = 0;
    kernels::agreements(run_.matcher->filter_of(item).data(), run_.matcher->filter_of(0).data(),
                        static_cast<std::size_t>(plan.components), &other, 1, &agreements);
    const int least = plan.filter_agreements + (plan.components - plan.filter_agreements) / 3;
    return agreements >= static_cast<std::uint32_t>(least);
  }

  void record(unsigned worker, Place item, Place other, const Overlap& overlap) {
    check_memory_of_pairs(run_.options.part, ++compared_, sizeof(SavedOverlap),
                          run_.settings.memory_bytes);
    const RowId left = part_.rows[run_.items.rows[item]];
    const RowId right = part_.rows[run_.items.rows[other]];
    const bool flips = left > right && overlap != Overlap{};
    found_[worker].push_back(
        {std::min(left, right), std::max(left, right), flips ? overlap.flipped() : overlap});
  }

  SetRun& run_;
  PartRows part_;
  PartKeys keys_;                                 // made of the plan that prepare_part() takes
  std::vector<std::vector<SavedOverlap>> found_;  // by worker
  std::atomic<std::uint64_t> compared_ = 0;
};

}  // namespace

PartVerdicts match_part(SetRun& run, const MatchPart& part) { return PartMatcher(run, part).run(); }

}  // namespace sosie
