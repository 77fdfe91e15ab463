#pragma once

#include <string>

namespace sosie {

// A line of an explanation: "angle", "3.210000 degrees".
struct ExplainedLine {
  std::string label;
  std::string text;
};

}  // namespace sosie
