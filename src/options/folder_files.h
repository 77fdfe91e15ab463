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

// Content of a folder at any depth, each list sorted by the bytes of the path.
struct FolderFiles {
  std::vector<std::string> paths;   // regular files
  std::vector<std::string> links;   // symbolic links that were left out
  std::vector<std::string> hidden;  // hidden files, and hidden folders with a trailing slash
};

// True for names that belong to programs and contain no user data: names that begin with a dot,
// editor backups, checksums and markers of Hadoop, Spark and Delta.
[[nodiscard]] bool is_hidden_name(std::string_view name) noexcept;

// Files below a folder. Links are left out if they are not followed, or if they lead back to a
// folder that contains them; hidden names are left out, with everything below, unless the rules
// include them. Throws Error{io}.
[[nodiscard]] FolderFiles files_below(const std::string& folder, const FolderRules& rules);

// True if a component of a pattern that matches this name also selects it: hidden names only if the
// component itself is such a name ("*~", ".a*") or the rules include them.
[[nodiscard]] bool takes_name(std::string_view part, std::string_view name,
                              const FolderRules& rules) noexcept;

// Paths that match a shell pattern: its components select names as in takes_name(), and `**` stands
// for folders at any depth, as far as the rules allow. `hidden`: paths that match except for that.
// Throws Error{io} if there are no paths.
[[nodiscard]] FolderFiles expand_pattern(const std::string& pattern, const FolderRules& rules);

[[nodiscard]] bool is_pattern(std::string_view text) noexcept;

}  // namespace sosie
