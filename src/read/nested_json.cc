// Removes deeply nested lists and objects from JSON text, in one pass without recursion.
#include "read/nested_json.h"

#include <algorithm>

namespace sosie {
namespace {

// The position after the string that begins at `at`; the end of the text if the string is not
// closed.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

}  // namespace

ShallowJson shallow_json(std::string_view text) {
  ShallowJson shallow;
  std::string_view member;  // member of the outermost object: the last string in it
  std::size_t copied = 0;
  std::int64_t depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = end_of_string(text, at);
      if (depth == 1) member = text.substr(at, end - at);
      at = end;
      continue;
    }
    ++at;
    if ((c == '{' || c == '[') && ++depth == kMostNested + 1) {
      shallow.text.append(text, copied, at - 1 - copied);
      shallow.text += "null";
      if (!shallow.has_deep || shallow.deep_members.back() != member) {
        shallow.deep_members.push_back(member);
      }
      shallow.has_deep = true;
    }
    if ((c == '}' || c == ']') && depth-- == kMostNested + 1) copied = at;
  }
  if (shallow.has_deep && depth <= kMostNested) {
    shallow.text.append(text, copied, text.size() - copied);
  }
  return shallow;
}

}  // namespace sosie
