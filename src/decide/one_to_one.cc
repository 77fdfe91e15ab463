// Assignment of largest total weight between two collections, by shortest augmenting paths.
#include "decide/one_to_one.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace sosie {
namespace {

using Weight = std::int64_t;

constexpr double kUnits = 1073741824.0;     // 2^30: how many units a weight of 1 has
constexpr double kLargestWeight = 1048576;  // 2^20
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

Weight weight_of(double score, double floor) {
  const double above = score - floor;
  if (!(above > 0)) return 0;  // NaN has no weight
  return static_cast<Weight>(std::min(above, kLargestWeight) * kUnits);
}

// Numbers 0, 1, ... for the records of one side, in input order.
std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> records) {
  std::sort(records.begin(), records.end());
  records.erase(std::unique(records.begin(), records.end()), records.end());
  return records;
}

struct Edge {
  std::uint32_t right = 0;  // number of the right record
  std::size_t link = 0;     // index of the link that was given
  Weight weight = 0;
};

// Links with a weight, by left record.
struct Graph {
  std::vector<std::size_t> starts;  // starts of the left records' edges, and the end of all
  std::vector<Edge> edges;
  std::size_t rights = 0;

  [[nodiscard]] std::size_t lefts() const noexcept { return starts.size() - 1; }
  [[nodiscard]] std::span<const Edge> edges_of(std::size_t left) const {
    return std::span(edges).subspan(starts[left], starts[left + 1] - starts[left]);
  }
};

Graph graph_of(std::span<const ScoredLink> links, double floor) {
  Graph graph;
  std::vector<std::uint32_t> rights;
  rights.reserve(links.size());
  for (const ScoredLink& link : links) rights.push_back(link.right);
  rights = distinct(std::move(rights));
  graph.rights = rights.size();
  graph.edges.reserve(links.size());
  graph.starts.push_back(0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const bool next_left = i > 0 && links[i].left != links[i - 1].left;
    if (next_left) graph.starts.push_back(graph.edges.size());
    const Weight weight = weight_of(links[i].score, floor);
    if (weight == 0) continue;
    const auto place = std::lower_bound(rights.begin(), rights.end(), links[i].right);
    graph.edges.push_back({static_cast<std::uint32_t>(place - rights.begin()), i, weight});
  }
  graph.starts.push_back(graph.edges.size());
  return graph;
}

// A step of a search: a right record, or the choice to leave a left record without a partner.
struct Step {
  Weight distance = 0;
  // In the order in which steps of one distance are made. A free right record ends the search: with
  // it first, equal records find partners without looking at all that are taken.
  enum class Kind : std::uint8_t { free_right, taken_right, leave } kind = Kind::free_right;
  std::size_t record = 0;

  // The latest left record is left alone.
  friend bool operator>(const Step& a, const Step& b) noexcept {
    if (a.distance != b.distance) return a.distance > b.distance;
    if (a.kind != b.kind) return a.kind > b.kind;
    return a.kind == Kind::leave ? a.record < b.record : a.record > b.record;
  }
};

// The primal-dual method: prices with left + right >= weight for every edge, equal for chosen ones;
// a record without a partner has price 0 once it has taken part. Together they prove the optimum.
class Assignment {
 public:
  Assignment(const Graph& graph, const ThreadPool& pool)
      : graph_(graph),
        pool_(pool),
        left_price_(graph.lefts()),
        right_price_(graph.rights),
        chosen_edge_(graph.lefts(), kNone),
        partner_(graph.rights, kNone),
        distance_(graph.rights),
        came_from_(graph.rights),
        edge_to_(graph.rights),
        reached_in_(graph.rights) {
    for (std::size_t left = 0; left < graph_.lefts(); ++left) insert(left);
  }

  [[nodiscard]] std::vector<std::size_t> links() const {
    std::vector<std::size_t> links;
    links.reserve(graph_.lefts());
    for (const std::size_t edge : chosen_edge_) {
      if (edge != kNone) links.push_back(graph_.edges[edge].link);
    }
    return links;  // ascending, as left records are
  }

