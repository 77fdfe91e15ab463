#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corpus/item_ids.h"
#include "data/cell.h"
#include "join/record_scoring.h"
#include "options/link_rules.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {

// Name of a level as tables show it: "missing", "different", "jaro-winkler 0.82", "equal".
[[nodiscard]] std::string level_name(const FieldComparison& comparison, std::uint32_t level);
// Name of a rule as tables show it: its fields joined by "&", behind its kind unless they are equal.
[[nodiscard]] std::string rule_name(const CandidateRule& rule, const std::vector<LinkField>& fields);

// Names of the records of a run, by number.
struct RecordNames {
  const ItemIds* left = nullptr;
  const ItemIds* right = nullptr;  // null: one collection
  std::uint32_t split = 0;         // number of the first right record

  [[nodiscard]] std::string of(std::uint32_t record) const;
  [[nodiscard]] bool is_integer(std::uint32_t record) const;
};

// Writes links: left, right, score in bits, probability, rules, and level and bits of each field.
class LinkTable {
 public:
  LinkTable(const LinkRules& rules, const MatchModel& model, const RecordNames& names);

  [[nodiscard]] std::vector<std::string> columns() const;
  void write(const PatternLink& link, TableWriter& out) const;

 private:
  const RecordNames& names_;
  std::vector<std::string> fields_;  // names of those that are compared
  std::vector<std::string> rule_names_;
  std::vector<std::vector<std::string>> level_names_;  // by field and level
  std::vector<std::vector<double>> bits_;
};

}  // namespace sosie
