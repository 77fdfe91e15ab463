// Adds new records to existing groups (link --assign groups).
#include "decide/grow_groups.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kAveragedMembers = 512;  // members of a group to compare with a record
constexpr std::size_t kPairedGroups = 64;      // maximum groups for which all pairs are listed

class GroupGrower {
 public:
  GroupGrower(const GrowthTask& task, ThreadPool& pool) : task_(task), pool_(pool) {
    list_members();
    chain_touched();
  }

  GroupGrowth grow() {
    growth_.group.assign(task_.fresh, kNoGroup);
    growth_.first.resize(task_.fresh);
    growth_.weakest.assign(task_.fresh, -1);
    LinkageTask linkage = task_.linkage;
    linkage.always = always_;
    RecordGroups joined = average_linkage(linkage, pool_);
    std::vector<std::vector<std::uint32_t>> groups = groups_of_clusters(joined);
    if (task_.joins_groups) leave_out_parted(joined, groups);
    contested_.assign(joined.first.size(), false);
    bool is_any = false;
    for (std::uint32_t first = 0; first < task_.fresh; ++first) {
      contested_[first] = groups[first].size() > 1;
      is_any = is_any || contested_[first];
    }
    take(joined, groups, /*contested=*/false, joined);
    if (task_.joins_groups) keep_parts(groups);
    if (!is_any) return std::move(growth_);
    if (task_.joins_groups) {
      take(joined, groups, /*contested=*/true, joined);
    } else {
      const RecordGroups parted = part(joined);
      take(parted, groups_of_clusters(parted), /*contested=*/true, joined);
    }
    for (std::uint32_t first = 0; first < task_.fresh; ++first) {
      if (contested_[first]) list_joins(joined, first, groups[first]);
    }
    std::sort(growth_.would_join.begin(), growth_.would_join.end(),
              [](const WouldJoin& a, const WouldJoin& b) {
                return std::tie(a.left, a.right, a.record) < std::tie(b.left, b.right, b.record);
              });
    return std::move(growth_);
  }

 private:
  [[nodiscard]] bool is_older(std::uint32_t record) const noexcept { return record >= task_.fresh; }
  [[nodiscard]] std::uint32_t group_of(std::uint32_t record) const noexcept {
    return is_older(record) ? task_.group_of[record - task_.fresh] : kNoGroup;
  }

  void list_members() {
    std::uint32_t groups = 0;
    for (const std::uint32_t group : task_.group_of) groups = std::max(groups, group + 1);
    members_.resize(groups);
    for (std::uint32_t i = 0; i < task_.group_of.size(); ++i) {
      members_[task_.group_of[i]].push_back(task_.fresh + i);
    }
  }

  // Connects the records in each group that a new record may join; other groups need no work. These
  // connections come first, so that rules about a new record cannot split a group.
  void chain_touched() {
    touched_.assign(members_.size(), false);
    const auto touch = [this](std::uint32_t left, std::uint32_t right) {
      for (const std::uint32_t record : {left, right}) {
        if (is_older(record)) touched_[group_of(record)] = true;
      }
    };
    for (const ScoredLink& link : task_.linkage.links) {
      if (link.probability >= task_.linkage.cut) touch(link.left, link.right);
    }
    for (const RecordPair& pair : task_.linkage.always) touch(pair.left, pair.right);
    for (std::size_t group = 0; group < members_.size(); ++group) {
      if (!touched_[group]) continue;
      for (std::size_t i = 1; i < members_[group].size(); ++i) {
        always_.push_back({members_[group][i - 1], members_[group][i]});
      }
    }
    always_.insert(always_.end(), task_.linkage.always.begin(), task_.linkage.always.end());
  }

