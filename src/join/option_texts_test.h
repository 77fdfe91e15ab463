#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sosie {

// Options by name, as on a command line, for tests.
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

}  // namespace sosie
