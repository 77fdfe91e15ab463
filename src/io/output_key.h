#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sosie {

// A path with its links resolved as far as it exists; without a trailing slash.
[[nodiscard]] std::filesystem::path resolved_path(std::string path);

// True if a path is the folder or is inside it; both are resolved.
[[nodiscard]] bool is_in_folder(const std::filesystem::path& path,
                                const std::filesystem::path& folder);

// The descriptor of this process that a name such as -, /dev/stdout or /dev/fd/3 refers to; -1:
// none.
[[nodiscard]] int descriptor_named(std::string_view path);

// Target of symbolic links: the file they lead to is replaced, not the link. Nothing need exist
// there. Throws Error{io} for circular links.
[[nodiscard]] std::string behind_links(const std::string& path);

// Key that is equal for two names of the same output file, existing or not. Empty for anything that
// is not a file (a terminal, /dev/null) and for an empty `path`. Throws Error{io} if the path
// cannot be resolved.
[[nodiscard]] std::string output_key(const std::string& path);

// Variants for an open descriptor and for an input; empty unless it is a regular file.
[[nodiscard]] std::string file_key(int descriptor);
[[nodiscard]] std::string file_key(const std::string& path);

}  // namespace sosie
