#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// Rules for looking into folders.
struct FolderRules {
  bool follows_links = false;
  bool takes_hidden = false;
};

// Content of a folder at any depth, each list sorted by the bytes of the path.
struct FolderFiles {
  std::vector<std::string> paths;   // regular files
  std::vector<std::string> links;   // symbolic links that were left out
  std::vector<std::string> hidden;  // hidden files, and hidden folders with a slash behind them
};

// True for names that belong to programs and hold no data of the user: names that begin with a dot,
// copies of editors, checksums and marks of Hadoop, Spark and Delta.
[[nodiscard]] bool is_hidden_name(std::string_view name) noexcept;

// Files below a folder. Links that are not followed, and links that lead back to a folder that they
// lie in, are left out; what is hidden is left out unless the rules take it, with all that is below
// it. Throws Error{io}.
[[nodiscard]] FolderFiles files_below(const std::string& folder, const FolderRules& rules);

// True if a part of a pattern that matches this name takes it: hidden names only where the part is
// one itself ("*~", ".a*"), or the rules take them.
[[nodiscard]] bool takes_name(std::string_view part, std::string_view name,
                              const FolderRules& rules) noexcept;

// Paths that a pattern of a shell matches: parts of it take names as takes_name() says, `**` stands
// for folders at any depth, as far as the rules look into them. `hidden`: those that matched but
// for that. Throws Error{io} if there are no paths.
[[nodiscard]] FolderFiles expand_pattern(const std::string& pattern, const FolderRules& rules);

[[nodiscard]] bool is_pattern(std::string_view text) noexcept;

}  // namespace sosie
