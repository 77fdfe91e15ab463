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

// The template that rows with these sets share (at least one); `text`: of the first of them.
[[nodiscard]] TemplateFacts template_of(std::span<const SetView> sets, std::string_view text,
                                        const ShingleRecipe& recipe);

// Adds the templates whose rows were compared with very many others, the dearest first: a passage
// that most rows of each have, which is looked for in some of them. One that is listed already is
// counted with it. Texts only.
void add_templates(const ComparedRows& compared, std::vector<TemplateFacts>& templates);

}  // namespace sosie
