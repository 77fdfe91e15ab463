#include "join/exact_join.h"

#include <fmt/format.h>

#include <algorithm>

#include "candidates/token_order.h"
#include "core/free_memory.h"
#include "core/number_text.h"
#include "corpus/spilled_sets.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// What an element takes at most at a time: its hash twice (or hash, place and number), its token,
// and its part of the index.
constexpr std::uint64_t kBytesPerElement = 32;

std::uint64_t element_count(const Corpus& corpus) {
  std::uint64_t count = 0;
  for (const ScannedBlock& block : corpus.blocks) count += block.sets.hashes.size();
  return count;
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

constexpr std::uint64_t kBytesPerRow = 95;  // at most at a time: where identical sets are found
constexpr std::uint64_t kBesides = std::uint64_t{16} << 20;  // a quarter of what comes on top

}  // namespace

std::uint64_t most_rows_of_join(const Settings& settings) noexcept {
  return (settings.memory_bytes + kBesides) / kBytesPerRow;
}

void check_rows_of_join(const Corpus& corpus, const Settings& settings) {
  if (!corpus.spilled_sets || corpus.rows <= most_rows_of_join(settings)) return;
  const std::uint64_t need = corpus.rows * kBytesPerRow;
  throw Error(
      ErrorKind::limit_exceeded, RefusedOption{"method", "exact"},
      fmt::format("what is known of {} rows takes about {}, --memory is {}",
                  count_text(corpus.rows), bytes_text(need), bytes_text(settings.memory_bytes)),
      fmt::format("--memory {}M is enough", ((need - kBesides) >> 20) + 1));
}

ExactJoin::ExactJoin(Corpus& corpus, const Items& items, const Settings& settings, Scratch& scratch,
                     ThreadPool& pool)
    : settings_(settings), pool_(pool) {
  const std::uint64_t need = element_count(corpus) * kBytesPerElement;
  if (!corpus.spilled_sets && need > settings.memory_bytes) {
    corpus.spilled_sets = std::make_shared<SpilledSets>(scratch);
    corpus.spilled_sets->add(corpus.blocks);
    corpus.spilled_sets->finish();
  }
  if (corpus.spilled_sets) {
    parts_ = std::make_unique<PartitionedJoin>(corpus, items, settings, scratch, pool);
    give_back_freed_memory();
  } else {
    sets_ = order_tokens(gather_sets(corpus, items, pool), pool);
  }
}

void ExactJoin::pairs(PairScope scope, const TakePairs& take,
                      const std::function<void(std::size_t done)>& progress,
                      const std::function<void(std::uint64_t pairs)>& foretell) {
  if (parts_) {
    parts_->join(scope, take, progress, counts_);
    return;
  }
  const PrefixJoin join{settings_.measure, settings_.threshold, settings_.filters, scope, foretell};
  prefix_join(sets_, join, pool_, take, progress, counts_);
}

void ExactJoin::forget_sets() noexcept {
  const bool is_large = parts_ != nullptr;
  sets_ = TokenSets{};
  parts_.reset();
  if (is_large) give_back_freed_memory();
}

}  // namespace sosie
