#pragma once

#include <poll.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/compression.h"
#include "io/scratch.h"
#include "sosie/memory_file.h"

namespace sosie {

// A descriptor that is closed with its last owner.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

// Stamp of a file: differs once somebody writes to it, or puts another one in its place.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t links = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  // A name that is given or taken away touches changed_ns too; then the other times decide.
  [[nodiscard]] bool is_same(const FileStamp& other) const noexcept;
};

// Stamp of an open file, or of the file at a path; nothing unless it is a regular file.
[[nodiscard]] std::optional<FileStamp> stamp_of(int descriptor) noexcept;
[[nodiscard]] std::optional<FileStamp> stamp_of(const std::string& path) noexcept;

// Throws Error{io} unless both are there and the same; `name` is what messages call the file.
void require_unchanged(const std::string& name, const std::optional<FileStamp>& before,
                       const std::optional<FileStamp>& now);
class PackedFile;
class PackedShelf;

// Bytes that lie still in a regular file, or a stretch of one, for reading by position; never
// mapped: a mapped file counts as memory and faults when it shrinks. Packed files are read by the
// position that bytes have when they are unpacked (io/packed_file.h). Safe to read from many
// threads at once.
class File {
 public:
  // Throws Error{io} naming the path. A folder is an error.
  explicit File(const std::string& path);
  // Takes over an open descriptor; `name` is what messages call it.
  File(int descriptor, std::string name);
  // `size` bytes from `begin` of a file that may hold others too.
  File(std::shared_ptr<const Descriptor> descriptor, std::string name, std::uint64_t begin,
       std::uint64_t size);

  // `size` bytes here and there in the memory of this process: their addresses are the offsets.
  [[nodiscard]] static File in_memory(std::string name, std::uint64_t size);
  // A file in the caller's memory.
  [[nodiscard]] static File in_memory(std::string name, std::shared_ptr<const MemoryFile> bytes);

  // File that reads the unpacked contents of `packed`. Reading throws as unpack() does. `shelf`:
  // one for all packed files of a run.
  [[nodiscard]] static File unpacking(File packed, Compression compression,
                                      std::shared_ptr<PackedShelf> shelf,
                                      const std::atomic<bool>* cancel);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Size when it was opened; what is appended later is not read. Of a packed file whose end was not
  // reached yet, all is unpacked to know it.
  [[nodiscard]] std::uint64_t size() const { return packed_ ? packed_size() : size_; }
  // The size, or ~0 for a packed file whose end was not reached yet.
  [[nodiscard]] std::uint64_t known_size() const { return packed_ ? known_packed_size() : size_; }
  // The size, or for packed files about the size; it does not depend on what was read before.
  [[nodiscard]] std::uint64_t likely_size() const { return packed_ ? likely_packed_size() : size_; }
  // Bytes that summaries count: the size, unless count_as() has said how many.
  [[nodiscard]] std::uint64_t counted_size() const { return counted_ ? *counted_ : size(); }
  void count_as(std::uint64_t bytes) noexcept { counted_ = bytes; }
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }
  // True if it lies in the caller's memory.
  [[nodiscard]] bool is_in_memory() const noexcept { return bytes_ != nullptr; }
  // The open descriptor; -1 when it is closed between reads.
  [[nodiscard]] int descriptor() const noexcept;

  // Reads exactly size bytes at offset. Throws Error{io} when the file has become shorter, or is
  // another one than it was.
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;
  // Like read_at(), but false for bytes that would have to come from the disk.
  [[nodiscard]] bool read_cached(std::uint64_t offset, char* out, std::size_t size) const noexcept;
  // Starts to read such bytes: a hint.
  void begin_read(std::uint64_t offset, std::uint64_t size) const noexcept;
  // Up to size bytes at offset, fewer at the end of the file; returns how many.
  std::size_t read_some(std::uint64_t offset, char* out, std::size_t size) const;

  // Says that these bytes were made of the file at `path`, which was so before it was read, and
  // which others may read again.
  void made_of(std::string path, const FileStamp& stamp);
  // Stamp at the time of opening; nothing unless it is a regular file.
  [[nodiscard]] const std::optional<FileStamp>& stamp() const noexcept { return stamp_; }
  // Throws Error{io} when the file, or that one, has been written to since it was opened. A file
  // whose name was taken away is the one that was opened.
  void require_unchanged() const;
  // null for a file that is not packed.
  [[nodiscard]] PackedFile* packed() const noexcept { return packed_.get(); }

  // For runs over more files than a process may have open: from now on the file is opened by its
  // name for each read. Only for files made from a path.
  void close_between_reads() noexcept;

 private:
  File() = default;
  void inspect();
  [[nodiscard]] std::shared_ptr<const Descriptor> open_again() const;
  [[nodiscard]] std::uint64_t packed_size() const;
  [[nodiscard]] std::uint64_t known_packed_size() const;
  [[nodiscard]] std::uint64_t likely_packed_size() const;

  std::shared_ptr<const Descriptor> descriptor_;
  std::shared_ptr<PackedFile> packed_;
  std::shared_ptr<const MemoryFile> bytes_;
  std::string name_;
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;
  std::optional<std::uint64_t> counted_;
  std::optional<FileStamp> stamp_;  // none: nobody else can write there
  std::string made_of_;             // path of the file that it is of; empty: this one
  bool regular_ = false;
  bool in_memory_ = false;
};

