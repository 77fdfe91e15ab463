#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/json_writer.h"
#include "write/html_report.h"

// Pieces that the pages of a saved run share.
namespace sosie {

// Adds one side of two compared texts as a list of parts.
void add_parts(std::string_view name, const ReportSide& side, JsonWriter& json);

inline constexpr std::uint64_t kListedAtOnce = 500;  // groups or pairs of a page of a list

// Throws Error{invalid_option} for more than can be asked for at once.
void expect_limit(std::uint64_t limit, std::uint64_t most);

// Throws Error{invalid_option} for a word that is none of the known ones.
void require_one_of(std::string_view name, const std::string& value,
                    std::span<const std::string_view> words);

}  // namespace sosie
