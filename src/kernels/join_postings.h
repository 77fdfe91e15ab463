#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// An entry in a token's list: the set that contains the token, and the token's position in this set
// (from 0). `place` also contains the role of the entry: it can be found (kIndexed) or looks for
// entries to find (kProbes).
struct Posting {
  std::uint32_t set = 0;
  std::uint32_t place = 0;
};
inline constexpr std::uint32_t kIndexed = std::uint32_t{1} << 31;
inline constexpr std::uint32_t kProbes = std::uint32_t{1} << 30;
inline constexpr std::uint32_t kPositionMask = kProbes - 1;
// Number of readable postings after the joined ones, and of readable values after a table.
inline constexpr std::size_t kPostingPadding = 64;

// Bounds on the partners of sets of a certain size. A size is represented by its rank among all
// sizes that occur.
struct SizeRow {
  std::uint32_t size = 0;
  std::uint32_t least_rank = 0;  // the length filter
  std::uint32_t most_rank = 0;
  // The largest |left xor right| allowed, by size rank, starting with least_rank; kPostingPadding
  // more values must be readable.
  const std::uint32_t* most_different = nullptr;
  // For each position of the first shared token in this set, its last allowed position in a
  // partner.
  const std::uint32_t* most_positions = nullptr;
};

// Tables over all sets. Each element flips one bit of a parity signature, so two signatures differ
// in at most as many bits as their sets differ in elements.
struct JoinTables {
  const std::uint32_t* ranks = nullptr;       // by set: rank of its size
  const SizeRow* sizes = nullptr;             // by rank
  const std::uint32_t* signatures = nullptr;  // by set: words of 32 bits; null: no such filter
  std::size_t words = 0;                      // words per signature
  bool by_suffix = true;                      // true if the suffix filter is applied
};

// Number of pairs of postings left by each filter, in the order of application.
struct PostingCounts {
  std::uint64_t length = 0;
  std::uint64_t position = 0;
  std::uint64_t suffix = 0;
  std::uint64_t signature = 0;
};

// Two postings in a list that pass all filters.
struct PostingPair {
  Posting indexed;
  Posting probe;
};

// Indexed postings, stored in columns. Each column has space for kMostIndexed + kPostingPadding
// values, and so does each signature column (one per word of a signature, `stride` apart).
inline constexpr std::size_t kMostIndexed = 16384;
inline constexpr std::size_t kColumnStride = kMostIndexed + kPostingPadding;
struct PostingColumns {
  Posting* postings = nullptr;
  std::uint32_t* ranks = nullptr;
  std::uint32_t* positions = nullptr;
  std::uint32_t* suffixes = nullptr;  // size - position
  std::uint32_t* signatures = nullptr;
};

// A part of a list, in which both indexed and probing postings are in ascending order of size, and
// the progress of its join.
struct PostingBlock {
  const Posting* list = nullptr;
  std::size_t index_end = 0;    // postings before it are indexed: at most kMostIndexed
  std::size_t probe_begin = 0;  // postings from here to probe_end probe
  std::size_t probe_end = 0;    // to here
  std::size_t next = 0;         // posting to continue with
  std::uint32_t indexed = 0;    // number in the columns
  std::uint32_t first = 0;      // first partner that is large enough
  std::uint32_t last = 0;       // after the last one that is small enough
};

// Pairs each probing posting with the indexed postings before it in the block, writes the pairs
// that pass all filters to `out` and returns their number. Stops if the pairs of the next posting
// might exceed `capacity` (at least kMostIndexed). The block is finished once `next` reaches
// probe_end. If sets of sizes x and y have their first shared token at positions i and j, they
// differ in at least i + j + |(x - i) - (y - j)| elements: the suffix filter.
std::size_t join_postings(PostingBlock& block, const JoinTables& tables,
                          const PostingColumns& columns, PostingCounts& counts, PostingPair* out,
                          std::size_t capacity) noexcept;

}  // namespace sosie::kernels
