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

// Identity and state of a file. The stamp changes if the file is written to or replaced.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t links = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;

  // True if both stamps are of the same, unmodified file. As linking or unlinking it changes
  // changed_ns too, the other times then decide.
  [[nodiscard]] bool is_same(const FileStamp& other) const noexcept;
};

// Stamp of an open file, or of the file at a path; nullopt unless it is a regular file.
[[nodiscard]] std::optional<FileStamp> stamp_of(int descriptor) noexcept;
[[nodiscard]] std::optional<FileStamp> stamp_of(const std::string& path) noexcept;

// Throws Error{io} unless both stamps exist and are equal. `name`: the file's name in messages.
void require_unchanged(const std::string& name, const std::optional<FileStamp>& before,
                       const std::optional<FileStamp>& now);
class PackedFile;
class PackedShelf;

// A regular file that does not change, or a range of such a file, read by position. It is never
// mapped, since mapped files count as memory and fault when they shrink. Compressed files are read
// by decompressed position (io/packed_file.h). Reading is thread-safe.
class File {
 public:
  // Throws Error{io} with the path; a folder is an error, too.
  explicit File(const std::string& path);
  // Takes ownership of an open descriptor. `name` appears in messages.
  File(int descriptor, std::string name);
  // A range of `size` bytes, starting at `begin`, in a file that may also contain other data.
  File(std::shared_ptr<const Descriptor> descriptor, std::string name, std::uint64_t begin,
       std::uint64_t size);

  // Scattered pieces of this process's memory, `size` bytes in total; offsets are addresses.
  [[nodiscard]] static File in_memory(std::string name, std::uint64_t size);
  // A file in the caller's memory.
  [[nodiscard]] static File in_memory(std::string name, std::shared_ptr<const MemoryFile> bytes);

  // A file whose contents are the decompressed contents of `packed`. Reading throws as unpack()
  // does. `shelf` is shared by all compressed files of a run.
  [[nodiscard]] static File unpacking(File packed, Compression compression,
                                      std::shared_ptr<PackedShelf> shelf,
                                      const std::atomic<bool>* cancel);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Size of the file when it was opened; bytes appended later are not read. If a compressed file
  // has not yet been read to its end, all of it is decompressed.
  [[nodiscard]] std::uint64_t size() const { return packed_ ? packed_size() : size_; }
  // The size; ~0 for a compressed file that has not yet been read to its end.
  [[nodiscard]] std::uint64_t known_size() const { return packed_ ? known_packed_size() : size_; }
  // The size; for compressed files, an estimate that does not depend on earlier reads.
  [[nodiscard]] std::uint64_t likely_size() const { return packed_ ? likely_packed_size() : size_; }
  // Number of bytes given in summaries: the size, unless count_as() has set another number.
  [[nodiscard]] std::uint64_t counted_size() const { return counted_ ? *counted_ : size(); }
  void count_as(std::uint64_t bytes) noexcept { counted_ = bytes; }
  [[nodiscard]] bool is_regular() const noexcept { return regular_; }
  // True if the file is in the caller's memory.
  [[nodiscard]] bool is_in_memory() const noexcept { return bytes_ != nullptr; }
  // The open descriptor; -1 if it is closed between reads.
  [[nodiscard]] int descriptor() const noexcept;

  // Reads exactly `size` bytes at `offset`. Throws Error{io} if the file has shrunk or was
  // replaced.
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;
  // Like read_at(), but returns false if bytes would have to be read from disk.
  [[nodiscard]] bool read_cached(std::uint64_t offset, char* out, std::size_t size) const noexcept;
  // A hint that these bytes will be read soon, so that the system can start to read them.
  void begin_read(std::uint64_t offset, std::uint64_t size) const noexcept;
  // Reads up to `size` bytes at `offset`, fewer only at the end of the file; returns the number of
  // bytes read.
  std::size_t read_some(std::uint64_t offset, char* out, std::size_t size) const;

