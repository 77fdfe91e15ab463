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
// Parameters of the search for the nearest values by tfidf or cosine.
[[nodiscard]] NearestSearch search_of(const NearMeasure& near);
// The set measure of a rule, for rules whose measure is neither for strings nor tfidf.
[[nodiscard]] Measure set_measure_of(const NearMeasure& near);

// Pairs of values, as keys, that reach the bound of a rule, found by the engine's joins of strings
// or sets. With rule.top for sets, a pair is included only if one of the values is among the most
// similar values of the other: as many of those values as together have rule.top records.
// With a single collection, each value is also paired with itself. The order is arbitrary but does
// not depend on the number of threads. Throws Error{limit_exceeded} and Error{cancelled}.
[[nodiscard]] std::vector<KeyPair> near_values(const JoinedValues& values,
                                               const CandidateRule& rule, const NearMeans& means,
                                               ThreadPool& pool);

}  // namespace sosie
