// Simulates a power loss, for tests: a library to be named in LD_PRELOAD. The program under test
// does not notice it.
//
//   SOSIE_POWER_LOSS=N          at the N-th write, fsync or rename from the first on, the process
//                               is killed and what is not on disk is lost; if there are fewer, that
//                               happens when the process has ended
//   SOSIE_POWER_LOSS_COUNT=FILE how many such calls there were, once the process ends by itself
//
// A file on disk has the contents of its last fsync(); a name is on disk if its folder was flushed
// after the name was given. Data written to a file since then may be partly present, followed by
// zero bytes; the size of this part depends on N. A name that was not flushed refers to the same
// file as before.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

using Inode = std::pair<dev_t, ino_t>;

struct Written {
  int descriptor;  // our own
  off_t flushed;   // bytes
};

struct Named {
  std::string name;
  std::string before;  // another name for the previous file; empty: none
};

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

off_t size_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

Inode inode_of_folder(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 ? Inode{status.st_dev, status.st_ino} : Inode{};
}

class Disk {
 public:
  Disk() {
    if (const char* number = std::getenv("SOSIE_POWER_LOSS")) fails_at_ = std::atoll(number);
  }
  ~Disk() {
    if (calls_ < fails_at_) lose_power();
    const char* path = std::getenv("SOSIE_POWER_LOSS_COUNT");
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return;
    std::fprintf(file, "%lld", calls_);
    std::fclose(file);
  }

  // Before each call.
  void count() {
    const std::lock_guard lock(mutex_);
    if (++calls_ == fails_at_) lose_power();
  }
  void before_write(int descriptor) {
    const std::lock_guard lock(mutex_);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    const auto [at, is_new] = written_.try_emplace({status.st_dev, status.st_ino});
    if (is_new) at->second = {::fcntl(descriptor, F_DUPFD_CLOEXEC, 0), status.st_size};
  }
  void flushed(int descriptor) {
    const std::lock_guard lock(mutex_);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return;
    const Inode inode{status.st_dev, status.st_ino};
    if (const auto at = written_.find(inode); at != written_.end()) {
      at->second.flushed = status.st_size;
    }
    for (const Named& named : named_[inode]) {
      if (!named.before.empty()) ::unlink(named.before.c_str());
    }
    named_.erase(inode);
  }
  void before_rename(const char* to) {
    const std::lock_guard lock(mutex_);
    std::string before = std::string(to) + ".power-loss";
    if (::link(to, before.c_str()) != 0) before.clear();
    named_[inode_of_folder(to)].push_back({to, before});
  }
  void before_creation(const char* path) {
    const std::lock_guard lock(mutex_);
    if (::access(path, F_OK) != 0) named_[inode_of_folder(path)].push_back({path, ""});
  }

 private:
  [[noreturn]] void lose_power() {
    static auto* const rename_it = real<int(const char*, const char*)>("rename");
    for (const auto& [inode, file] : written_) {
      const off_t size = size_of(file.descriptor);
      const off_t there = file.flushed + (size - file.flushed) * (fails_at_ % 4) / 4;
      (void)!::ftruncate(file.descriptor, there);
      (void)!::ftruncate(file.descriptor, fails_at_ % 3 == 0 ? size : there);
    }
    for (auto& [folder, names] : named_) {
      for (auto named = names.rbegin(); named != names.rend(); ++named) {
        if (named->before.empty()) {
          ::unlink(named->name.c_str());
        } else {
          rename_it(named->before.c_str(), named->name.c_str());
        }
      }
    }
    ::kill(::getpid(), SIGKILL);
    std::abort();
  }

  std::mutex mutex_;
  long long fails_at_ = 0;  // never
  long long calls_ = 0;
  std::map<Inode, Written> written_;
  std::map<Inode, std::vector<Named>> named_;  // by folder
};

Disk& disk() {
  static Disk disk;
  return disk;
}

int open_with(const char* which, const char* path, int flags, mode_t mode) {
  auto* const next = real<int(const char*, int, ...)>(which);
  if ((flags & O_CREAT) != 0) disk().before_creation(path);
  return next(path, flags, mode);
}

mode_t mode_of(int flags, std::va_list arguments) {
  const bool has_mode = (flags & (O_CREAT | O_TMPFILE)) != 0;
  return has_mode ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_with("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_with("open64", path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const next = real<ssize_t(int, const void*, size_t)>("write");
  if (descriptor <= STDERR_FILENO) return next(descriptor, bytes, size);
  disk().count();
  disk().before_write(descriptor);
  return next(descriptor, bytes, size);
}

int fsync(int descriptor) {
  static auto* const next = real<int(int)>("fsync");
  disk().count();
  const int result = next(descriptor);
  disk().flushed(descriptor);
  return result;
}

int rename(const char* from, const char* to) {
  static auto* const next = real<int(const char*, const char*)>("rename");
  disk().count();
  disk().before_rename(to);
  return next(from, to);
}

}  // extern "C"
