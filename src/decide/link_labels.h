#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "data/judgements.h"
#include "decide/truth_pairs.h"
#include "read/table_reader.h"

namespace sosie {

// The pairs in a file that a person has labelled.
struct LinkLabels {
  std::vector<Judgement> pairs = {};  // by (left, right), without duplicates
  std::uint64_t matches = 0;          // pairs labelled 1
  std::uint64_t open = 0;             // rows without a label
  // Pairs labelled 0, although labels of 1 connect their records through other records.
  std::uint64_t against_chains = 0;

  // True if there are labels of both kinds, which are needed to choose a cut.
  [[nodiscard]] bool are_of_both_kinds() const noexcept {
    return matches > 0 && matches < pairs.size();
  }
};

// Reads a table with the columns left and right (ids) and label (1: same entity, 0: different
// entities; also 1.0, 0.0, true, false). Right records are numbered after left ones; within a
// single collection, the records of a pair may be in either order. Rows without a label are
// counted. Throws Error{malformed_input} with the line for an unknown id, any other label, a record
// paired with itself, and a pair with two labels.
[[nodiscard]] LinkLabels read_labels(TableReader& table, const NamedRecords& records,
                                     const std::atomic<bool>* cancel);

// A person's decisions on the links of an earlier run.
struct LinkDecisions {
  Judgements known = {};
  std::uint64_t accepted = 0;  // pairs, or records in groups of two or more
  std::uint64_t rejected = 0;  // pairs, or records on their own
  std::uint64_t open = 0;      // rows without a decision
};

// Reads a table of decisions. Pairs have the columns left, right, and decision (accepted, rejected)
// or label; without decision and label, every pair is accepted, as in a file of links from which a
// person has deleted some. Groups, for a single collection only, have the columns id and
// cluster_id, as exported from the review of a saved run: records with the same cluster_id are the
// same entity, records with different cluster_ids are different entities, and records without one
// are open. A record on its own counts only if there is a column kept. Throws as read_labels()
// does, and for a record that is listed twice.
[[nodiscard]] LinkDecisions read_link_decisions(TableReader& table, const NamedRecords& records,
                                                const std::atomic<bool>* cancel);

// Adds labels to decisions. If they contradict each other, the decision wins; returns the number of
// such labels.
std::uint64_t add_labels(const LinkLabels& labels, Judgements& decided);

}  // namespace sosie
