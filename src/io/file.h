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

// A descriptor that is closed when its last owner is destroyed.
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

// Identity and state of a file: differs if the file is written to or replaced.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t links = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  // Linking or unlinking the file also changes changed_ns; then the other times decide.
  [[nodiscard]] bool is_same(const FileStamp& other) const noexcept;
};

// Stamp of an open file, or of the file at a path; nullopt unless it is a regular file.
[[nodiscard]] std::optional<FileStamp> stamp_of(int descriptor) noexcept;
[[nodiscard]] std::optional<FileStamp> stamp_of(const std::string& path) noexcept;

// Throws Error{io} unless both stamps exist and are equal. `name`: name of the file in messages.
void require_unchanged(const std::string& name, const std::optional<FileStamp>& before,
                       const std::optional<FileStamp>& now);
class PackedFile;
class PackedShelf;

// A regular file that does not change, or a range of one, for reading by position; never mapped, as
// mapped files count as memory and fault when they shrink. Compressed files are read by
// decompressed position (io/packed_file.h). Thread-safe for reading.
class File {
 public:
  // Throws Error{io} with the path, also for a folder.
  explicit File(const std::string& path);
  // Takes ownership of an open descriptor. `name`: used in messages.
  File(int descriptor, std::string name);
  // A range of `size` bytes from `begin` in a file that may contain others.
  File(std::shared_ptr<const Descriptor> descriptor, std::string name, std::uint64_t begin,
       std::uint64_t size);

  // Memory of this process in scattered pieces, `size` bytes in total: offsets are addresses.
  [[nodiscard]] static File in_memory(std::string name, std::uint64_t size);
  // A file in the caller's memory.
  [[nodiscard]] static File in_memory(std::string name, std::shared_ptr<const MemoryFile> bytes);

  // A file that reads the decompressed contents of `packed`. Reading throws as unpack() does.
  // `shelf`: shared by all compressed files of a run.
  [[nodiscard]] static File unpacking(File packed, Compression compression,
                                      std::shared_ptr<PackedShelf> shelf,
                                      const std::atomic<bool>* cancel);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Size at the time of opening; bytes appended later are not read. For a compressed file whose end
  // has not been reached, decompresses all of it.
  [[nodiscard]] std::uint64_t size() const { return packed_ ? packed_size() : size_; }
  // The size, or ~0 for a compressed file whose end has not been reached.
  [[nodiscard]] std::uint64_t known_size() const { return packed_ ? known_packed_size() : size_; }
  // The size; for compressed files an estimate that does not depend on earlier reads.
  [[nodiscard]] std::uint64_t likely_size() const { return packed_ ? likely_packed_size() : size_; }
  // Bytes counted in summaries: the size, unless set by count_as().
  [[nodiscard]] std::uint64_t counted_size() const { return counted_ ? *counted_ : size(); }
  void count_as(std::uint64_t bytes) noexcept { counted_ = bytes; }
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }
  // True if it is in the caller's memory.
  [[nodiscard]] bool is_in_memory() const noexcept { return bytes_ != nullptr; }
  // The open descriptor; -1 if it is closed between reads.
  [[nodiscard]] int descriptor() const noexcept;

  // Reads exactly `size` bytes at `offset`. Throws Error{io} if the file has shrunk or was
  // replaced.
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;
  // Like read_at(), but returns false for bytes that would have to come from the disk.
  [[nodiscard]] bool read_cached(std::uint64_t offset, char* out, std::size_t size) const noexcept;
  // Starts to read such bytes: a hint.
  void begin_read(std::uint64_t offset, std::uint64_t size) const noexcept;
  // Reads up to `size` bytes at `offset`, fewer at the end of the file; returns the number of
  // bytes.
  std::size_t read_some(std::uint64_t offset, char* out, std::size_t size) const;

  // Records that these bytes were derived from the file at `path`, which had this stamp before it
  // was read and may be read again by others.
  void made_of(std::string path, const FileStamp& stamp);
  // Stamp at the time of opening; nullopt unless it is a regular file.
  [[nodiscard]] const std::optional<FileStamp>& stamp() const noexcept { return stamp_; }
  // Throws Error{io} if the file, or the file it was derived from, has been modified since it was
  // opened. Unlinking the opened file does not count.
  void require_unchanged() const;
  // null if the file is not compressed.
  [[nodiscard]] PackedFile* packed() const noexcept { return packed_.get(); }

  // Closes the file and reopens it by name for each read, for runs over more files than a process
  // may have open. Only for files opened by path.
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
  std::optional<FileStamp> stamp_;  // empty: no other process can write it
  std::string made_of_;             // path of the original file; empty: this one
  bool regular_ = false;
  bool in_memory_ = false;
};

