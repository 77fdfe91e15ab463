#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json_value.h"

namespace sosie {

// JSON text in which lists and objects nested deeper than kMostNested have been replaced with null.
struct ShallowJson {
  std::string text;
  // Members of the outermost object that contained such a value; their names are as in the text,
  // with quotes.
  std::vector<std::string_view> deep_members;
  bool has_deep = false;
};
// `text` may be any bytes; for broken JSON, the result is unspecified. O(text).
[[nodiscard]] ShallowJson shallow_json(std::string_view text);

}  // namespace sosie
