#include "join/sets/row_pair_collector.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "sosie/error.h"
#include "verify/measures.h"

namespace sosie {
namespace {

const Measure kJaccard = *set_measure("jaccard");
const Measure kContainment = *set_measure("containment");

// Rows in groups of identical rows, and a rule for which groups are similar.
struct World {
  Items items;
  std::vector<VerifiedPair> pairs;
  bool across = false;
  const Measure* measure = &kJaccard;
  Rational threshold{1, 2};
};

World random_world(std::uint64_t seed, std::size_t rows, bool copies, bool across, bool ordered) {
  std::mt19937_64 draw(seed);
  World world;
  world.across = across;
  if (ordered) world.measure = &kContainment;
  std::vector<RowId> ranked(rows);
  for (RowId row = 0; row < rows; ++row) ranked[row] = row;
  const auto others = static_cast<RowId>(across ? rows / 3 : 0);  // these rank first
  std::shuffle(ranked.begin(), ranked.begin() + others, draw);
  std::shuffle(ranked.begin() + others, ranked.end(), draw);
  Items& items = world.items;
  items.place_of.resize(rows);
  items.copy_starts.push_back(0);
  std::vector<std::vector<RowId>> copies_of;
  for (const RowId row : ranked) {
    const bool own = row >= others;
    const bool first = items.rows.empty() || (own && items.rows.back() < others);
    if (first || !copies || draw() % 2 == 0) {
      items.rows.push_back(row);
      copies_of.emplace_back();
      if (!own) ++items.fixed;
    } else {
      copies_of.back().push_back(row);
    }
    items.place_of[row] = static_cast<Place>(items.rows.size() - 1);
  }
  for (const auto& some : copies_of) {
    items.copies.insert(items.copies.end(), some.begin(), some.end());
    items.copy_starts.push_back(items.copies.size());
  }
  for (Place left = 0; left < items.size(); ++left) {
    for (Place right = left + 1; right < items.size(); ++right) {
      if (across && (left >= items.fixed || right < items.fixed)) continue;
      const auto shared = static_cast<std::uint32_t>(2 + draw() % 3);
      if (draw() % 3 == 0) world.pairs.push_back({left, right, {shared, 5, 4}});
    }
  }
  std::shuffle(world.pairs.begin(), world.pairs.end(), draw);
  return world;
}

// All pairs of rows, by definition.
std::vector<RowPair> by_definition(const World& world) {
  const bool ordered = world.measure->is_ordered();
  const auto reaches = [&](const Overlap& overlap) {
    return !ordered || world.measure->left_reaches(overlap, world.threshold);
  };
  std::vector<RowPair> rows;
  const auto add = [&](Place left, Place right, const Overlap& overlap) {
    if (!reaches(overlap)) return;
    for (RowId l = 0; l < world.items.place_of.size(); ++l) {
      for (RowId r = 0; r < world.items.place_of.size(); ++r) {
        if (l == r || world.items.place_of[l] != left || world.items.place_of[r] != right) continue;
        if (world.across || ordered || l < r) rows.push_back({l, r, overlap});
      }
    }
  };
  for (const VerifiedPair& pair : world.pairs) {
    if (!world.across) add(pair.left, pair.right, pair.overlap);
    add(pair.right, pair.left, pair.overlap.flipped());
  }
  for (Place item = 0; !world.across && item < world.items.size(); ++item) {
    add(item, item, {1, 1, 1});
  }
  std::sort(rows.begin(), rows.end(),
            [](const RowPair& a, const RowPair& b) { return sort_key(a) < sort_key(b); });
  return rows;
}

// Results of --top and --top-pairs, by definition.
std::vector<RowPair> wanted_of(std::vector<RowPair> pairs, const World& world,
                               const PairSelection& wanted) {
  const MoreSimilar better{world.measure};
  std::sort(pairs.begin(), pairs.end(), better);
  std::vector<RowPair> out;
  std::vector<std::uint64_t> of_left(world.items.place_of.size());
  for (const RowPair& pair : pairs) {
    if (wanted.top > 0 && ++of_left[pair.left] > wanted.top) continue;
    if (wanted.top_pairs == 0 || out.size() < wanted.top_pairs) out.push_back(pair);
  }
  std::sort(out.begin(), out.end(),
            [](const RowPair& a, const RowPair& b) { return sort_key(a) < sort_key(b); });
  return out;
}

std::vector<RowPair> listed(const World& world, const PairSelection& wanted, std::uint64_t memory,
                            bool by_rows) {
  Scratch scratch("/tmp");
  RowPairCollector rows(by_rows ? nullptr : &world.items, {.measure = world.measure,
                                                           .threshold = world.threshold,
                                                           .across = world.across,
                                                           .wanted = wanted,
                                                           .memory = {scratch, memory},
                                                           .check = {}});
  const auto group = [&](Place item) {
    std::vector<RowId> rows_of_item;
    for (RowId row = 0; row < world.items.place_of.size(); ++row) {
      if (world.items.place_of[row] == item) rows_of_item.push_back(row);
    }
    return rows_of_item;
  };
  if (by_rows) {
    for (const VerifiedPair& pair : world.pairs) {
      rows.add_groups(group(pair.left), group(pair.right), pair.overlap);
    }
    for (Place item = 0; !world.across && item < world.items.size(); ++item) {
      rows.add_group(group(item));
    }
  } else {
    for (const VerifiedPair& pair : world.pairs) rows.add({&pair, 1});
  }
  rows.finish();
  RC_ASSERT(rows.count() == by_definition(world).size());
  std::vector<RowPair> out;
  PairChooser<RowPair, MoreSimilar> chooser(
      wanted, PairOrder::input, {world.measure}, {scratch, memory}, [](std::uint64_t) {},
      [&](std::span<const RowPair> some) { out.insert(out.end(), some.begin(), some.end()); });
  rows.for_each([&](std::span<const RowPair> some) {
    chooser.add(some);
    return true;
  });
  chooser.finish();
  return out;
}

bool same(const std::vector<RowPair>& a, const std::vector<RowPair>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.left == y.left && x.right == y.right && x.overlap == y.overlap;
  });
}

