#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Describes what is wrong with an option's list of field names ("title|name,body") if one of the
// names is empty: "a name is empty, at character 3". Empty if nothing is wrong.
[[nodiscard]] std::string fault_of_field_names(std::string_view names);

// A hint on how to correct such a fault.
[[nodiscard]] std::string way_to_field_names(std::string_view names);

}  // namespace sosie
