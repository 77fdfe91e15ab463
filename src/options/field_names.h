#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Fault of a list of field names in an option ("title|name,body") that leaves a name empty: "a name
// is empty, at character 3"; empty: no fault.
[[nodiscard]] std::string fault_of_field_names(std::string_view names);

// A hint for such a fault.
[[nodiscard]] std::string way_to_field_names(std::string_view names);

}  // namespace sosie
