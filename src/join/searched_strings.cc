// Looks strings up in others by edit distance.
#include "join/searched_strings.h"

#include <algorithm>
#include <atomic>

#include "join/nearest_rows.h"

namespace sosie {

SearchedStrings::SearchedStrings(const StringColumn& data, const EditBound& bound, bool nearest)
    : data_(data), bound_(bound), nearest_(nearest) {}

std::uint64_t SearchedStrings::find(const StringColumn& asked, std::uint64_t most, ThreadPool& pool,
                                    std::vector<std::vector<MeasuredPair>>& found) const {
  const bool is_similarity = bound_.by_similarity && !nearest_;
  const std::uint64_t wanted = most == 0 ? ~std::uint64_t{0} : most;
  found.assign(asked.rows(), {});
  pool.for_each(asked.rows(), [&](unsigned /*worker*/, std::size_t i) {
    pool.check_cancelled();
    EditPattern pattern(bound_.measure, std::max(data_.alphabet, asked.alphabet));
    pattern.set(asked.row(i));
    NearestRows nearest(wanted, is_similarity);
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      // One that is as far as the farthest that is kept comes behind it.
      const std::uint32_t nearest_edits =
          nearest.is_full() ? static_cast<std::uint32_t>(nearest.farthest()) : kAnyDistance;
      const std::uint32_t edits =
          nearest_ ? nearest_edits : bound_.most_edits(asked.length(i), data_.length(row));
      const std::uint32_t distance = pattern.distance(data_.row(row), edits);
      if (distance > edits) continue;
      const double value =
          nearest_ ? distance : bound_.value(asked.length(i), data_.length(row), distance);
      nearest.add({static_cast<RowId>(i), static_cast<RowId>(row), value});
    }
    found[i] = nearest.pairs();
    std::sort(found[i].begin(), found[i].end(), IsNearer{is_similarity});
  });
  return std::uint64_t{asked.rows()} * data_.rows();
}

}  // namespace sosie
