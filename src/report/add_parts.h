#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/json_writer.h"
#include "report/report_page.h"

// Code shared by the pages of saved runs and of reports.
namespace sosie {

// Writes one side of two compared texts as a list of parts.
void add_parts(std::string_view name, const ReportSide& side, JsonWriter& json);
// Compact form for a report, which may contain thousands of parts. Each part is a list: 0 and words
// that both texts contain, 1 and words that differ, or 2 and the number of words left out.
void add_part_lists(std::string_view name, const ReportSide& side, JsonWriter& json);

// Maximum bytes of an id in a report, where there may be many ids.
inline constexpr std::size_t kBriefId = 240;
inline constexpr std::size_t kBriefField = 1200;
// A text from the data, cut to this number of bytes.
[[nodiscard]] std::string brief(std::string_view text, std::size_t bytes);

inline constexpr std::uint64_t kListedAtOnce = 500;  // groups or pairs of a page of a list

// Throws Error{invalid_option} if `limit` exceeds the maximum for a single request.
void expect_limit(std::uint64_t limit, std::uint64_t most);

// A page of a list with `all` entries. `chosen` holds the entries that match the request; the page
// shows at most `limit` of them, starting at `offset`.
struct ListPage {
  std::string_view name;
  std::uint64_t all = 0;
  std::span<const std::uint32_t> chosen;
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

// A JSON object with counts and, under the given name, an array with an object for each entry
// shown; add(number) writes the members of each object.
[[nodiscard]] std::string list_page(
    const ListPage& page, const std::function<void(std::uint32_t number, JsonWriter& json)>& add);

// Throws Error{invalid_option} if the value is not one of the known words.
void require_one_of(std::string_view name, const std::string& value,
                    std::span<const std::string_view> words);

}  // namespace sosie
