#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/memory_file.h"

namespace sosie {

class Sketches;  // files that sketch() wrote
class Table;     // columns.h

// Everything a run can be told. The members are what the table below fills; a front end sets them
// through set_option() only, so that names, ranges and defaults stand in one place.
struct Options {
  std::vector<std::string> inputs;   // files, folders, glob patterns, "-"
  std::vector<std::string> against;  // inputs of the collection to compare with
  MemoryFiles memory_files;          // some of these paths may be theirs
  // In place of inputs and against (query: of DATA): texts in memory, each called by its number.
  std::shared_ptr<const Table> table;
  std::shared_ptr<const Table> against_table;
  // In place of inputs and against (query: of DATA): what sketch() left of them. dedup() and
  // pairs() take the first from `reuse`; files of sketches in `against`, or named as DATA, become
  // the second.
  std::shared_ptr<const Sketches> sketches;
  std::shared_ptr<const Sketches> against_sketches;

  // Input
  std::string files_from;        // empty, or a file that lists more inputs; "-": standard input
  std::string format;            // empty: by extension
  bool hidden = false;           // hidden files and folders inside of input folders
  std::string delimiter;         // field separator of CSV and TSV; empty: sniffed, or a tab
  std::string quote;             // quote character of CSV; empty: sniffed; "none": no quoting
  std::string escape;            // escape character inside quotes of CSV; empty: doubled quotes
  std::uint64_t skip_lines = 0;  // lines above the header of CSV and TSV, which are no rows
  bool no_header = false;        // CSV and TSV: the first row is a row; fields are called 1, 2, ...
  bool follow = false;           // symbolic links inside of input folders
  std::string encoding;          // empty: UTF-8, or what a byte order mark says; "auto": detected
  std::string column = "text";   // the field that holds the text
  std::string id;                // empty: "id" if the first row has one, else "row"
  std::string ids;               // file of ids for items without; empty: row numbers
  std::string other_ids;         // file of ids for `against` (query: `ids` for DATA, this one for
                                 // INPUT)
  // Of `against` alone (query: of INPUT); empty: as above, unless these stand as they are.
  std::string other_column;
  std::string other_id;
  std::string other_delimiter;
  std::string other_encoding;
  std::string other_skip_lines;
  std::string kind;      // empty: by format
  std::string ratings;   // empty, or how ratings become elements of a set
  std::string group_by;  // empty: a row is an item; else the field that names a row's set
  std::string element;   // then: the field that holds an element of that set
  std::string weight;    // empty, or the field that says how often, or how it is rated
  std::string on_bad_row = "stop";
  std::string rejects;  // empty, or where bad rows go

  // Similarity
  std::string measure = "jaccard";
  std::string bag_union = "max";  // bag-jaccard: multiplicity of an element in the union
  std::string threshold = "0.8";  // kept as written; decided as the exact fraction
  std::string within;             // greatest distance, as written; empty: threshold counts
  std::string shingle = "words:5";
  std::string stopwords;      // empty: English; else a language or a file
  std::string represent;      // empty, or "grid:CELL,...": squares made of points
  std::string ignore_common;  // empty, or the part of the items beyond which a shingle is left out
  std::string tokens = "unicode";
  std::string clean = "none";  // part of a string that is compared
  std::string sketch = "permfill";
  std::string method = "auto";
  std::string filters;  // filters of method exact; empty: all
  std::string recall = "0.99";
  std::string bands;      // empty: the planner's; else "14x8"
  std::string construct;  // a cascade: "and:8,or:14" for bands, "or:1024,and:2"
  std::string family;     // a locality-sensitive family; plan without rows describes it
  std::string probes;     // vertices of a function near a vector; empty: 1
  std::string d1;         // plan --family: distances between which it is to tell
  std::string d2;
  std::string p1;  // plan: probabilities of one function, in place of a family
  std::string p2;
  std::string squares = "3";  // squares that a function of --family grid-triples names
  std::string plan;           // empty, or a plan file
  std::uint64_t seed = 1;
  std::uint64_t audit = 0;  // documents to draw; 0: none

  // Records
  std::string rules;   // empty: chosen from the data; else a file of rules
  bool init = false;   // the rules chosen from the data are the output
  std::string ignore;  // comma-separated fields that are not looked at
  std::string assign;  // empty: as the rules say; likewise the cut
  std::string cut;
  std::string check_by;             // empty, auto, or a field that is not scored
  std::string truth;                // empty, a file of pairs of ids, or column:FIELD
  std::string model;                // file to write the weights to; empty: none
  std::string labels;               // empty, or a file of pairs that a person judged
  std::uint64_t suggest = 0;        // pairs to ask a person about; 0: links are the output
  std::vector<std::string> golden;  // FIELD=RULE of the row that stands for a group

  // Kept rows
  std::string keep = "first";
  std::string clustering = "star";
  std::vector<std::string> reuse;  // pairs or clusters of an earlier run; or sketches, with inputs
  std::string part;                // empty, or I/N: the part of the matching to do
  std::string parts;               // empty, or the folder of parts that are done
  std::string annotate;            // empty, "kept" or "all"

