#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Lists of postings as columns: entry k says that set sets[k], of sizes[k] tokens, holds the list's
// token at position positions[k] (from 0). Sizes and set numbers ascend within a list. Its parity
// signature has `planes` words of 32 bits: word w at signatures[w * stride + k]. All columns can be
// read up to kPostingPadding entries past the end.
struct Postings {
  const std::uint32_t* sets = nullptr;
  const std::uint32_t* sizes = nullptr;
  const std::uint32_t* positions = nullptr;
  const std::uint32_t* signatures = nullptr;
  std::size_t stride = 0;
  std::size_t planes = 0;
};
inline constexpr std::size_t kPostingPadding = 64;

// Which of a list's postings may be partners of the set that asks. What a bound is not wanted for
// is said by a bound that everything keeps.
struct PostingBounds {
  std::uint32_t set_end = 0;     // only sets before this one
  std::uint32_t least_size = 0;  // the length filter
  std::uint32_t most_size = 0;
  std::uint32_t most_position = 0;  // the position filter
  std::uint32_t size = 0;           // of the set that asks
  std::uint32_t position = 0;       // of the token in it
  bool by_suffix = true;            // whether the suffix filter is applied
  // By size of the partner, from table_begin on: the greatest |left xor right| that will do.
  const std::uint32_t* most_different = nullptr;
  std::uint32_t table_begin = 0;
  const std::uint32_t* signature = nullptr;  // of the set that asks; null: no signature filter
};

// How many postings each filter left, in the order they are applied.
struct PostingCounts {
  std::uint64_t length = 0;
  std::uint64_t position = 0;
  std::uint64_t suffix = 0;
  std::uint64_t signature = 0;
};

// Writes the numbers of the entries in [begin, end) that pass all filters to `out` (room for
// end - begin), ascending; returns how many. Stops at the first size above most_size and at
// set_end. With sizes x, y and positions i, j (from 0) of a token that both hold, and no token
// shared before it, left and right differ in at least i + j + |(x - i) - (y - j)| elements: the
// suffix filter. Signatures flip one bit for each element, so they differ in no more bits than
// the sets do in elements.
std::size_t scan_postings(const Postings& postings, std::size_t begin, std::size_t end,
                          const PostingBounds& bounds, PostingCounts& counts,
                          std::uint32_t* out) noexcept;

}  // namespace sosie::kernels
