#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/link_outputs.h"

namespace sosie {

// Lines of a summary on the estimated and the measured quality of the links.
[[nodiscard]] std::string quality_lines(const LinkFacts& facts);

// Adds these to a summary for machines: estimates with their bands, and the truth.
void add_quality(const LinkFacts& facts, nlohmann::ordered_json& json);

}  // namespace sosie
