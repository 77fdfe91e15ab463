#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Ways out where the file of another program is an input.
inline constexpr std::string_view kUnpackFirst =
    "unpack it first; .gz and .zst are read as they are";
inline constexpr std::string_view kSaveAsCsv = "save the sheet as CSV and name that file";

// Throws Error{unsupported} about the text file `name` if it begins with `head` as an archive, a
// spreadsheet, a picture or another file does that holds no text, whatever its name says. The first
// 264 bytes tell all of them: tar names itself behind the name of its first file.
void refuse_foreign_format(std::string_view head, const std::string& name);

// Throws Error{unsupported} if the file holds what Git leaves in place of a large file. A path that
// cannot be read is left to whoever opens it.
void refuse_lfs_pointer(const std::string& path);

}  // namespace sosie
