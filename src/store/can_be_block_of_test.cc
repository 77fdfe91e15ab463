#include "store/can_be_block_of.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace sosie {
namespace {

constexpr std::uint64_t kFileBytes = 150;
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
const BlockRange kRange{.file = 0, .begin = 10, .end = 100};

// Three rows, of which the last reaches behind the stretch and the second is bad.
ScannedBlock block() {
  ScannedBlock block;
  block.locators = {{10, 20, 0}, {35, 5, 0}, {99, 51, 0}};
  block.states = {RowState::normal, RowState::skipped, RowState::empty};
  block.bad_rows = {{{35, 5, 0}, 40, "reason"}};
  block.band_keys = {0, (std::uint64_t{1} << 40) - 1, 7};
  block.lines = 5;
  block.blank_lines = 2;
  block.short_rows = 3;
  return block;
}

bool holds(const std::function<void(ScannedBlock&)>& change) {
  ScannedBlock changed = block();
  change(changed);
  return can_be_block_of(kRange, kFileBytes, changed);
}

TEST(BlockBounds, TakeWhatAScanLeaves) {
  EXPECT_TRUE(can_be_block_of(kRange, kFileBytes, block()));
  EXPECT_TRUE(can_be_block_of(kRange, kFileBytes, ScannedBlock{}));
  ScannedBlock document;
  document.locators = {{0, 0, 0}};
  document.states = {RowState::empty};
  document.lines = 1;
  EXPECT_TRUE(can_be_block_of({.row_ends = RowEnds::file}, 0, document));
  EXPECT_FALSE(can_be_block_of({.row_ends = RowEnds::line}, 0, document));
}

TEST(BlockBounds, RefuseRowsThatLieElsewhere) {
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.locators[0].offset = 9; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.locators[0].length = 26; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.locators[2].offset = 100; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.locators[2].offset = kHuge; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.locators[2].length = 52; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { std::swap(b.locators[0], b.locators[2]); }));
}

TEST(BlockBounds, RefuseKeysOfMoreThanFortyBits) {
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.band_keys[2] = std::uint64_t{1} << 40; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.band_keys[0] = kHuge; }));
}

TEST(BlockBounds, RefuseBadRowsThatAreNotThoseOfTheStates) {
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.bad_rows.clear(); }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.states[1] = RowState::normal; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.bad_rows[0].row.offset = 34; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.bad_rows[0].trouble = 41; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.bad_rows[0].trouble = 34; }));
}

TEST(BlockBounds, RefuseCountsThatDoNotAddUp) {
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.lines = 2; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.lines = kHuge; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.blank_lines = 3; }));
  EXPECT_FALSE(holds([](ScannedBlock& b) { b.short_rows = 4; }));
}

}  // namespace
}  // namespace sosie
