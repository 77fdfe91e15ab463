#include "pipeline/groups/pair_graph.h"

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

// Ranks by number, items of the left column first.
std::vector<Place> ranks(std::size_t items, const std::vector<VerifiedPair>& pairs) {
  std::vector<bool> is_left(items);
  for (const VerifiedPair& pair : pairs) is_left[pair.left] = true;
  std::vector<Place> rank(items);
  Place next = 0;
  for (const bool left : {true, false}) {
    for (std::size_t i = 0; i < items; ++i) {
      if (is_left[i] == left) rank[i] = next++;
    }
  }
  return rank;
}

}  // namespace

PairGraph read_pair_graph(PairFile& file) {
  Numbering numbers;
  PairGraph graph;
  while (file.next()) {
    const Place left = numbers[file.left()];
    graph.pairs.push_back({left, numbers[file.right()], file.overlap()});
  }
  const std::vector<Place> rank = ranks(numbers.ids().size(), graph.pairs);
  for (VerifiedPair& pair : graph.pairs) {
    const auto [first, second] = std::minmax(rank[pair.left], rank[pair.right]);
    pair.left = first;
    pair.right = second;
  }
  graph.ids.resize(rank.size());
  for (std::size_t i = 0; i < rank.size(); ++i) graph.ids[rank[i]] = *numbers.ids()[i];
  return graph;
}

}  // namespace sosie
