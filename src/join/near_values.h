#pragma once

#include <cstdint>
#include <vector>

#include "candidates/near_values.h"
#include "core/thread_pool.h"
#include "corpus/items/value_numbers.h"
#include "io/scratch.h"
#include "join/records/record_memory.h"
#include "options/link_rules.h"

namespace sosie {

// Means of a join of values.
struct NearMeans {
  const RecordMemory& memory;
  Scratch& scratch;
};

// Recipe of the sets that `near` compares.
[[nodiscard]] ShingleRecipe recipe_of(const NearMeasure& near);
// Search for the nearest ones by tfidf or cosine.
[[nodiscard]] NearestSearch search_of(const NearMeasure& near);
// The measure of sets of a rule that is not of strings or tfidf.
[[nodiscard]] Measure set_measure_of(const NearMeasure& near);

// Pairs of values that reach the bound of a rule, by the engine's joins of strings or sets, as
// keys; of these, with rule.top of sets, the pairs of which one value is among the most similar
// ones of the other that have so many records together. With one collection each value stands with
// itself, too. In any order; the same for any number of threads. Throws Error{limit_exceeded} and
// Error{cancelled}.
[[nodiscard]] std::vector<KeyPair> near_values(const JoinedValues& values,
                                               const CandidateRule& rule, const NearMeans& means,
                                               ThreadPool& pool);

}  // namespace sosie
