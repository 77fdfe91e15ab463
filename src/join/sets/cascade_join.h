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

// Text of a cascade of sets, as summaries name it: "lsh: or:1024,and:2, 2048 functions, minhash".
[[nodiscard]] std::string cascade_text(const SetCascade& cascade);

// Probability that the cascade finds a pair at the threshold; nothing where the threshold tells
// nothing of it.
[[nodiscard]] std::optional<double> recall_at_threshold(const Settings& settings);

// Expectations of a join by a cascade, from a sample of its pairs.
struct CascadeForecast {
  double pairs = 0;       // that there are
  double candidates = 0;  // that the cascade finds
  double bucketed = 0;    // meetings in buckets that have to be looked at
  double sampled = 0;
  double near = 0;            // pairs of the sample that reach the threshold
  double recall_of_near = 1;  // expected, of these
};

// Says how much more than brute force such a join costs; empty where it costs no more.
[[nodiscard]] std::string cost_warning(const CascadeForecast& forecast);

// Throws Error{limit_exceeded} for sets that do not fit in memory.
[[noreturn]] void refuse_sets_of_cascade();

// The sets of a run, and pairs that a cascade finds among them (MMDS 3.6.3). All in memory.
class CascadeJoin {
 public:
  // Moves the sets out of the corpus, which the scan must have kept. Throws Error{limit_exceeded}
  // where they do not fit in the memory of the settings, and Error{unsupported} where a function
  // names more squares than there are.
  CascadeJoin(Corpus& corpus, const Items& items, const Settings& settings, ThreadPool& pool);

  [[nodiscard]] CascadeForecast forecast(const PairScope& scope) const;

  // Hands every candidate in scope that reaches the threshold to `take`, once, from several threads
  // at a time. Throws Error{limit_exceeded} where the keys do not fit in memory.
  void pairs(const PairScope& scope, const TakePairs& take);

  // Candidates so far, each of which was verified.
  [[nodiscard]] std::uint64_t candidates() const noexcept { return candidates_; }

 private:
  [[nodiscard]] SetView set(Place place) const noexcept {
    return SetView(sets_.hashes)
        .subspan(sets_.starts[place], sets_.starts[place + 1] - sets_.starts[place]);
  }
  // Probability that one function finds a pair.
  [[nodiscard]] double collision(const Overlap& overlap) const noexcept;
  void hash_by_minhash(BandedRows& table) const;
  void hash_by_squares(BandedRows& table) const;

  const Settings& settings_;
  const SetCascade& cascade_;
  CascadeRule rule_;
  ThreadPool& pool_;
  HashedSets sets_;
  std::vector<std::uint64_t> grid_;  // squares to draw from, ascending; none for minhash
  std::atomic<std::uint64_t> candidates_ = 0;
};

}  // namespace sosie
