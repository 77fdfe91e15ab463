#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <ctime>
#include <filesystem>
#include <string>

// Calls that systems have beyond POSIX, and what stands in for them where they are missing: all
// that differs between Linux and other systems in reading and writing files. -D SOSIE_PORTABLE=ON
// builds with the stand-ins on Linux, too.
namespace sosie {

// Opens a new file without a name in `folder`, for reading and writing; -1 and errno if it cannot.
[[nodiscard]] int open_unnamed_file(const std::string& folder) noexcept;
// True if a descriptor is of a file system of this machine alone, where flock() holds for everybody
// who sees its files; false where nobody can tell.
[[nodiscard]] bool is_on_local_file_system(int descriptor) noexcept;
// Makes a new file of mode 0600; `name` ends with "XXXXXX", which are filled in. As mkstemp().
[[nodiscard]] int open_new_file(char* name) noexcept;

// Reads `size` bytes if all of them are in memory; false if they are not, or nobody can tell.
[[nodiscard]] bool read_cached(int descriptor, char* out, std::size_t size, off_t offset) noexcept;
// Starts to read bytes that will be asked for soon: a hint.
void begin_read(int descriptor, off_t offset, off_t size) noexcept;

// Returns when all of a file is on the disk, or with -1 and errno.
int flush_file(int descriptor) noexcept;
// Starts to send `size` bytes from `offset` on to the disk: a hint, which not every system takes.
void begin_flush(int descriptor, off_t offset, off_t size) noexcept;
// Flushes all files of the file system that a descriptor is of; -1 and errno if it cannot.
int flush_file_system_of(int descriptor) noexcept;

[[nodiscard]] const struct timespec& modified_at(const struct stat& status) noexcept;
[[nodiscard]] const struct timespec& changed_at(const struct stat& status) noexcept;

// The executable of this process, links followed; empty where the system does not tell.
[[nodiscard]] std::filesystem::path program_file();

}  // namespace sosie
