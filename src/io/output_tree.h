#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "io/file.h"

namespace sosie {

// A file in a folder of outputs that a run does not write anew.
enum class OtherFile : std::uint8_t {
  harmless,     // nobody takes it for an output of the run
  of_somebody,  // would be read with the outputs, and is not Sosie's to remove
  of_a_run,     // an output of an earlier run
};

// A folder that appears when it is complete. It is written as a folder beside it (as a folder
// inside it when it is there already), flushed to disk by finish() and renamed by commit().
// Destroyed before commit(), it leaves nothing; what a killed process left is removed by the next
// one. Of several processes that write one folder at a time, each commits all of its files behind
// another's, or throws and leaves those.
class OutputTree {
 public:
  // Throws Error{invalid_option} when the folder holds something and `overwrite` is not given, and
  // Error{io} when it cannot be written. With `overwrite`, files that are not written anew stay,
  // unless take_over() is asked for others. lock() and commit() end with Error{cancelled} when
  // *cancel becomes true while they wait for another process.
  OutputTree(const std::string& folder, bool overwrite, const std::atomic<bool>* cancel = nullptr);
  ~OutputTree();
  OutputTree(const OutputTree&) = delete;
  OutputTree& operator=(const OutputTree&) = delete;

  // Says before anything is written which files may be, by their paths below the folder, so that a
  // folder that is there holds the outputs of this run alone. Throws Error{invalid_option} that
  // names files of an earlier run, and others that `kind_of` (by the path below the folder; false:
  // no run is known to have written it) says are of somebody. With `removes`, commit() removes
  // files of an earlier run once all new ones are in their places: regular files only, never
  // through a symbolic link. The folder keeps a list of its outputs (read_output_list()).
  using KindOfFile = std::function<OtherFile(const std::string& path, bool is_listed)>;
  void take_over(const std::vector<std::string>& paths, bool removes, const KindOfFile& kind_of);

  // Where to write the file that is to be at `relative`; the folders above it are made. Throws
  // Error{io} when one of them is there already and a symbolic link.
  [[nodiscard]] std::string path_for(const std::string& relative);
  // Nothing may be written behind it.
  void finish();
  // Keeps other processes from writing the folder until commit(), for outputs that are committed
  // together. Throws as that does.
  void lock();
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  // Gives the folder its name, finished or not. Throws as the constructor and take_over() do where
  // another process has written the folder since.
  void commit();

 private:
  // `meant`: what messages call it.
  void make_temporary(const std::string& place, const std::string& name, const std::string& meant);
  // Throws as take_over() does; again: for outputs of another process alone.
  void look_over(bool again);
  void move_into_place();
  void move_files();
  void remove_output(const std::string& relative) const;
  void refuse_links(const std::filesystem::path& relative) const;

  std::string folder_;     // without the slash behind it
  std::string temporary_;  // empty after commit()
  const std::atomic<bool>* cancel_;
  std::unique_ptr<const Descriptor> claim_;
  std::unique_ptr<const Descriptor> lock_;  // held while files are moved into the folder
  bool overwrites_ = false;
  bool exists_ = false;
  bool finished_ = false;
  bool keeps_list_ = false;
  std::set<std::string> planned_;  // paths that take_over() was given
  bool removes_ = false;
  KindOfFile kind_of_;
  std::set<std::string> written_;  // behind finish(), where there is a list
  std::set<std::string> old_;      // outputs of earlier runs that are there
  std::set<std::string> gone_;     // files that commit() removes unless they are written
};

// Name of a hidden file in a folder of outputs: which files there a run wrote. Nothing else tells
// them from the user's own, and --overwrite=all removes only what stands in it.
inline constexpr const char* kOutputListName = ".sosie-outputs";

// Selects from `there`, the paths of all files below the folder, what the last run wrote; none
// where there is no list, or a damaged one. Other paths in it count for nothing: anybody may have
// written it. Throws Error{io}; Error{invalid_option} where a symbolic link has its name.
[[nodiscard]] std::set<std::string> read_output_list(const std::string& folder,
                                                     const std::set<std::string>& there);

// Replaces the list as OutputFile does; flushed to disk when it returns. Throws Error{io}.
void write_output_list(const std::string& folder, const std::set<std::string>& paths);

// Paths of all regular files below the folder, hidden ones too. Symbolic links are not followed.
// Throws Error{io}.
[[nodiscard]] std::set<std::string> regular_files_below(const std::string& folder);

}  // namespace sosie
