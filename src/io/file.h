#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sosie {

// A regular file opened for reading by position, never mapped: a mapped file counts as memory and
// faults when it shrinks. Safe to read from many threads at once.
class File {
 public:
  // Throws Error{io} naming the path. A folder is an error.
  explicit File(const std::string& path);
  // Takes over an open descriptor; `name` is what messages call it.
  File(int descriptor, std::string name);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Size when it was opened; what is appended later is not read.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

  // Reads exactly size bytes at offset. Throws Error{io} when the file has become shorter.
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;

 private:
  void inspect();

  int descriptor_ = -1;
  std::string name_;
  std::uint64_t size_ = 0;
  bool regular_ = false;
};

// Copies all that can be read from `descriptor` (a pipe, say) into an unnamed file in the folder
// `scratch`, so that it can be read by position. Throws Error{io}; stops when *cancel becomes true.
[[nodiscard]] File spool(int descriptor, const std::string& name, const std::string& scratch,
                         const std::atomic<bool>* cancel);

// "No such file or directory" and the like for the current errno.
[[nodiscard]] std::string system_message(int error_number);

}  // namespace sosie
