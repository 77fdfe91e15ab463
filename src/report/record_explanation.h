#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "data/explained_line.h"
#include "data/record_table.h"
#include "join/records/record_linker.h"
#include "options/link_rules.h"
#include "report/explanation.h"

namespace sosie {

// Why two records are linked, or which step lost the pair.
struct RecordExplanation {
  struct Record {
    std::string id;
    std::string place;  // "people.csv:17"
  };
  // The values of a field that were compared, and the result.
  struct Field {
    std::string name;
    std::array<std::string, 2> values;  // empty: missing
    std::string level;
    std::optional<double> bits;
  };
  std::string verdict;
  std::array<Record, 2> records;
  std::vector<Field> fields;
  std::optional<double> sum;         // sum of the bits
  std::vector<ExplainedLine> lines;  // a line without a label continues the previous one
};

// The fields of two records as the rules compare them. `link`: the pair with its score. Includes
// bits if scores come from a model.
[[nodiscard]] std::vector<RecordExplanation::Field> explained_fields(const LinkRules& rules,
                                                                     const RecordTable& table,
                                                                     const RecordLinker& linker,
                                                                     const CandidateLink& link,
                                                                     bool has_bits);

// The explanation as `sosie explain` shows it.
[[nodiscard]] std::string record_explanation_text(const RecordExplanation& explanation,
                                                  const TextStyle& style);

}  // namespace sosie
