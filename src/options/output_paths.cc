// Names files below an output folder according to the folders of the inputs, and groups files for
// the summary.
#include "options/output_paths.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

namespace sosie {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFoldersApart = 50;  // lines of a summary

// The folder in which a file was found; empty if the file itself was named or does not exist.
std::string folder_of(const InputFile& file) {
  const bool is_named = file.group == file.path || file.path == "-" || file.relative.empty();
  if (is_named || !file.path.ends_with(file.relative)) return {};
  std::string folder = file.path.substr(0, file.path.size() - file.relative.size());
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

using Parts = std::vector<std::string>;

// The components of a path, from the root.
Parts parts_of(const std::string& path) {
  std::error_code error;
  Parts parts;
  for (const fs::path& part : fs::absolute(path, error).lexically_normal().relative_path()) {
    if (!part.empty()) parts.push_back(part.string());
  }
  return parts;
}

std::string joined(const Parts& parts, std::size_t begin) {
  std::string path;
  for (std::size_t i = std::min(begin, parts.size()); i < parts.size(); ++i) {
    path += (path.empty() ? "" : "/") + parts[i];
  }
  return path;
}

std::string last_of(const Parts& parts, std::size_t count) {
  return joined(parts, parts.size() - std::min(count, parts.size()));
}

// The shortest names that distinguish different paths: the last component of each, or as many
// components as necessary.
std::map<std::string, std::string> short_names(const std::set<std::string>& paths) {
  std::map<std::string, Parts> parts;
  std::size_t most = 1;
  for (const std::string& path : paths) {
    most = std::max(most, (parts[path] = parts_of(path)).size());
  }
  std::map<std::string, std::string> names;
  for (std::size_t count = 1; count <= most; ++count) {
    std::set<std::string> taken;
    for (const auto& [path, all] : parts) taken.insert(names[path] = last_of(all, count));
    if (taken.size() == paths.size()) break;
  }
  return names;
}

// Names relative to the deepest folder that contains all of these files.
std::map<std::string, std::string> names_below_common(const std::set<std::string>& paths) {
  std::map<std::string, Parts> parts;
  for (const std::string& path : paths) parts[path] = parts_of(path);
  std::map<std::string, std::string> names;
  if (parts.empty()) return names;
  const Parts& first = parts.begin()->second;
  std::size_t common = first.empty() ? 0 : first.size() - 1;
  for (const auto& [path, all] : parts) {
    const auto end = first.begin() + static_cast<std::ptrdiff_t>(common);
    const auto differs = std::mismatch(first.begin(), end, all.begin(), all.end()).first;
    common = std::min(static_cast<std::size_t>(differs - first.begin()),
                      std::max<std::size_t>(all.size(), 1) - 1);
  }
  for (const auto& [path, all] : parts) names[path] = joined(all, common);
  return names;
}

}  // namespace

std::vector<std::string> output_paths(std::span<const InputFile> files, bool are_shards) {
  std::set<std::string> folders;
  std::set<std::string> named;
  for (const InputFile& file : files) {
    const std::string folder = folder_of(file);
    (folder.empty() ? named : folders).insert(folder.empty() ? file.path : folder);
  }
  auto names = are_shards ? names_below_common(named) : short_names(named);
  if (folders.size() > 1) names.merge(short_names(folders));
  std::vector<std::string> paths;
  for (const InputFile& file : files) {
    const std::string folder = folder_of(file);
    const std::string& name = names[folder.empty() ? file.path : folder];
    if (folder.empty()) {
      paths.push_back(name);
    } else {
      paths.push_back(name.empty() ? file.relative : name + "/" + file.relative);
    }
  }
  return paths;
}

void group_by_folder(std::span<InputFile> files) {
  std::set<std::string> folders;
  std::set<std::string> below;
  for (InputFile& file : files) {
    const std::string folder = folder_of(file);
    folders.insert(folder);
    below.insert(file.relative.substr(0, file.relative.find('/') + 1));
    // Sketches of a single folder were counted by its subfolders.
    if (!folder.empty() && !folder.ends_with('/') && file.group.starts_with(folder + "/") &&
        file.group != folder + "/") {
      file.group = folder;
    }
  }
  if (folders.size() != 1 || folders.begin()->empty()) return;
  if (below.size() < 2 || below.size() > kMostFoldersApart) return;
  for (InputFile& file : files) {
    const std::string top = file.relative.substr(0, file.relative.find('/') + 1);
    if (top.empty()) continue;
    if (!file.group.ends_with('/')) file.group += '/';
    file.group.append(top, 0, top.size() - 1);
  }
}

}  // namespace sosie
