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

// Progress of a run: `done` of `total` units of `stage` ("reading" counts bytes, other stages count
// items). A total of 0 is unknown.
struct Progress {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// Decisions of dedup() by row of the run, without the rows of --against.
struct RowDecisions {
  static constexpr std::uint64_t kAgainst = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};  // removed only by options.reuse
  static constexpr std::uint64_t kLeftOut = kNobody - 1;       // a bad row (options.on_bad_row)
  std::vector<std::uint64_t> survivor;  // the row itself if it is kept; plus kAgainst for a row of
                                        // --against
  std::vector<double> similarity;       // to the survivor; 1 for kept rows
  std::vector<bool> identical;          // removed as the same normalised text
};

// Result of pairs(): row numbers, sorted by (left, right); with --against, right is a row of
// --against.
struct RowPairs {
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<double> similarity;
};

// Result of cluster(): members of groups of two or more, with groups in the order of their
// survivors.
struct ItemGroups {
  std::vector<std::string> id;
  std::vector<std::string> survivor;  // survivor of the group, possibly the item itself
  std::vector<std::uint64_t> size;    // rows of the group
};

// Callbacks and buffers for a run. All members are optional.
struct RunHooks {
  // Filled by dedup() and pairs() unless null; pairs() then writes no table to result_descriptor.
  RowDecisions* decisions = nullptr;
  RowPairs* pairs = nullptr;
  // Filled by cluster() unless null; cluster() then writes no table to result_descriptor.
  ItemGroups* groups = nullptr;
  // Called periodically, by one thread at a time; must not throw.
  std::function<void(const Progress&)> on_progress;
  // Receives one line for the user during the run (an estimate, a warning), without line end.
  std::function<void(std::string_view)> on_message;
  // Setting it to true, even in a signal handler, stops the run with Error{cancelled}.
  const std::atomic<bool>* cancel = nullptr;
  // Reader and writer of Parquet and Arrow IPC; null: installed_table_files().
  const TableFiles* table_files = nullptr;
  // File descriptors for results without a named file, and for input `-`.
  int result_descriptor = 1;
  int input_descriptor = 0;
};

// Result of a run: its summary and its counts.
struct RunReport {
  std::uint64_t rows = 0;     // read
  std::uint64_t kept = 0;     // dedup: rows written
  std::uint64_t removed = 0;  // dedup: rows removed as duplicates
  std::uint64_t pairs = 0;    // pairs, query: pairs written
  // --audit: the whole interval of the measured recall is below options.recall.
  bool audit_below_recall = false;
  std::string stats = {};                 // dedup, pairs: the summary as JSON
  std::string value_name = "similarity";  // or "distance"; of pairs and decisions
  std::string summary;                    // text for a command line, with '\n' after each line
};

// Keeps one row of each group of near-duplicates. Writes the kept rows byte for byte and in input
// order to options.output, and the side files named by options. Star clustering in rank order: each
// removed row is verified to be similar to its survivor, and no two survivors are a found pair.
// Outputs get their names only when complete. Errors: see sosie/error.h. Source: MMDS chapter 3;
// docs/decisions.
RunReport dedup(const Options& options, const RunHooks& hooks = {});

// Writes every pair of rows whose similarity reaches options.threshold (left, right, similarity),
// once each, sorted by (left, right) in input order. Method lsh finds a pair at the threshold with
// probability options.recall, brute always.
RunReport pairs(const Options& options, const RunHooks& hooks = {});

// Looks up items similar to each item of options.inputs[1 ..] (none: "-") in options.inputs[0],
// which options.files_from cannot name. Writes hits (left: item looked up, right: item of
// inputs[0], similarity) grouped by item in input order, best first; report.pairs counts them.
// Recall is as for pairs().
RunReport query(const Options& options, const RunHooks& hooks = {});

// Groups the items of a pairs file (options.inputs: one .tsv, .csv or .jsonl with the columns left,
// right and similarity, or "-" for TSV). Writes them like options.clusters of dedup(): id,
// cluster_id, kept, size. Without a given threshold, all pairs count. Groups of a file written by
// pairs() equal the groups of dedup() with keep first.
RunReport cluster(const Options& options, const RunHooks& hooks = {});

// Writes the contribution of a shard to a run over all shards, for machines that share files but
// not memory. Reads options.inputs as dedup() does with options.plan, which is required. Writes the
// signatures, hashes and places of its rows, without text, to options.output. dedup() and pairs()
// accept such files as options.reuse (further ones as options.inputs) or options.against, query()
// as DATA. Their output has the bytes of a run over the inputs, which must still exist unchanged.
// Throws Error{malformed_input} for damaged sketches and changed inputs, Error{invalid_option} for
// sketches of different plans. Format: docs/formats/sketches.md.
RunReport sketch(const Options& options, const RunHooks& hooks = {});

// Explains (in report.summary and, if named, options.output) why the rows left_id and right_id are
// or are not near-duplicates: similarity, containment, shared and unshared shingles, whether
// dedup() on the same inputs and options makes them a candidate pair, its decision on each, and
// their words side by side. With options.against, left_id is sought first in the inputs, then in
// OTHER; right_id first in OTHER. "a:ID" selects a row of the inputs, "b:ID" a row of OTHER. Throws
// Error{malformed_input} for an unknown id.
RunReport explain(const Options& options, const std::string& left_id, const std::string& right_id,
                  const RunHooks& hooks = {});

// Reports the planned run and the reasons for it (report.summary): method, bands, expected recall,
// S-curve. With inputs, plans for them and adds the expected time and space. options.output saves
// the plan as JSON.
RunReport plan(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
