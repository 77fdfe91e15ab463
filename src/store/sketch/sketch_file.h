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

// A block as bytes of a file of sketches.
struct SketchedBlock {
  std::string bytes = {};
  std::uint64_t checksum = 0;
  std::uint64_t rows = 0;
};

// Writes what the scan of a shard leaves behind (docs/formats/sketches.md): blocks in input order,
// behind them the contents, checksums over all. The file appears when it is complete. Its version
// is 1 for texts, sets and bags, 2 for vectors and bit strings.
class SketchWriter {
 public:
  // Throws as OutputFile does.
  SketchWriter(const std::string& path, SketchContents contents, const std::atomic<bool>* cancel);

  // Makes the bytes of block `number`; safe for many threads at once.
  [[nodiscard]] SketchedBlock packed(std::size_t number, const ScannedBlock& block) const;
  void add(const BlockRange& range, const SketchedBlock& block);
  // Items [first, last) in place of such a block: of vectors and bit strings.
  void add(const BlockRange& range, const HashedItems& items, std::size_t first, std::size_t last);
  [[nodiscard]] const SavedPlan& plan() const noexcept { return contents_.plan; }
  // Behind the last block. Returns how large the file is.
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

// Such a file, opened. Blocks can be read by many threads at once.
class SketchFile {
 public:
  // Reads and checks everything but the blocks. Throws Error{malformed_input} for what is none, is
  // damaged or cut off, Error{unsupported} for another version or recipe, Error{io}.
  explicit SketchFile(const std::string& path);

  // True if it is a regular file that begins or ends as such files do. Throws Error{io}.
  [[nodiscard]] static bool is_one(const std::string& path);

  [[nodiscard]] const std::string& path() const noexcept { return file_.name(); }
  [[nodiscard]] const SketchContents& contents() const noexcept { return contents_; }
  // The stretches of files() that the blocks were made of, in input order.
  [[nodiscard]] const std::vector<BlockRange>& blocks() const noexcept { return ranges_; }
  // Block `number`, with its rows in the file `file`. Throws Error{malformed_input} when it is
  // damaged, Error{io}. With `hashes` it comes without its band keys: see Sketches.
  [[nodiscard]] ScannedBlock read(std::size_t number, std::uint32_t file,
                                  ColumnsOfBlock* hashes = nullptr) const;
  // Checksum of the contents, and through the checksums in its table of all blocks.
  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }
  // Parts of block `number`: see Sketches. Throw likewise where a part does not fit.
  void read_keys(std::size_t number, const BandRange& bands, std::vector<RowState>& states,
                 std::vector<std::uint64_t>& keys) const;
  void read_rows(std::size_t number, std::size_t rows, std::string& bytes) const;
  void read_filters(std::size_t number, std::size_t rows, const RowSpan& some,
                    std::vector<std::uint8_t>& filters) const;
  // Block `number` of a file of vectors or bit strings. Throws likewise.
  [[nodiscard]] HashedItems read_items(std::size_t number) const;
  // Items of block `number`, from its size.
  [[nodiscard]] std::uint64_t items_of(std::size_t number) const;

 private:
  // Where a block's bytes are.
  struct Place {
    std::uint64_t offset;
    std::uint64_t bytes;
    std::uint64_t checksum;
  };

  void read_contents(const std::string& bytes, std::uint64_t blocks, std::uint64_t blocks_end);
  void check_contents(const PackedReader& in) const;
  void check_items(const PackedReader& in) const;
  [[nodiscard]] std::string bytes_of(std::size_t number) const;
  // Reads bytes of a block from `begin` on.
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

// Hashes that a plan of vectors or bit strings gives each item.
[[nodiscard]] HashShape hash_shape(const HashedPlan& plan) noexcept;

// Most rows whose items go into one block of a sketch file: 256 KiB of hashes.
[[nodiscard]] std::size_t most_items_of_block(const HashShape& shape) noexcept;

// Bytes of a block of `items` items.
[[nodiscard]] std::uint64_t item_block_bytes(const HashShape& shape, std::uint64_t items) noexcept;

// Number of items in a block of so many bytes; throws Error{malformed_input} that calls `name`
// damaged for bytes that no block has.
[[nodiscard]] std::uint64_t items_of_block(const HashShape& shape, std::uint64_t bytes,
                                           const std::string& name);

// Items [first, last) as bytes (docs/formats/sketches.md). Equal items are equal bytes.
[[nodiscard]] std::string pack_items(const HashedItems& items, const HashShape& shape,
                                     std::size_t first, std::size_t last);

// The items again. Throws Error{malformed_input} that calls `name` damaged for bytes that are none,
// and for numbers that no item has: cells beyond 31, or not near themselves.
[[nodiscard]] HashedItems unpack_items(std::string_view bytes, const HashShape& shape,
                                       const std::string& name);

}  // namespace sosie
