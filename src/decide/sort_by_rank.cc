// Sorts rows in scratch by the rules of --keep.
#include "decide/sort_by_rank.h"

#include <algorithm>

#include "corpus/rank_rows.h"
#include "corpus/spill/spilled_rows.h"

namespace sosie {
namespace {

class RankOrder {
 public:
  RankOrder(const SetRun& run, std::size_t part) : run_(run), part_(part) {}

  void sort(std::vector<RowNumber>& rows) {
    const KeepRule::By by = run_.settings.keep.front().by;
    if (by == KeepRule::By::last) std::reverse(rows.begin(), rows.end());
    if (by == KeepRule::By::last || by == KeepRule::By::first) return;
    for (std::size_t at = 0; at < rows.size(); at += part_) {
      sort_part(std::span(rows).subspan(at, std::min(part_, rows.size() - at)));
    }
    std::vector<RowNumber> merged(rows.size());
    for (std::size_t width = part_; width < rows.size(); width *= 2) {
      for (std::size_t at = 0; at < rows.size(); at += 2 * width) {
        run_.pool.check_cancelled();
        const auto place = [&](std::size_t i) {
          return rows.begin() + static_cast<std::ptrdiff_t>(std::min(i, rows.size()));
        };
        std::merge(place(at), place(at + width), place(at + width), place(at + 2 * width),
                   merged.begin() + static_cast<std::ptrdiff_t>(at),
                   [&](RowNumber left, RowNumber right) { return before(left, right); });
      }
      rows.swap(merged);
    }
  }

 private:
  void sort_part(std::span<RowNumber> rows) const {
    Corpus part;
    part.rows = rows.size();
    part.blocks.push_back(run_.corpus.spilled->load(rows));
    const std::vector<RowNumber> as_listed(rows.begin(), rows.end());
    const std::vector<RowId> order = rank_rows(part, run_.settings);
    std::transform(order.begin(), order.end(), rows.begin(), [&](RowId i) { return as_listed[i]; });
  }

  [[nodiscard]] bool before(RowNumber left, RowNumber right) const {
    const RowNumber both[] = {std::min(left, right), std::max(left, right)};
    Corpus two;
    two.rows = 2;
    two.blocks.push_back(run_.corpus.spilled->load(both));
    return ranks_before(two, run_.settings, left > right ? 1 : 0, right > left ? 1 : 0);
  }

  const SetRun& run_;
  std::size_t part_;
};

}  // namespace

void sort_by_rank(const SetRun& run, std::size_t part, std::vector<RowNumber>& rows) {
  RankOrder(run, part).sort(rows);
}

}  // namespace sosie
