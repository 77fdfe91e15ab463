#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/thread_pool.h"
#include "io/compression.h"
#include "io/file.h"

namespace sosie {

// A file that appears under its name only when it is complete: written as `.NAME.sosie-XXXXXX`
// beside it, flushed to disk by finish() and renamed by commit(). Destroyed before commit(), it
// leaves nothing; what a killed process left is removed by the next one. Of several outputs all are
// finished before the first is committed: what can fail for want of room has then been done. A path
// that is not a regular file (-, /dev/null, /dev/stdout, a named pipe) is written directly; waiting
// for its reader ends with Error{cancelled} when *cancel becomes true. Of a symbolic link the file
// it leads to is replaced. A name that ends in .gz or .zst says that what is written gets packed,
// in members of kMemberBytes.
class OutputFile {
 public:
  enum class Durability : std::uint8_t { flushed_to_disk, left_to_caller };

  // Throws Error{io} when the folder cannot be written, Error{invalid_option} for a terminal under
  // a name that says what is written gets packed.
  explicit OutputFile(const std::string& path, const std::atomic<bool>* cancel = nullptr);
  OutputFile(const std::string& path, Durability durability);
  // Opens with a compression that the name does not say.
  OutputFile(std::string path, Durability durability, Compression compression,
             const std::atomic<bool>* cancel = nullptr);
  // Writes to an open descriptor instead, which stays the caller's; commit() does nothing.
  OutputFile(int descriptor, std::string name, const std::atomic<bool>* cancel = nullptr);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Lets the pool's workers pack; write() and commit() are then called outside of its tasks.
  void pack_with(ThreadPool& pool) noexcept { pool_ = &pool; }
  // True if a pool's workers may write: not where the pool packs the output, nor where a reader can
  // keep them waiting, for an interrupt reaches the main thread only.
  [[nodiscard]] bool takes_workers() const noexcept {
    return !temporary_.empty() && compression_ == Compression::none;
  }
  // True if the output is a terminal.
  [[nodiscard]] bool is_terminal() const noexcept;
  // Throws Error{invalid_option} if it is one: `content`, which is not text, would garble it.
  void refuse_terminal(std::string_view content) const;
  // From now on what a reader of a pipe no longer takes is dropped, so that the run completes its
  // other outputs.
  void outlive_reader() noexcept { outlives_reader_ = true; }
  // Buffered. Throws Error{io}; ClosedPipe when the reader of a pipe has gone.
  void write(std::string_view bytes);
  // Everything written so far reaches the descriptor; of a packed file, all whole members.
  void flush();
  // Writes the rest; nothing may be written behind it. Throws like write().
  void finish();
  // Gives the file its name, finished or not.
  void commit();

 private:
  void make_temporary();
  void write_through(std::string_view bytes);
  void begin_writeback() noexcept;
  void pack_members(std::size_t count);

  std::string path_;   // path for messages
  std::string place_;  // where it goes: path_ behind its links
  std::string temporary_;
  std::unique_ptr<const Descriptor> claim_;  // to temporary_
  int descriptor_ = -1;
  bool owned_ = false;
  Durability durability_ = Durability::flushed_to_disk;
  Compression compression_ = Compression::none;
  ThreadPool* pool_ = nullptr;
  const std::atomic<bool>* cancel_ = nullptr;
  std::uint64_t written_ = 0;   // bytes that the descriptor was given
  std::uint64_t sent_off_ = 0;  // bytes already on their way to the disk
  bool has_members_ = false;
  bool finished_ = false;
  bool outlives_reader_ = false;
  std::string buffer_;
};

// The reader of standard output has gone: the run ends quietly.
class ClosedPipe {};

// Temporary name of an output until it is complete: `.NAME.sosie-XXXXXX` in the same folder, for
// mkstemp() and mkdtemp(). `name` may be empty.
[[nodiscard]] std::string unfinished_name(const std::string& folder, const std::string& name);

// Says that a process is at work on an output of this name, as long as the descriptor or a
// duplicate of it is open. False if another run has taken it for a leftover meanwhile: then it is
// to be made anew.
[[nodiscard]] bool claim_unfinished(int descriptor, const std::string& path) noexcept;

// Removes what runs that were killed have left under such names: it is this user's, and no process
// has a claim to it. Only on file systems of this machine, where the claims of all processes are
// seen; elsewhere leftovers stay, as does what cannot be removed.
void remove_leftovers(const std::string& folder, const std::string& name) noexcept;

}  // namespace sosie
