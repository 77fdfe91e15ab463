// Exact join of a run's sets: in memory, or in parts through scratch.
#include "join/sets/exact_join.h"

#include <fmt/format.h>

#include <algorithm>

#include "candidates/order_tokens.h"
#include "core/count_text.h"
#include "core/freed_memory.h"
#include "corpus/spill/spilled_sets.h"
#include "join/sets/gather_sets.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Greatest memory of an element at a time: its hash twice (or hash, place and number), its token,
// and its part of the index.
constexpr std::uint64_t kBytesPerElement = 32;

constexpr std::uint64_t kBytesPerRow = 95;  // at most at a time: where identical sets are found
constexpr std::uint64_t kBesides = std::uint64_t{16} << 20;  // a quarter of what comes on top

}  // namespace

std::uint64_t most_rows_of_join(const Settings& settings) noexcept {
  return (settings.memory_bytes + kBesides) / kBytesPerRow;
}

void check_rows_of_join(const Corpus& corpus, const Settings& settings) {
  if (!corpus.spilled_sets || corpus.rows <= most_rows_of_join(settings)) return;
  const std::uint64_t need = corpus.rows * kBytesPerRow - kBesides;
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"memory"},
              fmt::format("an exact join of {} rows needs {}M, not {}M", count_text(corpus.rows),
                          (need >> 20) + 1, settings.memory_bytes >> 20),
              fmt::format("--memory {}M is enough; --method lsh needs less, and misses some pairs",
                          (need >> 20) + 1));
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