 private:
  void insert(std::size_t root) {
    for (const Edge& edge : graph_.edges_of(root)) {
      left_price_[root] = std::max(left_price_[root], edge.weight - right_price_[edge.right]);
    }
    if (left_price_[root] > 0) search(root);
  }

  // Finds the nearest end: a right record without a partner, or a left record to leave alone.
  void search(std::size_t root) {
    ++search_;
    steps_.clear();
    visited_lefts_.assign(1, {root, 0});
    settled_rights_.clear();
    look_from(root, 0);
    while (true) {
      std::pop_heap(steps_.begin(), steps_.end(), std::greater<>());
      const Step step = steps_.back();
      steps_.pop_back();
      if (step.kind == Step::Kind::leave) {
        reprice(step.distance);
        leave(root, step.record);
        return;
      }
      const std::size_t right = step.record;
      if (step.distance > distance_[right]) continue;  // a shorter way was found since
      if (step.kind == Step::Kind::free_right) {
        reprice(step.distance);
        take(root, right);
        return;
      }
      settled_rights_.push_back(right);
      visited_lefts_.push_back({partner_[right], step.distance});
      look_from(partner_[right], step.distance);
    }
  }

  void look_from(std::size_t left, Weight distance) {
    pool_.check_cancelled();
    push({distance + left_price_[left], Step::Kind::leave, left});
    for (std::size_t e = graph_.starts[left]; e < graph_.starts[left + 1]; ++e) {
      const Edge& edge = graph_.edges[e];
      const Weight slack = left_price_[left] + right_price_[edge.right] - edge.weight;
      const bool known = reached_in_[edge.right] == search_;
      if (known && distance_[edge.right] <= distance + slack) continue;
      reached_in_[edge.right] = search_;
      distance_[edge.right] = distance + slack;
      came_from_[edge.right] = left;
      edge_to_[edge.right] = e;
      const bool taken = partner_[edge.right] != kNone;
      push(
          {distance + slack, taken ? Step::Kind::taken_right : Step::Kind::free_right, edge.right});
    }
  }

  void push(const Step& step) {
    steps_.push_back(step);
    std::push_heap(steps_.begin(), steps_.end(), std::greater<>());
  }

  // Moves prices so that the way to the end becomes tight.
  void reprice(Weight end) {
    for (const auto& [left, distance] : visited_lefts_) left_price_[left] -= end - distance;
    for (const std::size_t right : settled_rights_) right_price_[right] += end - distance_[right];
  }

  // Every left record on the way to `right` takes the next right record.
  void take(std::size_t root, std::size_t right) {
    while (true) {
      const std::size_t left = came_from_[right];
      const std::size_t before = chosen_edge_[left];
      chosen_edge_[left] = edge_to_[right];
      partner_[right] = left;
      if (left == root) return;
      right = graph_.edges[before].right;
    }
  }

  void leave(std::size_t root, std::size_t left) {
    if (left == root) return;
    const std::size_t freed = graph_.edges[chosen_edge_[left]].right;
    chosen_edge_[left] = kNone;
    take(root, freed);
  }

  const Graph& graph_;
  const ThreadPool& pool_;
  std::vector<Weight> left_price_;
  std::vector<Weight> right_price_;
  std::vector<std::size_t> chosen_edge_;  // chosen for a left record
  std::vector<std::size_t> partner_;      // partner of a right record
  // The running search at right records; reached_in_ says whether the search has been there.
  std::vector<Weight> distance_;
  std::vector<std::size_t> came_from_;
  std::vector<std::size_t> edge_to_;
  std::vector<std::uint32_t> reached_in_;
  std::uint32_t search_ = 0;
  std::vector<Step> steps_;  // a heap, the nearest on top
  struct Visit {
    std::size_t left;
    Weight distance;
  };
  std::vector<Visit> visited_lefts_;
  std::vector<std::size_t> settled_rights_;
};

}  // namespace

std::vector<std::size_t> one_to_one(std::span<const ScoredLink> links, const ThreadPool& pool,
                                    double floor) {
  if (links.empty()) return {};
  const Graph graph = graph_of(links, floor);
  return Assignment(graph, pool).links();
}

}  // namespace sosie
