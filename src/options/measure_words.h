#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

namespace sosie {

// The named values of options, without repetitions, in the order of their table.
[[nodiscard]] std::vector<OptionWord> kind_words();
[[nodiscard]] std::vector<OptionWord> measure_words();
[[nodiscard]] std::vector<OptionWord> method_words();
[[nodiscard]] std::vector<OptionWord> family_words();

// Hint for a measure under the name used by other tools and books; empty if it is unknown.
[[nodiscard]] std::string measure_hint(std::string_view typed);

// Words in the form for display.
[[nodiscard]] std::vector<std::string> shown_words(const std::vector<OptionWord>& words);

}  // namespace sosie
