#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "io/file.h"

namespace sosie {

// A folder that appears when it is complete. It is written as a folder beside it (as a folder
// inside it when it is there already), flushed to disk by finish() and renamed by commit().
// Destroyed before commit(), it leaves nothing; what a killed process left is removed by the next
// one.
class OutputTree {
 public:
  // Throws Error{invalid_option} when the folder holds something and `overwrite` is not given, and
  // Error{io} when it cannot be written. With `overwrite`, files that are not written anew stay.
  OutputTree(const std::string& folder, bool overwrite);
  ~OutputTree();
  OutputTree(const OutputTree&) = delete;
  OutputTree& operator=(const OutputTree&) = delete;

  // Where to write the file that is to be at `relative`; the folders above it are made. Throws
  // Error{io} when one of them is there already and a symbolic link.
  [[nodiscard]] std::string path_for(const std::string& relative);
  // Nothing may be written behind it.
  void finish();
  // Gives the folder its name, finished or not.
  void commit();

 private:
  // `meant`: what messages call it.
  void make_temporary(const std::string& place, const std::string& name, const std::string& meant);
  void move_files();
  void refuse_links(const std::filesystem::path& relative) const;

  std::string folder_;     // without the slash behind it
  std::string temporary_;  // empty after commit()
  std::unique_ptr<const Descriptor> claim_;
  bool exists_ = false;
  bool finished_ = false;
};

}  // namespace sosie
