#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sosie {

// Throws Error{invalid_option} when the name ends as files of a known format do that is none of
// `accepted` (extensions with the dot): `x.png` for a picture that is written as SVG. What packs
// the output here (.gz, .zst) may stand behind it. Names that say nothing are taken: `flag` and
// `content` are what messages call the option (--svg) and what it writes.
void check_output_name(std::string_view flag, const std::string& path, std::string_view content,
                       std::initializer_list<std::string_view> accepted);

// Checks the name of rows, in any format that can be read here, or texts: only formats and packers
// that nothing here writes are refused.
void check_output_name(std::string_view flag, const std::string& path, std::string_view content);

// Checks the name of an output in JSON: --stats, a plan.
void check_json_name(std::string_view flag, const std::string& path, std::string_view content);

}  // namespace sosie
