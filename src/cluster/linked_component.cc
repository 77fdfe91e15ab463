// Average linkage within one component, with a heap of group pairs over a sparse graph of groups.
// Also finds the weakest pair in a group.
#include "cluster/linked_component.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/mix64.h"

namespace sosie {
namespace {

// A sum of probabilities in integer units. 64 bits would be enough for only 2^36 pairs: two groups
// of 262,144 records.
__extension__ using Sum = unsigned __int128;

// The scored pairs between two groups.
struct Edge {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint64_t scored = 0;  // number of pairs in the sum
  Sum sum = 0;
  std::uint64_t earliest = std::numeric_limits<std::uint64_t>::max();  // first link between both
  std::uint32_t version = 0;
  bool gone = false;

  [[nodiscard]] double average() const noexcept {
    return static_cast<double>(sum) / static_cast<double>(scored);
  }
};

// A pair of groups as it was when it was pushed onto the heap. The top entry is joined next.
struct Entry {
  double average = 0;
  std::uint32_t joint_size = 0;  // in bits: an edge of a growing group is pushed at most 30 times
  std::uint64_t earliest = 0;
  std::uint32_t edge = 0;
  std::uint32_t version = 0;

  friend bool operator<(const Entry& x, const Entry& y) noexcept {
    if (x.average != y.average) return x.average < y.average;
    if (x.joint_size != y.joint_size) return x.joint_size > y.joint_size;
    return x.earliest > y.earliest;
  }
};

struct Group {
  std::vector<std::uint32_t> records;
  std::vector<std::uint32_t> classes;  // classes for `never`, ascending, each once
  std::vector<std::uint32_t> edges;    // may include removed edges
};

class ComponentLinkage {
 public:
  ComponentLinkage(const LinkageTask& task, const LinkedComponent& component,
                   const LinkageWorker& worker)
      : component_(component), pool_(worker.pool), known_(task, component, worker), task_(task) {
    groups_.resize(component.records.size());
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const std::uint32_t record = component.records[i];
      groups_[i].records = {record};
      if (!task.never_class.empty()) groups_[i].classes = {task.never_class[record]};
    }
    group_of_.resize(groups_.size());
    for (std::uint32_t i = 0; i < group_of_.size(); ++i) group_of_[i] = i;
    join_always();
    make_edges();
  }

  void join_all() {
    while (!heap_.empty() || !first_.empty()) {
      pool_.check_cancelled();
      const Entry top = take_next();
      Edge& edge = edges_[top.edge];
      if (edge.gone || edge.version != top.version) continue;
      if (top.joint_size != joint_size(edge)) {
        push(top.edge);
      } else if (forbidden(groups_[edge.a], groups_[edge.b])) {
        edge.gone = true;
      } else if (edge.scored < pair_count(edge)) {
        score_all(edge);
        push(top.edge);
      } else {
        join(top.edge);
      }
    }
  }

  void write(std::span<std::uint32_t> first, RecordGroups& found) {
    for (Group& group : groups_) {
      if (group.records.empty()) continue;
      std::sort(group.records.begin(), group.records.end());
      for (const std::uint32_t record : group.records) first[record] = group.records.front();
      if (group.records.size() == 1 || !task_.describes_groups) continue;
      found.groups.push_back(weakest_pair(group.records, known_));
    }
    found.scored += known_.scored();
  }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) noexcept {
    return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  }

  [[nodiscard]] std::uint32_t joint_size(const Edge& edge) const {
    return static_cast<std::uint32_t>(
        std::bit_width(groups_[edge.a].records.size() + groups_[edge.b].records.size()));
  }

  [[nodiscard]] std::uint64_t pair_count(const Edge& edge) const {
    return std::uint64_t{groups_[edge.a].records.size()} * groups_[edge.b].records.size();
  }

  [[nodiscard]] bool forbidden(const Group& a, const Group& b) const {
    return std::any_of(a.classes.begin(), a.classes.end(), [&](std::uint32_t x) {
      return std::any_of(b.classes.begin(), b.classes.end(), [&](std::uint32_t y) {
        return task_.never(std::min(x, y), std::max(x, y));
      });
    });
  }

