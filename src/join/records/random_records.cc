// Draws random pairs of records and counts their agreements.
#include "join/records/random_records.h"

#include <algorithm>
#include <utility>

#include "core/mix64.h"
#include "plan/held_out_link.h"

namespace sosie {
namespace {

// Number of pairs of records that are equal in all of these fields.
double copied_pairs(const RecordTable& table, std::span<const std::uint32_t> fields) {
  std::vector<std::uint64_t> hashes(table.size());
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    for (const std::uint32_t f : fields) {
      hashes[record] = mix64(hashes[record] ^ (table.columns[f].values[record] + 1ULL));
    }
  }
  const auto split = hashes.begin() + (table.across ? table.left : table.size());
  std::sort(hashes.begin(), split);
  std::sort(split, hashes.end());
  double pairs = 0;
  for (auto at = hashes.begin(); at != split;) {
    const auto end = std::upper_bound(at, split, *at);
    const auto count = static_cast<double>(end - at);
    const auto others = std::equal_range(split, hashes.end(), *at);
    pairs += table.across ? count * static_cast<double>(others.second - others.first)
                          : count * (count - 1) / 2;
    at = end;
  }
  return pairs;
}

// All pairs if there are few; otherwise a random sample, sorted and without repetitions.
std::vector<RecordPair> some_pairs(const RecordTable& table) {
  constexpr std::size_t kSample = 200000;
  std::vector<RecordPair> pairs;
  if (all_pairs_of(table) > kSample) {
    pairs = random_pairs(table.left, table.across ? table.right : 0, kSample, /*seed=*/1);
    for (RecordPair& pair : pairs) pair.right += table.across ? table.left : 0;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
  }
  for (std::uint32_t left = 0; left < table.left; ++left) {
    const std::uint32_t first = table.across ? table.left : left + 1;
    for (std::uint32_t right = first; right < table.size(); ++right) pairs.push_back({left, right});
  }
  return pairs;
}

}  // namespace

double all_pairs_of(const RecordTable& table) {
  const auto left = static_cast<double>(table.left);
  return table.across ? left * static_cast<double>(table.right) : left * (left - 1) / 2;
}

double equal_share(const RecordTable& table, const RecordColumn& column, double copied) {
  std::vector<std::uint64_t> left(column.distinct());
  std::vector<std::uint64_t> right(column.distinct());
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    ++(record < table.left ? left : right)[column.values[record]];
  }
  double equal = 0;
  double of_left = 0;
  double of_right = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    const auto a = static_cast<double>(left[value]);
    const auto b = static_cast<double>(right[value]);
    equal += table.across ? a * b : a * (a - 1);
    of_left += a;
    of_right += b;
  }
  const double twice =
      table.across ? copied : 2 * copied;  // pairs are counted from both sides here
  const double pairs = (table.across ? of_left * of_right : of_left * (of_left - 1)) - twice;
  constexpr double kLeast = 1e-9;
  return pairs <= 0 ? kLeast : std::clamp((equal - twice) / pairs, kLeast, 1 - kLeast);
}

RandomRecordPairs::RandomRecordPairs(const RecordTable& table, const RecordComparer& comparer,
                                     ThreadPool& pool) {
  constexpr std::size_t kComparedATask = 1024;
  constexpr std::size_t kAhead = 16;
  const std::vector<RecordPair> pairs = some_pairs(table);
  pairs_.resize(pairs.size());
  std::vector<LevelPatterns> workers(pool.size(), LevelPatterns(comparer.fields()));
  std::vector<unsigned> done_by((pairs.size() + kComparedATask - 1) / kComparedATask);
  pool.for_each(done_by.size(), [&](unsigned worker, std::size_t task) {
    pool.check_cancelled();
    done_by[task] = worker;
    const std::size_t end = std::min(pairs.size(), (task + 1) * kComparedATask);
    for (std::size_t i = task * kComparedATask; i < end; ++i) {
      if (i + kAhead < end) {
        comparer.prefetch(pairs[i + kAhead].left);
        comparer.prefetch(pairs[i + kAhead].right);
      }
      const auto [left, right] = pairs[i];
      const std::uint32_t number = workers[worker].add(comparer.levels(left, right));
      pairs_[i] = {left, right, 0, number};
    }
  });
  MergedPatterns all = merged(workers, comparer.fields());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::uint32_t& pattern = pairs_[i].pattern;
    pattern = all.numbers[done_by[i / kComparedATask]][pattern];
  }
  patterns_ = std::move(all.patterns);
}

LevelPatterns RandomRecordPairs::without(std::span<const PatternPair> candidates) const {
  LevelPatterns patterns(patterns_.fields());
  std::vector<std::uint64_t> counts(patterns_.size());
  auto candidate = candidates.begin();
  for (const PatternPair& pair : pairs_) {
    const RecordPair wanted{pair.left, pair.right};
    const auto at = [&] { return RecordPair{candidate->left, candidate->right}; };
    while (candidate != candidates.end() && at() < wanted) ++candidate;
    if (candidate != candidates.end() && at() == wanted) continue;
    ++counts[pair.pattern];
  }
  for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
    if (counts[i] > 0) patterns.add(patterns_[i], counts[i]);
  }
  return patterns;
}

std::vector<std::vector<double>> RandomRecordPairs::level_shares(
    const RecordTable& table, const RecordComparer& comparer,
    std::span<const std::uint32_t> compared) const {
  constexpr double kPseudoPairs = 0.02;
  const double copied = copied_pairs(table, compared);
  std::vector<std::vector<double>> all;
  all.reserve(compared.size());
  for (std::size_t f = 0; f < compared.size(); ++f) {
    std::vector<double>& shares = all.emplace_back(comparer.level_counts()[f], kPseudoPairs);
    for (std::uint32_t i = 0; i < patterns_.size(); ++i) {
      shares[patterns_[i][f]] += static_cast<double>(patterns_.count(i));
    }
    double others = 0;
    for (std::size_t level = 1; level + 1 < shares.size(); ++level) others += shares[level];
    const double equal = equal_share(table, table.columns[compared[f]], copied);
    for (double& share : shares) share *= (1 - equal) / others;
    shares.front() = 1;
    shares.back() = equal;
  }
  return all;
}

}  // namespace sosie
