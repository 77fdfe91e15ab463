// Star clustering of a component that is larger than memory, window by window.
#include "decide/large_component.h"

#include <algorithm>

#include "core/keep_best.h"
#include "corpus/rank_rows.h"

namespace sosie {
namespace {

constexpr std::size_t kLargestGroups = 20;  // number of groups that the report shows

// Rows of a batch in scratch in the order of --keep, sorted part by part and merged.
class RankOrder {
 public:
  explicit RankOrder(const SetRun& run) : run_(run) {}

  void sort(std::vector<RowId>& rows) {
    const KeepRule::By by = run_.settings.keep.front().by;
    if (by == KeepRule::By::last) std::reverse(rows.begin(), rows.end());
    if (by == KeepRule::By::last || by == KeepRule::By::first) return;
    const std::size_t part = run_.batches().most_rows_at_once();
    for (std::size_t at = 0; at < rows.size(); at += part) {
      sort_part(std::span(rows).subspan(at, std::min(part, rows.size() - at)));
    }
    std::vector<RowId> merged(rows.size());
    for (std::size_t width = part; width < rows.size(); width *= 2) {
      for (std::size_t at = 0; at < rows.size(); at += 2 * width) {
        run_.pool.check_cancelled();
        const auto place = [&](std::size_t i) {
          return rows.begin() + static_cast<std::ptrdiff_t>(std::min(i, rows.size()));
        };
        std::merge(place(at), place(at + width), place(at + width), place(at + 2 * width),
                   merged.begin() + static_cast<std::ptrdiff_t>(at),
                   [&](RowId left, RowId right) { return before(left, right); });
      }
      rows.swap(merged);
    }
  }

 private:
  void sort_part(std::span<RowId> rows) const {
    Corpus part;
    part.rows = static_cast<RowId>(rows.size());
    part.blocks.push_back(run_.corpus.spilled->load(rows));
    const std::vector<RowId> as_listed(rows.begin(), rows.end());
    const std::vector<RowId> order = rank_rows(part, run_.settings);
    std::transform(order.begin(), order.end(), rows.begin(), [&](RowId i) { return as_listed[i]; });
  }

  [[nodiscard]] bool before(RowId left, RowId right) const {
    const RowId both[] = {std::min(left, right), std::max(left, right)};
    Corpus two;
    two.rows = 2;
    two.blocks.push_back(run_.corpus.spilled->load(both));
    return ranks_before(two, run_.settings, left > right ? 1 : 0, right > left ? 1 : 0);
  }

  const SetRun& run_;
};

class WindowedStar {
 public:
  WindowedStar(SetRun& run, const StarOfRun& star, SpilledDecisions& out)
      : run_(run), star_(star), out_(out) {}

  LargeComponent decide(std::vector<RowId> rows) {
    const SpilledCopies& copies = run_.batches().copies();
    const RowId others = run_.batches().count_others(rows);
    for (RowId i = 0; i < rows.size(); ++i) {
      const std::uint64_t same = 1 + copies.copies_of(rows[i]);
      result_.rows += same;
      if (i >= others) result_.own_rows += same;
    }
    survivors_.assign(rows.begin(), rows.begin() + others);
    group_rows_.assign(survivors_.size(), 1);
    rows.erase(rows.begin(), rows.begin() + others);
    RankOrder(run_).sort(rows);
    const std::size_t most = std::max<std::size_t>(run_.batches().most_rows_at_once() / 2, 1);
    for (std::size_t at = 0; at < rows.size(); at += most) {
      const auto window = std::span(rows).subspan(at, std::min(most, rows.size() - at));
      std::vector<RowId> open(window.begin(), window.end());
      const std::size_t earlier = survivors_.size();
      for (std::size_t i = 0; i < earlier && !open.empty(); i += most) {
        settle(i, std::min(most, earlier - i), open);
      }
      settle(earlier, 0, open);
    }
    result_.survivors = survivors_.size();
    record_groups();
    return std::move(result_);
  }

 private:
  // Compares open rows with `count` survivors from `first` on and leaves those that are like none
  // of them; when there are none, with each other, and the rest become survivors.
  void settle(std::size_t first, std::size_t count, std::vector<RowId>& open) {
    std::vector<RowId> rows(survivors_.begin() + static_cast<std::ptrdiff_t>(first),
                            survivors_.begin() + static_cast<std::ptrdiff_t>(first + count));
    rows.insert(rows.end(), open.begin(), open.end());
    open.clear();
    run_.match(rows, static_cast<RowId>(count), SetRun::Order::rank, [&] {
      const bool within = count == 0;
      const Decisions decisions(run_.inputs, run_.corpus, run_.items, star_(run_, within));
      for (RowId row = 0; row < count; ++row) {
        group_rows_[first + row] += static_cast<std::uint32_t>(decisions.group_rows(row) - 1);
      }
      for (auto row = static_cast<RowId>(count); row < rows.size(); ++row) {
        const RowId survivor = decisions.of(row).survivor;
        if (!within && survivor >= count) {
          open.push_back(rows[row]);
          continue;
        }
        record_decision(run_, rows, row, decisions, out_);
        if (survivor != row) continue;
        survivors_.push_back(rows[row]);
        group_rows_.push_back(static_cast<std::uint32_t>(decisions.group_rows(row)));
      }
    });
  }

  void record_groups() {
    using Group = std::pair<std::uint32_t, RowId>;
    std::vector<Group> largest;
    const auto better = [](const Group& a, const Group& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    };
    for (std::size_t i = 0; i < survivors_.size(); ++i) {
      if (group_rows_[i] < 2) continue;
      out_.add_group(survivors_[i], group_rows_[i]);
      largest.emplace_back(group_rows_[i], survivors_[i]);
      if (largest.size() == 64 * kLargestGroups) keep_best(largest, kLargestGroups, better);
    }
    keep_best(largest, kLargestGroups, better);
    for (const Group& group : largest) result_.largest.push_back(group.second);
  }

  SetRun& run_;
  const StarOfRun& star_;
  SpilledDecisions& out_;
  LargeComponent result_;
  std::vector<RowId> survivors_;  // in rank order
  std::vector<std::uint32_t> group_rows_;
};

}  // namespace

void record_decision(const SetRun& run, std::span<const RowId> rows, RowId row,
                     const Decisions& decisions, SpilledDecisions& out) {
  Decision decision = decisions.of(row);
  const bool removed = decision.survivor != row;
  decision.survivor = rows[decision.survivor];
  if (removed) out.add_removed(rows[row], decision);
  if (!removed) decision.identical = true;  // like its copies
  run.batches().copies().for_each_copy(rows[row],
                                       [&](RowId copy) { out.add_removed(copy, decision); });
}

LargeComponent decide_large_component(SetRun& run, std::vector<RowId> rows, const StarOfRun& star,
                                      SpilledDecisions& decisions) {
  return WindowedStar(run, star, decisions).decide(std::move(rows));
}

}  // namespace sosie
