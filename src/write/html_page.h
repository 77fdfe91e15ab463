#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sosie {

struct PageSection {
  std::string_view id;  // for links within the page
  std::string_view title;
  std::string body;  // HTML
};

// A page: what the tab and the heading say, the names of the data below it, then HTML before the
// first section, the sections and the foot.
struct PageFrame {
  std::string_view title;
  std::string_view heading;
  std::string subject;  // data_names()
  std::string before;
  std::span<const PageSection> sections;
  std::string foot;
};

// One HTML page that needs nothing but itself: no network, no script, no fonts. Readable in light
// and dark, with the keyboard and by screen readers.
[[nodiscard]] std::string html_page(const PageFrame& frame);

template <typename... Args>
void append_html(std::string& out, fmt::format_string<Args...> pattern, Args&&... args) {
  out += fmt::format(pattern, std::forward<Args>(args)...);
}

// "a.csv", "a.csv and b.csv", "a.csv, b.csv and 7 more", in HTML.
[[nodiscard]] std::string data_names(std::span<const std::string> inputs);

// One box of <dl class="totals">. `kind`: class of its colour, or nothing.
void append_total(std::string& out, std::string_view kind, std::string_view name,
                  std::string_view value, std::string_view remark);

// Opens a table that scrolls by itself and can be reached with the keyboard. `caption` is HTML
// without markup.
void open_table(std::string& out, std::string_view caption);
inline constexpr std::string_view kCloseTable = "</tbody>\n</table>\n</div>\n";

// Characters and pairs that a page shows.
inline constexpr std::size_t kNameCharacters = 80;
inline constexpr std::size_t kValueCharacters = 400;
inline constexpr std::size_t kOpenPairs = 3;  // shown without a click

}  // namespace sosie
