#pragma once

#include <set>
#include <string>

namespace sosie {

// Name of a hidden file in a folder of outputs: which files there a run wrote. Nothing else tells
// them from the user's own, and --overwrite=all removes only what stands in it.
inline constexpr const char* kOutputListName = ".sosie-outputs";

// Selects from `there`, the paths of all files below the folder, what the last run wrote; none
// where there is no list, or a damaged one. Other paths in it count for nothing: anybody may have
// written it. Throws Error{io}; Error{invalid_option} where a symbolic link has its name.
[[nodiscard]] std::set<std::string> read_output_list(const std::string& folder,
                                                     const std::set<std::string>& there);

// Replaces the list as OutputFile does; flushed to disk when it returns. Throws Error{io}.
void write_output_list(const std::string& folder, const std::set<std::string>& paths);

// Paths of all regular files below the folder, hidden ones too. Symbolic links are not followed.
// Throws Error{io}.
[[nodiscard]] std::set<std::string> regular_files_below(const std::string& folder);

}  // namespace sosie
