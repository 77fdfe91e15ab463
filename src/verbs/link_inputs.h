#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/default_rules.h"
#include "corpus/record_rows.h"
#include "data/record_table.h"

namespace sosie {

// Records and rules of a run of link.
struct LinkInputs {
  RecordRows left;
  std::optional<RecordRows> right;
  ChosenRules chosen;  // or the rules of the file, and notes on columns
  RecordTable table;

  [[nodiscard]] const RecordRows* other() const noexcept { return right ? &*right : nullptr; }
};

// Reads the rules, if there is a file, and the records; chooses rules if there is none. Throws what
// read_link_rules(), read_records() and choose_rules() do.
[[nodiscard]] LinkInputs read_link_inputs(ItemReading reading);

// The file of rules, and the tables that it names.
[[nodiscard]] std::vector<std::string> files_of_rules(const Options& options,
                                                      const LinkRules& rules);

}  // namespace sosie
