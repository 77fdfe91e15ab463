#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "represent/fields.h"
#include "verify/field_comparer.h"
#include "verify/measures.h"

namespace sosie {

// A field of records: its columns, its form, and how its values are compared.
struct LinkField {
  std::string name;
  std::vector<std::string> columns;        // several are joined with spaces
  std::vector<std::string> columns_right;  // columns of the other collection; empty: the same
  FieldForm form;
  std::string format_right = {};  // date_format of the other collection; empty: the same
  char decimal_right = '\0';      // decimal mark of the other collection; 0: the same
  bool is_compared = true;        // false: only candidate rules use it
  FieldComparison comparison;
  bool frequency = false;  // agreement in a rare value counts more
  // Columns among these that are also compared by themselves: the mean of both similarities counts.
  std::vector<std::string> brief = {};
  std::string crosswise = {};  // field whose values may appear in this one; empty: none
  bool swapped = false;        // two columns, also compared with one side swapped
  std::string nicknames;       // table of names of the same person, as written; empty: none
  std::string nickname_path;   // path of the table; its rows follow once it is read
  std::vector<std::vector<std::string>> nickname_rows;
  std::string separator;  // between the values of a list; empty: one value

  [[nodiscard]] FieldForm form_right() const {
    FieldForm right = form;
    if (!format_right.empty()) right.date_format = format_right;
    if (decimal_right != '\0') right.decimal = decimal_right;
    return right;
  }
};

// The measure and bound of a rule that finds near records. Records are compared by the texts of the
// rule's fields, joined with spaces.
struct NearMeasure {
  static constexpr std::string_view kTfidf = "tfidf";
  // Share of the most common 3-grams, which cause nearly all of the work of finding the nearest
  // records.
  static constexpr double kUsualPrune = 0.2;

  std::string measure = std::string(kTfidf);  // string or set measure, or tfidf, as typed
  std::optional<std::uint32_t> within = {};   // maximum number of edits of strings
  std::string threshold = {};                 // minimum similarity as written; empty: none
  std::string shingle = "chars:3";            // shingles that form the sets
  bool lsh = false;      // true: lsh finds most pairs; false: every pair is found
  double recall = 0.99;  // recall of lsh
  double prune = 0;      // share of each text's squared length that tfidf ignores

  [[nodiscard]] bool is_tfidf() const noexcept { return measure == kTfidf; }
  [[nodiscard]] bool is_of_strings() const { return string_measure(measure).has_value(); }
  [[nodiscard]] bool has_bound() const noexcept { return within || !threshold.empty(); }
};

// A rule that finds candidate pairs by some fields, given as positions in the rules.
//   equal   records that have all of the fields, with equal values (or equal first `prefix`
//           characters)
//   near    pairs whose fields reach a bound, or in which one record is among the other's `top`
//           nearest; if a rule sets both conditions, both must hold
//   sorted  records at most `window` apart when all records are sorted by the fields
struct CandidateRule {
  enum class Kind : std::uint8_t { equal, near, sorted } kind = Kind::near;
  std::vector<std::uint32_t> fields;
  std::uint32_t prefix = 0;       // code points; 0: all
  std::uint32_t top = kUsualTop;  // 0: all records that reach the bound
  std::uint32_t window = 5;
  NearMeasure near = {};

  static constexpr std::uint32_t kUsualTop = 10;
};

// The fields of an always or never rule, as positions in the rules: pairs that agree in all of them
// are always links; pairs that differ in all of them are never links. A missing value neither
// agrees nor differs.
using PairRule = std::vector<std::uint32_t>;

// Selection among the scored pairs of two collections.
//   automatic   one to one, unless the records of one side clearly have several partners
//   one_to_one  each record has at most one partner, best links first
//   best        each left record has its best partner
//   all         every pair at or above the cut
enum class Assign : std::uint8_t { automatic, one_to_one, best, all };

// The score of a pair.
//   automatic       tfidf for a single field, else fellegi_sunter
//   fellegi_sunter  bits of the levels of all fields, learnt from candidates and random pairs
//   book            100 for each field, less 2 d² for d edits (MMDS 3.8.1)
//   tfidf           cosine of the sets of 3-character sequences of all fields
enum class ScoreMethod : std::uint8_t { automatic, fellegi_sunter, book, tfidf };

// The rules of a run of `sosie link`.
struct LinkRules {
  std::vector<LinkField> fields;
  std::vector<CandidateRule> candidates;
  std::uint32_t max_block = 2000;  // maximum number of records with equal fields to be paired
  ScoreMethod method = ScoreMethod::automatic;
  std::vector<std::vector<std::uint32_t>> together;  // fields that depend on each other
  std::string model;                                 // file with weights; empty: weights are learnt
  Assign assign = Assign::automatic;
  std::string cut = "auto";  // auto, a probability, or precision:P
  std::vector<PairRule> always;
  std::vector<PairRule> never;  // takes precedence over always

  // Positions of the fields that are compared.
  [[nodiscard]] std::vector<std::uint32_t> compared() const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t f = 0; f < fields.size(); ++f) {
      if (fields[f].is_compared) found.push_back(f);
    }
    return found;
  }
};

// Parses rules in TOML. `name`: name of the file in messages. Throws Error{malformed_input}
// with file and line for invalid TOML and for unknown keys, values and fields, with the nearest
// name.
[[nodiscard]] LinkRules parse_link_rules(std::string_view text, const std::string& name);

// Writes rules as a TOML file with comments, from which parse_link_rules() reads equal rules.
// `notes`: comments for the beginning of the file.
[[nodiscard]] std::string link_rules_text(const LinkRules& rules,
                                          const std::vector<std::string>& notes);

// Name of a level in tables: "missing", "different", "jaro-winkler 0.82", "equal".
[[nodiscard]] std::string level_name(const FieldComparison& comparison, std::uint32_t level);
[[nodiscard]] std::string_view clean_name(FieldClean clean) noexcept;
[[nodiscard]] std::string_view measure_name(FieldMeasure measure) noexcept;
[[nodiscard]] std::string_view score_method_name(ScoreMethod method) noexcept;
[[nodiscard]] std::string_view assign_name(Assign assign) noexcept;
// `name`: must be in the table.
[[nodiscard]] Assign assign_called(std::string_view name) noexcept;
// True for "auto", for numbers above 0 and at most 1, and for "precision:" with such a number.
[[nodiscard]] bool is_link_cut(std::string_view text);

}  // namespace sosie
