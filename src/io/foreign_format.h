#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Hints for inputs in the format of another program.
inline constexpr std::string_view kUnpackFirst =
    "decompress it first; .gz and .zst are read directly";
inline constexpr std::string_view kSaveAsCsv = "save the sheet as CSV and name that file";

// Throws Error{unsupported} if the text file `name`, which begins with `head`, is an archive, a
// spreadsheet, an image or another file without text, regardless of its name. The first 264 bytes
// suffice for all of them: tar has its signature after the name of its first file.
void refuse_foreign_format(std::string_view head, const std::string& name);

// Throws Error{unsupported} if the file is a Git LFS pointer. Unreadable paths are left to the code
// that opens them.
void refuse_lfs_pointer(const std::string& path);

}  // namespace sosie
