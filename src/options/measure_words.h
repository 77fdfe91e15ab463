#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

namespace sosie {

// The named values of options, without duplicates, in the order of their table.
[[nodiscard]] std::vector<OptionWord> kind_words();
[[nodiscard]] std::vector<OptionWord> measure_words();
[[nodiscard]] std::vector<OptionWord> method_words();
[[nodiscard]] std::vector<OptionWord> family_words();

// A hint for a measure typed by its name in other tools or books; empty if the name is
// unknown.
[[nodiscard]] std::string measure_hint(std::string_view typed);

// The words as they are shown to users.
[[nodiscard]] std::vector<std::string> shown_words(const std::vector<OptionWord>& words);

}  // namespace sosie
