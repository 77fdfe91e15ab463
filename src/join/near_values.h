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

// Resources for a join of values.
struct NearMeans {
  const RecordMemory& memory;
  Scratch& scratch;
};

// Recipe for the sets compared by `near`.
[[nodiscard]] ShingleRecipe recipe_of(const NearMeasure& near);
// Search parameters for the nearest ones by tfidf or cosine.
[[nodiscard]] NearestSearch search_of(const NearMeasure& near);
// The set measure of a rule whose measure is neither for strings nor tfidf.
[[nodiscard]] Measure set_measure_of(const NearMeasure& near);

// Pairs of values that reach the bound of a rule, by the engine's joins of strings or sets, as
// keys; with rule.top for sets, only pairs in which one value is among the most similar ones of the
// other, as many as have this number of records together. With a single collection each value is
// also paired with itself. In any order, which does not depend on threads. Throws
// Error{limit_exceeded} and Error{cancelled}.
[[nodiscard]] std::vector<KeyPair> near_values(const JoinedValues& values,
                                               const CandidateRule& rule, const NearMeans& means,
                                               ThreadPool& pool);

}  // namespace sosie