  void join_always() {
    for (const std::uint32_t index : component_.always) {
      const RecordPair& pair = task_.always[index];
      const std::uint32_t a = group_of_[component_.place[pair.left]];
      const std::uint32_t b = group_of_[component_.place[pair.right]];
      if (a == b || forbidden(groups_[a], groups_[b])) continue;
      const auto [keep, give] =
          groups_[a].records.size() < groups_[b].records.size() ? std::pair(b, a) : std::pair(a, b);
      for (const std::uint32_t record : groups_[give].records) {
        group_of_[component_.place[record]] = keep;
      }
      take_records(groups_[keep], groups_[give]);
    }
  }

  void make_edges() {
    for (const std::uint64_t index : component_.links) {
      const ScoredLink& link = task_.links[index];
      const std::uint32_t a = group_of_[component_.place[link.left]];
      const std::uint32_t b = group_of_[component_.place[link.right]];
      if (a == b) continue;
      const auto next = static_cast<std::uint32_t>(edges_.size());
      const auto [known, fresh] = edge_between_.try_emplace(key(a, b), next);
      if (fresh) {
        edges_.push_back({});
        edges_.back().a = a;
        edges_.back().b = b;
        groups_[a].edges.push_back(next);
        groups_[b].edges.push_back(next);
      }
      Edge& edge = edges_[known->second];
      edge.sum += units_of(link.probability);
      ++edge.scored;
      edge.earliest = std::min(edge.earliest, index);
    }
    // Most pairs are never pushed again, so the initial pairs are sorted and taken in order without
    // a heap.
    for (std::uint32_t i = 0; i < edges_.size(); ++i) {
      if (reaches_cut(edges_[i])) first_.push_back(entry_of(i));
    }
    std::sort(first_.begin(), first_.end());
  }

  // Takes the next entry, which must exist.
  Entry take_next() {
    if (heap_.empty() || (!first_.empty() && heap_.front() < first_.back())) {
      const Entry next = first_.back();
      first_.pop_back();
      return next;
    }
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry next = heap_.back();
    heap_.pop_back();
    return next;
  }

  [[nodiscard]] bool reaches_cut(const Edge& edge) const noexcept {
    return edge.average() >= static_cast<double>(units_of(task_.cut));
  }

  [[nodiscard]] Entry entry_of(std::uint32_t index) const {
    const Edge& edge = edges_[index];
    return {edge.average(), joint_size(edge), edge.earliest, index, edge.version};
  }

  void push(std::uint32_t index) {
    if (!reaches_cut(edges_[index])) return;
    heap_.push_back(entry_of(index));
    std::push_heap(heap_.begin(), heap_.end());
  }

  // Completes the sum over all pairs of the two groups, or estimates it.
  void score_all(Edge& edge) {
    const std::vector<std::uint32_t>& a = groups_[edge.a].records;
    const std::vector<std::uint32_t>& b = groups_[edge.b].records;
    ++edge.version;
    edge.scored = pair_count(edge);
    edge.sum = 0;
    if (edge.scored <= kScoredBetweenGroups) {
      for (const std::uint32_t x : a) {
        for (const std::uint32_t y : b) edge.sum += known_.units(x, y);
      }
      return;
    }
    const std::uint64_t seed = key(a.front(), b.front());
    for (std::uint64_t i = 0; i < kScoredBetweenGroups; ++i) {
      const std::uint64_t drawn = multiply128(random64(seed, i), edge.scored).high;
      edge.sum += known_.units(a[drawn / b.size()], b[drawn % b.size()]);
    }
    // The mean in units, scaled to the number of pairs.
    edge.sum = edge.sum / kScoredBetweenGroups * edge.scored;
  }

  static void take_records(Group& keep, Group& give) {
    if (keep.records.size() < give.records.size()) keep.records.swap(give.records);
    keep.records.insert(keep.records.end(), give.records.begin(), give.records.end());
    std::vector<std::uint32_t> classes;
    std::set_union(keep.classes.begin(), keep.classes.end(), give.classes.begin(),
                   give.classes.end(), std::back_inserter(classes));
    keep.classes = std::move(classes);
    give.records = {};
    give.classes = {};
  }

