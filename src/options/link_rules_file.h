#pragma once

#include <atomic>
#include <string>

#include "options/link_rules.h"

namespace sosie {

// Reads a file of rules. Throws Error{io} for a file that cannot be read, Error{malformed_input}
// for one above 16 MiB, Error{cancelled}, and as parse_link_rules() does.
[[nodiscard]] LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel);

}  // namespace sosie
