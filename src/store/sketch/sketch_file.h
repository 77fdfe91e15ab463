#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/banded_rows.h"
#include "data/hashed_items.h"
#include "io/output_file.h"
#include "plan/saved_plan.h"
#include "store/sketch_contents.h"

namespace sosie {

// A block in the form of bytes in a sketch file.
struct SketchedBlock {
  std::string bytes = {};
  std::uint64_t checksum = 0;
  std::uint64_t rows = 0;
};

// Writes the results of scanning a shard (docs/formats/sketches.md): the blocks in input order,
// followed by the contents, with checksums over everything. The file appears when it is complete.
// Its version is 1 for texts, sets and bags, and 2 for vectors and bit strings.
class SketchWriter {
 public:
  // Throws as OutputFile does.
  SketchWriter(const std::string& path, SketchContents contents, const std::atomic<bool>* cancel);

  // Packs block `number`. Thread-safe.
  [[nodiscard]] SketchedBlock packed(std::size_t number, const ScannedBlock& block) const;
  void add(const BlockRange& range, const SketchedBlock& block);
  // For vectors and bit strings: adds the items [first, last) as a block.
  void add(const BlockRange& range, const HashedItems& items, std::size_t first, std::size_t last);
  [[nodiscard]] const SavedPlan& plan() const noexcept { return contents_.plan; }
  // Must be called after the last block. Returns the size of the file.
  std::uint64_t commit();

 private:
  void write(std::string_view bytes);

  SketchContents contents_;
  SketchShape shape_;
  OutputFile out_;
  std::string table_;  // one row a block
  std::uint64_t blocks_ = 0;
  std::uint64_t bytes_ = 0;
};

// An open sketch file. Many threads may read its blocks concurrently.
class SketchFile {
 public:
  // Reads and verifies everything except the blocks. Throws Error{malformed_input} if the file is
  // not a sketch file, is damaged or truncated; Error{unsupported} for another version or recipe;
  // Error{io}.
  explicit SketchFile(const std::string& path);

  // True if the path is a regular file that begins or ends like a sketch file. Throws Error{io}.
  [[nodiscard]] static bool is_one(const std::string& path);

  [[nodiscard]] const std::string& path() const noexcept { return file_.name(); }
  [[nodiscard]] const SketchContents& contents() const noexcept { return contents_; }
  // The ranges of files() from which the blocks were made, in input order.
  [[nodiscard]] const std::vector<BlockRange>& blocks() const noexcept { return ranges_; }
  // Reads block `number`, whose rows are in the file with number `file`. Throws
  // Error{malformed_input} if it is damaged, and Error{io}. With `hashes`, band keys are left out,
  // as described at Sketches.
  [[nodiscard]] ScannedBlock read(std::size_t number, std::uint32_t file,
                                  ColumnsOfBlock* hashes = nullptr) const;
  // Checksum of the contents; it covers all blocks, because the contents include their checksums.
  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }
  // Read parts of block `number`, as described at Sketches. Throw the same errors if a part does
  // not fit.
  void read_keys(std::size_t number, const BandRange& bands, std::vector<RowState>& states,
                 std::vector<std::uint64_t>& keys) const;
  void read_rows(std::size_t number, std::size_t rows, std::string& bytes) const;
  void read_filters(std::size_t number, std::size_t rows, const RowSpan& some,
                    std::vector<std::uint8_t>& filters) const;
  // Block `number` of a file of vectors or bit strings. Throws the same errors.
  [[nodiscard]] HashedItems read_items(std::size_t number) const;
  // Number of items in block `number`, computed from its size.
  [[nodiscard]] std::uint64_t items_of(std::size_t number) const;

 private:
  // The position of a block's bytes.
  struct Place {
    std::uint64_t offset;
    std::uint64_t bytes;
    std::uint64_t checksum;
  };

  void read_contents(const std::string& bytes, std::uint64_t blocks, std::uint64_t blocks_end);
  void check_contents(const PackedReader& in) const;
  void check_items(const PackedReader& in) const;
  [[nodiscard]] std::string bytes_of(std::size_t number) const;
  // Reads bytes of a block, starting at `begin`.
  void read_part(std::size_t number, std::uint64_t begin, void* out, std::uint64_t bytes) const;

  File file_;
  SketchContents contents_;
  SketchShape shape_;     // for texts, sets and bags
  HashShape item_shape_;  // for vectors and bit strings
  char version_ = '\0';
  std::uint64_t checksum_ = 0;
  std::vector<BlockRange> ranges_;
  std::vector<Place> places_;
};

// The hashes that a plan for vectors or bit strings gives each item.
[[nodiscard]] HashShape hash_shape(const HashedPlan& plan) noexcept;

// Maximum number of rows whose items are in one block of a sketch file: 256 KiB of hashes.
[[nodiscard]] std::size_t most_items_of_block(const HashShape& shape) noexcept;

// Bytes of a block of `items` items.
[[nodiscard]] std::uint64_t item_block_bytes(const HashShape& shape, std::uint64_t items) noexcept;

// Number of items in a block of this many bytes. If no block can have this size, throws
// Error{malformed_input} saying that `name` is damaged.
[[nodiscard]] std::uint64_t items_of_block(const HashShape& shape, std::uint64_t bytes,
                                           const std::string& name);

// The items [first, last) as bytes (docs/formats/sketches.md). Equal items give equal bytes.
[[nodiscard]] std::string pack_items(const HashedItems& items, const HashShape& shape,
                                     std::size_t first, std::size_t last);

// Converts the bytes back to items. Throws Error{malformed_input} saying that `name` is damaged if
// they are not items, or contain numbers that no item has: cells above 31, or cells that are not
// near themselves.
[[nodiscard]] HashedItems unpack_items(std::string_view bytes, const HashShape& shape,
                                       const std::string& name);

}  // namespace sosie
