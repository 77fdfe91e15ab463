#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "options/link_rules.h"

namespace sosie {

// Reads a file of rules, and the tables of nicknames that it names, which are looked for in its
// folder. Throws Error{io} for a file that cannot be read, Error{malformed_input}
// for one above 16 MiB and for a table that is none, Error{cancelled}, and as parse_link_rules()
// does.
[[nodiscard]] LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel);

// Likewise the rules in a text that `path` holds.
[[nodiscard]] LinkRules read_link_rules_text(std::string_view text, const std::string& path,
                                             const std::atomic<bool>* cancel);

// Rows of a table of nicknames: names of the same person, separated by commas, in quotes if need
// be. `name`: what messages call it. Throws Error{malformed_input} with the line for what is not
// UTF-8 or has a quote that does not end, and for a table without a row of two names.
[[nodiscard]] std::vector<std::vector<std::string>> parse_nicknames(std::string_view text,
                                                                    const std::string& name);

}  // namespace sosie
