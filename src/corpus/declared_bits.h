#pragma once

#include <span>

#include "io/file.h"
#include "options/input_list.h"

namespace sosie {

// Compares the sizes declared in the headers of FPS files, `#num_bits`, with each other and with
// the first row below each header: fingerprints of 166 and of 167 bits have the same number of
// digits. Files without such a header are not compared. Throws Error{malformed_input}, naming both
// files.
void check_declared_bits(std::span<const InputFile> list, std::span<const File> files);

}  // namespace sosie
