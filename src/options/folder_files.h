#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// Rules for reading folders.
struct FolderRules {
  bool follows_links = false;
  bool takes_hidden = false;
};

// The contents of a folder, at any depth; each list is sorted by the bytes of the paths.
struct FolderFiles {
  std::vector<std::string> paths;         // regular files
  std::vector<std::string> links;         // symbolic links left out
  std::vector<std::string> hidden;        // hidden files, and hidden folders with a trailing slash
  std::vector<std::string> special = {};  // pipes, sockets and devices, all left out
};

// True for names that belong to programs rather than user data: names that begin with a dot, editor
// backups, checksums, and markers of Hadoop, Spark and Delta.
[[nodiscard]] bool is_hidden_name(std::string_view name) noexcept;

// Lists the files below a folder. Links are left out if they are not to be followed, or if they
// lead back to a folder that contains them. Hidden names, with everything below them, are left out
// unless the rules include them. Throws Error{io}.
[[nodiscard]] FolderFiles files_below(const std::string& folder, const FolderRules& rules);

// True if a component of a pattern that matches this name also selects it. A hidden name is
// selected only if the component itself looks like a hidden name ("*~", ".a*") or the rules include
// hidden names.
[[nodiscard]] bool takes_name(std::string_view part, std::string_view name,
                              const FolderRules& rules) noexcept;

// Lists the paths that match a shell pattern. Its components select names as in takes_name(), and
// `**` stands for folders at any depth, subject to `rules`. `hidden`: paths that would match if
// they were not hidden. Throws Error{io} if no path matches.
[[nodiscard]] FolderFiles expand_pattern(const std::string& pattern, const FolderRules& rules);

[[nodiscard]] bool is_pattern(std::string_view text) noexcept;

}  // namespace sosie
