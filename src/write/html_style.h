#pragma once

#include <string_view>

namespace sosie {

// The style sheet of our pages: light or dark as the reader's system is, system fonts, focus to be
// seen, tables that scroll by themselves on narrow screens.
[[nodiscard]] std::string_view html_style() noexcept;

}  // namespace sosie
