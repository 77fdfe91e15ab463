// Finds columns whose values follow from the values of another column.
#include "corpus/items/followed_columns.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sosie {
namespace {

constexpr std::uint32_t kSampledRecords = 4000;
constexpr double kSharing = 30;        // records that share a value, on average
constexpr double kSharingSeen = 2;     // such records among the sampled ones
constexpr double kUnexplained = 0.05;  // part of the records without the commonest value
constexpr double kFewestOthers = 10;   // records that have not the commonest value

// Values of some records of a column.
struct SampledColumn {
  std::vector<std::uint32_t> values;
  std::uint32_t distinct = 0;
  double others = 0;  // records that have not the commonest value
  bool is_shared = false;
};

SampledColumn sampled(const RecordColumn& column) {
  const auto records = static_cast<std::uint32_t>(column.values.size());
  const std::uint32_t step = std::max(1U, (records + kSampledRecords - 1) / kSampledRecords);
  SampledColumn found;
  for (std::uint32_t record = 0; record < records; record += step) {
    found.values.push_back(column.values[record]);
  }
  std::vector<std::uint32_t> sorted = found.values;
  std::sort(sorted.begin(), sorted.end());
  double pairs = 0;
  double most = 0;
  double frequent = 0;  // commonest value that is there
  double there = 0;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto end = std::upper_bound(at, sorted.end(), *at);
    const auto count = static_cast<double>(end - at);
    most = std::max(most, count);
    if (*at != RecordColumn::kMissing) {
      ++found.distinct;
      there += count;
      pairs += count * (count - 1);
      frequent = std::max(frequent, count);
    }
    at = end;
  }
  // Copies of one record alone would make its values frequent.
  pairs -= frequent * (frequent - 1);
  there -= frequent;
  found.others = static_cast<double>(sorted.size()) - most;
  const double sharing = there == 0 ? 0 : pairs / there;
  found.is_shared = sharing >= kSharingSeen && sharing * step >= kSharing;
  return found;
}

// True if the records with one value of a column have one value of another one. A missing value of
// the other one is a value like others; records without the first say nothing for it.
bool follows(const SampledColumn& from, const SampledColumn& column) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
  both.reserve(from.values.size());
  for (std::size_t i = 0; i < from.values.size(); ++i) {
    both.emplace_back(from.values[i], column.values[i]);
  }
  std::sort(both.begin(), both.end());
  double explained = 0;
  for (auto at = both.begin(); at != both.end();) {
    std::ptrdiff_t most = 0;
    const std::uint32_t value = at->first;
    while (at != both.end() && at->first == value) {
      const auto end = std::upper_bound(at, both.end(), *at);
      most = std::max(most, end - at);
      at = end;
    }
    explained += static_cast<double>(most);
  }
  const double unexplained = static_cast<double>(both.size()) - explained;
  return column.others >= kFewestOthers && unexplained <= kUnexplained * column.others;
}

std::vector<SampledColumn> all_sampled(std::span<const RecordColumn* const> columns) {
  std::vector<SampledColumn> all;
  all.reserve(columns.size());
  for (const RecordColumn* column : columns) all.push_back(sampled(*column));
  return all;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> followed_columns(
    std::span<const RecordColumn* const> left, std::span<const RecordColumn* const> right) {
  const std::vector<SampledColumn> of_left = all_sampled(left);
  const std::vector<SampledColumn> of_right = all_sampled(right);
  const auto in_both = [&](const auto& holds) {
    return holds(of_left) && (of_right.empty() || holds(of_right));
  };
  std::vector<std::uint32_t> order;  // columns of few values, the finest first
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    const bool is_shared = in_both([&](const auto& of) { return of[i].is_shared; });
    if (is_shared) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return of_left[a].distinct > of_left[b].distinct;
  });
  std::vector<std::optional<std::uint32_t>> found(left.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::uint32_t column = order[place];
    for (std::size_t finer = 0; finer < place && !found[column]; ++finer) {
      const std::uint32_t from = order[finer];
      if (found[from]) continue;
      if (in_both([&](const auto& of) { return follows(of[from], of[column]); })) {
        found[column] = from;
      }
    }
  }
  return found;
}

}  // namespace sosie
