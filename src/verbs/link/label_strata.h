#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decide/label_estimate.h"
#include "decide/link_labels.h"
#include "verbs/link/link_decision.h"

namespace sosie {

// Position of a scored pair in an answer.
enum class Standing : std::uint8_t {
  beside,
  linked,
  // Not linked, but the best pair for a record without a link: within a single collection, for both
  // of its records; with two collections, for the record in the smaller one.
  nearest,
};

// Standings of the scored pairs of a decision, in their order. O(scored log links).
[[nodiscard]] std::vector<Standing> standings_of(const LinkDecision& decision,
                                                 const RecordTable& table);

// The scored pairs of a link run, divided into strata by their probability and by their standing in
// a decision made without labels. In each stratum, labelled pairs represent the others.
class LabelStrata {
 public:
  // `free`: a decision made without labels. Holds 16 bytes per scored pair.
  LabelStrata(std::span<const Judgement> labels, const LinkDecision& free,
              const RecordTable& table);

  // An estimate for the answer of a decision, which may depend on labels. `facts` must contain the
  // model's estimate.
  [[nodiscard]] LabelEstimate judge(const LinkDecision& decision, const LinkFacts& facts) const;

  // Stratum of a scored pair, below kStrata.
  [[nodiscard]] static std::size_t stratum_of(double probability, Standing standing);
  static constexpr std::size_t kStrata = 36;

 private:
  struct Scored {
    RecordPair pair;
    float probability = 0;
    std::uint8_t stratum = 0;
    bool is_labelled = false;
  };

  [[nodiscard]] Scored* find(const RecordPair& pair);

  std::span<const Judgement> labels_;
  std::vector<Scored> scored_;        // by (left, right)
  std::vector<LabelStratum> strata_;  // the last one: pairs in groups that were never scored
  std::vector<Judgement> unscored_;   // labels of pairs that were never scored
};

// Adds the estimates from labels to the facts of a run, and whether they make it credible.
void judge_by_labels(const LabelStrata& strata, const LinkLabels& labels,
                     const RecordLinker& linker, const LinkDecision& decision, LinkFacts& facts);

}  // namespace sosie