  // Outputs
  std::string output;  // empty: standard output
  std::string removed;
  std::string removed_rows;  // a file, or a folder if it ends in '/'
  std::string clusters;
  std::string pairs;
  std::string stats;
  std::string report;
  std::string svg;
  std::string show;             // comma-separated fields
  std::uint64_t top = 0;        // 0: all
  std::uint64_t top_pairs = 0;  // 0: all
  std::uint64_t limit = 0;      // 0: none
  std::string contained;        // empty, or the part of an item of --against that removes a row
  bool other_stands = false;    // no option: set where a query becomes a join
  bool exclude_self = false;    // rows of DATA with the id of the one asked for
  bool explain_all = false;
  bool verbose = false;        // plan: all that is known
  bool index = false;          // plan: also what an index of the items would take
  bool overwrite = false;      // an output folder that holds something
  bool overwrite_all = false;  // also files of an earlier run there, and saved decisions
  bool passages = false;       // explain: what one text has from the other, in place of the diff
  bool dry_run = false;
  bool fail_if_duplicates = false;

  // Resources
  unsigned threads = 0;                   // 0: the cores this process may use
  std::uint64_t memory_bytes = 0;         // 0: half of RAM, or of the control group's limit
  std::string scratch;                    // empty: $TMPDIR of the front end, else /tmp
  std::uint64_t scratch_limit_bytes = 0;  // 0: none
  std::string checkpoint;                 // empty, or the folder to go on from
  std::string progress = "auto";
  std::string color = "auto";  // explain: the front end decides what auto means
  std::string simd = "auto";   // a kernels' instruction set; stays for the process, any run
  bool quiet = false;
  bool read_only = false;

  // Service
  std::string listen = "127.0.0.1:7860";
  std::string token_file;  // empty: requests need no token
  std::uint64_t max_body_bytes = std::uint64_t{8} << 20;
  std::uint64_t timeout_seconds = 30;
  std::uint64_t max_connections = 1200;
  std::vector<std::string> allow_hosts;
  std::vector<std::string> allow_origins;

  // Names and values given to set_option(), the latest of each name (all values of a list option),
  // so that a report can say how to repeat the run.
  std::vector<std::pair<std::string, std::string>> given;
};

// The verbs, as bits, so that an option can belong to several.
using VerbBit = unsigned;
inline constexpr VerbBit kDedup = 1;
inline constexpr VerbBit kPairs = 2;
inline constexpr VerbBit kPlan = 4;
inline constexpr VerbBit kCluster = 8;
inline constexpr VerbBit kExplain = 16;
inline constexpr VerbBit kQuery = 32;
inline constexpr VerbBit kSketch = 64;
inline constexpr VerbBit kLink = 128;
inline constexpr VerbBit kServe = 512;
inline constexpr VerbBit kDemo = 1024;  // on the command line alone
// Verbs that compare items, or plan a comparison.
inline constexpr VerbBit kComparing = kDedup | kPairs | kQuery | kPlan | kExplain;
// Verbs that read items; cluster reads pairs.
inline constexpr VerbBit kAllVerbs = kComparing | kSketch;

struct Verb {
  std::string_view name;
  std::string_view alias;  // may be empty
  VerbBit bit;
  std::string_view usage;    // operands, as shown behind the name
  std::string_view summary;  // one line
};

enum class OptionType { text, integer, size, fraction, choice, flag, list };  // list: repeatable

// Kinds of items that an option means something for.
struct OptionKinds {
  unsigned mask = ~0U;        // a bit for each kind, in the order of the values of --kind
  std::string_view reason{};  // why others have no use for it: "they have no text"
};

// A value that an option takes by name.
struct OptionWord {
  std::string shown;               // "cosine", "minkowski:R"
  std::vector<std::string> usual;  // typed values: "cosine"; "minkowski:1.5", "minkowski:3", ...
};

// A row of the table of options. Front ends make flags, keywords, help and documentation from it.
struct OptionRow {
  std::string_view name;   // "on-bad-row"; the Python keyword is on_bad_row
  std::string_view alias;  // another name for the same, or empty
  char letter;             // 'o' for -o, or 0
  OptionType type;
  std::string_view metavar;       // "N", "FILE"; empty for flags
  std::string_view default_text;  // default as documented; empty: none
  std::string_view choices;       // "stop|skip|keep" for a choice; else a range in words, or empty
  unsigned verbs;                 // VerbBit
  std::string_view group;         // heading in the documentation
  std::string_view help;          // one line
  void (*set)(Options& options, std::string_view value);
  std::string_view implied = {};  // value meant by `--name` alone; empty: a value must follow
  // The values that it takes by name, out of the table that has them; null: `choices` says them.
  std::vector<OptionWord> (*words)() = nullptr;
  OptionKinds kinds = {};
};

[[nodiscard]] std::span<const Verb> verb_table() noexcept;
[[nodiscard]] std::span<const OptionRow> option_table() noexcept;
// By name or alias; nullptr when there is none.
[[nodiscard]] const OptionRow* find_option(std::string_view name) noexcept;

// Sets one option from text, checked: Error{invalid_option} names option, value and what is
// expected. A flag takes "true" or "false".
void set_option(Options& options, std::string_view name, std::string_view value);

// One line that helps who typed `name`, which is no option (of this verb): the nearest name, or
// what another tool's option is called here. Empty when nothing is near.
[[nodiscard]] std::string option_hint(std::string_view name, unsigned verb);

}  // namespace sosie
