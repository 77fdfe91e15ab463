#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Fault of names of fields as options write them ("title|name,body") that leave one empty: "a name
// is empty, at character 3"; empty: there is none.
[[nodiscard]] std::string fault_of_field_names(std::string_view names);

// A hint for such a fault.
[[nodiscard]] std::string way_to_field_names(std::string_view names);

}  // namespace sosie