// An unnamed, append-only file in scratch, deleted with its last owner. One thread writes; any
// thread may read what has been written.
class ScratchFile {
 public:
  // Throws Error{io}.
  explicit ScratchFile(Scratch& scratch);
  // Throws Error{io}; Error{limit_exceeded} if the limit of scratch would be exceeded.
  void append(std::string_view bytes);
  // Reads exactly `size` bytes at `offset`. Throws Error{io}.
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // The bytes appended since position `begin`, as a file called `name` in messages.
  [[nodiscard]] File section(std::uint64_t begin, std::string name) const;
  // The first `size` bytes of that section.
  [[nodiscard]] File section(std::uint64_t begin, std::string name, std::uint64_t size) const;

 private:
  Scratch& scratch_;
  std::shared_ptr<const Descriptor> descriptor_;
  std::uint64_t size_ = 0;
};

// Appends everything from `descriptor` (such as a pipe) to `scratch`, so that it can be read by
// position. Bytes that begin as gzip or zstd are decompressed on the way. Throws Error{io}, and as
// unpack() does; stops when *cancel becomes true.
[[nodiscard]] File spool(int descriptor, const std::string& name, ScratchFile& scratch,
                         const std::atomic<bool>* cancel, const WindowLimit& limit = {});
// Spools into any sink.
void spool_into(const ByteSink& sink, int descriptor, const std::string& name,
                const std::atomic<bool>* cancel, const WindowLimit& limit = {});

// Compression of a file, by its first bytes or else by its extension.
[[nodiscard]] Compression packing_of(const File& file, std::string_view path);

// Appends the decompressed contents of the file to `scratch`. Throws as unpack() does.
[[nodiscard]] File unpacked(const File& file, Compression compression, ScratchFile& scratch,
                            const std::atomic<bool>* cancel, const WindowLimit& limit = {});

// Reads the next bytes of a pipe or a terminal, at most `size`; returns 0 at its end. While it
// waits for them, throws Error{cancelled} when *cancel becomes true. Throws Error{io}.
[[nodiscard]] std::size_t read_stream(int descriptor, const std::string& name, char* out,
                                      std::size_t size, const std::atomic<bool>* cancel);

// Reads `descriptor` to its end, or its first `most` bytes. Throws as read_stream() does.
[[nodiscard]] std::string read_to_end(int descriptor, const std::string& name, std::uint64_t most,
                                      const std::atomic<bool>* cancel);

// Like read_to_end(), but decompresses the contents if they are compressed, regardless of the name.
// Also throws as unpack() does.
[[nodiscard]] std::string read_text(int descriptor, const std::string& name, std::uint64_t most,
                                    const std::atomic<bool>* cancel);

// "No such file or directory" and the like for an errno value.
[[nodiscard]] std::string system_message(int error_number);

// Throws Error{cancelled} if *cancel is true; cancel may be null.
void throw_if_cancelled(const std::atomic<bool>* cancel);

// Waits until the descriptor can be read (POLLIN) or written (POLLOUT) without blocking; checks
// *cancel ten times a second. Regular files are always ready.
void wait_until_ready(int descriptor, short events, const std::atomic<bool>* cancel);

}  // namespace sosie
