#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/index/index_manifest.h"

namespace sosie {

// The number of bits that files of fingerprints declared, `#num_bits`. An index records it beside
// the number of bits in the digits, because fingerprints of 166 and of 167 bits have equally many
// digits.

// The number that an index has; 0: none of its files declared any.
[[nodiscard]] std::uint64_t recorded_bits(const SketchContents& contents);
// Records it in an index that has none.
void record_bits(std::uint64_t bits, SketchContents& contents);
// Throws Error{malformed_input} with both numbers if `what` declares another one than the index
// has, or one that does not fit its items.
void expect_recorded_bits(std::uint64_t declared, std::string_view what,
                          const IndexManifest& manifest, const std::string& path);

}  // namespace sosie
