#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sosie {

// Ways out where the file of another program is an input.
inline constexpr std::string_view kUnpackFirst =
    "unpack it first; .gz and .zst are read as they are";
inline constexpr std::string_view kSaveAsCsv = "save the sheet as CSV and name that file";

inline constexpr std::size_t kMostMagicBytes =
    264;  // tar names itself behind the name of its first file

// Throws Error{unsupported} about the text file `name` if it begins with `head` as an archive, a
// spreadsheet, a picture or another file does that holds no text, whatever its name says.
void refuse_foreign_format(std::string_view head, const std::string& name);

}  // namespace sosie
