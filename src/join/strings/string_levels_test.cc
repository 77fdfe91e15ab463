// Tests of reaches and keys of strings, compared with the distances between all short strings; and
// of the plans made from them.
#include "join/strings/string_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/mix64.h"
#include "core/thread_pool.h"
#include "join/items_test.h"
#include "join/strings/string_join.h"
#include "reference/edit_distance.h"

namespace sosie {
namespace {

constexpr EditMeasure kPlannedMeasures[] = {EditMeasure::levenshtein, EditMeasure::indel,
                                            EditMeasure::osa, EditMeasure::damerau};

std::uint32_t distance_of(EditMeasure measure, const std::string& x, const std::string& y) {
  switch (measure) {
    case EditMeasure::levenshtein:
      return reference::levenshtein(x, y);
    case EditMeasure::indel:
      return reference::indel(x, y);
    case EditMeasure::osa:
      return reference::osa(x, y);
    default:
      return reference::damerau(x, y);
  }
}

std::vector<EditBound> bounds_of(EditMeasure measure) {
  std::vector<EditBound> bounds;
  for (const std::uint32_t within : {0U, 1U, 2U, 5U}) {
    bounds.push_back({.measure = measure, .within = within});
  }
  for (const Rational& threshold :
       {Rational{1, 1}, Rational{9, 10}, Rational{3, 4}, Rational{1, 2}, Rational{1, 10}}) {
    bounds.push_back({.measure = measure, .by_similarity = true, .threshold = threshold});
  }
  return bounds;
}

// Strings over two letters, and longer ones that are similar to each other.
std::vector<std::string> some_strings() {
  std::vector<std::string> strings;
  for (std::size_t length = 0; length <= 4; ++length) {
    for (std::size_t bits = 0; bits < std::size_t{1} << length; ++bits) {
      std::string& string = strings.emplace_back();
      for (std::size_t i = 0; i < length; ++i) string += bits >> i & 1 ? 'b' : 'a';
    }
  }
  for (const std::string& value : random_items("strings", 3, 60, 14, "abcdef")) {
    strings.push_back(value.substr(1, value.size() - 2));
  }
  return strings;
}

TEST(StringReaches, HoldEveryPairWithinTheBound) {
  const std::vector<std::string> strings = some_strings();
  for (const EditMeasure measure : kPlannedMeasures) {
    for (const std::string& x : strings) {
      for (const std::string& y : strings) {
        if (x.size() > y.size()) continue;
        const auto shorter = static_cast<std::uint32_t>(x.size());
        const auto longer = static_cast<std::uint32_t>(y.size());
        const std::uint32_t distance = distance_of(measure, x, y);
        const std::uint32_t left_of_both = (shorter + longer - reference::indel(x, y)) / 2;
        for (const EditBound& bound : bounds_of(measure)) {
          if (distance > bound.most_edits(shorter, longer)) continue;
          const StringReach reach = reach_of(bound, shorter);
          ASSERT_LE(longer, reach.longest) << x << " " << y;
          ASSERT_LE(distance, reach.edits) << x << " " << y;
          ASSERT_LE(shorter - left_of_both, reach.deletions) << x << " " << y;
          ASSERT_LE(longer - left_of_both, reach_of(bound, longer).deletions) << x << " " << y;
        }
      }
    }
  }
}

// A length beyond the bound cannot be reached.
TEST(StringReaches, AreNoLongerThanTheBoundAllows) {
  for (const EditMeasure measure : kPlannedMeasures) {
    for (const EditBound& bound : bounds_of(measure)) {
      for (std::uint32_t length = 0; length < 60; ++length) {
        const StringReach reach = reach_of(bound, length);
        const auto can_be = [&](std::uint32_t other) {
          return bound.most_edits(length, other) >= other - length;
        };
        EXPECT_TRUE(can_be(reach.longest));
        EXPECT_FALSE(can_be(reach.longest + 1)) << length;
        EXPECT_EQ(reach.edits, bound.most_edits(length, reach.longest));
        const bool swaps = measure == EditMeasure::osa || measure == EditMeasure::damerau;
        EXPECT_EQ(reach.pieces, reach.edits * (swaps ? 2 : 1) + 1);
        EXPECT_LE(reach.deletions, length);
      }
    }
  }
}

StringColumn planned_column(const std::vector<std::string>& strings) {
  StringColumn column{1, 256, {0}, {}};
  for (const std::string& string : strings) {
    for (const char c : string) column.symbols.push_back(static_cast<std::byte>(c));
    column.starts.push_back(column.symbols.size());
  }
  return column;
}

TEST(StringSignatures, DifferInNoMoreBitsThanTheEditsAllow) {
  const std::vector<std::string> strings = some_strings();
  const OrderedStrings ordered =
      order_strings(planned_column(strings), {0, static_cast<std::uint32_t>(strings.size())}, {});
  for (std::uint32_t i = 0; i < ordered.size(); ++i) {
    for (std::uint32_t j = i; j < ordered.size(); ++j) {
      const std::string& x = strings[ordered.rows_of(i).front()];
      const std::string& y = strings[ordered.rows_of(j).front()];
      ASSERT_LE(x.size(), y.size());
      const auto bits =
          static_cast<std::uint32_t>(std::popcount(ordered.signatures[i] ^ ordered.signatures[j]));
      const auto longer_by = static_cast<std::uint32_t>(y.size() - x.size());
      for (const EditMeasure measure : kPlannedMeasures) {
        const std::uint32_t edits = distance_of(measure, x, y);
        EXPECT_LE(bits, most_bits(measure, edits, longer_by)) << x << " " << y;
      }
    }
  }
  EXPECT_EQ(most_bits(EditMeasure::levenshtein, 5, 1), 9U);
  EXPECT_EQ(most_bits(EditMeasure::indel, 5, 1), 5U);
  EXPECT_EQ(most_bits(EditMeasure::osa, 40, 0), 64U);
}

std::vector<LengthRange> lengths_to(std::uint32_t longest) {
  std::vector<LengthRange> lengths;
  for (std::uint32_t length = 1; length <= longest; ++length) {
    lengths.push_back({length, {length * 1000, length * 1000 + 1000}, {}});
  }
  return lengths;
}

TEST(StringLevels, CutStringsThatAreAsLongAsTheirPieces) {
  for (const EditMeasure measure : kPlannedMeasures) {
    for (const EditBound& bound : bounds_of(measure)) {
      const std::vector<LengthRange> lengths = lengths_to(70);
      const std::uint32_t first = first_cut_length(lengths, bound);
      for (std::uint32_t length = first; length <= 70; ++length) {
        EXPECT_TRUE(length == 0 || reach_of(bound, length).pieces <= length);
      }
      EXPECT_TRUE(first == 0 || reach_of(bound, first - 1).pieces > first - 1);
      std::uint32_t next = std::max(1U, first);
      for (const StringLevel& level : segment_levels(lengths, bound, first)) {
        ASSERT_EQ(level.length, next++) << "each length from the first one on";
        const StringReach reach = reach_of(bound, level.length);
        std::uint32_t windows = 0;
        for (const KeyJob& job : level.jobs) {
          const bool is_cut = job.kind == KeyJob::Kind::pieces;
          EXPECT_TRUE(!is_cut || job.items.begin == level.length * 1000);
          windows += is_cut ? 0 : 1;
          EXPECT_EQ(job.count, reach.pieces);
        }
        const std::uint32_t partners = std::min(70U, reach.longest) - level.length + 1;
        EXPECT_TRUE(level.jobs.empty() || windows == partners) << level.length;
        // Half of the pairs for strings of the same length, a million for each other length.
        EXPECT_EQ(level.pairs, 1e6 * (partners - 0.5));
      }
      EXPECT_EQ(next, 71U);
    }
  }
}

// Strings that share a beginning and an end, some of them similar to each other.
std::vector<std::string> strings_with_a_beginning(std::size_t count) {
  std::vector<std::string> strings;
  for (std::uint64_t i = 0; strings.size() < count; ++i) {
    std::string digits = std::to_string(10'000'000 + random64(7, i) % 1'000'000);
    if (i % 3 > 0) {
      digits = strings.back().substr(9);
      digits[random64(8, i) % 8] = '3';
      if (i % 5 == 1) digits.erase(random64(9, i) % 8, 1);
      if (i % 5 == 2) digits.insert(random64(9, i) % 8, 1, '4');
      if (i % 5 == 3) std::swap(digits[2], digits[4]);
      digits.resize(digits.size() - 4);
    }
    strings.push_back("item.com/" + digits + "&end");
  }
  return strings;
}

using ItemPairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

ItemPairs candidates_of(const OrderedStrings& strings, const std::vector<StringLevel>& levels) {
  const StringKeys keys(strings);
  ThreadPool alone(1, nullptr);
  ItemPairs found;
  for (const StringLevel& level : levels) {
    const StringGroups groups{.strings = &strings,
                              .keys = &keys,
                              .jobs = level.jobs,
                              .most_bits = 64,
                              .most_bytes = 1 << 20};
    (void)find_string_candidates(groups, alone, [&](unsigned, std::uint32_t item, auto others) {
      for (const std::uint32_t other : others) {
        found.emplace(std::min(item, other), std::max(item, other));
      }
    });
  }
  return found;
}

// Levels in which each length is cut at random places.
std::vector<StringLevel> levels_cut_anywhere(const OrderedStrings& strings,
                                             const EditBound& bound) {
  std::vector<StringLevel> levels = segment_levels(lengths_of(strings), bound, 0, 1e9);
  std::uint64_t next = 0;
  for (StringLevel& level : levels) {
    std::set<std::uint32_t> cuts = {0, level.length};
    while (cuts.size() < level.cuts->size()) {
      cuts.insert(static_cast<std::uint32_t>(random64(10 + bound.within, next++) % level.length));
    }
    level.cuts->assign(cuts.begin(), cuts.end());
  }
  return levels;
}

TEST(StringLevels, FindEveryPairWhereverStringsAreCut) {
  constexpr std::uint32_t kMost = 4;
  const std::vector<std::string> strings = strings_with_a_beginning(80);
  const OrderedStrings ordered = order_strings(planned_column(strings), {0, 80}, {});
  for (const EditMeasure measure : kPlannedMeasures) {
    std::vector<ItemPairs> found;
    for (std::uint32_t within = 0; within <= kMost; ++within) {
      const EditBound bound{.measure = measure, .within = within};
      found.push_back(candidates_of(ordered, levels_cut_anywhere(ordered, bound)));
    }
    std::size_t near = 0;
    for (std::uint32_t i = 0; i < ordered.size(); ++i) {
      for (std::uint32_t j = i + 1; j < ordered.size(); ++j) {
        const std::string x(ordered.column.row(i).bytes());
        const std::string y(ordered.column.row(j).bytes());
        for (std::uint32_t within = distance_of(measure, x, y); within <= kMost; ++within) {
          ++near;
          ASSERT_TRUE(found[within].contains({i, j})) << x << " " << y << ", within " << within;
        }
      }
    }
    EXPECT_GT(near, 50);
  }
}

TEST(StringLevels, OfDeletionsGoFromEachLengthDownAsFarAsTheBoundReaches) {
  for (const std::uint32_t within : {0U, 1U, 3U}) {
    const EditBound bound{.measure = EditMeasure::levenshtein, .within = within};
    EXPECT_TRUE(deletion_levels(lengths_to(12), bound, 0).empty());
    std::map<std::uint32_t, std::set<std::uint32_t>> made;  // deletions, by length of the string
    for (const StringLevel& level : deletion_levels(lengths_to(12), bound, 8)) {
      for (const KeyJob& job : level.jobs) {
        EXPECT_EQ(job.kind, KeyJob::Kind::deletions);
        EXPECT_EQ(job.items.begin / 1000 - job.count, level.length);
        made[job.items.begin / 1000].insert(job.count);
      }
    }
    // Strings shorter than 8 symbols have levels, and so do all their possible partners.
    EXPECT_EQ(made.size(), std::min(12U, 7 + within));
    for (const auto& [length, counts] : made) {
      EXPECT_EQ(counts.size(), std::min(length, within) + 1) << length;
    }
  }
}

TEST(StringPlans, NeedNoIndexForFewPairsAndDependOnTheStringsAlone) {
  const auto plan = [](const StringColumn& column, const EditBound& bound, std::uint64_t memory,
                       bool brute) {
    const auto rows = static_cast<RowId>(column.rows());
    return plan_join({.column = &column,
                      .sides = {{0, rows}},
                      .bound = bound,
                      .brute = brute,
                      .memory_bytes = memory});
  };
  const auto column_of_random = [](std::size_t rows, std::size_t size) {
    std::vector<std::string> strings = random_items("strings", 8, rows, size, "abcdefghijklmno");
    return planned_column(strings);
  };
  const StringColumn few = column_of_random(50, 10);
  const StringColumn short_ones = column_of_random(4000, 6);
  const StringColumn long_ones = column_of_random(4000, 80);
  EXPECT_TRUE(plan(few, {.within = 1}, 1 << 20, true).brute);
  EXPECT_EQ(plan(few, {.within = 1}, 1 << 20, true).checks, 50 * 49 / 2);
  EXPECT_EQ(plan(few, {.within = 1}, 1 << 20, false).segments_from, 0U);
  for (const StringColumn* column : {&few, &short_ones, &long_ones}) {
    for (const EditBound& bound : {EditBound{.within = 1}, EditBound{.within = 3},
                                   EditBound{.by_similarity = true, .threshold = {4, 5}}}) {
      const StringJoinPlan a = plan(*column, bound, 1 << 20, false);
      const StringJoinPlan b = plan(*column, bound, std::uint64_t{1} << 34, false);
      EXPECT_FALSE(a.brute);
      EXPECT_EQ(a.segments_from, b.segments_from);
      EXPECT_EQ(a.nanoseconds, b.nanoseconds);
      EXPECT_EQ(a.line, b.line);
      const double pairs =
          static_cast<double>(column->rows()) * (static_cast<double>(column->rows()) - 1) / 2;
      EXPECT_LE(a.nanoseconds, 2 * pairs * kStringPairNs) << "never much dearer than all pairs";
    }
  }
  EXPECT_LT(plan(long_ones, {.within = 1}, 1 << 20, false).checks, 4e5)
      << "segments tell nearly all";
}

}  // namespace
}  // namespace sosie
