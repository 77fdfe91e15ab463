#pragma once

#include <atomic>
#include <string>

#include "options/link_rules.h"
#include "sosie/options.h"

namespace sosie {

// Options of the verb link alone, as they were given; empty: not given.
struct LinkRequest {
  std::string ignore;  // comma-separated fields that are not looked at
  std::string rules;   // file of rules
  bool init = false;   // rules chosen from the data are the output
  std::string assign;
  std::string cut;
};

[[nodiscard]] LinkRequest link_request(const Options& options);

// Reads a file of rules. Throws Error{io}, and as parse_link_rules() does.
[[nodiscard]] LinkRules read_link_rules(const std::string& path, const std::atomic<bool>* cancel);

// Puts what was asked for in place of what the rules say.
void apply_request(const LinkRequest& request, LinkRules& rules);

}  // namespace sosie
