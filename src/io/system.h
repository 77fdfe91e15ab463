#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <ctime>
#include <string>

// System calls beyond POSIX, and substitutes for systems that lack them. All differences between
// Linux and other systems in reading and writing files are here. -D SOSIE_PORTABLE=ON builds with
// the substitutes even on Linux.
namespace sosie {

// Opens a new unnamed file in `folder` for reading and writing; -1 and errno on failure.
[[nodiscard]] int open_unnamed_file(const std::string& folder) noexcept;
// True if the descriptor is on a local file system, where a flock() is visible to every process
// that can see the file; false if this cannot be determined.
[[nodiscard]] bool is_on_local_file_system(int descriptor) noexcept;
// Creates a new file with mode 0600, like mkstemp(); fills in the "XXXXXX" at the end of `name`.
[[nodiscard]] int open_new_file(char* name) noexcept;

// Reads `size` bytes if all of them are in memory; false if they are not or if this cannot be
// determined.
[[nodiscard]] bool read_cached(int descriptor, char* out, std::size_t size, off_t offset) noexcept;
// A hint that bytes will be needed soon, so that the system can start to read them.
void begin_read(int descriptor, off_t offset, off_t size) noexcept;

// Returns when the whole file is on disk; on failure, returns -1 and sets errno.
int flush_file(int descriptor) noexcept;
// Starts to write `size` bytes at `offset` to disk; a hint that not every system supports.
void begin_flush(int descriptor, off_t offset, off_t size) noexcept;
// Flushes all files of the descriptor's file system; -1 and errno on failure.
int flush_file_system_of(int descriptor) noexcept;

[[nodiscard]] const struct timespec& modified_at(const struct stat& status) noexcept;
[[nodiscard]] const struct timespec& changed_at(const struct stat& status) noexcept;

}  // namespace sosie
