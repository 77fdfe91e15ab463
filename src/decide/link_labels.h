#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "data/judgements.h"
#include "decide/truth_pairs.h"
#include "read/table_reader.h"

namespace sosie {

// Pairs of a file that a person has labelled.
struct LinkLabels {
  std::vector<Judgement> pairs = {};  // by (left, right), each once
  std::uint64_t matches = 0;          // pairs labelled 1
  std::uint64_t open = 0;             // rows without a label
  // Pairs labelled 0 whose records labels of 1 make one entity, over other records.
  std::uint64_t against_chains = 0;

  // True if the labels can tell where matches end.
  [[nodiscard]] bool are_of_both_kinds() const noexcept {
    return matches > 0 && matches < pairs.size();
  }
};

// Reads a table with the columns left, right (ids) and label (1: one entity, 0: two; 1.0, 0.0;
// true, false). Right records are numbered behind the left ones; within one collection a pair may
// come in either order. Rows without a label are counted. Throws Error{malformed_input} that names
// the line: for an id that no record has, another label, a record paired with itself, and a pair
// with two labels.
[[nodiscard]] LinkLabels read_labels(TableReader& table, const NamedRecords& records,
                                     const std::atomic<bool>* cancel);

// Decisions of a person on the links of an earlier run.
struct LinkDecisions {
  Judgements known = {};
  std::uint64_t accepted = 0;  // pairs, or records in groups of two or more
  std::uint64_t rejected = 0;  // pairs, or records on their own
  std::uint64_t open = 0;      // rows without a decision
};

// Reads the decisions of a table. Pairs: left, right, and decision (accepted, rejected) or label;
// without either every pair is accepted, such as in a file of links from which some were deleted.
// Groups, of one collection alone: id, cluster_id, as a review of a saved run exports them; records
// of one cluster_id are one entity, of two they are two, and without one they are open; a record on
// its own counts only where there is a column kept. Throws as read_labels() does, and for a record
// that is listed twice.
[[nodiscard]] LinkDecisions read_link_decisions(TableReader& table, const NamedRecords& records,
                                                const std::atomic<bool>* cancel);

// Adds labels to decisions, which win. Returns the number of labels that contradict one.
std::uint64_t add_labels(const LinkLabels& labels, Judgements& decided);

}  // namespace sosie
