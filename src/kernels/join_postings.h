#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// An entry of a token's list: which set holds the token, and where in it (from 0). `place` also
// says what the entry is there for: to be found (kIndexed), to look for those found (kProbes).
struct Posting {
  std::uint32_t set = 0;
  std::uint32_t place = 0;
};
inline constexpr std::uint32_t kIndexed = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kProbes = std::uint32_t{1} << 30;
inline constexpr std::uint32_t kPositionMask = kProbes - 1;
// Postings ahead of those that are joined, and numbers behind a table, that may be read.
inline constexpr std::size_t kPostingPadding = 64;

// Partners that sets of one size may have. Sizes are given by rank among all that occur.
struct SizeRow {
  std::uint32_t size = 0;
  std::uint32_t least_rank = 0;  // the length filter
  std::uint32_t most_rank = 0;
  // From least_rank on, and kPostingPadding more: the greatest |left xor right| that will do.
  const std::uint32_t* most_different = nullptr;
  // By position of the first shared token here: the last that it may have in a partner.
  const std::uint32_t* most_positions = nullptr;
};

// Tables over all sets. Parity signatures flip one bit for each element, so that two differ in no
// more bits than the sets do in elements.
struct JoinTables {
  const std::uint32_t* ranks = nullptr;       // by set: of its size
  const SizeRow* sizes = nullptr;             // by rank
  const std::uint32_t* signatures = nullptr;  // by set: words of 32 bits; null: no such filter
  std::size_t words = 0;                      // words of a signature
  bool by_suffix = true;                      // true if the suffix filter is applied
};

// Pairs of postings that each filter left, in the order of application.
struct PostingCounts {
  std::uint64_t length = 0;
  std::uint64_t position = 0;
  std::uint64_t suffix = 0;
  std::uint64_t signature = 0;
};

// Two postings of one list that no filter tells apart.
struct PostingPair {
  Posting indexed;
  Posting probe;
};

// Indexed postings side by side. Room for kMostIndexed and kPostingPadding in each column, and in
// as many signature columns, `stride` apart, as signatures have words.
inline constexpr std::size_t kMostIndexed = 16384;
inline constexpr std::size_t kColumnStride = kMostIndexed + kPostingPadding;
struct PostingColumns {
  Posting* postings = nullptr;
  std::uint32_t* ranks = nullptr;
  std::uint32_t* positions = nullptr;
  std::uint32_t* suffixes = nullptr;  // size - position
  std::uint32_t* signatures = nullptr;
};

// A part of a list, in which sizes ascend among those that are indexed and among those that probe,
// and how far its join has come.
struct PostingBlock {
  const Posting* list = nullptr;
  std::size_t index_end = 0;    // postings before it are indexed, kMostIndexed of them at most,
  std::size_t probe_begin = 0;  // postings from here on probe,
  std::size_t probe_end = 0;    // to here
  std::size_t next = 0;         // the posting to go on with
  std::uint32_t indexed = 0;    // in the columns
  std::uint32_t first = 0;      // first partner that is large enough
  std::uint32_t last = 0;       // behind those that are small enough
};

// Pairs each posting that probes with those indexed before it in the block, writes what all filters
// leave to `out`, and returns how many that are; stops when the pairs of the next posting might be
// more than `room` (kMostIndexed at least). The block is through when next is not below probe_end.
// With sizes x, y and positions i, j of a token that both hold, and no token shared before it, two
// sets differ in at least i + j + |(x - i) - (y - j)| elements: the suffix filter.
std::size_t join_postings(PostingBlock& block, const JoinTables& tables,
                          const PostingColumns& columns, PostingCounts& counts, PostingPair* out,
                          std::size_t capacity) noexcept;

}  // namespace sosie::kernels