RC_GTEST_PROP(RowPairCollector, AreThoseOfTheDefinitionWhateverTheMemory, ()) {
  const World world = random_world(
      *rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::size_t>(0, 60),
      *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>());
  const PairSelection wanted{
      .top = *rc::gen::element<std::uint64_t>(0, 0, 1, 3),
      .top_pairs = *rc::gen::element<std::uint64_t>(0, 0, 1, 7, 100, ~std::uint64_t{0}),
      .limit = *rc::gen::element<std::uint64_t>(0, 1'000'000)};
  const auto memory = *rc::gen::element<std::uint64_t>(1, 2000, 10'000'000);
  const std::vector<RowPair> expected = wanted_of(by_definition(world), world, wanted);
  for (const bool by_rows : {false, true}) {
    RC_ASSERT(same(listed(world, wanted, memory, by_rows), expected));
  }
}

TEST(RowPairCollector, OfManyIdenticalRowsAreNoMoreThanCanBeListed) {
  constexpr RowId kRows = 200'000;  // twenty billion pairs
  Items items;
  items.rows = {0};
  items.place_of.assign(kRows, 0);
  for (RowId row = 1; row < kRows; ++row) items.copies.push_back(row);
  items.copy_starts = {0, kRows - 1};
  Scratch scratch("/tmp");
  RowPairCollector::Task task{.measure = &kJaccard,
                              .threshold = {1, 1},
                              .across = false,
                              .wanted = {.top_pairs = 3},
                              .memory = {scratch, std::uint64_t{1} << 20},
                              .check = {}};
  RowPairCollector rows(&items, task);
  rows.finish();
  EXPECT_EQ(rows.count(), std::uint64_t{kRows} * (kRows - 1) / 2);
  std::vector<RowPair> out;
  rows.for_each([&](std::span<const RowPair> some) {
    out.insert(out.end(), some.begin(), some.end());
    return out.size() < 1000;
  });
  EXPECT_LT(out.size(), 20'000U);
  EXPECT_EQ(scratch.peak_bytes(), 0U);
  task.wanted = {.limit = 1000};
  task.check = [](std::uint64_t pairs) {
    check_pair_limit({.limit = 1000}, {"jaccard", "1", true}, pairs);
  };
  EXPECT_THROW(RowPairCollector(&items, task), Error);
}

}  // namespace
}  // namespace sosie
