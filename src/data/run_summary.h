#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/input_notes.h"
#include "data/method_name.h"
#include "data/record.h"

namespace sosie {

// Share of the sampled documents' true pairs that satisfy the run's candidate rule, with an
// estimate for all pairs.
struct RecallEstimate {
  std::uint64_t true_pairs = 0;
  std::uint64_t found_pairs = 0;
  double recall = 1;
  double low = 0;  // 95 % interval
  double high = 1;
};

// Results of `--audit` (decide/audit.h).
struct AuditFacts {
  std::uint64_t sampled = 0;    // documents compared with all others
  std::uint64_t documents = 0;  // that take part
  RecallEstimate all;           // pairs at or above the threshold
  RecallEstimate slice;         // recall of the pairs between the threshold and slice_end
  double slice_end = 1;         // threshold + 0.05; for distances, 0.95 times the bound
  std::uint64_t reported = 0;   // reported pairs that contain a sampled document
  std::uint64_t reported_true = 0;
  double asked = 0;           // --recall
  bool enough = false;        // there are enough true pairs for an answer
  bool below_recall = false;  // even the upper end of the interval is below --recall
  double seconds = 0;
};

// Counts of an exact join: first the postings of the prefix index that remain after each filter, in
// the order in which filters are applied; then pairs.
struct JoinCounts {
  std::uint64_t indexed = 0;  // postings in the index
  std::uint64_t length = 0;
  std::uint64_t position = 0;
  std::uint64_t suffix = 0;
  std::uint64_t signature = 0;
  std::uint64_t verified = 0;  // pairs compared token by token
  std::uint64_t pairs = 0;     // found
};

// Counts for an input (a file or a top-level folder), or for all inputs together.
struct InputCounts {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t words = 0;  // tokens: words, or code points for chars:k
  std::uint64_t rows = 0;
  std::uint64_t kept = 0;
  std::uint64_t identical = 0;   // removed: equal to the kept row
  std::uint64_t near = 0;        // removed: similar, but not equal
  std::uint64_t empty = 0;       // rows without a shingle: kept, match nothing
  std::uint64_t skipped = 0;     // bad rows left out (--on-bad-row skip)
  std::uint64_t unmatched = 0;   // bad rows passed through (--on-bad-row keep)
  std::uint64_t bad_lines = 0;   // lines of bad rows, possibly many after a stray quote
  std::uint64_t ill_formed = 0;  // rows that are invalid in their encoding
  std::uint64_t blank_lines = 0;
  std::uint64_t headers = 0;     // lines and records about other rows, in formats that have them
  std::uint64_t short_rows = 0;  // too short: one replaced word misses the threshold
};

struct FileInEncoding {
  std::string name;
  std::string encoding;
};

// A CSV file with a dialect other than commas and double quotes.
struct FileInDialect {
  std::string name;
  Dialect dialect;
  std::string text;  // the dialect in words
};

struct LargestGroup {
  std::uint64_t rows = 0;
  std::string id;
  std::string line;  // first line of the survivor's text
};

// Counts for --against. Its rows are used only for comparison and are not counted anywhere else.
struct AgainstCounts {
  bool given = false;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::uint64_t removed = 0;  // dedup: the run's rows that are similar to its rows
  std::uint64_t bad = 0;      // unreadable rows, with which nothing was compared
};

// The method that was used, and the recall that it guarantees.
struct MethodFacts {
  Method method = {};
  std::string line = {};    // in words, without the recall
  std::string reused = {};  // the file of --reuse; empty: rows were compared by `method`
  int bands = 0;
  int rows = 0;
  int components = 0;  // minhashes
  int filter_agreements = 0;
  double segment = 0;                         // length of segments; 0: no segments
  double probes = 1;                          // average number of vertices per function
  int sketch_bits = 0;                        // 0: no sketch
  int most_different = 0;                     // maximum number of differing bits
  std::string construct = {};                 // a cascade that is not a banding
  std::string family = {};                    // family of a cascade of sets
  int squares = 0;                            // squares named by a function; 0: none
  std::optional<double> expected_recall = 1;  // nullopt: the threshold does not determine it

  [[nodiscard]] bool is_reuse() const noexcept { return !reused.empty(); }
  [[nodiscard]] bool is_of(Method one) const noexcept { return !is_reuse() && method == one; }
  [[nodiscard]] std::string_view name() const noexcept {
    return is_reuse() ? "reuse" : method_name(method);
  }
};

// Pages made from the same template: rows that share large buckets, whether or not they are
// similar.
struct TemplateFacts {
  std::uint64_t rows = 0;
  bool may_be_more = false;      // not all rows were compared at the same time
  double common = 0;             // mean share of a page's shingles that half of the pages have
  std::string passage;           // the longest run of such shingles, normalised
  std::uint64_t candidates = 0;  // candidates with which their rows were compared
};

struct DamagedFile {
  std::string name;
  std::string reason;
};

// Everything shown in the summary and in --stats.
struct RunSummary {
  VerbBit verb{};
  bool removes_holders = false;  // --contained: removed rows contain an item of --against
  KindBit kind{};                // kind of the items
  std::size_t dimension = 0;     // components of a vector or bits of a string
  std::string components;        // component type: "float32", "bit"; empty for sets
  std::string measure;
  std::string threshold;      // threshold or maximum distance as written; empty: none
  bool is_similarity = true;  // true if pairs are listed with a similarity
  std::string within;         // maximum distance of sets; empty: a threshold was given
  bool lowered = false;       // the threshold was lowered as far as necessary
  std::string shingle;
  std::string ignore_common;   // --ignore-common, as written; empty: not used
  std::uint64_t left_out = 0;  // shingles left out because they are too common
  std::string tokens;
  std::string recall;
  std::uint64_t seed = 0;
  MethodFacts method;
  InputCounts total;
  std::vector<InputCounts> inputs;
  AgainstCounts against;
  std::vector<FileInEncoding> encodings;  // files that are not UTF-8
  std::vector<FileInDialect> dialects;
  InputNotes notes;
  std::vector<DamagedFile> damaged;  // compressed inputs that were read up to the damage
  std::string number_like;           // value of --keep that counts as text but looks like a number
  std::uint64_t groups = 0;          // groups of two or more rows
  LargestGroup largest;
  std::optional<std::uint64_t> unverified_extra;  // additional removals without verification
  std::uint64_t short_limit = 0;                  // words; 0: no row is too short
  std::uint64_t candidates = 0;
  std::uint64_t verified = 0;
  std::vector<TemplateFacts> templates;  // most expensive first
  std::optional<JoinCounts> join;        // counts of method exact
  std::uint64_t pairs = 0;
  std::uint64_t rows_with_pairs = 0;  // query: rows with a hit
  std::optional<AuditFacts> audit;
  std::string output;
  bool dry_run = false;
  bool all_written = false;  // --annotate all: removed rows are also written
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t scratch_bytes = 0;
  unsigned threads = 1;
};

}  // namespace sosie
