#include "pipeline/sets/exact_join.h"

#include <fmt/format.h>

#include <algorithm>

#include "candidates/token_order.h"
#include "core/number_text.h"
#include "pipeline/rows/spilled_sets.h"
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

void check_rows_of_join(const Corpus& corpus, const Settings& settings) {
  constexpr std::uint64_t kBytesPerRow = 100;  // at most at a time: where identical sets are found
  constexpr std::uint64_t kBesides = std::uint64_t{32} << 20;  // half of what comes on top
  const std::uint64_t need = corpus.rows * kBytesPerRow;
  if (!corpus.spilled_sets || need <= settings.memory_bytes + kBesides) return;
  throw Error(
      ErrorKind::limit_exceeded,
      fmt::format("--method exact: what is known of {} rows takes about {}, --memory is {}",
                  count_text(corpus.rows), bytes_text(need), bytes_text(settings.memory_bytes)),
      fmt::format("--memory {}M is enough", ((need - kBesides) >> 20) + 1));
}

ExactJoin::ExactJoin(Corpus& corpus, const Items& items, const Settings& settings, Scratch& scratch,
                     ThreadPool& pool)
    : settings_(settings), scratch_(scratch), pool_(pool), items_(items.size()) {
  const std::uint64_t need = element_count(corpus) * kBytesPerElement;
  if (!corpus.spilled_sets && need > settings.memory_bytes) {
    corpus.spilled_sets = std::make_shared<SpilledSets>(scratch);
    corpus.spilled_sets->add(corpus.blocks);
    corpus.spilled_sets->finish();
  }
  if (corpus.spilled_sets) {
    parts_ = std::make_unique<PartitionedJoin>(corpus, items, settings, scratch, pool);
  } else {
    sets_ = order_tokens(gather_sets(corpus, items, pool), pool);
  }
}

void ExactJoin::check_scratch(std::uint64_t pairs) const {
  const std::uint64_t need = pairs * SpilledNeighbours::kScratchBytesPerPair;
  if (need <= settings_.scratch_limit_bytes) return;
  throw Error(
      ErrorKind::limit_exceeded,
      fmt::format("about {} pairs reach the threshold: they need {} of scratch, "
                  "--scratch-limit is {}",
                  count_text(pairs), bytes_text(need), bytes_text(settings_.scratch_limit_bytes)),
      "raise --threshold, or --memory or --scratch-limit");
}

FoundPairs ExactJoin::pairs(PairScope scope, const std::function<void(std::size_t done)>& progress,
                            const std::function<void(std::uint64_t pairs)>& foretell) {
  FoundPairs found;
  const PrefixJoin join{settings_.measure, settings_.threshold, settings_.filters, scope,
                        settings_.memory_bytes / 2 / kBytesPerPair};
  if (!parts_) {
    JoinCounts counts = counts_;
    if (auto pairs = prefix_join(sets_, join, pool_, progress, counts)) {
      counts_ = counts;
      found.pairs = std::move(*pairs);
      return found;
    }
    if (counts.expected > 0) {
      check_scratch(counts.expected);
      foretell(counts.expected);
    }
  }
  found.spilled =
      std::make_unique<SpilledNeighbours>(items_, scratch_, MemoryBudget{settings_.memory_bytes});
  const auto take = [&](std::span<const VerifiedPair> pairs) { found.spilled->add(pairs); };
  if (parts_) {
    parts_->join(scope, take, progress, counts_);
  } else {
    prefix_join_to(sets_, join, pool_, take, counts_);
  }
  found.spilled->finish();
  return found;
}

}  // namespace sosie
