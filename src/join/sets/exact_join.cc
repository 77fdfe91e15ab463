// Exact join of a run's sets, taken out of the scanned blocks: in memory, or in parts through
// scratch.
#include "join/sets/exact_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "candidates/order_tokens.h"
#include "core/count_text.h"
#include "core/freed_memory.h"
#include "core/size_text.h"
#include "corpus/spill/spilled_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Bytes of an element and of a set of two joined ranges: numbered, ordered and indexed.
constexpr std::uint64_t kPartitionedElementBytes = 48;
constexpr std::uint64_t kBytesPerSet = 64;
constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20;  // least memory of two ranges

// Greatest memory of an element at a time: its hash twice (or hash, place and number), its token,
// and its part of the index.
constexpr std::uint64_t kBytesPerElement = 32;

constexpr std::uint64_t kBytesPerRow = 95;  // at most at a time: where identical sets are found
constexpr std::uint64_t kBesides = std::uint64_t{16} << 20;  // a quarter of what comes on top

}  // namespace

PartitionedJoin::PartitionedJoin(const SetsInScratch& from, std::vector<Place> places,
                                 const Settings& settings, Scratch& scratch, ThreadPool& pool)
    : settings_(settings),
      pool_(pool),
      bytes_(std::max(MemoryBudget{settings.memory_bytes}.batch(), kLeastBytes)),
      places_(std::move(places)),
      hashes_(scratch, sizeof(std::uint64_t), kLargePage) {
  order_sets(from);
  write_sets(from);
  cut_into_ranges(from.fixed);
  check_largest();
}

void PartitionedJoin::order_sets(const SetsInScratch& from) {
  const std::vector<std::uint32_t> size_of_row = from.sets.sizes();
  const auto size_of = [&](Place place) { return size_of_row[from.row_of(place)]; };
  places_.erase(std::remove_if(places_.begin(), places_.end(),
                               [&](Place place) { return size_of(place) == 0; }),
                places_.end());
  std::sort(places_.begin(), places_.end(), [&](Place a, Place b) {
    const bool a_own = a >= from.fixed;
    const bool b_own = b >= from.fixed;
    if (a_own != b_own) return b_own;
    const std::uint32_t size_of_a = size_of(a);
    const std::uint32_t size_of_b = size_of(b);
    return size_of_a != size_of_b ? size_of_a < size_of_b : a < b;
  });
  sizes_.reserve(places_.size());
  for (const Place place : places_) sizes_.push_back(size_of(place));
}

void PartitionedJoin::write_sets(const SetsInScratch& from) {
  std::vector<std::uint64_t> set;
  for (const Place place : places_) {
    set.clear();
    from.sets.read(from.row_of(place), set);
    hashes_.append(set.data(), set.size());
  }
  hashes_.finish();
}

void PartitionedJoin::cut_into_ranges(Place others) {
  std::uint64_t bytes = 0;
  std::uint64_t element = 0;
  for (Place at = 0; at < places_.size(); ++at) {
    const std::uint64_t more = kBytesPerSet + sizes_[at] * kPartitionedElementBytes;
    const bool of_others = places_[at] < others;
    if (ranges_.empty() || ranges_.back().of_others != of_others || bytes + more > bytes_ / 2) {
      ranges_.push_back({at, at, element, 0, of_others});
      bytes = 0;
    }
    bytes += more;
    ranges_.back().end = at + 1;
    ranges_.back().elements += sizes_[at];
    element += sizes_[at];
  }
}

// A range holds one set at least, however large it is.
void PartitionedJoin::check_largest() const {
  std::uint64_t most = 0;
  for (const Range& range : ranges_) most = std::max(most, range.elements);
  const std::uint64_t need = 2 * most * kPartitionedElementBytes;
  if (need <= std::max(settings_.memory_bytes, bytes_)) return;
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"method", "exact"},
              fmt::format("two sets of {} elements need about {}, --memory is {}", count_text(most),
                          bytes_text(need), bytes_text(settings_.memory_bytes)),
              "raise --memory, or use --method lsh");
}

