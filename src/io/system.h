#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <ctime>
#include <filesystem>
#include <string>

// System calls beyond POSIX, and substitutes for systems that lack them: all differences between
// Linux and other systems in reading and writing files. -D SOSIE_PORTABLE=ON builds with the
// substitutes on Linux, too.
namespace sosie {

// Opens a new unnamed file in `folder` for reading and writing; -1 and errno on failure.
[[nodiscard]] int open_unnamed_file(const std::string& folder) noexcept;
// True if a descriptor belongs to a local file system, where flock() is visible to every process
// that sees its files; false if unknown.
[[nodiscard]] bool is_on_local_file_system(int descriptor) noexcept;
// Creates a new file with mode 0600; `name` ends with "XXXXXX", which is filled in. Like mkstemp().
[[nodiscard]] int open_new_file(char* name) noexcept;

// Reads `size` bytes if all of them are in memory; false if they are not, or if this is unknown.
[[nodiscard]] bool read_cached(int descriptor, char* out, std::size_t size, off_t offset) noexcept;
// Starts to read bytes that will be needed soon: a hint.
void begin_read(int descriptor, off_t offset, off_t size) noexcept;

// Returns when the whole file is on disk, or with -1 and errno.
int flush_file(int descriptor) noexcept;
// Starts to write `size` bytes from `offset` to disk: a hint that not every system supports.
void begin_flush(int descriptor, off_t offset, off_t size) noexcept;
// Flushes all files of the descriptor's file system; -1 and errno on failure.
int flush_file_system_of(int descriptor) noexcept;

[[nodiscard]] const struct timespec& modified_at(const struct stat& status) noexcept;
[[nodiscard]] const struct timespec& changed_at(const struct stat& status) noexcept;

// The executable of this process, with links resolved; empty if the system does not provide it.
[[nodiscard]] std::filesystem::path program_file();

}  // namespace sosie