  // The group with more edges takes over the edges of the other group.
  void join(std::uint32_t index) {
    edges_[index].gone = true;
    std::uint32_t keep = edges_[index].a;
    std::uint32_t give = edges_[index].b;
    if (groups_[keep].edges.size() < groups_[give].edges.size()) std::swap(keep, give);
    take_records(groups_[keep], groups_[give]);
    for (const std::uint32_t moved : std::exchange(groups_[give].edges, {})) {
      Edge& edge = edges_[moved];
      const std::uint32_t other = edge.a == give ? edge.b : edge.a;
      edge_between_.erase(key(give, other));
      if (edge.gone) continue;
      const auto [known, fresh] = edge_between_.try_emplace(key(keep, other), moved);
      if (fresh) {
        edge.a = keep;
        edge.b = other;
        groups_[keep].edges.push_back(moved);
      } else {
        merge(known->second, moved);
      }
    }
  }

  void merge(std::uint32_t into, std::uint32_t from) {
    Edge& edge = edges_[into];
    Edge& ended = edges_[from];
    ended.gone = true;
    if (edge.gone) return;  // its groups may not be joined
    edge.sum += ended.sum;
    edge.scored += ended.scored;
    edge.earliest = std::min(edge.earliest, ended.earliest);
    ++edge.version;
    push(into);
  }

  const LinkedComponent& component_;
  const ThreadPool& pool_;
  PairProbabilities known_;
  const LinkageTask& task_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;  // by place, before groups are joined
  std::vector<Edge> edges_;
  std::unordered_map<std::uint64_t, std::uint32_t> edge_between_;  // looked up, never walked
  std::vector<Entry> first_;  // entries for the links, ascending: the last is next
  std::vector<Entry> heap_;   // entries pushed later
};

struct Weakest {
  RecordPair pair;
  double probability = 2;  // above any

  void see(std::uint32_t x, std::uint32_t y, PairProbabilities& known) {
    const RecordPair seen{std::min(x, y), std::max(x, y)};
    const double value = known.probability(x, y);
    if (std::tie(value, seen) < std::tie(probability, pair)) {
      probability = value;
      pair = seen;
    }
  }
};

}  // namespace

void link_component(const LinkageTask& task, const LinkedComponent& component,
                    const LinkageWorker& worker, std::span<std::uint32_t> first,
                    RecordGroups& found) {
  ComponentLinkage linkage(task, component, worker);
  linkage.join_all();
  linkage.write(first, found);
}

double as_probability(double value) noexcept { return value > 0 ? std::min(value, 1.0) : 0; }

std::uint64_t units_of(double probability) noexcept {
  return static_cast<std::uint64_t>(as_probability(probability) * kProbabilityUnits);
}

double PairProbabilities::probability(std::uint32_t x, std::uint32_t y) {
  const RecordPair pair{std::min(x, y), std::max(x, y)};
  const auto found =
      std::partition_point(component_.links.begin(), component_.links.end(),
                           [&](std::uint64_t index) { return task_.links[index].pair() < pair; });
  if (found != component_.links.end()) {
    const ScoredLink& link = task_.links[*found];
    if (link.pair() == pair) return as_probability(link.probability);
  }
  worker_.pool.check_cancelled();
  ++scored_;
  return as_probability(task_.probability(worker_.number, pair.left, pair.right));
}

std::uint32_t drawn_partner(std::span<const std::uint32_t> records, std::size_t place,
                            std::uint64_t draw) noexcept {
  // A step of 1 to size - 1 positions around the group.
  const std::uint64_t random = random64(records[place], draw);
  const std::size_t step = 1 + multiply128(random, records.size() - 1).high;
  return records[(place + step) % records.size()];
}

RecordGroup weakest_pair(std::span<const std::uint32_t> records, PairProbabilities& known) {
  Weakest weakest;
  RecordGroup group;
  group.first = records.front();
  group.size = static_cast<std::uint32_t>(records.size());
  group.all_compared = records.size() <= kComparedGroup;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (group.all_compared) {
      for (std::size_t j = i + 1; j < records.size(); ++j) {
        weakest.see(records[i], records[j], known);
      }
      continue;
    }
    for (std::uint64_t draw = 0; draw < kDrawnPartners; ++draw) {
      weakest.see(records[i], drawn_partner(records, i, draw), known);
    }
  }
  group.weakest = weakest.pair;
  group.probability = weakest.probability;
  return group;
}

}  // namespace sosie
