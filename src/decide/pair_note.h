#pragma once

#include <string>

#include "core/rational.h"
#include "options/bounds.h"
#include "sosie/join.h"

namespace sosie {

// The note of a pairs file on its making: "threshold=0.9 measure=jaccard"; within=D in place of
// threshold for distances; top=K and top-pairs=K where pairs were left out by these. `facts`: an
// empty bound is not said.
[[nodiscard]] std::string pair_note(const Options& options, const BoundFacts& facts);

// Requirements of a run on a pairs file.
struct PairsFileRequirements {
  std::string path;
  std::string threshold;           // threshold as written; empty: not asked for
  std::string within = {};         // distance as written; neither: all pairs of the file
  std::string measure;             // empty: any
  std::string bag_union;           // --union as written; empty: any
  std::string shingle = {};        // --shingle as written; empty: any
  std::string tokens = {};         // --tokens as written; empty: any
  std::string clean = {};          // --clean as written; empty: any
  std::string ignore_common = {};  // --ignore-common as written, or "none"; empty: any
  std::string represent = {};      // --represent as written, or "none"; empty: any
  bool of_one_collection = false;  // all ids come from one input
};

// Compares what a pairs file says it was made with (`note`; empty: nothing) with what is asked of
// it. Throws Error{invalid_option}, with both values, for a threshold below the file's, a distance
// above it and for another measure; Error{malformed_input} for a bound that is none.
void check_pair_note(const std::string& note, const PairsFileRequirements& asked);

// Tells hooks.on_message when the bound is not known, and of pairs that --top left out.
void tell_of_pair_note(const std::string& note, const PairsFileRequirements& asked,
                       const Options& options, const RunHooks& hooks);

}  // namespace sosie
