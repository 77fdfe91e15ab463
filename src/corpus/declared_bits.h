#pragma once

#include <cstdint>
#include <span>

#include "io/file.h"
#include "options/input_list.h"

namespace sosie {

// Compares what the headers of FPS files declare, `#num_bits`, with each other and with the first
// row below each: fingerprints of 166 and of 167 bits have equally many digits. Files without such
// a header are not compared. Items of an index declare what the index recorded. Returns the number
// of bits; 0: no file declares any. Throws Error{malformed_input} that names both files.
std::uint64_t check_declared_bits(std::span<const InputFile> list, std::span<const File> files);

}  // namespace sosie
