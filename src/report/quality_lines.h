#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/json_writer.h"
#include "report/link_table.h"

namespace sosie {

// A step at which true pairs are lost.
struct LostStep {
  std::string_view name;
  const LostPairs& lost;
};
[[nodiscard]] std::array<LostStep, 3> lost_steps(const LinkQuality& quality);

// The summary's lines about the estimated and the measured quality of the links.
[[nodiscard]] std::string quality_lines(const LinkFacts& facts);

// Adds the same facts to a summary for programs: estimates with their intervals, and the comparison
// with known matches. `of_page`: cut long ids.
void add_quality(const LinkFacts& facts, bool of_page, JsonWriter& json);

}  // namespace sosie