bool PartitionedJoin::can_hold_pairs(const Range& a, const Range& b) const {
  const auto too_small = [&](const Range& small, const Range& large) {
    return sizes_[small.end - 1] <
           settings_.measure->smallest_partner(sizes_[large.begin], settings_.threshold);
  };
  return !too_small(a, b) && !too_small(b, a);
}

void PartitionedJoin::append(const Range& range, HashedSets& sets) const {
  const std::size_t before = sets.hashes.size();
  sets.hashes.resize(before + range.elements);
  hashes_.read(range.first_element, range.elements, sets.hashes.data() + before);
  for (Place at = range.begin; at < range.end; ++at) {
    sets.starts.push_back(sets.starts.back() + sizes_[at]);
  }
}

void PartitionedJoin::join_ranges(const Range& a, const Range* b, const TakePairs& take,
                                  JoinCounts& counts) {
  const TokenSets sets = [&] {
    HashedSets hashed;
    append(a, hashed);
    if (b != nullptr) append(*b, hashed);
    return order_tokens(hashed, pool_);
  }();
  const Place of_a = a.end - a.begin;
  const auto item_of = [&](Place set) {
    return set < of_a ? places_[a.begin + set] : places_[b->begin + (set - of_a)];
  };
  const auto take_items = [&](std::span<const VerifiedPair> pairs) {
    std::vector<VerifiedPair> of_items;
    of_items.reserve(pairs.size());
    for (const VerifiedPair& pair : pairs) {
      const Place left = item_of(pair.left);
      const Place right = item_of(pair.right);
      of_items.push_back(left < right ? VerifiedPair{left, right, pair.overlap}
                                      : VerifiedPair{right, left, pair.overlap.flipped()});
    }
    take(of_items);
  };
  PrefixJoin join{settings_.measure, settings_.threshold, settings_.filters};
  if (b != nullptr) join.scope = {.left_end = of_a, .right_begin = of_a};
  prefix_join(
      sets, join, pool_, take_items, [](std::size_t) {}, counts);
}

void PartitionedJoin::join(PairScope scope, const TakePairs& take,
                           const std::function<void(std::size_t done)>& progress,
                           JoinCounts& counts) {
  const bool across = scope.left_end <= scope.right_begin;
  for (const Range& range : ranges_) {
    if (range.of_others) continue;
    for (const Range& before : ranges_) {
      if (before.begin >= range.begin) break;
      if (across && !before.of_others) break;
      if (can_hold_pairs(before, range)) join_ranges(before, &range, take, counts);
    }
    if (!across) join_ranges(range, nullptr, take, counts);
    progress(range.end);
  }
}

std::uint64_t most_rows_of_join(const Settings& settings) noexcept {
  return (settings.memory_bytes + kBesides) / kBytesPerRow;
}

void check_memory_of_join(std::uint64_t rows, std::uint64_t row_bytes, const Settings& settings) {
  if (rows <= (settings.memory_bytes + kBesides) / row_bytes) return;
  const std::uint64_t need = rows * row_bytes - kBesides;
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"memory"},
              fmt::format("an exact join of {} rows needs {}M, not {}", count_text(rows),
                          (need >> 20) + 1, size_text(settings.memory_bytes)),
              fmt::format("--memory {}M is enough; --method lsh needs less, and misses some pairs",
                          (need >> 20) + 1));
}

void check_rows_of_join(const Corpus& corpus, const Settings& settings) {
  if (corpus.spilled_sets) check_memory_of_join(corpus.rows, kBytesPerRow, settings);
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
    std::vector<Place> places(items.size());
    std::iota(places.begin(), places.end(), Place{0});
    const SetsInScratch from{*corpus.spilled_sets, [&](Place place) { return items.rows[place]; },
                             items.fixed};
    parts_ = std::make_unique<PartitionedJoin>(from, std::move(places), settings, scratch, pool);
    corpus.spilled_sets.reset();
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

std::uint64_t element_count(const Corpus& corpus) {
  std::uint64_t count = 0;
  for (const ScannedBlock& block : corpus.blocks) count += block.sets.hashes.size();
  return count;
}

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

}  // namespace sosie
