#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "corpus/identical.h"
#include "data/run_summary.h"
#include "join/sets/matcher.h"

namespace sosie {

// The rows that were compared, and the matcher that compared them.
struct ComparedRows {
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
  const Settings& settings;
  Matcher& matcher;
};

// The template that rows with these sets (at least one) share. `text`: the text of the first row.
[[nodiscard]] TemplateFacts template_of(std::span<const SetView> sets, std::string_view text,
                                        const ShingleRecipe& recipe);

// Adds the templates whose rows were compared with very many other rows, most expensive first, each
// with a passage that most of its rows have in common, found from some of the rows. If a template
// is already listed, it is counted there. For texts only.
void add_templates(const ComparedRows& compared, std::vector<TemplateFacts>& templates);

}  // namespace sosie
