#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sosie {

// A file that appears under its name only when it is complete: written as `.NAME.XXXXXX.tmp` beside
// it, then flushed to disk and renamed by commit(). Destroyed before commit(), it leaves nothing.
// A path that is not a regular file (/dev/null, a named pipe) is written directly.
class OutputFile {
 public:
  // Throws Error{io} when the folder cannot be written.
  explicit OutputFile(std::string path);
  // Writes to an open descriptor instead, which stays the caller's; commit() does nothing.
  OutputFile(int descriptor, std::string name);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Buffered. Throws Error{io}; ClosedPipe when the reader of a pipe has gone.
  void write(std::string_view bytes);
  // Everything written so far reaches the descriptor.
  void flush();
  void commit();

 private:
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  bool owned_ = false;
  std::string buffer_;
};

// The reader of standard output has gone: the run ends quietly.
class ClosedPipe {};

}  // namespace sosie
