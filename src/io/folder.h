#pragma once

#include <memory>
#include <string>

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

}  // namespace sosie
