// Tests deriving decisions about rows from decisions about items, in memory and in scratch.
#include "decide/decisions.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace sosie {
namespace {

// Rows of two collections in blocks, some of them empty or bad, in groups of equal items.
struct World {
  Inputs inputs;
  Corpus corpus;
  Items items;
  std::vector<Place> survivors;
  std::vector<std::uint32_t> file_of;
};

void add_block(World& world, std::uint32_t rows, std::uint32_t file) {
  ScannedBlock block;
  block.first_row = world.corpus.rows;
  block.even = {{0, 1, file}, rows};
  for (std::uint32_t i = 0; i < rows; ++i) {
    block.states.push_back(*rc::gen::weightedElement<RowState>({{6, RowState::normal},
                                                                {1, RowState::empty},
                                                                {1, RowState::skipped},
                                                                {1, RowState::unmatched}}));
    world.file_of.push_back(file);
  }
  world.corpus.rows += rows;
  world.corpus.blocks.push_back(std::move(block));
  world.corpus.facts.push_back({world.corpus.blocks.back().first_row, rows});
  world.corpus.ranges.push_back({file});
}

// Each row is a new item, or a copy of an earlier item in its collection.
void add_items(World& world) {
  std::vector<std::vector<RowId>> copies;
  Items& items = world.items;
  for (RowId row = 0; row < world.corpus.rows; ++row) {
    const bool own = row >= world.corpus.first_own_row;
    const Place first = own ? items.fixed : 0;
    items.place_of.push_back(kNoPlace);
    if (world.corpus.state(row) != RowState::normal) continue;
    if (items.size() > first && *rc::gen::inRange(0, 3) == 0) {
      items.place_of[row] = *rc::gen::inRange<Place>(first, items.size());
      copies[items.place_of[row]].push_back(row);
      continue;
    }
    items.place_of[row] = items.size();
    items.rows.push_back(row);
    copies.emplace_back();
    if (!own) items.fixed = items.size();
  }
  items.copy_starts.push_back(0);
  for (const auto& some : copies) {
    items.copies.insert(items.copies.end(), some.begin(), some.end());
    items.copy_starts.push_back(items.copies.size());
  }
}

World random_world() {
  World world;
  const auto files = *rc::gen::inRange<std::uint32_t>(1, 5);
  world.inputs.first_own_file = *rc::gen::inRange<std::uint32_t>(0, std::min(files, 3U));
  for (std::uint32_t file = 0; file < files; ++file) {
    InputFile input;
    input.group = "group" + std::to_string(file / 2);
    world.inputs.list.push_back(input);
    if (file == world.inputs.first_own_file) world.corpus.first_own_row = world.corpus.rows;
    for (int i = *rc::gen::inRange(1, 3); i > 0; --i) {
      add_block(world, *rc::gen::inRange<std::uint32_t>(0, 12), file);
    }
  }
  add_items(world);
  for (Place place = 0; place < world.items.size(); ++place) {
    world.survivors.push_back(place);
    if (place < world.items.fixed || place == 0 || *rc::gen::arbitrary<bool>()) continue;
    world.survivors[place] = world.survivors[*rc::gen::inRange<Place>(0, place)];
  }
  return world;
}

ThreadPool& pool() {
  static ThreadPool of_two(2, nullptr);
  return of_two;
}

Decisions decisions_of(const World& world) {
  return {world.inputs,
          world.corpus,
          world.items,
          world.survivors,
          [](Place place) { return Score(0.5 + place); },
          pool()};
}

RC_GTEST_PROP(Decisions, SayOfRowsWhatIsKnownOfTheirItems, ()) {
  const World world = random_world();
  const Items& items = world.items;
  const Decisions decisions = decisions_of(world);
  for (RowId row = 0; row < world.corpus.rows; ++row) {
    const Decision decision = decisions.of(row);
    const Place place = items.place_of[row];
    const bool own = row >= world.corpus.first_own_row;
    if (place == kNoPlace || !own) {
      RC_ASSERT(decision.survivor == row);
      RC_ASSERT(!decisions.is_removed(row));
      continue;
    }
    const Place survivor = world.survivors[place];
    RC_ASSERT(decision.survivor == items.rows[survivor]);
    RC_ASSERT(decision.identical == (survivor == place && items.rows[place] != row));
    RC_ASSERT(decisions.is_removed(row) == (items.rows[survivor] != row));
    RC_ASSERT(decision.is_same(row) == (survivor == place));
    if (survivor != place) RC_ASSERT(decision.score.value() == 0.5 + place);
  }
  RC_ASSERT(decisions.group_rows(kNoRowNumber) == 0U);
}

RC_GTEST_PROP(Decisions, AreCountedByInputAndInAll, ()) {
  const World world = random_world();
  const Decisions decisions = decisions_of(world);
  const RowNumber first = world.corpus.first_own_row;
  std::map<RowNumber, std::uint64_t> group_rows;
  std::map<std::string, InputCounts> of_group;
  InputCounts total;
  std::uint64_t for_others = 0;
  for (RowId row = 0; row < world.corpus.rows; ++row) {
    if (world.corpus.state(row) == RowState::skipped) continue;
    const Decision decision = decisions.of(row);
    ++group_rows[decision.survivor];
    if (row < first) continue;
    for (InputCounts* counts : {&total, &of_group[world.inputs.list[world.file_of[row]].group]}) {
      counts->kept += decision.survivor == row ? 1 : 0;
      counts->identical += decision.survivor != row && decision.identical ? 1 : 0;
      counts->near += decision.survivor != row && !decision.identical ? 1 : 0;
    }
    for_others += decision.survivor < first ? 1 : 0;
  }

  RunSummary summary;
  for (const InputFile& input : world.inputs.list) {
    const bool known = !summary.inputs.empty() && summary.inputs.back().name == input.group;
    if (!known) summary.inputs.push_back({.name = input.group});
  }
  decisions.count(summary, pool());
  const auto agree = [](const InputCounts& a, const InputCounts& b) {
    return a.kept == b.kept && a.identical == b.identical && a.near == b.near;
  };
  RC_ASSERT(agree(summary.total, total));
  for (const InputCounts& counts : summary.inputs) RC_ASSERT(agree(counts, of_group[counts.name]));
  RC_ASSERT(summary.against.removed == for_others);

  std::uint64_t groups = 0;
  RowNumber largest = kNoRowNumber;
  for (RowId row = 0; row < world.corpus.rows; ++row) {
    RC_ASSERT(decisions.group_rows(row) == group_rows[row]);
    groups += group_rows[row] >= 2 ? 1 : 0;
    const std::uint64_t most = largest == kNoRowNumber ? 1 : group_rows[largest];
    if (group_rows[row] > most) largest = row;
  }
  RC_ASSERT(summary.groups == groups);
  RC_ASSERT(decisions.largest_group() == largest);
}

RC_GTEST_PROP(Decisions, InScratchSayTheSame, ()) {
  const World world = random_world();
  const Decisions decisions = decisions_of(world);
  Scratch scratch("/tmp");
  auto spilled = std::make_unique<SpilledDecisions>(scratch, MemoryBudget{1});
  for (RowNumber i = world.corpus.rows; i-- > 0;) {  // in any order
    if (decisions.is_removed(i)) spilled->add_removed(i, decisions.of(i));
    const std::uint64_t rows = decisions.group_rows(i);
    if (rows >= 2) spilled->add_group(i, rows);
  }
  spilled->finish(world.corpus.rows);
  const Decisions found(world.inputs, world.corpus, std::move(spilled));
  for (RowId row = 0; row < world.corpus.rows; ++row) {
    RC_ASSERT(found.of(row).survivor == decisions.of(row).survivor);
    RC_ASSERT(found.of(row).identical == decisions.of(row).identical);
    RC_ASSERT(found.is_removed(row) == decisions.is_removed(row));
    if (found.is_removed(row)) {
      RC_ASSERT(found.of(row).score.overlap() == decisions.of(row).score.overlap());
    }
    if (world.corpus.state(row) == RowState::skipped) continue;
    RC_ASSERT(found.group_rows(row) == decisions.group_rows(row));
  }
  RC_ASSERT(found.group_rows(kNoRowNumber) == 0U);
  RC_ASSERT(found.largest_group() == decisions.largest_group());
  RunSummary summary;
  RunSummary expected;
  for (const InputFile& input : world.inputs.list) {
    summary.inputs.push_back({.name = input.group});
    expected.inputs.push_back({.name = input.group});
  }
  found.count(summary, pool());
  decisions.count(expected, pool());
  RC_ASSERT(summary.groups == expected.groups);
  RC_ASSERT(summary.total.near == expected.total.near);
}

// Rows in scratch may have survivors whose numbers exceed 32 bits.
TEST(Decisions, InScratchNameRowsOfAnyNumber) {
  constexpr RowNumber kBeyond = RowNumber{5} << 32;
  Scratch scratch("/tmp");
  SpilledDecisions decisions(scratch, MemoryBudget{1});
  decisions.add_removed(3, {.survivor = kBeyond + 1, .identical = true});
  decisions.add_removed(1, {.survivor = kBeyond, .score = Score(0.75)});
  decisions.add_removed(2, {});
  decisions.add_group(0, kBeyond + 7);
  decisions.finish(4);
  EXPECT_EQ(decisions.of(1).survivor, kBeyond);
  EXPECT_EQ(decisions.of(1).score.value(), 0.75);
  EXPECT_EQ(decisions.of(2).survivor, kNoRowNumber);
  EXPECT_EQ(decisions.of(3).survivor, kBeyond + 1);
  EXPECT_EQ(decisions.group_rows(0), kBeyond + 7);
}

// A single input with one block of normal rows.
World world_of_rows(RowId rows) {
  World world;
  world.inputs.list.emplace_back();
  ScannedBlock block;
  block.even = {{0, 1, 0}, rows};
  world.corpus.rows = rows;
  world.corpus.blocks.push_back(block);
  return world;
}

TEST(Decisions, CountCopiesThatAreNotInTheCorpus) {
  World world = world_of_rows(3);
  world.corpus.facts.push_back({0, 3});
  world.corpus.ranges.push_back({});
  world.corpus.copies_outside = {4, 0, 1};
  const Decisions decisions(world.inputs, world.corpus, {{0}, {1}, {0}});
  EXPECT_EQ(decisions.group_rows(0), 1U + 4 + 1 + 1);
  EXPECT_EQ(decisions.group_rows(1), 1U);
  EXPECT_EQ(decisions.group_rows(2), 0U);
  EXPECT_EQ(decisions.largest_group(), 0U);
}

TEST(Decisions, OfAPersonMayNameNoSurvivor) {
  const World world = world_of_rows(2);
  const Decisions decisions(world.inputs, world.corpus, {{0}, {kNoRow}});
  EXPECT_TRUE(decisions.is_removed(1));
  EXPECT_EQ(decisions.group_rows(decisions.of(1).survivor), 0U);
  EXPECT_EQ(decisions.largest_group(), kNoRowNumber);
}

}  // namespace
}  // namespace sosie
