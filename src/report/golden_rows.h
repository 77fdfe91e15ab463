#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "corpus/rows/row_reader.h"
#include "options/golden_rules.h"
#include "report/grouped_records.h"
#include "report/kept_rows.h"

namespace sosie {

// The groups of a collection whose golden rows are written, and the names of the fields in its
// rows.
struct GoldenTask {
  const Inputs& inputs;
  const Corpus& corpus;
  const RecordGroups& groups;
  const GroupedRecords& grouped;
  const RecordNames& names;
  const std::vector<std::string>& fields;  // but ids
  std::uint64_t memory_bytes;              // a group's rows may take one eighth of it
};

// A rule, and the positions of the fields and files that it names.
struct GoldenFieldRule {
  GoldenRule rule;
  std::uint32_t field = 0;                        // position of rule.field
  std::uint32_t other = 0;                        // position of rule.other
  std::vector<std::vector<bool>> is_source = {};  // by source and input file
};

// --golden: replaces each field of a group's kept row with the group's best value, in the dialect
// of the row, and adds cluster_id and cluster_size. The best value is the one selected by the
// field's rule; without a rule, or if it selects none, it is the value in the kept row or, if that
// row has none, the first in input order. Empty values and markers of missing values (NA, null) are
// skipped. Not thread-safe.
class GoldenRows {
 public:
  // Keeps references to the task. Throws the same errors as check_golden().
  GoldenRows(const GoldenTask& task, const std::vector<std::string>& rules);

  // Edits for kept rows; valid as long as this object exists. An edit throws Error{limit_exceeded}
  // if the rows of a group exceed their share of the memory.
  [[nodiscard]] RowEdits edits();
  // A value that was compared as text although it looks like a number or a date; empty if there is
  // none.
  [[nodiscard]] const std::string& number_like() const noexcept { return number_like_; }

 private:
  struct Value {
    FieldValue::Kind kind = FieldValue::Kind::missing;
    std::string text;
    long double number = 0;

    [[nodiscard]] bool is_there() const noexcept;
    [[nodiscard]] FieldValue view() const noexcept { return {kind, number, text}; }
  };
  struct Member {
    std::uint32_t file = 0;
    RowId row = 0;
    std::vector<Value> values;  // by field
  };
  void list_members();
  void read_members(RowId kept);
  void read_member(RowId row, std::size_t place);
  [[nodiscard]] const Value* best_value(std::size_t field);
  [[nodiscard]] const Value* by_rule(const GoldenFieldRule& rule, std::size_t field);
  [[nodiscard]] const Value* most_frequent(std::size_t field) const;
  [[nodiscard]] const Value* of_source(const GoldenFieldRule& rule, std::size_t field) const;
  [[nodiscard]] const Value* extreme(const GoldenFieldRule& rule, std::size_t field);
  [[nodiscard]] RankValue rank_of(const Member& member, std::size_t field);
  [[nodiscard]] std::vector<AddedField> added(RowId row);
  void edit(const RowLocator& place, RowNumber row, std::string& bytes);
  [[nodiscard]] std::string composed(const RowLocator& place, std::string_view row);

  GoldenTask task_;
  std::vector<std::string> fields_;  // fields of all files
  std::vector<GoldenFieldRule> rules_;
  std::vector<std::uint32_t> rule_of_;  // by field; kNoRow: none
  std::vector<std::uint32_t> next_;     // by record: the next one in its group; kNoRow: none
  RowReader reader_;
  std::vector<Member> members_;  // members of the current group, the kept row first
  std::size_t count_ = 0;        // number of these members
  std::uint64_t held_ = 0;       // bytes of the values in members
  std::string cluster_;
  std::string number_like_;
};

// Throws Error{invalid_option} for a rule about a field that no row has, for two rules for the same
// field, for a source that is not an input, and for rows that already have a field that golden rows
// add; throws Error{unsupported} for inputs in a format whose rows cannot be built. `fields`: the
// fields of the rows except ids.
void check_golden(const Inputs& inputs, const std::vector<std::string>& fields,
                  const std::vector<std::string>& rules);

}  // namespace sosie
