#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// Words of a front end for an option: a keyword, a field of a request. `value` is the word after an
// equals sign ("1000" in "--audit=1000") or empty. Returns nullopt if the front end lacks the
// option.
using OptionWords =
    std::function<std::optional<std::string>(std::string_view option, std::string_view value)>;

// A text of the library, which refers to options as --name, in the words of a front end. Options
// that the front end lacks are not changed, nor are commands: whatever is in backticks, and clauses
// that begin with "sosie ". A clause ends at "; ".
[[nodiscard]] std::string reworded(std::string_view text, const OptionWords& words);

// A hint in the words of a front end, without the clauses about options that it lacks; a clause
// that is a command stays.
[[nodiscard]] std::string reworded_hint(std::string_view hint, const OptionWords& words);

}  // namespace sosie
