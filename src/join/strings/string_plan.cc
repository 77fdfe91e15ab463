// Chooses the join for strings.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "core/count_text.h"
#include "core/mix64.h"
#include "io/external_sort.h"
#include "join/strings/pair_cost.h"
#include "join/strings/string_join.h"
#include "join/strings/string_levels.h"

namespace sosie {
namespace {

constexpr std::uint32_t kSampledRows = 4096;
constexpr double kSampledKeys = 2e6;
constexpr std::uint64_t kSampleSeed = 1;
constexpr std::uint64_t kPairSeed = 2;
constexpr std::uint64_t kMostDraws = 20'000;
// Fewer pairs than this do not need an index.
constexpr double kFewPairs = 2e5;

// Rows of a column, one from each of this many ranges.
StringColumn sample_of(const StringColumn& column, const RowRange& range) {
  StringColumn sample{column.width, column.alphabet, {0}, {}};
  const std::uint64_t rows = range.size();
  const std::uint64_t count = std::min<std::uint64_t>(rows, kSampledRows);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = rows * i / count;
    const std::uint64_t end = rows * (i + 1) / count;
    const SymbolSpan row =
        column.row(range.begin + begin + random64(kSampleSeed, i) % (end - begin));
    sample.symbols.insert(sample.symbols.end(), row.data,
                          row.data + std::size_t{row.length} * row.width);
    sample.starts.push_back(sample.starts.back() + row.length);
  }
  return sample;
}

// StringSample for the strings of a join; both sides are treated as one collection.
struct StringSample {
  OrderedStrings strings;
  std::vector<LengthRange> lengths;
  double scale = 1;         // pairs of the join for one of the sample
  double rows_an_item = 1;  // in the whole join
};

StringSample sample_of(const StringJoinTask& task) {
  StringColumn rows = sample_of(*task.column, task.sides.left);
  const auto of_left = static_cast<std::uint32_t>(rows.rows());
  if (task.sides.right) {
    const StringColumn rights = sample_of(*task.column, *task.sides.right);
    rows.symbols.insert(rows.symbols.end(), rights.symbols.begin(), rights.symbols.end());
    const std::uint64_t end = rows.starts.back();
    for (std::size_t i = 1; i < rights.starts.size(); ++i)
      rows.starts.push_back(end + rights.starts[i]);
  }
  const auto all = static_cast<std::uint32_t>(rows.rows());
  StringSample sample{order_strings(rows, {0, of_left}, {of_left, all}), {}};
  sample.lengths = lengths_of(sample.strings);
  const JoinSides sides =
      all == of_left ? JoinSides{{0, all}} : JoinSides{{0, of_left}, RowRange{of_left, all}};
  const double pairs = static_cast<double>(of_left) * sides.partners();
  const double of_join = static_cast<double>(task.sides.left.size()) * task.sides.partners();
  sample.scale = pairs > 0 ? of_join / pairs : 1;
  const double of_sides = static_cast<double>(task.sides.left.size()) +
                          (task.sides.right ? task.sides.right->size() : 0);
  sample.rows_an_item = of_sides / std::max<double>(1, all);
  return sample;
}

struct Cost {
  double keys = 0;     // keys of the sample
  double checks = 0;   // pairs of the sample that share a key
  double scanned = 0;  // pairs of the sample that are looked at
  double key_ns = 0;   // to make the keys, in as many passes as the join needs
  double near_ns = 0;  // to measure candidates with near signatures
  double found = 0;    // pairs that reach the bound
};

// Counts the pairs that share keys.
void add_checks(const StringSample& sample, const StringKeys& keys, const EditBound& bound,
                const std::vector<StringLevel>& levels, double near_ns, Cost& cost) {
  ThreadPool alone(1, nullptr);
  PairCost cost_of_pair(sample.strings, bound, near_ns);
  double near = 0;
  for (const StringLevel& level : levels) {
    const StringGroups groups{.strings = &sample.strings,
                              .keys = &keys,
                              .jobs = level.jobs,
                              .most_bits = most_bits(bound.measure, level.edits, 0),
                              .most_bytes = std::uint64_t{1} << 28};
    cost.checks += static_cast<double>(find_string_candidates(
        groups, alone, [&](unsigned /*worker*/, std::uint32_t item, auto others) {
          near += static_cast<double>(others.size());
          for (const std::uint32_t other : others) cost_of_pair.add(item, other);
        }));
  }
  cost.near_ns += near * cost_of_pair.mean_ns();
  cost.found += near * cost_of_pair.found_share();
}

// A pair of items identified by its number, shorter item first.
struct ItemPair {
  std::uint32_t item;
  std::uint32_t other;
};
ItemPair draw_pair(const OrderedStrings& strings, std::uint64_t number) {
  const std::uint32_t lefts = strings.across ? strings.split : strings.size();
  const auto left = static_cast<std::uint32_t>(random64(kPairSeed, 2 * number) % lefts);
  const std::uint32_t begin = strings.across ? lefts : 0;
  const auto right = static_cast<std::uint32_t>(begin + random64(kPairSeed, 2 * number + 1) %
                                                            (strings.size() - begin));
  const bool is_shorter = strings.column.length(left) <= strings.column.length(right);
  return is_shorter ? ItemPair{left, right} : ItemPair{right, left};
}

// Adds the cost of measuring the scanned pairs with similar signatures, estimated from drawn
// pairs.
void add_scanned(const StringSample& sample, const EditBound& bound,
                 const std::vector<StringLevel>& levels, Cost& cost) {
  const OrderedStrings& strings = sample.strings;
  PairCost cost_of_pair(strings, bound, kPieces.near_ns);
  double tried = 0;
  double near = 0;
  for (std::uint64_t i = 0; i < kMostDraws && !cost_of_pair.has_enough(); ++i) {
    const auto [item, other] = draw_pair(strings, i);
    const std::uint32_t length = strings.column.length(item);
    const auto level = std::lower_bound(
        levels.begin(), levels.end(), length,
        [](const StringLevel& one, std::uint32_t shorter) { return one.length < shorter; });
    if (item == other || level == levels.end() || level->length != length || !level->jobs.empty() ||
        strings.column.length(other) > reach_of(bound, length).longest) {
      continue;
    }
    ++tried;
    const auto bits = static_cast<std::uint32_t>(
        std::popcount(strings.signatures[item] ^ strings.signatures[other]));
    if (bits > most_bits(bound.measure, level->edits, 0)) continue;
    ++near;
    cost_of_pair.add(item, other);
  }
  if (tried == 0) return;
  cost.near_ns += cost.scanned * near / tried * cost_of_pair.mean_ns();
  cost.found += cost.scanned * near / tried * cost_of_pair.found_share();
}

// Costs of the ways to join a sample.
class SampledCosts {
 public:
  SampledCosts(const StringJoinTask& task, double pairs)
      : bound_(task.bound),
        key_bytes_(bytes_of_keys(task.memory_bytes)),
        sample_(sample_of(task)),
        keys_(sample_.strings),
        pairs_(pairs / sample_.scale) {}

