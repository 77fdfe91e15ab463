#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/file.h"

namespace sosie {

// The folder that contains a path; "." if the path names no folder.
[[nodiscard]] std::string folder_of(const std::string& path);

// Makes the names in a folder survive a power loss, as far as the file system supports it.
void sync_folder(const std::string& folder) noexcept;

// A folder that only one process at a time can claim; created if it does not exist. The claim ends
// with the process, however the process ends.
class ClaimedFolder {
 public:
  // Throws Error{io}, including if another process has claimed the folder.
  explicit ClaimedFolder(std::string folder);

  // Removes the folder if this object created it and it is empty.
  void remove_if_made() const noexcept;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  std::unique_ptr<const Descriptor> descriptor_;
  bool made_ = false;
};

// Opens a regular file with the `flags` of open(2), without following a symbolic link or waiting
// for the reader of a pipe. Returns null if there is no such file. Throws Error{invalid_option} if
// the path is a link or not a regular file, and Error{io}.
[[nodiscard]] std::shared_ptr<const Descriptor> open_regular_file(const std::string& path,
                                                                  int flags);

// Writes all bytes at the current position of the descriptor. Throws Error{io} with `path`.
void write_all(int descriptor, std::string_view bytes, const std::string& path);

}  // namespace sosie
