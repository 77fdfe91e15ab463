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
  // Values of a field as they are compared, and what is made of them.
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
  std::vector<ExplainedLine> lines;  // one without a label goes on with the line before
};

// Fields of two records as rules compare them; `link`: the two, scored. Bits where scores have a
// model's.
[[nodiscard]] std::vector<RecordExplanation::Field> explained_fields(const LinkRules& rules,
                                                                     const RecordTable& table,
                                                                     const RecordLinker& linker,
                                                                     const CandidateLink& link,
                                                                     bool has_bits);

// The explanation as `sosie explain` shows it.
[[nodiscard]] std::string record_explanation_text(const RecordExplanation& explanation,
                                                  const TextStyle& style);

}  // namespace sosie
