#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace sosie {

// Throws Error{invalid_option} if the name has the extension of a known format that is not among
// `accepted` (extensions with the dot): for example, `x.png` for a picture that is written as SVG.
// The extension may be followed by the extension of a supported compression (.gz, .zst). Names
// without a known extension are accepted. In messages, `flag` (--svg) and `content` describe the
// option and its output.
void check_output_name(std::string_view flag, const std::string& path, std::string_view content,
                       std::initializer_list<std::string_view> accepted);

// Checks the name of an output that contains rows (in any format that can be read) or texts.
// Rejects only formats and compressions in which rows cannot be written.
void check_output_name(std::string_view flag, const std::string& path, std::string_view content);

// Checks the name of a JSON output: --stats, a plan.
void check_json_name(std::string_view flag, const std::string& path, std::string_view content);

}  // namespace sosie
