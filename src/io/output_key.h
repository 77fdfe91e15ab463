#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sosie {

// A path with its links resolved, as far as it is there; without a slash at its end.
[[nodiscard]] std::filesystem::path resolved_path(std::string path);

// True if a path is a folder or lies in it; both are resolved.
[[nodiscard]] bool is_in_folder(const std::filesystem::path& path,
                                const std::filesystem::path& folder);

// The descriptor of this process that a name such as -, /dev/stdout or /dev/fd/3 means; -1: none.
[[nodiscard]] int descriptor_named(std::string_view path);

// Where symbolic links lead: the file they name is replaced, not the link. Nothing need be there.
// Throws Error{io} for links that lead in a circle.
[[nodiscard]] std::string behind_links(const std::string& path);

// An output as two names of it can be told to be one file. Equal keys: one file, or what will be
// one. Empty for what is no file (a terminal, /dev/null) and what was not asked for. `path` may be
// empty for none. Throws Error{io} when the way there cannot be followed.
[[nodiscard]] std::string output_key(const std::string& path);

// That key of an open descriptor, and of an input; empty if that is no regular file.
[[nodiscard]] std::string file_key(int descriptor);
[[nodiscard]] std::string file_key(const std::string& path);

}  // namespace sosie
