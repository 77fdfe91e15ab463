#pragma once

#include <string_view>

namespace sosie {

// A row of the table of candidate generators (candidates/generators.cc).
struct Generator {
  std::string_view method;  // what --method calls it
  std::string_view name;    // what it does, in the field's words
  bool finds_every_pair;    // else with the probability that the plan promises
  bool uses_bands;
  std::string_view source;
};

}  // namespace sosie
