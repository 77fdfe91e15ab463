// Writes a folder of outputs beside its name, flushes it and renames it.
#include "io/output_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/leftovers.h"
#include "io/system.h"
#include "sosie/error.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_at(const std::string& path, int error_number) {
  throw Error(ErrorKind::io, path + ": " + system_message(error_number));
}

std::string without_slashes(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

// `meant`: what messages call it.
std::string make_folder(std::string name, const std::string& meant) {
  if (::mkdtemp(name.data()) == nullptr) fail_at(meant, errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::chmod(name.data(), 0777 & ~mask);
  return name;
}

std::string parent_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// One call in place of one for each file.
void flush_file_system(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail_at(folder, errno);
  const int status = flush_file_system_of(descriptor);
  const int error_number = errno;
  ::close(descriptor);
  if (status != 0) fail_at(folder, error_number);
}

void make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw Error(ErrorKind::io, path.string() + ": " + error.message());
}

}  // namespace

OutputTree::OutputTree(const std::string& folder, bool overwrite)
    : folder_(without_slashes(folder)) {
  std::error_code error;
  exists_ = fs::exists(folder_, error);
  if (!exists_) {
    make_temporary(parent_of(folder_), fs::path(folder_).filename().string(), folder);
    return;
  }
  if (!fs::is_directory(folder_, error)) fail_at(folder, ENOTDIR);
  if (!overwrite && !fs::is_empty(folder_, error)) {
    throw Error(ErrorKind::invalid_option, folder + ": the folder is not empty",
                "name a new one, or say --overwrite");
  }
  make_temporary(folder_, {}, folder);
}

void OutputTree::make_temporary(const std::string& place, const std::string& name,
                                const std::string& meant) {
  remove_leftovers(place, name);
  temporary_ = make_folder(unfinished_name(place, name), meant);
  claim_ = std::make_unique<const Descriptor>(
      ::open(temporary_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  claim_unfinished(claim_->number());
}

OutputTree::~OutputTree() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

std::string OutputTree::path_for(const std::string& relative) {
  if (exists_) refuse_links(fs::path(relative).parent_path());
  std::string path = temporary_ + "/" + relative;
  make_folders(fs::path(path).parent_path());
  return path;
}

// Throws when one of these folders below this one is a symbolic link: what it leads to is not ours.
void OutputTree::refuse_links(const std::filesystem::path& relative) const {
  fs::path path = folder_;
  std::error_code error;
  for (const fs::path& part : relative) {
    path /= part;
    if (!fs::is_symlink(path, error)) continue;
    throw Error(ErrorKind::io,
                path.string() + ": is a symbolic link, nothing is written through it",
                "remove it, or name another folder");
  }
}

void OutputTree::finish() {
  if (!std::exchange(finished_, true)) flush_file_system(temporary_);
}

void OutputTree::commit() {
  finish();
  if (exists_) {
    move_files();
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
  } else if (::rename(temporary_.c_str(), folder_.c_str()) != 0) {
    fail_at(folder_, errno);
  }
  temporary_.clear();
  flush_file_system(exists_ ? folder_ : parent_of(folder_));
}

void OutputTree::move_files() {
  for (const auto& entry : fs::recursive_directory_iterator(temporary_)) {
    const fs::path relative = fs::relative(entry.path(), temporary_);
    const fs::path target = fs::path(folder_) / relative;
    if (entry.is_directory()) {
      refuse_links(relative);
      make_folders(target);
    } else if (::rename(entry.path().c_str(), target.c_str()) != 0) {
      fail_at(target.string(), errno);
    }
  }
}

}  // namespace sosie
