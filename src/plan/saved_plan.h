#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/mix64.h"
#include "core/rational.h"
#include "data/kinds.h"
#include "plan/banding_plan.h"
#include "plan/candidate_probability.h"

namespace sosie {

inline constexpr double kMostCounted = 1e18;  // larger numbers of pairs are shown as powers of ten

// The part of a plan that is specific to vectors and bit strings.
struct HashedPlan {
  std::string family;
  bool is_similarity = false;  // the threshold is a similarity; else a maximum distance
  std::uint64_t bits = 0;      // length of bit strings; 0: vectors, for which the next fields are
  int bands = 1;
  int rows = 1;
  double segment = 0;  // its length; 0: the family has no segments
  double probes = 1;   // average vertices of a function near a vector
  int sketch_bits = 0;
  int most_different = 0;  // sketch bits

  friend bool operator==(const HashedPlan&, const HashedPlan&) = default;
};

// Everything that two runs must have in common for their signatures to be comparable (`sosie plan
// -o P.json`, `--plan P.json`). What other stages define is stored as the text of their options:
// `measure`, `kind`, `shingle`, `tokens` and `sketch` only have to be present.
struct SavedPlan {
  int recipe = kRecipeVersion;
  std::string measure = "jaccard";
  KindBit kind = kTextItems;
  std::string shingle = "words:5";
  std::string tokens = "unicode";
  std::string sketch = "permfill";
  Bound threshold{4, 5};
  std::string recall = "0.99";  // recall as written; parse_rational reads it, in (0, 1)
  std::uint64_t seed = 1;
  BandingPlan banding;
  // For vectors and bit strings, instead of shingle, tokens, sketch and banding.
  std::optional<HashedPlan> hashed = {};

  friend bool operator==(const SavedPlan&, const SavedPlan&) = default;
};

// Additional facts about a plan that `sosie plan -o` writes for people and scripts. Runs do not
// read them.
struct PlanForecast {
  // The similarity or distance at which the probability of becoming a candidate is 1/2, and the
  // approximation (1/b)^(1/r).
  double half_point = 0;
  double approximate_half_point = 0;
  double error_area = 0;  // about the bound, by the probability of one function
  LeastErrors least_errors;
  double brute_pairs = 0;        // pairs of the rows; 0: there are no rows
  double brute_seconds = 0;      // seconds on one core to compare all of them
  bool rows_are_counted = true;  // else they are estimated
};

// A bound as plans write it: "4/5", or the shortest decimal of a double that has more digits.
[[nodiscard]] std::string bound_text(const Bound& bound);

// One JSON object, one field a line, fields in a fixed order, final newline:
//   {"sosie_plan": 1, "recipe": 1, "measure": "jaccard", "kind": "text", "shingle": "words:5",
//    "tokens": "unicode", "sketch": "permfill", "threshold": "4/5", "recall": "0.99", "seed": 1,
//    "components": 128, "bands": 16, "rows": 6, "filter_agreements": 88}
// Plans for vectors and for bit strings:
//   {"sosie_plan": 1, "recipe": 1, "measure": "cosine", "kind": "vectors", "family": "hyperplane",
//    "threshold": "9/10", "recall": "0.99", "seed": 1, "bands": 53, "rows": 16, "segment": 0.0,
//    "probes": 1.0, "sketch_bits": 256, "most_different": 57}
//   {"sosie_plan": 1, "recipe": 1, "measure": "hamming", "kind": "bits", "family": "bit-sampling",
//    "within": "3/1", "recall": "0.99", "seed": 1, "bands": 8, "rows": 12, "bits": 64}
// With a forecast, there is one more field:
//   "forecast": {"half_point": 0.5905, "approximate_half_point": 0.63, "error_area": 0.2,
//     "least_error_area": {"bands": 8, "rows": 12, "area": 0.07}, "brute_pairs": 37401,
//     "brute_seconds": 0.012}
[[nodiscard]] std::string plan_to_json(const SavedPlan& plan,
                                       const PlanForecast* forecast = nullptr);

// Parses such an object. Every field is required, in any order; no other field is accepted, except
// the forecast, which is ignored. `name`: name of the text in messages. Throws
// Error{malformed_input}, "NAME: field 'bands': ...", and Error{unsupported} if the plan was made
// with another version of this format or of the recipe.
[[nodiscard]] SavedPlan plan_from_json(std::string_view json, const std::string& name);

// Reads a plan from a file or a pipe. While waiting for it, throws Error{cancelled} if *cancel
// becomes true. Also throws Error{io}.
[[nodiscard]] SavedPlan load_plan(const std::string& path, const std::atomic<bool>* cancel);

}  // namespace sosie
