#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sosie/memory_file.h"

namespace sosie {

class Sketches;  // files written by sketch()
class Table;     // columns.h

// One or more verbs, or kinds of items, as bits. They are separate types, like std::byte, so that
// names and numbers cannot be passed by mistake.
enum class VerbBit : unsigned {};
enum class KindBit : unsigned {};  // data/kinds.h has the kinds

template <typename Bit>
concept MaskBit = std::is_same_v<Bit, VerbBit> || std::is_same_v<Bit, KindBit>;

template <MaskBit Bit>
[[nodiscard]] constexpr Bit operator|(Bit a, Bit b) noexcept {
  return static_cast<Bit>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
template <MaskBit Bit>
[[nodiscard]] constexpr Bit operator&(Bit a, Bit b) noexcept {
  return static_cast<Bit>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
template <MaskBit Bit>
[[nodiscard]] constexpr Bit operator~(Bit bits) noexcept {
  return static_cast<Bit>(~static_cast<unsigned>(bits));
}
// True if one of `bits` is among `all`.
template <MaskBit Bit>
[[nodiscard]] constexpr bool has_any(Bit all, Bit bits) noexcept {
  return (all & bits) != Bit{};
}

// The way to candidate pairs.
enum class Method : std::uint8_t { automatic, lsh, exact, brute };

// All options of a run. Front ends set the members only through set_option() and the table below,
// so that each name, range and default is defined in one place.
struct Options {
  std::vector<std::string> inputs;   // files, folders, glob patterns, "-"
  std::vector<std::string> against;  // inputs of the collection to compare with
  MemoryFiles memory_files;          // contents of some of these paths
  // Texts in memory instead of inputs and against (query: of DATA); row numbers are the ids.
  std::shared_ptr<const Table> table;
  std::shared_ptr<const Table> against_table;
  // Sketches instead of inputs and against (query: of DATA). dedup() and pairs() load the sketches
  // of the inputs from `reuse` and the sketches of the other collection from files in `against` or
  // DATA.
  std::shared_ptr<const Sketches> sketches;
  std::shared_ptr<const Sketches> against_sketches;

  // Input
  std::string files_from;        // empty, or a file that lists more inputs; "-": standard input
  std::string format;            // empty: by extension
  bool hidden = false;           // also read hidden files and folders in input folders
  bool follow = false;           // follow symbolic links in input folders
  bool no_header = false;        // CSV and TSV: the first line is a row; fields are 1, 2, ...
  std::string delimiter;         // field separator of CSV and TSV; empty: sniffed, or a tab
  std::string quote;             // quote character of CSV; empty: sniffed; "none": no quoting
  std::string escape;            // escape character of CSV; empty: quotes are doubled
  std::uint64_t skip_lines = 0;  // lines to skip above the header of CSV and TSV
  std::string encoding;          // empty: UTF-8, or by byte order mark; "auto": detected
  std::string column = "text";   // field that holds the text
  std::string id;                // empty: "id" if the first row has one, else "row"
  std::string ids;               // file of ids for items without; empty: row numbers
  std::string other_ids;         // file of ids for `against` (query: `ids` for DATA, this one for
                                 // INPUT)
  // For `against` only (query: INPUT); empty: as above, unless other_stands.
  std::string other_format;
  std::string other_column;
  std::string other_id;
  std::string other_delimiter;
  std::string other_encoding;
  std::string other_skip_lines;
  KindBit kind{};        // none: by format
  std::string ratings;   // empty, or how ratings become elements of a set
  std::string group_by;  // field that names the set of a row; empty: each row is an item
  std::string element;   // with group_by: field that holds an element of that set
  std::string weight;    // empty, or the field with the count or rating of the element
  std::string on_bad_row = "stop";
  std::string rejects;  // empty, or file for bad rows

  // Similarity
  std::string measure = "jaccard";
  std::string bag_union = "max";  // bag-jaccard: how often an element counts in the union
  std::string threshold = "0.8";  // compared as the exact fraction written
  std::string within;             // maximum distance, as written; empty: threshold applies
  std::string shingle = "words:5";
  std::string stopwords;      // empty: English; else a language or a file
  std::string represent;      // empty, or "grid:CELL,...": turns points into squares
  std::string ignore_common;  // empty, or share of the items above which a shingle is ignored
  std::string tokens = "unicode";
  std::string clean = "none";  // cleaning of strings before comparison
  std::string sketch = "permfill";
  Method method = Method::automatic;
  std::string filters;  // filters of method exact; empty: all
  std::string recall = "0.99";
  std::string bands;      // empty: planned; else "14x8"
  std::string construct;  // a cascade: "and:8,or:14" for bands, "or:1024,and:2"
  std::string family;     // a locality-sensitive family; plan without rows describes it
  std::string probes;     // vertices of a function near a vector; empty: 1
  std::string d1;         // plan --family: near and far distance
  std::string d2;
  std::string p1;  // plan: probabilities of one function, instead of a family
  std::string p2;
  std::string squares = "3";  // squares per function of --family grid-triples
  std::string plan;           // empty, or a plan file
  std::uint64_t seed = 1;
  std::uint64_t audit = 0;  // number of sampled documents; 0: none

  // Records
  std::string rules;   // file of rules; empty: chosen from the data
  std::string ignore;  // comma-separated fields to ignore
  std::string assign;  // assign, cut: empty: from the rules
  std::string cut;
  std::string check_by;             // empty, auto, or a field to hold out of the score
  std::string truth;                // empty, a file of pairs of ids, or column:FIELD
  std::string model;                // file to write the weights to; empty: none
  std::string labels;               // empty, or a file of pairs judged by a person
  std::uint64_t suggest = 0;        // pairs for a person to judge; 0: output links
  std::vector<std::string> golden;  // FIELD=RULE for the merged row of a group

  // Kept rows
  std::string keep = "first";
  std::string clustering = "star";
  std::vector<std::string> reuse;  // pairs or clusters of an earlier run; or sketches
  std::string part;                // empty, or I/N: part of the matching to run
  std::string parts;               // empty, or folder of finished parts
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
  std::string contained;        // empty, or share of an item of --against that removes a row
  bool other_stands = false;    // not an option: set when a query becomes a join
  bool exclude_self = false;    // leave out rows of DATA with the id of the query row
  bool explain_all = false;
  bool init = false;           // link: write the rules chosen from the data
  bool join_groups = false;    // link: with assign groups, join older groups that new records join
  bool verbose = false;        // plan: print all figures
  bool index = false;          // plan: also estimate an index of the items
  bool overwrite = false;      // allow an output folder that is not empty
  bool overwrite_all = false;  // also remove files of an earlier run and saved decisions
  bool passages = false;       // explain: show passages of the left text found in the right
  bool dry_run = false;
  bool fail_if_duplicates = false;

  // Resources
  unsigned threads = 0;                   // 0: the cores this process may use
  std::uint64_t memory_bytes = 0;         // 0: half of RAM, or of the control group's limit
  std::string scratch;                    // empty: $TMPDIR of the front end, else /tmp
  std::uint64_t scratch_limit_bytes = 0;  // 0: none
  std::string checkpoint;                 // empty, or folder of the checkpoint
  std::string progress = "auto";
  std::string color = "auto";  // explain: the front end resolves auto
  std::string simd = "auto";   // instruction set of kernels; fixed for the process
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

  // Names and values passed to set_option(): the latest value of each option, all values of a list
  // option. Reports use them to show the command that reproduces the run.
  std::vector<std::pair<std::string, std::string>> given;
};

inline constexpr VerbBit kDedup{1};
inline constexpr VerbBit kPairs{2};
inline constexpr VerbBit kPlan{4};
inline constexpr VerbBit kCluster{8};
inline constexpr VerbBit kExplain{16};
inline constexpr VerbBit kQuery{32};
inline constexpr VerbBit kSketch{64};
inline constexpr VerbBit kLink{128};
inline constexpr VerbBit kServe{512};
inline constexpr VerbBit kDemo{1024};  // command line only
// Verbs that compare items, or plan a comparison.
inline constexpr VerbBit kComparing = kDedup | kPairs | kQuery | kPlan | kExplain;
// Verbs that read items. cluster is not among them, as it reads pairs.
inline constexpr VerbBit kAllVerbs = kComparing | kSketch;

struct Verb {
  std::string_view name;
  std::string_view alias;  // may be empty
  VerbBit bit;
  std::string_view usage;    // operands, as shown after the name
  std::string_view summary;  // one line
};

enum class OptionType { text, integer, size, fraction, choice, flag, list };  // list: repeatable

// Kinds of items to which an option applies.
struct OptionKinds {
  KindBit mask{~0U};          // a bit for each kind, in the order of the values of --kind
  std::string_view reason{};  // why it does not apply to the other kinds: "they have no text"
  std::string_view way{};     // a hint, or empty
};

// A named value that an option accepts.
struct OptionWord {
  std::string shown;               // "cosine", "minkowski:R"
  std::vector<std::string> usual;  // typed values: "cosine"; "minkowski:1.5", "minkowski:3", ...
};

// A row of the option table, from which front ends derive flags, keywords, help and documentation.
struct OptionRow {
  std::string_view name;   // "on-bad-row"; the Python keyword is on_bad_row
  std::string_view alias;  // another name, or empty
  char letter;             // 'o' for -o, or 0
  OptionType type;
  std::string_view metavar;       // "N", "FILE"; empty for flags
  std::string_view default_text;  // default as documented; empty: none
  std::string_view choices;       // "stop|skip|keep" for a choice; else a range in words, or empty
  VerbBit verbs;
  std::string_view group;  // heading in the documentation
  std::string_view help;   // one line
  void (*set)(Options& options, std::string_view value);
  std::string_view implied = {};  // value of a bare `--name`; empty: needs a value
  // Returns the named values from the table that defines them; null: see `choices`.
  std::vector<OptionWord> (*words)() = nullptr;
  OptionKinds kinds = {};
  OptionKinds indexed = {};  // kinds whose index on disk rows can be looked up in with it
  bool is_planned = true;    // plan predicts a run with it, not one without
};

[[nodiscard]] std::span<const Verb> verb_table() noexcept;
[[nodiscard]] std::string_view verb_name(VerbBit verb) noexcept;
[[nodiscard]] std::span<const OptionRow> option_table() noexcept;
// Finds an option by name or alias; nullptr if there is none.
[[nodiscard]] const OptionRow* find_option(std::string_view name) noexcept;

// Checks the value and sets the option. Error{invalid_option} names the option, the value and the
// values expected. A flag accepts "true" or "false".
void set_option(Options& options, std::string_view name, std::string_view value);

// One line of help for an option `name` that this verb does not know: the option with the most
// similar name, or the option that does here what `name` does in another tool. Empty if there is no
// such option.
[[nodiscard]] std::string option_hint(std::string_view name, VerbBit verb);

}  // namespace sosie