// An unnamed file in scratch that only grows, and goes with its last owner. Belongs to one thread;
// what was written can be read by all.
class ScratchFile {
 public:
  // Throws Error{io}.
  explicit ScratchFile(Scratch& scratch);
  // Throws Error{io}; Error{limit_exceeded} when scratch may not hold so much.
  void append(std::string_view bytes);
  // Reads exactly size bytes at offset. Throws Error{io}.
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // Bytes appended from `begin` on, as a file; messages call it `name`.
  [[nodiscard]] File section(std::uint64_t begin, std::string name) const;
  // Its first `size` bytes.
  [[nodiscard]] File section(std::uint64_t begin, std::string name, std::uint64_t size) const;

 private:
  Scratch& scratch_;
  std::shared_ptr<const Descriptor> descriptor_;
  std::uint64_t size_ = 0;
};

// Appends all that `descriptor` (a pipe, say) gives to `scratch`, so that it can be read by
// position. Bytes that begin as gzip or zstd do are unpacked on the way. Throws Error{io}, and as
// unpack() does; stops when *cancel becomes true.
[[nodiscard]] File spool(int descriptor, const std::string& name, ScratchFile& scratch,
                         const std::atomic<bool>* cancel, const WindowLimit& limit = {});
// Spools into any sink.
void spool_into(const ByteSink& sink, int descriptor, const std::string& name,
                const std::atomic<bool>* cancel, const WindowLimit& limit = {});

// Compression of a file: by its first bytes, else by the end of its path.
[[nodiscard]] Compression packing_of(const File& file, std::string_view path);

// Appends the unpacked contents of the file to `scratch`. Throws as unpack() does.
[[nodiscard]] File unpacked(const File& file, Compression compression, ScratchFile& scratch,
                            const std::atomic<bool>* cancel, const WindowLimit& limit = {});

// The next bytes of a pipe or a terminal, at most `size`; 0 at its end. Waiting for them ends with
// Error{cancelled} when *cancel becomes true. Throws Error{io}.
[[nodiscard]] std::size_t read_stream(int descriptor, const std::string& name, char* out,
                                      std::size_t size, const std::atomic<bool>* cancel);

// Reads `descriptor` up to its end, or its first `most` bytes. Throws as read_stream() does.
[[nodiscard]] std::string read_to_end(int descriptor, const std::string& name, std::uint64_t most,
                                      const std::atomic<bool>* cancel);

// Reads like read_to_end() what may be packed, whatever its name, and unpacks it. Throws as
// unpack() does, too.
[[nodiscard]] std::string read_text(int descriptor, const std::string& name, std::uint64_t most,
                                    const std::atomic<bool>* cancel);

// "No such file or directory" and the like for the current errno.
[[nodiscard]] std::string system_message(int error_number);

// Throws Error{cancelled} when *cancel is true; cancel may be null.
void throw_if_cancelled(const std::atomic<bool>* cancel);

// Waits until the descriptor can be read (POLLIN) or written (POLLOUT) without waiting, looking at
// *cancel ten times a second. Regular files are always ready.
void wait_until_ready(int descriptor, short events, const std::atomic<bool>* cancel);

}  // namespace sosie
