#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json_value.h"

namespace sosie {

// JSON text without the lists and objects that lie deeper than kMostNested: null stands for each.
struct ShallowJson {
  std::string text;
  // By member of the outermost object that held one: its name as the text has it, with quotes.
  std::vector<std::string_view> deep_members;
  bool has_deep = false;
};
// `text`: any bytes; of broken JSON the result is broken too or anything. O(text).
[[nodiscard]] ShallowJson shallow_json(std::string_view text);

}  // namespace sosie
