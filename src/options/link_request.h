#pragma once

#include <string>

#include "sosie/options.h"

namespace sosie {

// Options of the verb link alone, as they were given; empty: not given.
struct LinkRequest {
  std::string ignore;  // comma-separated fields that are not looked at
  std::string assign;
  std::string cut;
};

[[nodiscard]] LinkRequest link_request(const Options& options);

}  // namespace sosie