  // Records that the contents were derived from the file at `path`, which had this stamp before it
  // was read and which others may read again.
  void made_of(std::string path, const FileStamp& stamp);
  // Stamp at the time of opening; nullopt unless it is a regular file.
  [[nodiscard]] const std::optional<FileStamp>& stamp() const noexcept { return stamp_; }
  // Throws Error{io} if the file, or the file from which it was derived, has been modified since it
  // was opened. Unlinking the opened file does not count as a modification.
  void require_unchanged() const;
  // Null if the file is not compressed.
  [[nodiscard]] PackedFile* packed() const noexcept { return packed_.get(); }

  // Closes the file and reopens it by name for each read, for runs over more files than a process
  // may have open. Only for files that were opened by path.
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

// An unnamed, append-only file in scratch that is deleted with its last owner. One thread writes to
// it; any thread may read what has been written.
class ScratchFile {
 public:
  // Throws Error{io}.
  explicit ScratchFile(Scratch& scratch);
  // Throws Error{io}; Error{limit_exceeded} if the limit of scratch would be exceeded.
  void append(std::string_view bytes);
  // Reads exactly `size` bytes at `offset`. Throws Error{io}.
  void read_at(std::uint64_t offset, char* out, std::size_t size) const;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // The bytes appended since position `begin`, as a file; `name` is its name in messages.
  [[nodiscard]] File section(std::uint64_t begin, std::string name) const;
  // The first `size` bytes of that section.
  [[nodiscard]] File section(std::uint64_t begin, std::string name, std::uint64_t size) const;

 private:
  Scratch& scratch_;
  std::shared_ptr<const Descriptor> descriptor_;
  std::uint64_t size_ = 0;
};

// Appends everything that can be read from `descriptor` (such as a pipe) to `scratch`, so that it
// can be read by position. If the bytes begin like gzip or zstd, they are decompressed. Stops if
// *cancel becomes true. Throws Error{io}, and as unpack() does.
[[nodiscard]] File spool(int descriptor, const std::string& name, ScratchFile& scratch,
                         const std::atomic<bool>* cancel, const WindowLimit& limit = {});
// Spools into any sink.
void spool_into(const ByteSink& sink, int descriptor, const std::string& name,
                const std::atomic<bool>* cancel, const WindowLimit& limit = {});

// The compression of a file, as its first bytes or, failing that, its extension indicate.
[[nodiscard]] Compression packing_of(const File& file, std::string_view path);

// Appends the decompressed contents of the file to `scratch`. Throws as unpack() does.
[[nodiscard]] File unpacked(const File& file, Compression compression, ScratchFile& scratch,
                            const std::atomic<bool>* cancel, const WindowLimit& limit = {});

// Reads the next bytes of a pipe or a terminal, at most `size`; returns 0 at its end. Throws
// Error{cancelled} if *cancel becomes true while it waits for bytes, and Error{io}.
[[nodiscard]] std::size_t read_stream(int descriptor, const std::string& name, char* out,
                                      std::size_t size, const std::atomic<bool>* cancel);

// Reads `descriptor` to its end, or the first `most` bytes. Throws as read_stream() does.
[[nodiscard]] std::string read_to_end(int descriptor, const std::string& name, std::uint64_t most,
                                      const std::atomic<bool>* cancel);

// Like read_to_end(), but if the contents are compressed, decompresses them regardless of the name.
// Also throws as unpack() does.
[[nodiscard]] std::string read_text(int descriptor, const std::string& name, std::uint64_t most,
                                    const std::atomic<bool>* cancel);

// The system's message for an errno value, such as "No such file or directory".
[[nodiscard]] std::string system_message(int error_number);

// Throws Error{cancelled} if *cancel is true; cancel may be null.
void throw_if_cancelled(const std::atomic<bool>* cancel);

// Waits until the descriptor can be read (POLLIN) or written (POLLOUT) without blocking, and checks
// *cancel ten times a second. Regular files are always ready.
void wait_until_ready(int descriptor, short events, const std::atomic<bool>* cancel);

}  // namespace sosie
