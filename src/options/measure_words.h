#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

namespace sosie {

// The values that options take by name, each once, in the order of the table that has them.
[[nodiscard]] std::vector<OptionWord> kind_words();
[[nodiscard]] std::vector<OptionWord> measure_words();
[[nodiscard]] std::vector<OptionWord> method_words();
[[nodiscard]] std::vector<OptionWord> family_words();

// Hint for a measure that other tools and books call so; empty when nothing is known.
[[nodiscard]] std::string measure_hint(std::string_view typed);

// Words as they are shown.
[[nodiscard]] std::vector<std::string> shown_words(const std::vector<OptionWord>& words);

}  // namespace sosie
