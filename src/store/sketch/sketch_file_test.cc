// Tests that blocks of hashed items are read as they were written, and that anything else is
// rejected.
#include "store/sketch/sketch_file.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "sosie/error.h"

namespace sosie {
namespace {

HashShape any_item_shape() {
  return {*rc::gen::inRange<std::size_t>(1, 9), *rc::gen::inRange<std::size_t>(0, 4),
          *rc::gen::inRange<std::size_t>(0, 5)};
}

HashedItems any_items(const HashShape& shape) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 12);
  const auto numbers = [](std::size_t size) {
    return *rc::gen::container<std::vector<std::uint64_t>>(size,
                                                           rc::gen::arbitrary<std::uint64_t>());
  };
  HashedItems items;
  for (const std::uint64_t number : numbers(count)) items.identities.push_back({number, ~number});
  for (const std::uint64_t number : numbers(count * shape.keys())) {
    items.keys.push_back(static_cast<std::uint32_t>(number));
  }
  for (const std::uint64_t number : numbers(count * shape.cells())) {
    items.cells.push_back(number % 32);
    items.near.push_back(static_cast<std::uint32_t>(number >> 5) | std::uint32_t{1} << number % 32);
  }
  items.sketches = numbers(count * shape.sketch_words);
  return items;
}

RC_GTEST_PROP(ItemBlock, IsReadAsItWasWritten, ()) {
  const HashShape shape = any_item_shape();
  const HashedItems items = any_items(shape);
  const std::string bytes = pack_items(items, shape, 0, items.size());
  RC_ASSERT(bytes.size() == item_block_bytes(shape, items.size()));
  RC_ASSERT(items_of_block(shape, bytes.size(), "x") == items.size());
  const HashedItems read = unpack_items(bytes, shape, "x");
  RC_ASSERT(read.identities == items.identities);
  RC_ASSERT(read.keys == items.keys);
  RC_ASSERT(read.cells == items.cells);
  RC_ASSERT(read.near == items.near);
  RC_ASSERT(read.sketches == items.sketches);
}

RC_GTEST_PROP(ItemBlock, OfSomeItemsIsThatOfThemAlone, ()) {
  const HashShape shape = any_item_shape();
  const HashedItems items = any_items(shape);
  const auto first = *rc::gen::inRange<std::size_t>(0, items.size() + 1);
  const HashedItems read = unpack_items(pack_items(items, shape, first, items.size()), shape, "x");
  RC_ASSERT(read.size() == items.size() - first);
  const std::vector<Hash128> rest(items.identities.begin() + static_cast<std::ptrdiff_t>(first),
                                  items.identities.end());
  RC_ASSERT(read.identities == rest);
}

TEST(ItemBlock, OfOtherSizesIsRefused) {
  const HashShape shape{3, 0, 2};
  const std::uint64_t most = most_items_of_block(shape);
  EXPECT_EQ(items_of_block(shape, item_block_bytes(shape, most), "x"), most);
  EXPECT_THROW((void)items_of_block(shape, item_block_bytes(shape, most + 1), "x"), Error);
  for (const std::uint64_t bytes : {0U, 7U, 9U, 51U}) {
    EXPECT_THROW((void)items_of_block(shape, bytes, "x"), Error) << bytes;
  }
  const HashedItems one{{{1, 2}}, {3, 4, 5}, {}, {}, {6, 7}};
  const std::string bytes = pack_items(one, shape, 0, 1);
  for (const std::string& other :
       {bytes.substr(1), bytes + 'x', bytes.substr(0, 8), '\2' + bytes.substr(1), std::string()}) {
    EXPECT_THROW((void)unpack_items(other, shape, "x"), Error);
  }
}

TEST(ItemBlock, WithCellsThatNoFunctionHasIsRefused) {
  const HashShape shape{1, 1, 0};
  const auto bytes_of = [&](std::uint8_t cell, std::uint32_t near) {
    return pack_items({{{1, 2}}, {}, {cell}, {near}, {}}, shape, 0, 1);
  };
  EXPECT_EQ(unpack_items(bytes_of(31, 1U << 31), shape, "x").size(), 1U);
  EXPECT_THROW((void)unpack_items(bytes_of(32, ~0U), shape, "x"), Error);
  EXPECT_THROW((void)unpack_items(bytes_of(255, ~0U), shape, "x"), Error);
  EXPECT_THROW((void)unpack_items(bytes_of(3, 1U << 4), shape, "x"), Error);
}

TEST(ItemBlock, HoldsAQuarterOfAMegabyteAtMost) {
  EXPECT_EQ(most_items_of_block({1, 0, 0}), 4096U);
  const HashShape large{16384, 0, 16};
  EXPECT_EQ(most_items_of_block(large), (1U << 18) / large.item_bytes());
  EXPECT_EQ(most_items_of_block({16384, 12, 0}), 1U);
}

}  // namespace
}  // namespace sosie
