#pragma once

#include <string>

#include "core/rational.h"
#include "options/bounds.h"
#include "sosie/join.h"

namespace sosie {

// The note in a pairs file on how it was made: "threshold=0.9 measure=jaccard"; for distances,
// within=D instead of threshold; if --top or --top-pairs left pairs out, also top=K or top-pairs=K.
// `facts`: an empty bound is omitted.
[[nodiscard]] std::string pair_note(const Options& options, const BoundFacts& facts);

// A run's requirements for a pairs file.
struct PairsFileRequirements {
  std::string path;
  std::string threshold;           // threshold as written; empty: not requested
  std::string within = {};         // distance as written; neither: all pairs in the file
  std::string measure;             // empty: any
  std::string bag_union;           // --union as written; empty: any
  std::string shingle = {};        // --shingle as written; empty: any
  std::string tokens = {};         // --tokens as written; empty: any
  std::string clean = {};          // --clean as written; empty: any
  std::string ignore_common = {};  // --ignore-common as written, or "none"; empty: any
  std::string represent = {};      // --represent as written, or "none"; empty: any
  bool of_one_collection = false;  // all ids come from one input
};

// Compares the note in a pairs file (`note`; may be empty) with the requirements. Throws
// Error{invalid_option}, with both values, for a threshold below the file's, a distance above the
// file's, or a different measure; throws Error{malformed_input} for an invalid bound.
void check_pair_note(const std::string& note, const PairsFileRequirements& asked);

// Calls hooks.on_message if the bound is unknown or --top has left pairs out.
void tell_of_pair_note(const std::string& note, const PairsFileRequirements& asked,
                       const Options& options, const RunHooks& hooks);

}  // namespace sosie
