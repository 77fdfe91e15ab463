#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "options/link_rules.h"

namespace sosie {

// Reads a rules file and the nickname tables that it names, which are searched for in its folder.
// Throws Error{io} for an unreadable file, Error{malformed_input} for a file above 16 MiB and for
// an invalid table, Error{cancelled}, and as parse_link_rules() does.
[[nodiscard]] LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel);

// Reads rules from a text, the contents of `path`.
[[nodiscard]] LinkRules read_link_rules_text(std::string_view text, const std::string& path,
                                             const std::atomic<bool>* cancel);

// The rows of a nickname table: names of the same person, separated by commas and quoted if
// necessary. `name`: the table's name in messages. Throws Error{malformed_input}, with the line,
// for text that is not UTF-8 or has an unclosed quote, and for a table in which no row has two
// names.
[[nodiscard]] std::vector<std::vector<std::string>> parse_nicknames(std::string_view text,
                                                                    const std::string& name);

}  // namespace sosie
