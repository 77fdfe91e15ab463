#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

namespace sosie {

class TableFiles;  // sosie/table_files.h

// Progress of a run: `done` of `total` units of the stage are finished. Units are bytes for the
// stage "reading" and items for the other stages. A total of 0 means that it is unknown.
struct Progress {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// The decision of dedup() on each row of the run; rows of --against are not included.
struct RowDecisions {
  static constexpr std::uint64_t kAgainst = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};  // removed by options.reuse alone
  static constexpr std::uint64_t kLeftOut = kNobody - 1;       // a bad row (options.on_bad_row)
  std::vector<std::uint64_t> survivor;  // the row itself if it is kept; for a row of --against, its
                                        // number plus kAgainst
  std::vector<double> similarity;       // to the survivor; 1 for kept rows
  std::vector<bool> identical;          // removed because its normalised text is the same
};

// Result of pairs(): row numbers, sorted by (left, right). With --against, `right` is a row of
// OTHER.
struct RowPairs {
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<double> similarity;
};

// Result of cluster(): the members of all groups of two or more items, group by group in the order
// of their survivors.
struct ItemGroups {
  std::vector<std::string> id;
  std::vector<std::string> survivor;  // survivor of the group, possibly the item itself
  std::vector<std::uint64_t> size;    // rows of the group
};

// Callbacks and buffers for a run. All members are optional.
struct RunHooks {
  // Unless null, filled in by dedup() and pairs(); pairs() then writes no table to
  // result_descriptor.
  RowDecisions* decisions = nullptr;
  RowPairs* pairs = nullptr;
  // Unless null, filled in by cluster(), which then writes no table to result_descriptor.
  ItemGroups* groups = nullptr;
  // Called from time to time, by only one thread at a time; must not throw.
  std::function<void(const Progress&)> on_progress;
  // Called during the run with each line for the user (an estimate, a warning), without a line end.
  std::function<void(std::string_view)> on_message;
  // Setting it to true, even in a signal handler, stops the run with Error{cancelled}.
  const std::atomic<bool>* cancel = nullptr;
  // Reads and writes Parquet and Arrow IPC files; null: installed_table_files().
  const TableFiles* table_files = nullptr;
  // File descriptors: for results without a named output file, and for input `-`.
  int result_descriptor = 1;
  int input_descriptor = 0;
};

// Result of a run: its summary and its counts.
struct RunReport {
  std::uint64_t rows = 0;     // rows that were read
  std::uint64_t kept = 0;     // dedup: rows written
  std::uint64_t removed = 0;  // dedup: rows removed as duplicates
  std::uint64_t pairs = 0;    // pairs, query: pairs written
  // --audit: the whole interval of the measured recall is below options.recall.
  bool audit_below_recall = false;
  std::string stats = {};                 // dedup, pairs: the summary as JSON
  std::string value_name = "similarity";  // or "distance"; of pairs and decisions
  std::string summary;                    // text for a command line, with '\n' after each line
};

// Keeps one row of each group of near-duplicates. Writes the kept rows to options.output, unchanged
// and in input order, and the side files that the options name. Uses star clustering in rank order:
// every removed row has been verified to be similar to its survivor, and no found pair consists of
// two survivors. An output file appears under its name only once it is complete. Errors: see
// sosie/error.h. Source: MMDS chapter 3; docs/decisions.
RunReport dedup(const Options& options, const RunHooks& hooks = {});

// Writes every pair of rows whose similarity reaches options.threshold as (left, right,
// similarity), each pair once, sorted by (left, right) in input order. Method brute finds every
// pair; method lsh finds a pair exactly at the threshold with probability options.recall.
RunReport pairs(const Options& options, const RunHooks& hooks = {});

// Looks up each item of options.inputs[1 ..] (if there are none: "-") in DATA, options.inputs[0],
// which cannot come from options.files_from. Writes the hits (left: the item looked up, right: the
// item of DATA, similarity), grouped by left item in input order, best first; report.pairs is their
// number. Recall is as for pairs().
RunReport query(const Options& options, const RunHooks& hooks = {});

// Groups the items in a pairs file (options.inputs: one .tsv, .csv or .jsonl file with the columns
// left, right and similarity, or "-" for TSV). The output has the columns of dedup()'s
// options.clusters: id, cluster_id, kept, size. Unless a threshold is given, all pairs count. For a
// file written by pairs(), the groups are the same as those that dedup() makes with keep first.
RunReport cluster(const Options& options, const RunHooks& hooks = {});

// Writes a shard's contribution to a run over all shards, for machines that share files but not
// memory. Reads options.inputs as dedup() does with options.plan, which is required, and writes the
// signatures, hashes and places of the rows, but not their text, to options.output. dedup() and
// pairs() accept such files as options.reuse (further files as options.inputs) or options.against,
// query() as DATA. The results are byte-identical to a run over the inputs, which must still exist
// unchanged. Throws Error{malformed_input} for damaged sketches and changed inputs, and
// Error{invalid_option} for sketches made with different plans. Format: docs/formats/sketches.md.
RunReport sketch(const Options& options, const RunHooks& hooks = {});

// Explains in report.summary, and in options.output if it is named, why the rows left_id and
// right_id are or are not near-duplicates. Shows their similarity and containment, the shingles
// that they share and do not share, whether dedup() with the same inputs and options makes them a
// candidate pair, its decision on each of the two, and their words side by side. With
// options.against, left_id is looked for first in the inputs, then in OTHER; right_id first in
// OTHER. "a:ID" selects a row of the inputs, "b:ID" a row of OTHER. Throws Error{malformed_input}
// for an unknown id.
RunReport explain(const Options& options, const std::string& left_id, const std::string& right_id,
                  const RunHooks& hooks = {});

// Reports in report.summary which run is planned and why: method, bands, expected recall, S-curve.
// If there are inputs, the plan is made for them and includes the expected time and space.
// options.output saves the plan as JSON.
RunReport plan(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