  [[nodiscard]] const std::vector<LengthRange>& lengths() const { return sample_.lengths; }

  [[nodiscard]] StringJoinPlan plan(std::uint32_t segments_from) const {
    std::vector<StringLevel> segments =
        segment_levels(sample_.lengths, bound_, segments_from, sample_.rows_an_item);
    cut_where_strings_differ(sample_.strings.column, segments);
    Cost cost = cost_of(segments, kPieces);
    if (segments_from > 0) {
      Cost deletions = cost_of(deletion_levels(sample_.lengths, bound_, segments_from), kDeletions);
      // So many deletions leave almost nothing of a string, which all strings would share.
      if (deletions.keys > kSampledKeys) {
        deletions.checks = pairs_;
        deletions.near_ns = pairs_ * kDeletions.near_ns;
      }
      cost.checks += deletions.checks;
      cost.key_ns += deletions.key_ns;
      cost.near_ns += deletions.near_ns;
      cost.found += deletions.found;
      cost.keys += deletions.keys;
    }
    StringJoinPlan plan;
    plan.found = cost.found * sample_.scale;
    // Keys are grouped in passes that fit in memory.
    plan.key_bytes = std::min(cost.keys * sample_.rows_an_item * kStringKeyBytes,
                              static_cast<double>(key_bytes_));
    plan.segments_from = segments_from;
    plan.checks = (cost.checks + cost.scanned) * sample_.scale;
    plan.nanoseconds =
        (sample_.strings.size() * kStringNs + cost.key_ns) * sample_.rows_an_item +
        sample_.scale * (cost.checks * kSharedKeyNs + cost.near_ns + cost.scanned * kScannedPairNs);
    return plan;
  }