  // For each cluster, by its first record: the older groups in it, in ascending order.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> groups_of_clusters(
      const RecordGroups& clusters) const {
    std::vector<std::vector<std::uint32_t>> groups(task_.fresh);
    for (std::uint32_t group = 0; group < members_.size(); ++group) {
      if (!touched_[group]) continue;
      for (const std::uint32_t record : members_[group]) {
        const std::uint32_t first = clusters.first[record];
        if (is_older(first)) continue;
        if (groups[first].empty() || groups[first].back() != group) groups[first].push_back(group);
      }
    }
    return groups;
  }

  // Groups that rules have split occur in several clusters. They are never joined with other
  // groups, and a new record joins one of them only if its cluster contains no complete group.
  void leave_out_parted(const RecordGroups& clusters,
                        std::vector<std::vector<std::uint32_t>>& groups) const {
    for (std::vector<std::uint32_t>& of_cluster : groups) {
      if (of_cluster.size() < 2) continue;
      const std::uint32_t first = of_cluster.front();
      std::erase_if(of_cluster, [&](std::uint32_t group) { return is_parted(group, clusters); });
      if (of_cluster.empty()) of_cluster.push_back(first);
    }
  }

  [[nodiscard]] bool is_parted(std::uint32_t group, const RecordGroups& clusters) const {
    const std::vector<std::uint32_t>& members = members_[group];
    return std::any_of(members.begin(), members.end(), [&](std::uint32_t record) {
      return clusters.first[record] != clusters.first[members.front()];
    });
  }

  // Adopts the results for the new records in contested clusters, or for all other new records.
  void take(const RecordGroups& clusters, const std::vector<std::vector<std::uint32_t>>& groups,
            bool contested, const RecordGroups& joined) {
    std::vector<const RecordGroup*> described(task_.fresh);
    for (const RecordGroup& group : clusters.groups) {
      if (!is_older(group.first)) described[group.first] = &group;
    }
    for (std::uint32_t record = 0; record < task_.fresh; ++record) {
      if (contested_[joined.first[record]] != contested) continue;
      const std::uint32_t first = clusters.first[record];
      growth_.first[record] = first;
      if (!groups[first].empty()) growth_.group[record] = groups[first].front();
      if (described[first] != nullptr) growth_.weakest[record] = described[first]->probability;
    }
  }

  // The first group in each cluster keeps its number. No group occurs in two clusters with several
  // groups (see leave_out_parted), so parts are never nested.
  void keep_parts(const std::vector<std::vector<std::uint32_t>>& groups) {
    growth_.part_of.resize(members_.size());
    std::iota(growth_.part_of.begin(), growth_.part_of.end(), 0U);
    for (const std::vector<std::uint32_t>& joined : groups) {
      for (const std::uint32_t group : joined) growth_.part_of[group] = joined.front();
    }
  }

  // Links the records in contested clusters again, this time keeping older groups apart.
  [[nodiscard]] RecordGroups part(const RecordGroups& joined) {
    const auto is_contested = [&](std::uint32_t record) {
      return contested_[joined.first[record]];
    };
    std::vector<ScoredLink> links;
    for (const ScoredLink& link : task_.linkage.links) {
      if (is_contested(link.left) && is_contested(link.right)) links.push_back(link);
    }
    std::vector<RecordPair> always;
    for (const RecordPair& pair : always_) {
      if (is_contested(pair.left) && is_contested(pair.right)) always.push_back(pair);
    }
    const std::vector<std::uint32_t> classes = classes_with_groups();
    LinkageTask linkage = task_.linkage;
    linkage.links = links;
    linkage.always = always;
    linkage.never_class = classes;
    linkage.never = [this](std::uint32_t left, std::uint32_t right) {
      const auto& [left_class, left_group] = classes_[left];
      const auto& [right_class, right_group] = classes_[right];
      if (left_group != right_group && left_group != kNoGroup && right_group != kNoGroup) {
        return true;
      }
      return task_.linkage.never && task_.linkage.never(left_class, right_class);
    };
    return average_linkage(linkage, pool_);
  }

  // By record: classes of records that never rules do not separate, combined with the older groups.
  [[nodiscard]] std::vector<std::uint32_t> classes_with_groups() {
    std::vector<std::uint32_t> classes(task_.linkage.records);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
    for (std::uint32_t record = 0; record < classes.size(); ++record) {
      const std::uint32_t of_rules =
          task_.linkage.never_class.empty() ? 0 : task_.linkage.never_class[record];
      const std::pair key{of_rules, group_of(record)};
      const auto [found, is_new] =
          numbers.emplace(key, static_cast<std::uint32_t>(classes_.size()));
      if (is_new) classes_.push_back(key);
      classes[record] = found->second;
    }
    return classes;
  }

  [[nodiscard]] double average(std::uint32_t record, std::uint32_t group) const {
    const std::size_t count = std::min(kAveragedMembers, members_[group].size());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += task_.linkage.probability(0, record, members_[group][i]);
    }
    return sum / static_cast<double>(count);
  }

  using JoinsByGroups = std::map<std::pair<std::uint32_t, std::uint32_t>, WouldJoin>;

  // Lists the pairs of groups in a contested cluster that one of its new records would join; if
  // several records would join the same groups, lists the likeliest one. If groups were joined,
  // lists each of them with the first one.
  void list_joins(const RecordGroups& joined, std::uint32_t first,
                  const std::vector<std::uint32_t>& groups) {
    const bool lists_pairs = !task_.joins_groups && groups.size() <= kPairedGroups;
    const std::size_t lefts = lists_pairs ? groups.size() : 1;
    JoinsByGroups best;
    for (std::uint32_t record = first; record < task_.fresh; ++record) {
      if (joined.first[record] != first) continue;
      pool_.check_cancelled();
      take_joins(record, groups, lefts, best);
    }
    const WouldJoin* likeliest = nullptr;
    bool is_any = false;
    for (const auto& [groups_of_pair, join] : best) {
      if (likeliest == nullptr || join.probability > likeliest->probability) likeliest = &join;
      if (!task_.joins_groups && join.probability < task_.linkage.cut) continue;
      growth_.would_join.push_back(join);
      is_any = true;
    }
    if (!is_any && likeliest != nullptr) growth_.would_join.push_back(*likeliest);
  }

  // For each pair of groups, keeps the record if it is the likeliest to join them.
  void take_joins(std::uint32_t record, const std::vector<std::uint32_t>& groups, std::size_t lefts,
                  JoinsByGroups& best) const {
    std::vector<double> averages;
    averages.reserve(groups.size());
    for (const std::uint32_t group : groups) averages.push_back(average(record, group));
    for (std::size_t i = 0; i < lefts; ++i) {
      for (std::size_t j = i + 1; j < groups.size(); ++j) {
        const WouldJoin join{groups[i], groups[j], record, std::min(averages[i], averages[j])};
        const auto [found, is_new] = best.try_emplace({groups[i], groups[j]}, join);
        if (!is_new && join.probability > found->second.probability) found->second = join;
      }
    }
  }

  const GrowthTask& task_;
  ThreadPool& pool_;
  std::vector<std::vector<std::uint32_t>> members_;  // by group
  std::vector<bool> touched_;                        // by group
  std::vector<bool> contested_;                      // by first record of a cluster
  std::vector<RecordPair> always_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> classes_;  // class of the rules, and group
  GroupGrowth growth_;
};

}  // namespace

GroupGrowth grow_groups(const GrowthTask& task, ThreadPool& pool) {
  return GroupGrower(task, pool).grow();
}

}  // namespace sosie
