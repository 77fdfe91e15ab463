#include "pipeline/exact_join.h"

#include <fmt/format.h>

#include <algorithm>

#include "candidates/token_order.h"
#include "core/number_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// What an element takes at most at a time: its hash twice (or hash, place and number), its token,
// and its part of the index.
constexpr std::uint64_t kBytesPerElement = 32;

// What a found pair takes: in its share, among all, and listed with both of its items.
constexpr std::uint64_t kBytesPerPair = 64;

std::uint64_t element_count(const Corpus& corpus) {
  std::uint64_t count = 0;
  for (const ScannedBlock& block : corpus.blocks) count += block.sets.hashes.size();
  return count;
}

void check_budget(const Corpus& corpus, std::uint64_t memory_bytes) {
  const std::uint64_t need = element_count(corpus) * kBytesPerElement;
  if (need <= memory_bytes) return;
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("--method exact: the sets and their index need about {}, --memory is {}",
                          bytes_text(need), bytes_text(memory_bytes)),
              "raise --memory, or use --method lsh");
}

// The sets by place.
HashedSets gather_sets(Corpus& corpus, const Items& items, ThreadPool& pool) {
  HashedSets sets;
  sets.starts.reserve(items.rows.size() + 1);
  for (const RowId row : items.rows) {
    const ScannedBlock& block = corpus.block_of(row);
    const std::size_t i = row - block.first_row;
    sets.starts.push_back(sets.starts.back() + block.sets.starts[i + 1] - block.sets.starts[i]);
  }
  sets.hashes.resize(sets.starts.back());
  pool.for_each(corpus.blocks.size(), [&](unsigned, std::size_t at) {
    ScannedBlock& block = corpus.blocks[at];
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const RowId row = block.first_row + static_cast<RowId>(i);
      const Place place = items.place_of[row];
      if (place == kNoPlace || items.rows[place] != row) continue;
      std::copy(block.sets.hashes.begin() + static_cast<std::ptrdiff_t>(block.sets.starts[i]),
                block.sets.hashes.begin() + static_cast<std::ptrdiff_t>(block.sets.starts[i + 1]),
                sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[place]));
    }
    block.sets = {};
  });
  return sets;
}

}  // namespace

ExactJoin::ExactJoin(Corpus& corpus, const Items& items, const Settings& settings,
                     std::uint64_t memory_bytes, ThreadPool& pool)
    : settings_(settings), memory_bytes_(memory_bytes), pool_(pool) {
  check_budget(corpus, memory_bytes);
  sets_ = order_tokens(gather_sets(corpus, items, pool), pool);
}

std::vector<VerifiedPair> ExactJoin::pairs(PairScope scope,
                                           const std::function<void(std::size_t done)>& progress) {
  const PrefixJoin join{settings_.measure, settings_.threshold, settings_.filters, scope,
                        memory_bytes_ / kBytesPerPair};
  return prefix_join(sets_, join, pool_, progress, counts_);
}

}  // namespace sosie
