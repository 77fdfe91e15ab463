// System calls beyond POSIX.
#include "io/system.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "sosie/program_folder.h"

#if defined(__APPLE__)
#include <mach-o/dyld.h>

#include <array>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#if defined(__linux__) && !defined(SOSIE_PORTABLE)
#define SOSIE_HAS_LINUX
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#endif

#if defined(__APPLE__)
#include <sys/mount.h>
#include <sys/param.h>
#endif

namespace sosie {
namespace {

#ifdef SOSIE_HAS_LINUX
// TABLE: file systems that only one machine mounts at a time. linux/magic.h lacks the last three.
constexpr std::array<unsigned long, 10> kLocalFileSystems = {
    EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,     F2FS_SUPER_MAGIC,
    TMPFS_MAGIC,      RAMFS_MAGIC,     OVERLAYFS_SUPER_MAGIC,
    0x2FC12FC1,  // ZFS
    0xCA451A4E,  // bcachefs
    0x3153464A   // JFS
};
#endif

// Creates a file that briefly has a name, because not every file system supports unnamed files.
int open_and_unlink(const std::string& folder) noexcept {
  std::string name = folder + "/sosie-spool-XXXXXX";
  const int descriptor = open_new_file(name.data());
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

int open_new_file(char* name) noexcept {
#ifdef SOSIE_HAS_LINUX
  return ::mkostemp(name, O_CLOEXEC);
#else
  const int descriptor = ::mkstemp(name);
  if (descriptor >= 0) (void)::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

int open_unnamed_file(const std::string& folder) noexcept {
#ifdef SOSIE_HAS_LINUX
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
#endif
  return open_and_unlink(folder);
}

bool is_on_local_file_system([[maybe_unused]] int descriptor) noexcept {
#if defined(SOSIE_HAS_LINUX)
  struct statfs status {};
  if (::fstatfs(descriptor, &status) != 0) return false;
  return std::find(kLocalFileSystems.begin(), kLocalFileSystems.end(),
                   static_cast<unsigned long>(status.f_type)) != kLocalFileSystems.end();
#elif defined(__APPLE__)
  struct statfs status {};
  return ::fstatfs(descriptor, &status) == 0 && (status.f_flags & MNT_LOCAL) != 0;
#else
  return false;
#endif
}

bool read_cached([[maybe_unused]] int descriptor, [[maybe_unused]] char* out,
                 [[maybe_unused]] std::size_t size, [[maybe_unused]] off_t offset) noexcept {
#if defined(SOSIE_HAS_LINUX) && defined(RWF_NOWAIT)
  struct iovec piece {};
  piece.iov_base = out;
  piece.iov_len = size;
  return ::preadv2(descriptor, &piece, 1, offset, RWF_NOWAIT) == static_cast<ssize_t>(size);
#else
  return false;
#endif
}

void begin_read([[maybe_unused]] int descriptor, [[maybe_unused]] off_t offset,
                [[maybe_unused]] off_t size) noexcept {
#ifdef POSIX_FADV_WILLNEED
  (void)::posix_fadvise(descriptor, offset, size, POSIX_FADV_WILLNEED);
#endif
}

int flush_file(int descriptor) noexcept {
#ifdef F_FULLFSYNC  // where fsync() leaves bytes in the drive
  if (::fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
  int status = 0;
  do {
    status = ::fsync(descriptor);
  } while (status != 0 && errno == EINTR);
  return status;
}

void begin_flush([[maybe_unused]] int descriptor, [[maybe_unused]] off_t offset,
                 [[maybe_unused]] off_t size) noexcept {
#if defined(SOSIE_HAS_LINUX) && defined(SYNC_FILE_RANGE_WRITE)
  ::sync_file_range(descriptor, offset, size, SYNC_FILE_RANGE_WRITE);
#endif
}

int flush_file_system_of([[maybe_unused]] int descriptor) noexcept {
#ifdef SOSIE_HAS_LINUX
  return ::syncfs(descriptor);
#else
  ::sync();  // flushes every file system, and reports no errors
  return 0;
#endif
}

#ifdef __APPLE__
const struct timespec& modified_at(const struct stat& status) noexcept {
  return status.st_mtimespec;
}
const struct timespec& changed_at(const struct stat& status) noexcept {
  return status.st_ctimespec;
}
#else
const struct timespec& modified_at(const struct stat& status) noexcept { return status.st_mtim; }
const struct timespec& changed_at(const struct stat& status) noexcept { return status.st_ctim; }
#endif

std::filesystem::path program_folder() {
  std::error_code error;
  std::filesystem::path file;
#if defined(__APPLE__)
  std::array<char, 4096> path{};
  std::uint32_t size = path.size();
  if (_NSGetExecutablePath(path.data(), &size) == 0) {
    file = std::filesystem::canonical(path.data(), error);
  }
#elif defined(__linux__)
  file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    // Here, the kernel stores the path that was passed to exec().
    const auto* const started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // NOLINT
    if (started != nullptr) file = std::filesystem::weakly_canonical(started, error);
  }
#endif
  return file.parent_path();
}

}  // namespace sosie
