#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sosie {

// Options by their names, as a command line gives them, for tests.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

}  // namespace sosie
