#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "candidates/banded_join.h"
#include "candidates/prefix_join.h"
#include "corpus/identical.h"
#include "data/banded_rows.h"
#include "data/token_sets.h"
#include "options/settings.h"

namespace sosie {

// A cascade of sets as described in summaries: "lsh: or:1024,and:2, 2048 functions, minhash".
[[nodiscard]] std::string cascade_text(const SetCascade& cascade);

// Probability that the cascade finds a pair exactly at the threshold; nullopt if the threshold
// alone does not determine it.
[[nodiscard]] std::optional<double> recall_at_threshold(const Settings& settings);

// Results to expect from a join by a cascade, predicted from a sample of its pairs.
struct CascadeForecast {
  double pairs = 0;       // total number
  double candidates = 0;  // found by the cascade
  double bucketed = 0;    // pairs to check in buckets
  double sampled = 0;
  double near = 0;            // pairs of the sample that reach the threshold
  double recall_of_near = 1;  // expected recall of these
};

// Says how much more than brute force such a join costs; empty if it does not cost more.
[[nodiscard]] std::string cost_warning(const CascadeForecast& forecast);

// Throws Error{limit_exceeded} because the sets do not fit in memory.
[[noreturn]] void refuse_sets_of_cascade();

// The sets of a run, and the pairs that a cascade finds among them (MMDS 3.6.3). Everything is in
// memory.
class CascadeJoin {
 public:
  // Moves the sets out of the corpus; the scan must have kept them. Throws Error{limit_exceeded} if
  // they do not fit in the memory of the settings, and Error{unsupported} if a function needs more
  // squares than exist.
  CascadeJoin(Corpus& corpus, const Items& items, const Settings& settings, ThreadPool& pool);

  [[nodiscard]] CascadeForecast forecast(const PairScope& scope) const;

  // Passes every candidate in scope that reaches the threshold to `take`, once, from several
  // threads concurrently. Throws Error{limit_exceeded} if the keys do not fit in memory.
  void pairs(const PairScope& scope, const TakePairs& take);

  // Number of candidates so far, all of which were verified.
  [[nodiscard]] std::uint64_t candidates() const noexcept { return candidates_; }

 private:
  [[nodiscard]] SetView set(Place place) const noexcept {
    return SetView(sets_.hashes)
        .subspan(sets_.starts[place], sets_.starts[place + 1] - sets_.starts[place]);
  }
  // Probability that a single function finds a pair.
  [[nodiscard]] double collision(const Overlap& overlap) const noexcept;
  void hash_by_minhash(BandedRows& table) const;
  void hash_by_squares(BandedRows& table) const;

  const Settings& settings_;
  const SetCascade& cascade_;
  CascadeRule rule_;
  ThreadPool& pool_;
  HashedSets sets_;
  std::vector<std::uint64_t> grid_;  // squares to draw from, ascending; empty for minhash
  std::atomic<std::uint64_t> candidates_ = 0;
};

}  // namespace sosie
