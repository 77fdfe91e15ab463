#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/file.h"

namespace sosie {

// The folder that a path is in: "." if it names none.
[[nodiscard]] std::string folder_of(const std::string& path);

// Makes the names in a folder outlive a loss of power, as far as the file system can.
void sync_folder(const std::string& folder) noexcept;

// A folder that one process at a time may work in; made when it is not there. The claim ends with
// the process, however that ends.
class ClaimedFolder {
 public:
  // Throws Error{io}: also when another process has it.
  explicit ClaimedFolder(std::string folder);

  // Removes the folder if it was made here and is empty.
  void remove_if_made() const noexcept;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  std::unique_ptr<const Descriptor> descriptor_;
  bool made_ = false;
};

// Opens a regular file with open(2)'s `flags`; neither follows a symbolic link nor waits for the
// reader of a pipe. null: there is no such file. Throws Error{invalid_option} for a link and for
// other things that have the name, Error{io}.
[[nodiscard]] std::shared_ptr<const Descriptor> open_regular_file(const std::string& path,
                                                                  int flags);

// Writes all bytes where the descriptor stands. Throws Error{io} that names `path`.
void write_all(int descriptor, std::string_view bytes, const std::string& path);

}  // namespace sosie
