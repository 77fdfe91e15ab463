#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/columns.h"

namespace sosie {

// Names of fields as options write them, "title|name,messages[].content": fields that are joined
// stand between commas, each as paths of which the first that a row has counts, between bars. A
// backslash before a comma, a bar or a backslash makes it a part of the name. A field literally
// called so, the whole or a path or the beginning of one, goes before all of that.

// The paths of one of joined_names(), without the backslashes; read/path_follower.h follows them.
[[nodiscard]] std::vector<std::string> field_paths(std::string_view name);

// Names of one of joined_names() without the backslashes, alternatives between bars: how a column
// of results is called, and a field that takes no paths.
[[nodiscard]] std::string unescaped_name(std::string_view name);
// The inverse: how options write a name.
[[nodiscard]] std::string escaped_name(std::string_view name);

// Everything that a field which `names` ask for may be called or lie in: the names as they are
// written, and all paths.
[[nodiscard]] std::vector<std::string> all_field_paths(std::string_view names);

// True for the name of a field alone: no paths, nothing joined.
[[nodiscard]] bool is_plain_name(std::string_view names) noexcept;

// True if a path ("a.b", "a[].b") leads into this column, or is its name.
[[nodiscard]] bool lies_in(std::string_view path, std::string_view column) noexcept;

// True if one of the paths of `name`, or the whole as it is written, is this column, or with
// `nested` leads into it.
[[nodiscard]] bool may_lie_in(std::string_view name, std::string_view column, bool nested);

// "field 'a' is missing", of "a|b|c": "field 'a' is missing, and so are 'b' and 'c'".
[[nodiscard]] std::string told_missing(std::string_view name);

// A hint for who asked for the text of a field that holds more than one value ("'tags[]' takes all
// its members ..."), or for something that is not in the field that a path leads into ("a member of
// 'messages' has: role, content"). `row`: an object of JSON. Empty where there is nothing to say.
[[nodiscard]] std::string way_into_value(std::string_view row, std::string_view path);

}  // namespace sosie
