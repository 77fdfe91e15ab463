#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/json_writer.h"
#include "report/report_page.h"

// Pieces that the pages of a saved run and of a report share.
namespace sosie {

// Adds one side of two compared texts as a list of parts.
void add_parts(std::string_view name, const ReportSide& side, JsonWriter& json);
// Likewise with parts as lists, for a report, which may hold thousands: 0 and words that both have,
// 1 and words that differ, 2 and the number of words left out.
void add_part_lists(std::string_view name, const ReportSide& side, JsonWriter& json);

// Bytes of texts that many rows share a report with.
inline constexpr std::size_t kBriefId = 240;
inline constexpr std::size_t kBriefField = 1200;
// A text of the data, cut.
[[nodiscard]] std::string brief(std::string_view text, std::size_t bytes);

inline constexpr std::uint64_t kListedAtOnce = 500;  // groups or pairs of a page of a list

// Throws Error{invalid_option} for more than can be asked for at once.
void expect_limit(std::uint64_t limit, std::uint64_t most);

// A page of a list: `all` entries, of which those in `chosen` were asked for and those from
// `offset` on, `limit` at most, are shown.
struct ListPage {
  std::string_view name;
  std::uint64_t all = 0;
  std::span<const std::uint32_t> chosen;
  std::uint64_t offset = 0;
  std::uint64_t limit = 0;
};

// A JSON object with counts and, under the name, an object of each entry that is shown, whose
// members add(number) adds.
[[nodiscard]] std::string list_page(
    const ListPage& page, const std::function<void(std::uint32_t number, JsonWriter& json)>& add);

// Throws Error{invalid_option} for a word that is none of the known ones.
void require_one_of(std::string_view name, const std::string& value,
                    std::span<const std::string_view> words);

}  // namespace sosie
