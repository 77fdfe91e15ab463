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

// A file in an output folder that the run does not write.
enum class OtherFile : std::uint8_t {
  harmless,     // cannot be mistaken for an output of the run
  of_somebody,  // would be read as an output, but belongs to the user
  of_a_run,     // an output of an earlier run
};

// A folder that appears only when it is complete. It is written as a temporary folder next to it
// (or inside it, if it already exists), flushed to disk by finish() and renamed by commit(). If the
// object is destroyed before commit(), nothing remains; what a killed process leaves behind is
// removed by the next process. If several processes write the same folder, each either commits all
// its files after another process has finished, or throws and leaves that process's files alone.
class OutputTree {
 public:
  // Throws Error{invalid_option} if the folder is not empty and `overwrite` is false, and Error{io}
  // if it is not writable. With `overwrite`, files that are not rewritten remain unless take_over()
  // requests otherwise. lock() and commit() throw Error{cancelled} if *cancel becomes true while
  // they wait for another process.
  OutputTree(const std::string& folder, bool overwrite, const std::atomic<bool>* cancel = nullptr);
  ~OutputTree();
  OutputTree(const OutputTree&) = delete;
  OutputTree& operator=(const OutputTree&) = delete;

  // Announces, before anything is written, which paths (relative to the folder) may be written, so
  // that an existing folder ends up with the outputs of this run only. Throws Error{invalid_option}
  // that names files of an earlier run and files that `kind_of` classifies as of_somebody.
  // `is_listed`: a run is known to have written the file. With `removes`, commit() instead removes
  // the files of an earlier run once all new files are in place, but only regular files and never
  // through a symbolic link. The folder keeps a list of its outputs (read_output_list()).
  using KindOfFile = std::function<OtherFile(const std::string& path, bool is_listed)>;
  void take_over(const std::vector<std::string>& paths, bool removes, const KindOfFile& kind_of);

  // The path at which to write the file `relative`; creates the folders above it. Throws Error{io}
  // if one of these already exists as a symbolic link.
  [[nodiscard]] std::string path_for(const std::string& relative);
  // Nothing may be written afterwards.
  void finish();
  // Locks other processes out of the folder until commit(), for outputs that must be committed
  // together. Throws as commit() does.
  void lock();
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  // Gives the folder its name, even if finish() has not been called. Throws as the constructor and
  // take_over() do if another process has written to the folder since.
  void commit();

 private:
  // `meant`: the name to use in messages.
  void make_temporary(const std::string& place, const std::string& name, const std::string& meant);
  // Throws as take_over() does. `again`: only because of outputs that another process has written.
  void look_over(bool again);
  void move_into_place();
  void move_files();
  void remove_output(const std::string& relative) const;
  void refuse_links(const std::filesystem::path& relative) const;

  std::string folder_;     // without a trailing slash
  std::string temporary_;  // empty after commit()
  const std::atomic<bool>* cancel_;
  std::unique_ptr<const Descriptor> claim_;
  std::unique_ptr<const Descriptor> lock_;  // held while files are moved into the folder
  bool overwrites_ = false;
  bool exists_ = false;
  bool finished_ = false;
  bool keeps_list_ = false;
  std::set<std::string> planned_;  // paths passed to take_over()
  bool removes_ = false;
  KindOfFile kind_of_;
  std::set<std::string> written_;  // set by finish() if there is a list
  std::set<std::string> old_;      // existing outputs of earlier runs
  std::set<std::string> gone_;     // files that commit() removes unless rewritten
};

// Name of a hidden file in an output folder that lists the files written by runs. Only this list
// distinguishes them from the user's own files; --overwrite=all removes only files in the list.
inline constexpr const char* kOutputListName = ".sosie-outputs";

// From `there`, the paths of all files below the folder, selects those that the last run wrote;
// selects none if the list is missing or damaged. Other paths in the list are ignored, since
// anybody may have written it. Throws Error{io}, and Error{invalid_option} if a symbolic link has
// the name of the list.
[[nodiscard]] std::set<std::string> read_output_list(const std::string& folder,
                                                     const std::set<std::string>& there);

// Replaces the list in the same way as OutputFile; on return, it is on disk. Throws Error{io}.
void write_output_list(const std::string& folder, const std::set<std::string>& paths);

// Paths of all regular files below the folder, including hidden ones. Symbolic links are not
// followed. Throws Error{io}.
[[nodiscard]] std::set<std::string> regular_files_below(const std::string& folder);

}  // namespace sosie
