#pragma once

#include <string>
#include <string_view>

namespace sosie {

// A hint for who asked for the text of a field that holds more than one value ("'tags[]' takes all
// its members ..."), or for something that is not in the field that a path leads into ("a member of
// 'messages' has: role, content"). `row`: an object of JSON. Empty where there is nothing to say.
[[nodiscard]] std::string way_into_value(std::string_view row, std::string_view path);

}  // namespace sosie
