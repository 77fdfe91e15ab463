#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "corpus/identical.h"
#include "data/run_summary.h"
#include "join/sets/matcher.h"

namespace sosie {

// Compared rows, and the matcher that compared them.
struct ComparedRows {
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
  const Settings& settings;
  Matcher& matcher;
};

// The template shared by rows with these sets (at least one); `text`: text of the first row.
[[nodiscard]] TemplateFacts template_of(std::span<const SetView> sets, std::string_view text,
                                        const ShingleRecipe& recipe);

// Adds the templates whose rows were compared with very many others, most expensive first: a
// passage common to most rows of each, found from some of them. A template that is already listed
// is counted with it. Texts only.
void add_templates(const ComparedRows& compared, std::vector<TemplateFacts>& templates);

}  // namespace sosie
