// The most similar rows of each row, when no threshold says how similar.
#include "join/top_rows.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>

#include "candidates/top_sets.h"

namespace sosie {
namespace {

constexpr std::size_t kItemsATask = 16;

// Items that rows are looked for in.
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
        finders_(pool.size()) {}

  std::uint64_t find(const std::function<void(std::span<const VerifiedPair>)>& take,
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
    return std::accumulate(finders_.begin(), finders_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& some) { return sum + some.verified; });
  }

 private:
  // Looks for partners of the item's rows, of as many of them as differ in what they may find.
  void add_item(Place place, TopSets::Finder& finder, std::vector<VerifiedPair>& pairs) const {
    if (task_.across) {
      look_up(
          place, [this](Place other) { return first_row(other, 0); }, finder, pairs);
      return;
    }
    std::vector<RowId> rows = rows_of(place);
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (task_.measure.is_ordered()) {
        look_up(
            place, [this](Place other) { return first_row(other, 0); }, finder, pairs);
        return;
      }
      if (rows.size() - 1 - i >= task_.most) continue;  // equal ones are enough
      look_up(
          place, [this, row = rows[i]](Place other) { return first_row(other, row + 1); }, finder,
          pairs);
    }
  }

  void look_up(Place place, const TopSets::RankOf& rank, TopSets::Finder& finder,
               std::vector<VerifiedPair>& pairs) const {
    top_.find(place, task_.most, rank, finder, [&](const VerifiedPair& pair) {
      pairs.push_back(pair.left < pair.right
                          ? pair
                          : VerifiedPair{pair.right, pair.left, pair.overlap.flipped()});
    });
  }

  [[nodiscard]] std::vector<RowId> rows_of(Place place) const {
    std::vector<RowId> rows = {task_.items.rows[place]};
    const auto copies = task_.items.copies_of(place);
    rows.insert(rows.end(), copies.begin(), copies.end());
    return rows;
  }

  // The item's first row from `begin` on; kNoRow if there is none.
  [[nodiscard]] RowId first_row(Place place, RowId begin) const {
    const RowId row = task_.items.rows[place];
    RowId first = row >= begin ? row : kNoRow;
    for (const RowId copy : task_.items.copies_of(place)) {
      if (copy >= begin) first = std::min(first, copy);
    }
    return first;
  }

  // Two items may have found each other.
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
  std::vector<TopSets::Finder> finders_;
};

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

std::uint64_t find_top_rows(const TopRows& task, ThreadPool& pool, const PairMemory& memory,
                            const std::function<void(std::span<const VerifiedPair>)>& take,
                            const std::function<void(std::size_t done)>& progress) {
  return TopRowFinder(task, pool, memory).find(take, progress);
}

}  // namespace sosie
