#pragma once

#include <string>
#include <vector>

#include "core/json_writer.h"
#include "report/link_sample.h"
#include "report/link_table.h"
#include "sosie/options.h"

namespace sosie {

// Adds facts about a whole link run, for a saved run and for a report: the summary, the names of
// the inputs, notes, the cut, counts of scores, the rules and the command. `facts` must be
// complete.
void add_link_overview(const Options& options, const LinkFacts& facts, const LinkBins& bins,
                       JsonWriter& json);

// Names of the inputs of both collections, as they were given.
[[nodiscard]] std::vector<std::string> linked_inputs(const Options& options);

// A sentence about the cut: "Cut: probability 0.874, as asked for."
[[nodiscard]] std::string cut_sentence(const LinkFacts& facts);

}  // namespace sosie
