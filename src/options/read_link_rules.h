#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "options/link_rules.h"

namespace sosie {

// Reads a rules file, and the nickname tables that it names, which are sought in its folder. Throws
// Error{io} for an unreadable file, Error{malformed_input} for a file above 16 MiB and for an
// invalid table, Error{cancelled}, and as parse_link_rules() does.
[[nodiscard]] LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel);

// Likewise for rules in a text, the contents of `path`.
[[nodiscard]] LinkRules read_link_rules_text(std::string_view text, const std::string& path,
                                             const std::atomic<bool>* cancel);

// Rows of a nickname table: names of the same person, separated by commas, quoted if necessary.
// `name`: name of the table in messages. Throws Error{malformed_input} with the line for text that
// is not UTF-8 or has an unclosed quote, and for a table without a row of two names.
[[nodiscard]] std::vector<std::vector<std::string>> parse_nicknames(std::string_view text,
                                                                    const std::string& name);

}  // namespace sosie
