// The most similar records of each record, found along lists of tokens.
#include "candidates/nearest_lists.h"

#include <algorithm>
#include <numeric>

#include "candidates/token_order.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 16;

}  // namespace

NearestLists::NearestLists(const HashedSets& sets, std::uint32_t split, const Measure& measure,
                           ThreadPool& pool)
    : sets_(order_tokens(sets, pool)),
      measure_(measure),
      split_(split),
      has_set_(sets.size()),
      nearest_(sets.size()) {
  std::vector<Place> left;
  std::vector<Place> right;
  for (const Place place : sets_.places) {
    has_set_[place] = true;
    (place < split_ ? left : right).push_back(place);
  }
  in_right_.emplace(sets_, measure_, right);
  if (split_ > 0) in_left_.emplace(sets_, measure_, left);
}

void NearestLists::find(std::span<const std::uint32_t> records, std::uint32_t most,
                        ThreadPool& pool) {
  std::vector<TopSets::Finder> finders(pool.size());
  const std::size_t tasks = (records.size() + kRecordsATask - 1) / kRecordsATask;
  pool.for_each(tasks, [&](unsigned worker, std::size_t task) {
    pool.check_cancelled();
    const std::size_t begin = task * kRecordsATask;
    const auto some = records.subspan(begin, std::min(kRecordsATask, records.size() - begin));
    for (const std::uint32_t record : some) find_one(record, most, finders[worker]);
  });
}

void NearestLists::find_one(std::uint32_t record, std::uint32_t most, TopSets::Finder& finder) {
  nearest_[record].clear();
  if (!has_set_[record]) return;
  const TopSets& top = split_ > 0 && record >= split_ ? *in_left_ : *in_right_;
  std::vector<VerifiedPair> found;
  found.reserve(most);
  top.find(
      record, most, [](Place partner) { return RowId{partner}; }, finder,
      [&](const VerifiedPair& pair) { found.push_back(pair); });
  std::sort(found.begin(), found.end(), [&](const VerifiedPair& a, const VerifiedPair& b) {
    if (measure_.is_above(a.overlap, b.overlap)) return true;
    if (measure_.is_above(b.overlap, a.overlap)) return false;
    return a.right < b.right;
  });
  nearest_[record].reserve(found.size());
  for (const VerifiedPair& pair : found) nearest_[record].push_back(pair.right);
}

PartnerLists NearestLists::pairs() const {
  std::vector<std::uint64_t> ends(nearest_.size() + 1);
  const auto for_each_pair = [&](const auto& each) {
    for (std::uint32_t record = 0; record < nearest_.size(); ++record) {
      for (const std::uint32_t partner : nearest_[record]) {
        each(std::min(record, partner), std::max(record, partner));
      }
    }
  };
  for_each_pair([&](std::uint32_t low, std::uint32_t /*high*/) { ++ends[low + 1]; });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> all(ends.back());
  std::vector<std::uint64_t> next(ends.begin(), ends.end() - 1);
  for_each_pair([&](std::uint32_t low, std::uint32_t high) { all[next[low]++] = high; });
  PartnerLists lists;
  lists.starts.reserve(nearest_.size() + 1);
  lists.partners.reserve(all.size());
  for (std::size_t record = 0; record < nearest_.size(); ++record) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(ends[record]);
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(ends[record + 1]);
    std::sort(begin, end);
    lists.partners.insert(lists.partners.end(), begin, std::unique(begin, end));
    lists.starts.push_back(lists.partners.size());
  }
  return lists;
}

}  // namespace sosie
