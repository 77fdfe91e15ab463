#pragma once

#include <cstdint>
#include <optional>

#include "corpus/items/default_rules.h"
#include "corpus/items/item_rows.h"
#include "corpus/items/record_rows.h"
#include "data/record_table.h"
#include "decide/truth_pairs.h"
#include "verbs/link/link_checks.h"
#include "verbs/link/link_judgements.h"

namespace sosie {

// Records and rules of a link run, and the data for checks.
struct LinkInputs {
  RecordRows left;
  std::optional<RecordRows> right;
  ChosenRules chosen;
  RecordTable table;                      // the fields of the rules
  std::optional<std::uint32_t> check_by;  // position of the field for checks
  std::optional<TruthPairs> truth;
  LinkJudgements judgements = {};

  [[nodiscard]] const RecordRows* other() const noexcept { return right ? &*right : nullptr; }
};

// Reads the collections, the rules (or chooses them from the data) and the truth; does not build
// the table yet.
[[nodiscard]] LinkInputs read_link_inputs(const ItemReading& reading, const LinkChecks& checks);

// Builds the table, and frees the columns from which it is built.
void make_link_fields(LinkInputs& inputs);

}  // namespace sosie
