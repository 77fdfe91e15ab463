#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/padded_bytes.h"
#include "io/file.h"

namespace sosie {

// A stretch of one file; it owns the rows that start in [begin, end).
struct BlockRange {
  std::uint32_t file = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Cuts files into blocks, in input order. How they are cut decides no result.
[[nodiscard]] std::vector<BlockRange> cut_into_blocks(std::span<const File> files,
                                                      std::uint64_t block_bytes);

// One row of a block. `bytes` is without its line end ("\n" or "\r\n"), followed by kPadding
// readable bytes of any content.
struct RowView {
  std::string_view bytes;
  std::uint64_t offset = 0;  // in the file
  std::uint32_t length = 0;  // line end included
};

// Reads blocks one after another and cuts them into lines. Belongs to one thread.
class BlockReader {
 public:
  // Reads the block and as much behind it as its last row needs. A byte order mark at the start of
  // a file belongs to no row. Throws Error{io}; Error{limit_exceeded} for a row of 2^31 bytes or
  // more.
  void open(const File& file, const BlockRange& range);

  // The next line that starts in the block, blank ones too. False at the end.
  [[nodiscard]] bool next(RowView& row);

 private:
  void extend(const File& file, std::uint64_t want_end);

  PaddedBytes buffer_;
  std::uint64_t buffer_offset_ = 0;  // of buffer_ in the file
  std::size_t at_ = 0;               // next row's start in buffer_
  std::size_t limit_ = 0;            // rows must start before this
  bool whole_file_read_ = false;
};

}  // namespace sosie
