#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sosie {

// The path with all links resolved as far as the path exists, without a trailing slash.
[[nodiscard]] std::filesystem::path resolved_path(std::string path);

// True if the path is the folder or inside it; both must be resolved.
[[nodiscard]] bool is_in_folder(const std::filesystem::path& path,
                                const std::filesystem::path& folder);

// The descriptor of this process to which a name such as -, /dev/stdout or /dev/fd/3 refers; -1 if
// the name is not of this kind.
[[nodiscard]] int descriptor_named(std::string_view path);

// The target of symbolic links, so that the file to which they lead is replaced and not the link.
// The target need not exist. Throws Error{io} for circular links.
[[nodiscard]] std::string behind_links(const std::string& path);

// A key that is equal for two names of the same output file, whether the file exists or not. Empty
// if the path is not a file (a terminal, /dev/null) or is itself empty. Throws Error{io} if the
// path cannot be resolved.
[[nodiscard]] std::string output_key(const std::string& path);

// The keys of an open descriptor and of an input; empty unless it is a regular file.
[[nodiscard]] std::string file_key(int descriptor);
[[nodiscard]] std::string file_key(const std::string& path);

}  // namespace sosie
