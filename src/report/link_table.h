#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cluster/average_linkage.h"
#include "core/json_writer.h"
#include "corpus/item_ids.h"
#include "data/input_notes.h"
#include "data/row_writer.h"
#include "data/run_summary.h"
#include "decide/link_confidence.h"
#include "decide/link_estimates.h"
#include "decide/link_quality.h"
#include "join/records/record_linker.h"
#include "options/link_rules.h"
#include "plan/link_cut.h"
#include "report/candidate_facts.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {

// A rule's name in tables: its fields joined by "&", preceded by its kind unless that is equal, and
// followed by the measure and bound if it is near.
[[nodiscard]] std::string rule_name(const CandidateRule& rule, const std::vector<LinkField>& all);

// Names of the records in a run, by number.
struct RecordNames {
  const ItemIds* left = nullptr;
  const ItemIds* right = nullptr;  // null: one collection
  std::uint32_t split = 0;         // number of the first right record

  [[nodiscard]] std::string of(std::uint32_t record) const;
  [[nodiscard]] bool is_integer(std::uint32_t record) const;
};

// The columns of a table of links: left, right, score, probability, rules, and the level and bits
// of each field. The bits are missing if scores do not come from a model.
[[nodiscard]] std::vector<std::string> link_columns(const LinkRules& rules, bool has_bits);

// Writes a record with its group: id, cluster_id, size, weakest. `group`: null for a single record.
void write_record(const RecordNames& names, std::uint32_t record, std::uint32_t first,
                  const RecordGroup* group, TableWriter& out);

// Writes links of rules and a model.
class LinkTable {
 public:
  // All arguments must outlive this object.
  LinkTable(const LinkRules& rules, const RecordLinker& linker, const RecordNames& names,
            bool has_bits);

  // A probability below 0 means that it is not known.
  void write(const CandidateLink& link, TableWriter& out);

 private:
  [[nodiscard]] std::span<const double> bits_of(const CandidateLink& link,
                                                std::span<const std::uint8_t> levels);

  const RecordLinker& linker_;
  const RecordNames& names_;
  bool has_bits_;
  std::vector<std::string> rule_names_;
  std::vector<std::vector<std::string>> level_names_;  // by field and level
  LevelPatterns seen_;
  std::vector<double> bits_;  // by pattern seen and field; or for a single pair
};

// A person's judgements that were given to a run, and how the run used them.
struct JudgementFacts {
  bool has_labels = false;
  bool has_decisions = false;
  std::uint64_t matches = 0;  // pairs labelled 1
  std::uint64_t others = 0;   // pairs labelled 0
  std::uint64_t open = 0;     // rows without a label
  bool are_learnt = false;    // labels set the odds of a match
  std::uint64_t accepted = 0;
  std::uint64_t rejected = 0;
  std::uint64_t undecided = 0;  // rows without a decision
  std::uint64_t left_out = 0;   // pairs called matches that are not linked
  std::uint64_t asked = 0;      // pairs that --suggest has written
};

// Facts about a link run, for its summary and --stats.
struct LinkFacts {
  const LinkRules* rules = nullptr;
  bool has_rules_file = false;
  ScoreMethod method = ScoreMethod::fellegi_sunter;
  std::string method_reason;
  bool has_odds = true;  // scores are bits, and have a probability
  const RecordTable* table = nullptr;
  const RecordLinker* linker = nullptr;
  CandidateFacts candidates = {};
  InputNotes inputs;               // about files of both collections
  std::vector<std::string> notes;  // on fields
  std::vector<FileInEncoding> encodings = {};
  std::vector<FileInDialect> dialects = {};
  std::uint64_t ill_formed = 0;        // rows that are not in their encoding
  std::uint64_t skipped = 0;           // bad rows left out
  std::uint64_t unmatched = 0;         // bad rows that are linked to nothing
  std::uint64_t bad_lines = 0;         // lines of both
  LinkCut cut;                         // with its estimated quality
  double cut_probability = 0;          // lowest probability of a link
  std::uint64_t links = 0;             // or pairs of records in the same group
  std::uint64_t groups = 0;            // groups of two or more
  std::uint64_t grouped = 0;           // records in them
  std::uint64_t weak_groups = 0;       // groups with a pair below probability .01
  std::uint64_t certain = 0;           // links required by an always rule
  std::uint64_t certain_left_out = 0;  // pairs required by it whose records got other partners
  std::vector<QualityEstimate> estimates;
  LinkConfidence confidence;
  JudgementFacts judgements = {};
  std::optional<LinkQuality> truth;    // quality by --truth
  std::uint64_t truth_unknown = 0;     // true pairs of ids that no record has
  const RecordNames* names = nullptr;  // ids, for examples
  double seconds = 0;
  std::uint64_t peak_memory = 0;
};

// Share of the records that have a field; with two collections, the lower of their shares.
[[nodiscard]] double filled_share(const RecordTable& table, std::size_t field);

// Adds notes about fields that almost no record has, and about values that were not compared as
// written: values that are not numbers or days, and lists that were cut.
void add_field_notes(const RecordTable& table, std::vector<std::string>& notes);

// The cut and the reason for it: "probability 0.874, chosen by the model and the runners-up".
[[nodiscard]] std::string cut_words(const LinkFacts& facts);

// The summary shown on the command line.
[[nodiscard]] std::string link_summary(const LinkFacts& facts);
// The summary for programs: a JSON object whose keys are in a fixed order.
[[nodiscard]] std::string link_summary_json(const LinkFacts& facts);
// Writes that object as a value. `of_page`: leave out times and memory, which differ from run to
// run, and cut long ids.
void write_link_summary(const LinkFacts& facts, JsonWriter& json, bool of_page);
// That object for a run with --dry-run, which has only candidates.
[[nodiscard]] std::string link_dry_run(const LinkFacts& facts);
[[nodiscard]] std::string link_dry_run_json(const LinkFacts& facts);

}  // namespace sosie
