// Average linkage of records, one component of links at a time.
#include "cluster/average_linkage.h"

#include <algorithm>
#include <numeric>

#include "cluster/components.h"
#include "cluster/linked_component.h"

namespace sosie {
namespace {

constexpr std::size_t kBatchRecords = 4096;  // records in a worker's batch of components

// Connected components of links that reach the cut, with their records and links.
struct Partition {
  std::vector<std::uint32_t> starts;       // start of each component's records, then the end
  std::vector<std::uint32_t> records;      // ascending within a component
  std::vector<std::uint32_t> place;        // by record: its position in its component
  std::vector<std::uint64_t> link_starts;  // start of each component's links, then the end
  std::vector<std::uint64_t> links;        // indexes of links with both ends in the component
  std::vector<std::uint64_t> always_starts;
  std::vector<std::uint32_t> always;  // likewise, pairs that always share a group

  [[nodiscard]] std::size_t size() const noexcept { return starts.size() - 1; }
};

constexpr std::uint32_t kNoComponent = 0xFFFFFFFF;

// Lists the indexes below `count` by component, in ascending order. Leaves out indexes for which
// component_of returns kNoComponent.

template <class Index, class Start>
void list_by_component(std::size_t count, std::size_t components, std::vector<Start>& starts,
                       std::vector<Index>& listed, const auto& component_of) {
  starts.assign(components + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (component_of(i) != kNoComponent) ++starts[component_of(i) + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  listed.resize(starts.back());
  std::vector<Start> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t component = component_of(i);
    if (component != kNoComponent) listed[next[component]++] = static_cast<Index>(i);
  }
}

Components components_of(const LinkageTask& task) {
  Components components(task.records);
  for (const ScoredLink& link : task.links) {
    if (link.probability >= task.cut) components.link(link.left, link.right);
  }
  for (const RecordPair& pair : task.always) components.link(pair.left, pair.right);
  return components;
}

// The number of each record's component. Components of two or more records are numbered in the
// order of their first records.
std::vector<std::uint32_t> numbered(const LinkageTask& task, std::uint32_t& count) {
  Components components = components_of(task);
  std::vector<std::uint32_t> number(task.records, kNoComponent);
  count = 0;
  for (std::uint32_t record = 0; record < task.records; ++record) {
    const std::uint32_t root = components.root_of(record);
    if (root == record) continue;
    if (number[root] == kNoComponent) number[root] = count++;
    number[record] = number[root];
  }
  return number;
}

Partition partition_of(const LinkageTask& task) {
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> number = numbered(task, count);
  Partition parts;
  list_by_component(task.records, count, parts.starts, parts.records,
                    [&](std::size_t record) { return number[record]; });
  parts.place.resize(task.records);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::uint32_t j = parts.starts[i]; j < parts.starts[i + 1]; ++j) {
      parts.place[parts.records[j]] = j - parts.starts[i];
    }
  }
  list_by_component(task.links.size(), count, parts.link_starts, parts.links, [&](std::size_t i) {
    const ScoredLink& link = task.links[i];
    return number[link.left] == number[link.right] ? number[link.left] : kNoComponent;
  });
  list_by_component(task.always.size(), count, parts.always_starts, parts.always,
                    [&](std::size_t i) { return number[task.always[i].left]; });
  return parts;
}

template <class Index, class Start>
std::span<const Index> list_of(const std::vector<Index>& listed, const std::vector<Start>& starts,
                               std::size_t component) {
  return std::span(listed).subspan(starts[component], starts[component + 1] - starts[component]);
}

// The first component of each batch, followed by the end.
std::vector<std::size_t> batches_of(const Partition& parts) {
  std::vector<std::size_t> batches = {0};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts.starts[i] - parts.starts[batches.back()] >= kBatchRecords) batches.push_back(i);
  }
  batches.push_back(parts.size());
  return batches;
}

}  // namespace

RecordGroups average_linkage(const LinkageTask& task, ThreadPool& pool) {
  RecordGroups result;
  result.first.resize(task.records);
  std::iota(result.first.begin(), result.first.end(), std::uint32_t{0});
  const Partition parts = partition_of(task);
  const std::vector<std::size_t> batches = batches_of(parts);
  std::vector<RecordGroups> found(batches.size() - 1);
  pool.for_each(found.size(), [&](unsigned worker, std::size_t batch) {
    for (std::size_t i = batches[batch]; i < batches[batch + 1]; ++i) {
      const LinkedComponent component{list_of(parts.records, parts.starts, i), parts.place,
                                      list_of(parts.links, parts.link_starts, i),
                                      list_of(parts.always, parts.always_starts, i)};
      link_component(task, component, {pool, worker}, result.first, found[batch]);
    }
  });
  for (const RecordGroups& some : found) {
    result.groups.insert(result.groups.end(), some.groups.begin(), some.groups.end());
    result.scored += some.scored;
  }
  std::sort(result.groups.begin(), result.groups.end(),
            [](const RecordGroup& a, const RecordGroup& b) { return a.first < b.first; });
  return result;
}

}  // namespace sosie
