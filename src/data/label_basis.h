#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sosie {

// Scored pairs of records that a model and its answer treat alike.
struct PairStratum {
  double pairs = 0;        // total number
  double expected = 0;     // number of matches among them according to the model
  double linked = 0;       // pairs in the answer
  bool is_doubted = true;  // false: the model is trusted if it expects few matches here
};

// The answer of a link run without its pairs: together with labelled pairs and their strata, it is
// all that is needed to estimate the answer's quality.
struct LabelBasis {
  std::vector<PairStratum> strata = {};  // scored pairs
  double links = 0;                      // in the answer, scored or not
  double expected_links = 0;             // scored links that match according to the model
  double model_precision = 1;            // precision estimated without labels
  double model_f1 = 1;
  bool is_by_words = false;     // scores of a single column: without labels, nothing is known
  bool has_diverged = false;    // the search for neighbours did not converge
  bool has_surrounded = false;  // records match most of their neighbours
  // The confidence without labels: see LinkConfidence.
  std::optional<double> estimated_f1 = {};
  std::vector<std::string> reasons = {};

  // Strata of pairs that were never scored: within a group of the answer without labels, and
  // between groups.
  [[nodiscard]] std::size_t unscored() const noexcept { return strata.size(); }
  [[nodiscard]] std::size_t apart() const noexcept { return strata.size() + 1; }
};

}  // namespace sosie