  // Nanoseconds to measure every pair of the join.
  [[nodiscard]] double brute_ns() const {
    PairCost cost_of_pair(sample_.strings, bound_, kStringPairNs);
    for (std::uint64_t i = 0; i < kMostDraws && !cost_of_pair.has_enough(); ++i) {
      const auto [item, other] = draw_pair(sample_.strings, i);
      cost_of_pair.add(item, other);
    }
    return pairs_ * sample_.scale * cost_of_pair.mean_ns();
  }

 private:
  [[nodiscard]] Cost cost_of(const std::vector<StringLevel>& levels, const KeyCosts& costs) const {
    Cost cost;
    for (const StringLevel& level : levels) {
      const std::uint64_t passes = key_passes(level.keys * sample_.rows_an_item, key_bytes_);
      cost.keys += level.keys;
      cost.key_ns += level.keys * costs.key_ns * static_cast<double>(passes);
      if (level.jobs.empty()) cost.scanned += level.pairs;
    }
    if (cost.keys <= kSampledKeys) {
      add_checks(sample_, keys_, bound_, levels, costs.near_ns, cost);
    }
    if (cost.scanned > 0) add_scanned(sample_, bound_, levels, cost);
    return cost;
  }

  const EditBound& bound_;
  std::uint64_t key_bytes_;
  StringSample sample_;
  StringKeys keys_;
  double pairs_;  // pairs of the sample
};

void describe(const EditBound& bound, StringJoinPlan& plan) {
  const std::string edits = bound.by_similarity ? "as many deletions as the threshold allows"
                                                : fmt::format("at most {} deletions", bound.within);
  const auto checks = count_text(static_cast<std::uint64_t>(plan.checks));
  if (plan.segments_from == StringJoinPlan::kNever) {
    plan.line = fmt::format("exact: strings that share a variant after {} are measured", edits);
    plan.reason = fmt::format("short strings have few deletions; about {} checks", checks);
  } else if (plan.segments_from == 0) {
    plan.line = "exact: strings that share a segment at nearly the same position are measured";
    plan.reason = fmt::format("long strings have few segments; about {} checks", checks);
  } else {
    plan.line = fmt::format(
        "exact: strings that share a segment at nearly the same position are measured; below {} "
        "symbols, those that share a variant after {}",
        plan.segments_from, edits);
    plan.reason = fmt::format("segments of short strings are too short; about {} checks", checks);
  }
}

}  // namespace

StringJoinPlan plan_join(const StringJoinTask& task) {
  const double pairs = static_cast<double>(task.sides.left.size()) * task.sides.partners();
  StringJoinPlan brute;
  brute.brute = true;
  brute.checks = pairs;
  brute.line = "brute: every pair is measured";
  brute.reason = task.brute ? "it was asked for" : "there are no pairs";
  if (task.sides.is_nothing()) return brute;
  const SampledCosts costs(task, pairs);
  if (task.brute) {
    brute.nanoseconds = costs.brute_ns();
    return brute;
  }
  // Uses segments wherever strings are long enough, and all pairs of shorter strings.
  StringJoinPlan best = costs.plan(0);
  if (pairs > kFewPairs) {
    const std::uint32_t first_cut = first_cut_length(costs.lengths(), task.bound);
    for (const std::uint32_t from : {first_cut, StringJoinPlan::kNever}) {
      StringJoinPlan other = costs.plan(from);
      if (other.nanoseconds < best.nanoseconds) best = std::move(other);
    }
  }
  describe(task.bound, best);
  return best;
}

}  // namespace sosie
