#pragma once

#include <span>
#include <string_view>

namespace sosie {

// Which of `names` somebody who wrote `written` may have meant: the first of those with the
// smallest edit distance, or one that begins with it; empty when none is near (a third of the
// letters, at least two, may be wrong).
[[nodiscard]] std::string_view nearest_name(std::string_view written,
                                            std::span<const std::string_view> names);

}  // namespace sosie
