// Reads a pairs file and numbers its items by rank.
#include "decide/pair_graph.h"

#include <algorithm>
#include <unordered_map>

namespace sosie {
namespace {

// Numbers ids in the order in which they are first seen.
class Numbering {
 public:
  Place operator[](const std::string& id) {
    const auto [at, added] = number_of_.emplace(id, static_cast<Place>(ids_.size()));
    if (added) ids_.push_back(&at->first);
    return at->second;
  }

  [[nodiscard]] const std::vector<const std::string*>& ids() const noexcept { return ids_; }

 private:
  std::unordered_map<std::string, Place> number_of_;
  std::vector<const std::string*> ids_;  // keys of number_of_, which stay where they are
};

// A pair by the numbers of its items, as the file lists it.
struct ListedPair {
  std::uint64_t key;  // position in the file
  VerifiedPair pair;
};

// Ranks by number, items of the left column first.
std::vector<Place> ranks(const std::vector<bool>& is_left) {
  std::vector<Place> rank(is_left.size());
  Place next = 0;
  for (const bool left : {true, false}) {
    for (std::size_t i = 0; i < rank.size(); ++i) {
      if (is_left[i] == left) rank[i] = next++;
    }
  }
  return rank;
}

}  // namespace

PairGraph read_pair_graph(PairFile& file, const PairMemory& memory) {
  Numbering numbers;
  PairGraph graph;
  std::vector<bool> is_left;
  SortedRecords<ListedPair> listed(memory.scratch, memory.bytes / 2);
  while (file.next()) {
    const Place left = numbers[file.left()];
    const Place right = numbers[file.right()];
    is_left.resize(numbers.ids().size());
    is_left[left] = true;
    const ListedPair pair{graph.pair_count++, {left, right, file.overlap()}};
    listed.add({&pair, 1});
  }
  listed.finish();
  const std::vector<Place> rank = ranks(is_left);
  graph.pairs = std::make_unique<SortedPairs<VerifiedPair>>(memory.scratch, memory.bytes / 2);
  listed.for_each([&](const ListedPair& of_file) {
    const auto [first, second] = std::minmax(rank[of_file.pair.left], rank[of_file.pair.right]);
    const VerifiedPair pair{first, second, of_file.pair.overlap};
    graph.pairs->add({&pair, 1});
    return true;
  });
  graph.pairs->finish();
  graph.ids.resize(rank.size());
  for (std::size_t i = 0; i < rank.size(); ++i) graph.ids[rank[i]] = *numbers.ids()[i];
  return graph;
}

}  // namespace sosie
