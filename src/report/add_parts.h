#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/json_writer.h"
#include "report/report_page.h"

// Pieces that the pages of a saved run share.
namespace sosie {

// Adds one side of two compared texts as a list of parts.
void add_parts(std::string_view name, const ReportSide& side, JsonWriter& json);

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
