// Exact join of the sets of a run, taken from the scanned blocks: in memory, or in parts through
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
#include "plan/set_bytes.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Maximum memory per element at any time: its hash twice (or hash, place and number), its token,
// and its part of the index.
constexpr std::uint64_t kBytesPerElement = 32;

}  // namespace

PartitionedJoin::PartitionedJoin(const SetsInScratch& from, const Settings& settings,
                                 Scratch& scratch, ThreadPool& pool)
    : settings_(settings),
      pool_(pool),
      bytes_(std::max(MemoryBudget{settings.memory_bytes}.batch(), kLeastRangesBytes)),
      places_(scratch, sizeof(Place), kLargePage),
      sizes_(scratch, sizeof(std::uint32_t), kLargePage),
      hashes_(scratch, sizeof(std::uint64_t), kLargePage) {
  write_sets(from, scratch);
  check_largest();
}

void PartitionedJoin::write_sets(const SetsInScratch& from, Scratch& scratch) {
  struct SetInScratch {
    std::uint64_t key;  // collection and size
    std::uint64_t first_element;
    Place place;
  };
  constexpr int kSizeBits = 32;
  ExternalSort<SetInScratch> sorted(scratch, MemoryBudget{settings_.memory_bytes}.sorts());
  from.sets.for_each([&](RowId row, std::uint64_t first, std::uint32_t size) {
    const Place place = size > 0 ? from.place_of(row) : kNoPlace;
    if (place == kNoPlace) return;
    const std::uint64_t own = place >= from.fixed ? 1 : 0;
    sorted.add({own << kSizeBits | size, first, place});
  });
  std::vector<std::uint64_t> set;
  sorted.drain([&](const SetInScratch& each) {
    const auto size = static_cast<std::uint32_t>(each.key);
    set.clear();
    from.sets.read(each.first_element, size, set);
    add_to_range(size, each.place < from.fixed);
    places_.append(&each.place, 1);
    sizes_.append(&size, 1);
    hashes_.append(set.data(), set.size());
  });
  places_.finish();
  sizes_.finish();
  hashes_.finish();
}

// Adds the next set, after all others.
void PartitionedJoin::add_to_range(std::uint32_t size, bool of_others) {
  const std::uint64_t bytes = kRangedSetBytes + size * kRangedElementBytes;
  const bool is_full = !ranges_.empty() && ranges_.back().bytes + bytes > bytes_ / 2;
  if (ranges_.empty() || is_full || ranges_.back().of_others != of_others) {
    const auto at = static_cast<Place>(places_.size());
    ranges_.push_back({.begin = at,
                       .end = at,
                       .first_element = hashes_.size(),
                       .least = size,
                       .of_others = of_others});
  }
  Range& range = ranges_.back();
  ++range.end;
  range.elements += size;
  range.most = size;
  range.bytes += bytes;
}

// A range contains at least one set, however large.
void PartitionedJoin::check_largest() const {
  std::uint64_t most = 0;
  for (const Range& range : ranges_) most = std::max(most, range.elements);
  const std::uint64_t need = 2 * most * kRangedElementBytes;
  if (need <= std::max(settings_.memory_bytes, bytes_)) return;
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"method", "exact"},
              fmt::format("two sets of {} elements need about {}; --memory is {}", count_text(most),
                          bytes_text(need), limit_text(settings_.memory_bytes)),
              "raise --memory, or use --method lsh");
}

bool PartitionedJoin::can_hold_pairs(const Range& a, const Range& b) const {
  const auto too_small = [&](const Range& small, const Range& large) {
    return small.most < settings_.measure->smallest_partner(large.least, settings_.threshold);
  };
  return !too_small(a, b) && !too_small(b, a);
}

void PartitionedJoin::append(const Range& range, HashedSets& sets,
                             std::vector<Place>& places) const {
  const std::size_t before = sets.hashes.size();
  sets.hashes.resize(before + range.elements);
  hashes_.read(range.first_element, range.elements, sets.hashes.data() + before);
  const Place count = range.end - range.begin;
  std::vector<std::uint32_t> sizes(count);
  sizes_.read(range.begin, count, sizes.data());
  for (const std::uint32_t size : sizes) sets.starts.push_back(sets.starts.back() + size);
  places.resize(places.size() + count);
  places_.read(range.begin, count, places.data() + places.size() - count);
}

void PartitionedJoin::join_ranges(const Range& a, const Range* b, const TakePairs& take,
                                  JoinCounts& counts) {
  std::vector<Place> places;
  const TokenSets sets = [&] {
    HashedSets hashed;
    append(a, hashed, places);
    if (b != nullptr) append(*b, hashed, places);
    return order_tokens(hashed, pool_);
  }();
  const auto take_items = [&](std::span<const VerifiedPair> pairs) {
    std::vector<VerifiedPair> of_items;
    of_items.reserve(pairs.size());
    for (const VerifiedPair& pair : pairs) {
      const Place left = places[pair.left];
      const Place right = places[pair.right];
      of_items.push_back(left < right ? VerifiedPair{left, right, pair.overlap}
                                      : VerifiedPair{right, left, pair.overlap.flipped()});
    }
    take(of_items);
  };
  PrefixJoin join{settings_.measure, settings_.threshold, settings_.filters};
  const Place of_a = a.end - a.begin;
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
  return (settings.memory_bytes + kBesidesMemory) / kJoinedRowBytes;
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
    const auto place_of = [&](RowId row) {
      const Place place = items.place_of[row];
      return place != kNoPlace && items.rows[place] == row ? place : kNoPlace;
    };
    const SetsInScratch from{*corpus.spilled_sets, place_of, items.fixed};
    parts_ = std::make_unique<PartitionedJoin>(from, settings, scratch, pool);
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
  const auto for_each_set = [&](const ScannedBlock& block, const auto& each) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const RowId row = row_id(block.first_row + i);
      const Place place = items.place_of[row];
      if (place == kNoPlace || items.rows[place] != row) continue;
      each(place, block.sets.starts[i], block.sets.starts[i + 1]);
    }
  };
  HashedSets sets;
  sets.starts.assign(items.rows.size() + 1, 0);
  pool.for_each(corpus.blocks.size(), [&](unsigned, std::size_t at) {
    for_each_set(corpus.blocks[at], [&](Place place, std::uint64_t begin, std::uint64_t end) {
      sets.starts[std::size_t{place} + 1] = end - begin;
    });
  });
  std::partial_sum(sets.starts.begin(), sets.starts.end(), sets.starts.begin());
  sets.hashes.resize(sets.starts.back());
  pool.for_each(corpus.blocks.size(), [&](unsigned, std::size_t at) {
    ScannedBlock& block = corpus.blocks[at];
    for_each_set(block, [&](Place place, std::uint64_t begin, std::uint64_t end) {
      std::copy(block.sets.hashes.begin() + static_cast<std::ptrdiff_t>(begin),
                block.sets.hashes.begin() + static_cast<std::ptrdiff_t>(end),
                sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[place]));
    });
    block.sets = {};
  });
  return sets;
}

}  // namespace sosie
