#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/judgements.h"
#include "data/label_basis.h"
#include "decide/judge_by_labels.h"
#include "verbs/link/link_decision.h"

namespace sosie {

// Position of a scored pair in an answer.
enum class Standing : std::uint8_t {
  beside,
  linked,
  // Not linked, but the best pair of a record without a link: within a single collection, of both
  // its records; with two collections, of its record in the smaller collection.
  nearest,
};

// Standings of the scored pairs of a decision, in their order. O(scored log links).
[[nodiscard]] std::vector<Standing> standings_of(const LinkDecision& decision,
                                                 const RecordTable& table);

// The scored pairs of a link run, divided into strata by probability and by standing in a decision
// made without labels. In each stratum, labelled pairs represent the others.
class LabelStrata {
 public:
  // `free`: a decision made without labels. Holds 16 bytes per scored pair and, within a single
  // collection, 4 bytes per record.
  LabelStrata(const LinkDecision& free, const RecordTable& table);

  // Describes the answer of a decision, which may use labels. `facts` must contain the model's
  // estimate.
  [[nodiscard]] LabelBasis basis_of(const LinkDecision& decision, const RecordLinker& linker,
                                    const LinkFacts& facts) const;
  // The labels with the strata of their pairs.
  [[nodiscard]] std::vector<LabelledPair> labelled(std::span<const Judgement> labels,
                                                   const LinkDecision& decision,
                                                   const RecordLinker& linker) const;
  // The pair's position in the basis.
  [[nodiscard]] std::size_t place_of(const RecordPair& pair) const;

  // Stratum of a scored pair, below kStrata.
  [[nodiscard]] static std::size_t stratum_of(double probability, Standing standing);
  static constexpr std::size_t kStrata = 36;
  static constexpr std::uint64_t kBytesOfPair = 16;

 private:
  struct Scored {
    RecordPair pair;
    float probability = 0;
    std::uint8_t stratum = 0;
  };

  [[nodiscard]] const Scored* find(const RecordPair& pair) const;

  std::vector<Scored> scored_;                 // by (left, right)
  std::vector<PairStratum> strata_;            // without links
  std::vector<std::uint32_t> first_of_group_;  // by record of a single collection
};

// Adds an estimate from labels to the facts of a run, and whether it makes the run trustworthy.
void add_label_estimate(const LabelBasis& basis, std::span<const LabelledPair> labels,
                        LinkFacts& facts);

}  // namespace sosie
