#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// The cells of a JSON object that `columns` name: texts as they are, other values as JSON; or the
// names themselves while there are none. Throws RowError.
void split_json_object(std::string_view object, const std::vector<std::string>& columns,
                       std::vector<std::string>& out);

}  // namespace sosie
