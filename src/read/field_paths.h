#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/columns.h"

namespace sosie {

// Field names as written in options, "title|name,messages[].content": commas separate fields that
// are joined; bars separate alternative paths; the first one that exists in a row is used. A
// backslash makes the following comma, bar or backslash part of the name. A field whose literal
// name is the whole text, a path or the beginning of a path takes precedence.

// The paths in an element of joined_names(), without backslashes; read/path_follower.h follows
// them.
[[nodiscard]] std::vector<std::string> field_paths(std::string_view name);

// An element of joined_names() without backslashes, with bars between alternatives: the name of a
// result column, or of a field that is not given by paths.
[[nodiscard]] std::string unescaped_name(std::string_view name);
// The inverse of unescaped_name(): a name as it is written in options.
[[nodiscard]] std::string escaped_name(std::string_view name);

// All field names that `names` may select or that may be part of it: the names as written, and all
// paths.
[[nodiscard]] std::vector<std::string> all_field_paths(std::string_view names);

// True for the name of a single field: no paths, nothing joined.
[[nodiscard]] bool is_plain_name(std::string_view names) noexcept;

// True if a path ("a.b", "a[].b") leads into this column or is its name.
[[nodiscard]] bool lies_in(std::string_view path, std::string_view column) noexcept;

// True if the column is a path in `name` or the whole name as written or, with `nested`, if such a
// path leads into the column.
[[nodiscard]] bool may_lie_in(std::string_view name, std::string_view column, bool nested);

// "field 'a' is missing"; for "a|b|c": "field 'a' is missing, and so are 'b' and 'c'".
[[nodiscard]] std::string told_missing(std::string_view name);

// A hint for a field that contains several values instead of a text ("'tags[]' takes all its
// members ..."), or for a path to something that its field does not contain ("a member of
// 'messages' has: role, content"). `row`: a JSON object. Empty if there is no hint.
[[nodiscard]] std::string way_into_value(std::string_view row, std::string_view path);

}  // namespace sosie
