// Reads a pairs file and numbers its items by rank.
#include "decide/pair_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sosie/error.h"

namespace sosie {
namespace {

// Numbers ids in the order in which they are first seen.
class Numbering {
 public:
  Place operator[](const std::string& id) {
    const auto known = number_of_.find(id);
    if (known != number_of_.end()) return known->second;
    const auto number = static_cast<Place>(ids_.size());
    number_of_.emplace(ids_.emplace_back(id), number);
    bytes_ += kBytesOfId + id.size();
    return number;
  }

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  // About what all of this takes, and what is made of it later.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::string take(std::size_t number) { return std::move(ids_[number]); }

 private:
  static constexpr std::uint64_t kBytesOfId = 160;

  std::deque<std::string> ids_;  // stay where they are
  std::unordered_map<std::string_view, Place> number_of_;
  std::uint64_t bytes_ = 0;
};

void check_bytes(const Numbering& numbers, const MemoryBudget& budget, const PairFile& file) {
  if (numbers.bytes() <= budget.ids()) return;
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  throw Error(ErrorKind::limit_exceeded, BadPlace{file.place()},
              fmt::format("the ids of {} items take more than half of --memory {}M", numbers.size(),
                          budget.bytes / kMebibyte),
              "ids lie in memory: raise --memory");
}

// A pair by the numbers of its items, as the file lists it.
struct ListedPair {
  std::uint64_t key;  // position in the file
  VerifiedPair pair;
};

// Ranks by number: items of the left column in the order in which they come there, then all others.
std::vector<Place> ranks(std::size_t items, std::span<const Place> lefts) {
  std::vector<Place> rank(items, kNoPlace);
  Place next = 0;
  for (const Place left : lefts) rank[left] = next++;
  for (Place& each : rank) {
    if (each == kNoPlace) each = next++;
  }
  return rank;
}

}  // namespace

PairGraph read_pair_graph(PairFile& file, Scratch& scratch, const MemoryBudget& budget) {
  Numbering numbers;
  PairGraph graph;
  std::vector<bool> is_left;
  std::vector<Place> lefts;
  SortedRecords<ListedPair> listed(scratch, budget.sorts() / 2);
  while (file.next()) {
    const Place left = numbers[file.left()];
    const Place right = numbers[file.right()];
    check_bytes(numbers, budget, file);
    is_left.resize(numbers.size());
    if (!is_left[left]) lefts.push_back(left);
    is_left[left] = true;
    const ListedPair pair{graph.pair_count++, {left, right, file.overlap()}};
    listed.add({&pair, 1});
  }
  listed.finish();
  const std::vector<Place> rank = ranks(numbers.size(), lefts);
  graph.pairs = std::make_unique<SortedPairs<VerifiedPair>>(scratch, budget.sorts() / 2);
  listed.for_each([&](const ListedPair& of_file) {
    const auto [first, second] = std::minmax(rank[of_file.pair.left], rank[of_file.pair.right]);
    const VerifiedPair pair{first, second, of_file.pair.overlap};
    graph.pairs->add({&pair, 1});
    return true;
  });
  graph.pairs->finish();
  graph.ids.resize(rank.size());
  for (std::size_t i = 0; i < rank.size(); ++i) graph.ids[rank[i]] = numbers.take(i);
  return graph;
}

}  // namespace sosie
