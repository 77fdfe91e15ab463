#include "store/sketch_contents.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "core/written_number.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kFile = 7;

// Numbers of the types that readers return: doubles and 64-bit integers.
RankValue any_value(std::uint64_t chance) {
  RankValue value;
  value.kind = static_cast<RankValue::Kind>(chance % 3);
  if (value.kind == RankValue::Kind::text) value.text = std::string(chance % 5, '\n');
  if (value.kind != RankValue::Kind::number) return value;
  value.number = static_cast<long double>(chance);
  if (chance % 2 == 0) value.number = 1.0 / static_cast<double>(chance + 1);
  if (chance % 7 == 0) value.number = -std::numeric_limits<double>::infinity();
  if (chance % 11 == 0) {
    value.text = std::to_string(chance) + ".0000000000000000000001";
    value.number = written_number(value.text).value();
  }
  return value;
}

ScannedBlock any_block(const SketchShape& shape) {
  ScannedBlock block;
  const auto rows = *rc::gen::inRange<std::size_t>(0, 20);
  const auto numbers = [](std::size_t count) {
    return *rc::gen::container<std::vector<std::uint64_t>>(count,
                                                           rc::gen::arbitrary<std::uint64_t>());
  };
  const auto chances = numbers(rows + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    block.locators.push_back({chances[i], static_cast<std::uint32_t>(chances[i] >> 9), kFile});
    block.states.push_back(static_cast<RowState>(chances[i] % 4));
    block.text_hashes.push_back({chances[i] * 3, chances[i] ^ 5});
    if (shape.has_lengths) block.text_bytes.push_back(static_cast<std::uint32_t>(chances[i]));
    if (chances[i] % 4 > 1)
      block.bad_rows.push_back({block.locators[i], chances[i] % 99, "bad \"row\""});
  }
  if (shape.has_ids) block.id_hashes = numbers(rows);
  block.band_keys = numbers(rows * shape.bands);
  for (const std::uint64_t number : numbers(rows * shape.components)) {
    block.filters.push_back(static_cast<std::uint8_t>(number));
  }
  for (const std::uint64_t number : numbers(rows * shape.rank_fields)) {
    block.rank_values.push_back(any_value(number));
  }
  block.lines = chances[rows];
  block.blank_lines = chances[rows] % 77;
  block.words = chances[rows] % 1001;
  block.short_rows = chances[rows] % 5;
  return block;
}

SketchShape any_shape() {
  return {*rc::gen::inRange<std::size_t>(1, 5), *rc::gen::inRange<std::size_t>(1, 20),
          *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
          *rc::gen::inRange<std::size_t>(0, 3)};
}

const std::string kName = "a.sketches";

void expect_equal_rows(const ScannedBlock& left, const ScannedBlock& right) {
  RC_ASSERT(left.rows() == right.rows());
  RC_ASSERT(left.states == right.states);
  RC_ASSERT(left.text_hashes == right.text_hashes);
  RC_ASSERT(left.id_hashes == right.id_hashes);
  RC_ASSERT(left.band_keys == right.band_keys);
  RC_ASSERT(left.filters == right.filters);
  RC_ASSERT(left.text_bytes == right.text_bytes);
  for (std::size_t i = 0; i < left.rows(); ++i) {
    RC_ASSERT(left.locators[i].offset == right.locators[i].offset);
    RC_ASSERT(left.locators[i].length == right.locators[i].length);
    RC_ASSERT(right.locators[i].file == kFile);
  }
}

void expect_equal_values(const ScannedBlock& left, const ScannedBlock& right) {
  RC_ASSERT(left.rank_values.size() == right.rank_values.size());
  for (std::size_t i = 0; i < left.rank_values.size(); ++i) {
    RC_ASSERT(left.rank_values[i].kind == right.rank_values[i].kind);
    RC_ASSERT(left.rank_values[i].number == right.rank_values[i].number);
    RC_ASSERT(left.rank_values[i].text == right.rank_values[i].text);
  }
  RC_ASSERT(left.bad_rows.size() == right.bad_rows.size());
  for (std::size_t i = 0; i < left.bad_rows.size(); ++i) {
    RC_ASSERT(left.bad_rows[i].row.offset == right.bad_rows[i].row.offset);
    RC_ASSERT(left.bad_rows[i].trouble == right.bad_rows[i].trouble);
    RC_ASSERT(left.bad_rows[i].reason == right.bad_rows[i].reason);
  }
}

RC_GTEST_PROP(SketchBlock, IsReadAsItWasWritten, ()) {
  const SketchShape shape = any_shape();
  const ScannedBlock block = any_block(shape);
  const std::string bytes = pack_sketch_block(block, shape);
  const ScannedBlock again = unpack_sketch_block(bytes, shape, kFile, kName);
  expect_equal_rows(block, again);
  expect_equal_values(block, again);
  RC_ASSERT(block.lines == again.lines);
  RC_ASSERT(block.blank_lines == again.blank_lines);
  RC_ASSERT(block.words == again.words);
  RC_ASSERT(block.short_rows == again.short_rows);
  RC_ASSERT(pack_sketch_block(again, shape) == bytes);
}

RC_GTEST_PROP(SketchBlock, IsRefusedWhenItIsShorterOrLonger, ()) {
  const SketchShape shape = any_shape();
  const std::string bytes = pack_sketch_block(any_block(shape), shape);
  const auto size = *rc::gen::inRange<std::size_t>(0, bytes.size());
  RC_ASSERT_THROWS_AS((void)unpack_sketch_block(bytes.substr(0, size), shape, kFile, kName), Error);
  RC_ASSERT_THROWS_AS((void)unpack_sketch_block(bytes + '\0', shape, kFile, kName), Error);
}

TEST(SketchBlock, HasTheLayoutThatIsDocumented) {
  const SketchShape shape{2, 3, false, false, 0};
  ScannedBlock block;
  block.locators.push_back({0x0102030405060708, 0x0A0B0C0D, 0});
  block.states.push_back(RowState::empty);
  block.text_hashes.push_back({1, 2});
  block.band_keys = {3, 4};
  block.filters = {5, 6, 7};
  block.lines = 8;
  block.words = 9;
  const std::string bytes = pack_sketch_block(block, shape);
  const auto number = [](std::uint64_t value) {
    std::string out(8, '\0');
    for (char& byte : out) {
      byte = static_cast<char>(value & 255);
      value >>= 8;
    }
    return out;
  };
  std::string expected = number(1) + number(8) + number(0) + number(9) + number(0);
  expected += "\x08\x07\x06\x05\x04\x03\x02\x01";
  expected += "\x0D\x0C\x0B\x0A";
  expected += "\x01";
  expected += number(1) + number(2) + number(3) + number(4) + "\x05\x06\x07" + number(0);
  EXPECT_EQ(bytes, expected);
}

constexpr std::uint64_t kFileBytes = 150;
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
const BlockRange kRange{.file = 0, .begin = 10, .end = 100};

// Three rows: the second is bad, and the last extends beyond the range.
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
