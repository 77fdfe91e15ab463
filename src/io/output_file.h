#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "io/compression.h"
#include "io/file.h"

namespace sosie {

// A file that appears under its name only when it is complete: it is written as
// `.NAME.sosie-XXXXXX` in the same folder, flushed to disk by finish() and renamed by commit(). If
// the object is destroyed before commit(), nothing remains; what a killed process leaves behind is
// removed by the next process. If there are several outputs, all are finished before the first is
// committed, so that a full disk is noticed in time. A path that is not a regular file (-,
// /dev/null, /dev/stdout, a named pipe) is written directly; if *cancel becomes true while waiting
// for its reader, Error{cancelled} is thrown. If the path is a symbolic link, the link's target is
// replaced. A name that ends in .gz or .zst requests compression, in members of kMemberBytes
// unless the writer asks for others.
class OutputFile {
 public:
  enum class Durability : std::uint8_t { flushed_to_disk, left_to_caller };

  // Throws Error{io} if the folder is not writable, and Error{invalid_option} if the name requests
  // compression but the output is a terminal.
  explicit OutputFile(const std::string& path, const std::atomic<bool>* cancel = nullptr);
  OutputFile(const std::string& path, Durability durability);
  // Opens the file with this compression regardless of its name.
  OutputFile(std::string path, Durability durability, Compression compression,
             const std::atomic<bool>* cancel = nullptr);
  // Writes to an open descriptor, which still belongs to the caller; commit() does nothing.
  OutputFile(int descriptor, std::string name, const std::atomic<bool>* cancel = nullptr);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Lets the pool's workers compress. From then on, write() and commit() must be called outside the
  // pool's tasks.
  void pack_with(ThreadPool& pool) noexcept { pool_ = &pool; }
  // True if a pool's workers may write to this output. They may not if the pool compresses it, or
  // if a reader can block them, since an interrupt reaches only the main thread.
  [[nodiscard]] bool takes_workers() const noexcept {
    return !temporary_.empty() && compression_ == Compression::none;
  }
  // True if the output is a terminal.
  [[nodiscard]] bool is_terminal() const noexcept;
  // Throws Error{invalid_option} if the output is a terminal, because `content`, which is not text,
  // would garble it.
  void refuse_terminal(std::string_view content) const;
  // From now on, output to a closed pipe is dropped, so that the run can complete its other
  // outputs.
  void outlive_reader() noexcept { outlives_reader_ = true; }
  // Buffered. Throws Error{io}, or ClosedPipe if the reader of a pipe has closed it.
  void write(std::string_view bytes);
  // Writes bytes as a member of their own if the file is compressed, so that they can be found by
  // its offset. A file is written either with this function or with write().
  void write_member(std::string_view bytes);
  // True if the file is compressed.
  [[nodiscard]] bool has_members() const noexcept { return compression_ != Compression::none; }
  // Passes everything written so far to the descriptor; for compressed files, only complete
  // members.
  void flush();
  // Writes the rest; must be the last write. Throws as write() does.
  void finish();
  // Gives the file its name, even if finish() has not been called.
  void commit();

 private:
  void make_temporary();
  void write_through(std::string_view bytes);
  void begin_writeback() noexcept;
  void pack_members(std::span<const std::size_t> ends);

  std::string path_;   // path for messages
  std::string place_;  // destination: path_ with its links resolved
  std::string temporary_;
  std::unique_ptr<const Descriptor> claim_;  // on temporary_
  int descriptor_ = -1;
  bool owned_ = false;
  Durability durability_ = Durability::flushed_to_disk;
  Compression compression_ = Compression::none;
  ThreadPool* pool_ = nullptr;
  const std::atomic<bool>* cancel_ = nullptr;
  std::uint64_t written_ = 0;   // bytes passed to the descriptor
  std::uint64_t sent_off_ = 0;  // bytes already being written to disk
  bool has_written_member_ = false;
  bool finished_ = false;
  bool outlives_reader_ = false;
  std::string buffer_;
  std::vector<std::size_t> member_ends_;  // in the buffer, of members of their own
};

// Thrown if the reader of standard output has closed it; the run then ends without an error.
class ClosedPipe {};

// The temporary name of an incomplete output: `.NAME.sosie-XXXXXX` in the same folder, for
// mkstemp() and mkdtemp(). `name` may be empty.
[[nodiscard]] std::string unfinished_name(const std::string& folder, const std::string& name);

// Claims an output under its temporary name for this process, for as long as the descriptor or a
// duplicate of it is open. Returns false if another run has meanwhile removed the file as a
// leftover, in which case it must be created again.
[[nodiscard]] bool claim_unfinished(int descriptor, const std::string& path) noexcept;

// Removes leftovers of killed runs with such names if they belong to this user and no process
// claims them. Only works on local file systems, where each process sees the claims of all others;
// elsewhere leftovers stay, and so do files that cannot be removed.
void remove_leftovers(const std::string& folder, const std::string& name) noexcept;

}  // namespace sosie
