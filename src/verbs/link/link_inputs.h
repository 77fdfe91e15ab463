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

// Records and rules of a run of link, and what they are checked by.
struct LinkInputs {
  RecordRows left;
  std::optional<RecordRows> right;
  ChosenRules chosen;
  RecordTable table;                      // the fields of the rules
  std::optional<std::uint32_t> check_by;  // position of the field that is checked by
  std::optional<TruthPairs> truth;
  LinkJudgements judgements = {};

  [[nodiscard]] const RecordRows* other() const noexcept { return right ? &*right : nullptr; }
};

// Reads the collections, the rules (or chooses them) and the truth, but makes no table yet.
[[nodiscard]] LinkInputs read_link_inputs(const ItemReading& reading, const LinkChecks& checks);

// Makes the table, and drops the columns that it is made of.
void make_link_fields(LinkInputs& inputs);

}  // namespace sosie
