#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/columns.h"

namespace sosie {

// Field names as written in options, "title|name,messages[].content": joined fields are separated
// by commas; each has alternative paths separated by bars, of which the first that a row has is
// used. A backslash before a comma, a bar or a backslash makes it part of the name. A field whose
// literal name equals the whole text, a path or the beginning of a path takes precedence.

// The paths of an element of joined_names(), without the backslashes; read/path_follower.h follows
// them.
[[nodiscard]] std::vector<std::string> field_paths(std::string_view name);

// An element of joined_names() without the backslashes, with alternatives between bars: the name of
// a result column, or of a field that is not given by paths.
[[nodiscard]] std::string unescaped_name(std::string_view name);
// The inverse: a name as options write it.
[[nodiscard]] std::string escaped_name(std::string_view name);

// All names of fields that `names` may select or be contained in: the names as written, and all
// paths.
[[nodiscard]] std::vector<std::string> all_field_paths(std::string_view names);

// True for the name of a single field: no paths, nothing joined.
[[nodiscard]] bool is_plain_name(std::string_view names) noexcept;

// True if a path ("a.b", "a[].b") leads into this column or is its name.
[[nodiscard]] bool lies_in(std::string_view path, std::string_view column) noexcept;

// True if a path of `name`, or the whole name as written, is this column, or with `nested` leads
// into it.
[[nodiscard]] bool may_lie_in(std::string_view name, std::string_view column, bool nested);

// "field 'a' is missing"; for "a|b|c": "field 'a' is missing, and so are 'b' and 'c'".
[[nodiscard]] std::string told_missing(std::string_view name);

// A hint for a field that holds more than one value instead of a text ("'tags[]' takes all its
// members ..."), or for a path to something that its field lacks ("a member of 'messages' has:
// role, content"). `row`: a JSON object. Empty if there is no hint.
[[nodiscard]] std::string way_into_value(std::string_view row, std::string_view path);

}  // namespace sosie
