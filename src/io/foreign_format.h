#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Hints for inputs in a format that belongs to another program.
inline constexpr std::string_view kUnpackFirst =
    "decompress it first; .gz and .zst are read directly";
inline constexpr std::string_view kSaveAsCsv = "save the sheet as CSV and name that file";

// Throws Error{unsupported} if the text file `name`, whatever its name, begins (`head`) like an
// archive, a spreadsheet, an image or another file without text. The first 264 bytes are always
// enough: tar has its signature after the name of its first file.
void refuse_foreign_format(std::string_view head, const std::string& name);

// Throws Error{unsupported} if the file is a Git LFS pointer. If the path cannot be read, does
// nothing: the code that opens the file reports it.
void refuse_lfs_pointer(const std::string& path);

}  // namespace sosie
