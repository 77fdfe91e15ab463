// Finds the most similar rows of each row without a threshold.
#include "join/sets/top_rows.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <optional>

#include "candidates/top_sets.h"
#include "join/sets/set_run.h"

namespace sosie {
namespace {

constexpr std::size_t kItemsATask = 16;

// The items among which partners are searched for.
std::vector<Place> partners_of(const TopRows& task) {
  const Place end = task.across ? task.items.fixed : task.items.size();
  std::vector<Place> places;
  for (const Place place : task.sets.places) {
    if (place < end) places.push_back(place);
  }
  return places;
}

class TopRowFinder {
 public:
  TopRowFinder(const TopRows& task, ThreadPool& pool, const PairMemory& memory)
      : task_(task),
        pool_(pool),
        top_(task.sets, task.measure, partners_of(task)),
        found_(memory.scratch, memory.bytes),
        finders_(pool.size()) {
    list_rows();
  }

  TopRowCounts find(const std::function<void(std::span<const VerifiedPair>)>& take,
                    const std::function<void(std::size_t done)>& progress) {
    const std::size_t count = task_.sets.places.size();
    pool_.for_each((count + kItemsATask - 1) / kItemsATask, [&](unsigned worker, std::size_t i) {
      pool_.check_cancelled();
      std::vector<VerifiedPair> pairs;
      for (std::size_t k = i * kItemsATask; k < std::min(count, (i + 1) * kItemsATask); ++k) {
        const Place place = task_.sets.places[k];
        if (!task_.across || place >= task_.items.fixed) add_item(place, finders_[worker], pairs);
      }
      if (!pairs.empty()) found_.add(pairs);
      if (worker == 0) progress(i * kItemsATask);
    });
    found_.finish();
    hand_over(take);
    TopRowCounts counts;
    for (const TopSets::Finder& finder : finders_) {
      counts.candidates += finder.met;
      counts.verified += finder.verified;
    }
    return counts;
  }

 private:
  // Finds partners for the item's rows, for as many of them as may have different partners.
  void add_item(Place place, TopSets::Finder& finder, std::vector<VerifiedPair>& pairs) const {
    if (task_.across) {
      look_up(
          place, [this](Place other) { return first_row(other, 0); }, finder, pairs);
      return;
    }
    if (task_.measure.is_ordered()) {
      look_up(
          place, [this](Place other) { return first_row(other, 0); }, finder, pairs);
      return;
    }
    const auto rows = rows_of(place);
    if (rows.size() > task_.most) add_as_similar_as_itself(place, finder, pairs);
    // Earlier rows need only the equal rows after them, except for such others.
    const std::size_t few = std::min<std::uint64_t>(rows.size(), task_.most);
    for (const RowId row : rows.last(few)) {
      look_up(
          place, [this, row](Place other) { return first_row(other, row + 1); }, finder, pairs);
    }
  }

  // Adds other items that are as similar as the item itself: "a" and "a a" as sets of words.
  void add_as_similar_as_itself(Place place, TopSets::Finder& finder,
                                std::vector<VerifiedPair>& pairs) const {
    const auto all = [this](Place other) { return first_row(other, 0); };
    top_.find(place, task_.items.size(), all, finder, [&](const VerifiedPair& pair) {
      const std::uint32_t size = pair.overlap.left;
      if (!task_.measure.is_above({size, size, size}, pair.overlap)) add(pair, pairs);
    });
  }

  void look_up(Place place, const TopSets::RankOf& rank, TopSets::Finder& finder,
               std::vector<VerifiedPair>& pairs) const {
    top_.find(place, task_.most, rank, finder, [&](const VerifiedPair& pair) { add(pair, pairs); });
  }

  static void add(const VerifiedPair& pair, std::vector<VerifiedPair>& pairs) {
    const bool in_order = pair.left < pair.right;
    pairs.push_back(in_order ? pair : VerifiedPair{pair.right, pair.left, pair.overlap.flipped()});
  }

  // Lists all rows of each item, in input order.
  void list_rows() {
    const Items& items = task_.items;
    starts_.reserve(std::size_t{items.size()} + 1);
    for (Place place = 0; place < items.size(); ++place) {
      starts_.push_back(rows_.size());
      rows_.push_back(items.rows[place]);
      const auto copies = items.copies_of(place);
      rows_.insert(rows_.end(), copies.begin(), copies.end());
      std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(starts_.back()), rows_.end());
    }
    starts_.push_back(rows_.size());
  }
  [[nodiscard]] std::span<const RowId> rows_of(Place place) const {
    return std::span(rows_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }

  // The item's first row at or after `begin`; kNoRow if there is none.
  [[nodiscard]] RowId first_row(Place place, RowId begin) const {
    const auto rows = rows_of(place);
    const auto first = std::lower_bound(rows.begin(), rows.end(), begin);
    return first == rows.end() ? kNoRow : *first;
  }

  // Passes on the pairs without repetitions, since two items may have found each other.
  void hand_over(const std::function<void(std::span<const VerifiedPair>)>& take) const {
    std::optional<std::uint64_t> last;
    std::vector<VerifiedPair> block;
    for_each_block(found_, [&](std::span<const VerifiedPair> pairs) {
      block.clear();
      for (const VerifiedPair& pair : pairs) {
        if (last != sort_key(pair)) block.push_back(pair);
        last = sort_key(pair);
      }
      take(block);
      return true;
    });
  }

  const TopRows& task_;
  ThreadPool& pool_;
  TopSets top_;
  SortedPairs<VerifiedPair> found_;
  std::vector<RowId> rows_;
  std::vector<std::size_t> starts_;  // begins of each item's rows
  std::vector<TopSets::Finder> finders_;
};

constexpr std::array<Rational, 11> kThresholds = {{{9, 10},
                                                   {4, 5},
                                                   {7, 10},
                                                   {3, 5},
                                                   {1, 2},
                                                   {2, 5},
                                                   {3, 10},
                                                   {1, 5},
                                                   {1, 10},
                                                   {1, 100},
                                                   {1, 1000}}};

}  // namespace

std::uint64_t most_steps(const TopRows& task) {
  std::vector<std::uint64_t> lengths(task.sets.universe);
  std::vector<std::uint64_t> asked(task.sets.universe);
  for (std::uint32_t set = 0; set < task.sets.size(); ++set) {
    const bool is_other = task.sets.places[set] < task.items.fixed;
    for (const std::uint32_t token : task.sets[set]) {
      if (!task.across || is_other) ++lengths[token];
      if (!task.across || !is_other) ++asked[token];
    }
  }
  return std::inner_product(lengths.begin(), lengths.end(), asked.begin(), std::uint64_t{0});
}

TopRowCounts find_top_rows(const TopRows& task, ThreadPool& pool, const PairMemory& memory,
                           const std::function<void(std::span<const VerifiedPair>)>& take,
                           const std::function<void(std::size_t done)>& progress) {
  return TopRowFinder(task, pool, memory).find(take, progress);
}

std::unique_ptr<RowPairCollector> most_similar_rows(SetRun& run) {
  for (const Rational& threshold : kThresholds) {
    if (run.options.top > 0) break;  // some row nearly always has too few
    run.settings.threshold = threshold;
    std::unique_ptr<RowPairCollector> rows = run.similar_rows("comparing");
    if (rows->count() >= run.options.top_pairs) return rows;
  }
  run.settings.threshold = kLeastThreshold;
  return run.similar_rows("comparing");
}

}  // namespace sosie
