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

// Where a run is: `done` of `total` units of `stage` ("reading" counts bytes, the others items). A
// total of 0: nobody knows how long it is.
struct Progress {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// Decisions of dedup() by row of the run; rows of --against are not among them.
struct RowDecisions {
  static constexpr std::uint64_t kAgainst = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};  // removed by options.reuse alone
  static constexpr std::uint64_t kLeftOut = kNobody - 1;       // a bad row (options.on_bad_row)
  std::vector<std::uint64_t> survivor;  // the row itself if it is kept; with kAgainst added: that
                                        // row of --against
  std::vector<double> similarity;       // to the survivor; 1 for kept rows
  std::vector<bool> identical;          // removed as the same normalised text
};

// Pairs that pairs() found: row numbers, sorted by (left, right); with --against, right is a row of
// it.
struct RowPairs {
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<double> similarity;
};

// Groups that cluster() found: the members of groups of two or more, groups in the order of their
// survivors.
struct ItemGroups {
  std::vector<std::string> id;
  std::vector<std::string> survivor;  // survivor of the group, which may be the item itself
  std::vector<std::uint64_t> size;    // rows of the group
};

// Callbacks and buffers that a caller may give to a run. All members are optional.
struct RunHooks {
  // Filled by dedup() and pairs() if they are there; pairs() then writes no table to
  // result_descriptor.
  RowDecisions* decisions = nullptr;
  RowPairs* pairs = nullptr;
  // Filled by cluster() if it is there, which then writes no table to result_descriptor.
  ItemGroups* groups = nullptr;
  // Called now and then, by one thread at a time; must not throw.
  std::function<void(const Progress&)> on_progress;
  // One line meant for the user while the run goes on (an estimate, a warning), without line end.
  std::function<void(std::string_view)> on_message;
  // Set it to true from anywhere (a signal handler too) and the run ends with Error{cancelled}.
  const std::atomic<bool>* cancel = nullptr;
  // Who reads and writes Parquet and Arrow IPC; null: installed_table_files().
  const TableFiles* table_files = nullptr;
  // Where results go that no file was named for, and where input `-` comes from.
  int result_descriptor = 1;
  int input_descriptor = 0;
};

// Result of a run: its summary and its counts.
struct RunReport {
  std::uint64_t rows = 0;     // read
  std::uint64_t kept = 0;     // dedup: rows written
  std::uint64_t removed = 0;  // dedup: rows left out as duplicates
  std::uint64_t pairs = 0;    // pairs, query: pairs written
  // --audit: even the upper end of the measured recall's interval is below options.recall.
  bool audit_below_recall = false;
  std::string stats = {};                 // dedup, pairs: the summary as JSON
  std::string value_name = "similarity";  // or "distance": what pairs and decisions are told by
  std::string summary;                    // the text a command line shows, lines ended by '\n'
};

// Keeps one of each group of near-duplicate rows: writes the kept rows byte for byte and in input
// order to options.output, and the side files that options name. Star clustering in rank order:
// every removed row was verified to be similar to the survivor it is listed with, and no two
// survivors are a found pair. Outputs appear under their names only when complete. Errors: see
// sosie/error.h. Source: MMDS chapter 3; docs/decisions.
RunReport dedup(const Options& options, const RunHooks& hooks = {});

// Writes every pair of rows whose similarity reaches options.threshold (left, right, similarity),
// each once, sorted by (left, right) in input order. With method lsh a pair at the threshold is
// found with probability options.recall, with brute always.
RunReport pairs(const Options& options, const RunHooks& hooks = {});

// Looks up items similar to each item of options.inputs[1 ..] (none: "-") in options.inputs[0],
// which options.files_from does not name. Writes the hits of one item together, items in input
// order and their hits best first (left: the item asked for, right: of inputs[0], similarity);
// report.pairs counts them. Same promise of recall as pairs().
RunReport query(const Options& options, const RunHooks& hooks = {});

// Groups the items of a pairs file (options.inputs: one .tsv, .csv or .jsonl with the columns left,
// right and similarity, or "-" for TSV) and writes them as dedup writes options.clusters: id,
// cluster_id, kept, size. Without a given threshold all pairs of the file count. Groups of a file
// that pairs() wrote equal the groups of dedup() with keep first.
RunReport cluster(const Options& options, const RunHooks& hooks = {});

// Writes the contribution of a shard to a run over all shards, for machines that share files but
// not memory: reads options.inputs as dedup() would with options.plan, which must be given, and
// writes signatures, hashes and places of its rows, no text, to options.output. dedup() and pairs()
// take such files as options.reuse (further ones as options.inputs) or options.against, query() as
// DATA, and give the bytes of a run over the inputs; these must still be there, unchanged. Throws
// Error{malformed_input} for damaged sketches and changed inputs; Error{invalid_option} where
// sketches of different plans come together. Format: docs/formats/sketches.md.
RunReport sketch(const Options& options, const RunHooks& hooks = {});

// Says (report.summary, and into options.output if it is named) why the rows called left_id and
// right_id are or are not near-duplicates: similarity, containment, shared and unshared shingles,
// whether dedup() on the same inputs and options takes them for a candidate pair, what it does with
// each, and their words side by side. With options.against, left_id is looked for among the rows of
// the inputs and then of OTHER, right_id the other way round; "a:ID" is a row of the inputs alone,
// "b:ID" one of OTHER. Throws Error{malformed_input} for an id that no row has.
RunReport explain(const Options& options, const std::string& left_id, const std::string& right_id,
                  const RunHooks& hooks = {});

// Says what would be run and why (report.summary): method, bands, expected recall, S-curve; with
// inputs for them, and what time and space it takes. options.output saves the plan as JSON.
RunReport plan(const Options& options, const RunHooks& hooks = {});

}  // namespace sosie
