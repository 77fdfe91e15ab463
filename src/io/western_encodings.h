#pragma once

#include <string>
#include <string_view>

namespace sosie {

// The name of the encoding of a text that is not UTF-8 and begins with `head`: windows-1252,
// latin-1 where no byte needs more, cp850 or mac-roman, if its bytes make likelier letters of some
// language in one of these than in `found`, the name that a detector gives which does not know all
// of them; else `found`. latin-1, iso-8859-15 and windows-1252 are told apart, too.
[[nodiscard]] std::string western_encoding(std::string_view head, const std::string& found);

}  // namespace sosie
