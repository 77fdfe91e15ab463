#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "corpus/corpus.h"

namespace sosie {

// Which columns the blocks of a file of sketches have.
struct SketchShape {
  std::size_t bands = 0;
  std::size_t components = 0;
  bool has_ids = false;      // rows are named by a field
  bool has_lengths = false;  // lengths of texts, for --keep
  std::size_t rank_fields = 0;
};

// Bytes of a block of scanned rows (docs/formats/sketches.md). Equal blocks are
// equal bytes. `block` must have the columns of `shape`.
[[nodiscard]] std::string pack_sketch_block(const ScannedBlock& block, const SketchShape& shape);

// The block again, its rows in the file `file`. Throws Error{malformed_input} that calls `name`
// damaged for bytes that are none.
[[nodiscard]] ScannedBlock unpack_sketch_block(std::string_view bytes, const SketchShape& shape,
                                               std::uint32_t file, const std::string& name);

}  // namespace sosie
