// Blocks of items give back what was packed, in any order, and refuse what was not.
#include "store/index/item_block.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

namespace sosie {
namespace {

constexpr std::uint64_t kFew = 4;

std::uint64_t below(std::uint64_t most) { return *rc::gen::inRange<std::uint64_t>(0, most); }

// Items as runs have them, and odd ones.
class MadeItems {
 public:
  explicit MadeItems(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add();
  }
  [[nodiscard]] const std::vector<IndexItem>& items() const noexcept { return items_; }
  [[nodiscard]] std::string packed() const {
    ItemPacker packer;
    for (const IndexItem& item : items_) packer.add(item);
    return packer.bytes();
  }

 private:
  const std::string& kept(std::string text) { return texts_.emplace_back(std::move(text)); }

  void add() {
    IndexItem item;
    number_ += below(kFew) == 0 ? 1 + below(std::uint64_t{1} << 50) : 1;
    item.number = number_;
    item.is_named = below(kFew) != 0;
    if (item.is_named) {
      item.id_is_integer = below(2) == 0;
      item.id = kept(std::string(below(kFew) * 10, 'a') + std::to_string(number_) +
                     std::string(below(kFew) == 0 ? below(40) : 0, 'z'));
    }
    if (below(kFew) == 0) item.fields = kept("xfields");
    item.size = static_cast<std::uint32_t>(below(kFew));
    if (item.size > 0) fill(item);
    items_.push_back(item);
  }

  void fill(IndexItem& item) {
    item.is_kept = below(2) == 0;
    item.hash.high = *rc::gen::arbitrary<std::uint64_t>();
    if (item.is_kept) {
      item.hash.low = ~item.hash.high;
      item.elements = kept(std::string(8 * item.size, static_cast<char>('a' + below(20))));
      return;
    }
    if (below(kFew) == 0) file_ = static_cast<std::uint32_t>(below(kFew));
    offset_ = below(kFew) == 0 ? below(std::uint64_t{1} << 40) : offset_ + 1;
    item.locator = {offset_, static_cast<std::uint32_t>(below(1000)), file_};
    offset_ += item.locator.length;
  }

  std::deque<std::string> texts_;
  std::vector<IndexItem> items_;
  std::uint64_t number_ = below(1000);
  std::uint64_t offset_ = 0;
  std::uint32_t file_ = 0;
};

void expect_equal(const IndexItem* found, const IndexItem& item) {
  RC_ASSERT(found != nullptr);
  RC_ASSERT(pack_item(*found) == pack_item(item));
  RC_ASSERT(found->name() == item.name());
}

RC_GTEST_PROP(ItemBlocks, GiveBackTheirItems, ()) {
  const MadeItems made(1 + below(60));
  const std::string bytes = made.packed();
  ItemBlock block(bytes, made.items().size(), {});
  for (std::size_t i = 0; i < made.items().size(); ++i)
    expect_equal(block.item(i), made.items()[i]);
  for (int tries = 0; tries < 10; ++tries) {
    const std::size_t i = below(made.items().size());
    expect_equal(block.item(i), made.items()[i]);
    expect_equal(block.item(i), made.items()[i]);
  }
}

RC_GTEST_PROP(ItemBlocks, RefuseBytesThatAreNone, ()) {
  const MadeItems made(1 + below(20));
  const std::string bytes = made.packed();
  const std::size_t last = made.items().size() - 1;
  const std::string longer = bytes + "x";
  EXPECT_EQ(ItemBlock(longer, last + 1, {}).item(last), nullptr);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    ItemBlock block(cut, last + 1, {});
    RC_ASSERT(block.item(last) == nullptr);
    RC_ASSERT(block.item(last) == nullptr);  // nor the second time
  }
}

RC_GTEST_PROP(ItemBlocks, TakeAnyBytes, (const std::string& bytes, bool is_packed)) {
  ItemBlock block(bytes, 1 + bytes.size() / 2, {is_packed, 0});
  for (std::size_t i = 0; i < bytes.size() / 2; ++i) (void)block.item(i);
}

// Numbered rows of a file, one behind the other, with ids that count.
TEST(ItemBlocks, TakeFewBytesForRowsInOrder) {
  ItemPacker packer;
  constexpr std::uint64_t kRows = 200;
  constexpr std::uint32_t kRowBytes = 90;
  for (std::uint64_t row = 0; row < kRows; ++row) {
    const std::string id = std::to_string(1'000'000 + row);
    IndexItem item;
    item.number = 1'000'000 + row;
    item.is_named = true;
    item.id = id;
    item.size = 9;
    item.hash = {row, row};
    item.locator = {(std::uint64_t{1} << 33) + kRowBytes * row, kRowBytes, 1};
    packer.add(item);
  }
  EXPECT_LT(packer.bytes().size(), kRows * 14);
  packer.clear();
  EXPECT_EQ(packer.items(), 0U);
  EXPECT_TRUE(packer.bytes().empty());
}

// Blocks that have been written are read for ever: docs/formats/index.md.
TEST(ItemBlocks, HaveTheBytesOfTheFormat) {
  IndexItem item;
  item.number = 7;
  item.is_named = true;
  item.id = "row 7";
  item.size = 3;
  item.hash = {0x0102030405060708, 9};
  item.locator = {1000, 50, 2};
  ItemPacker packer;
  packer.add(item);
  item.number = 8;
  item.id = "row 8";
  item.locator = {1051, 60, 2};
  packer.add(item);
  item.number = 9;
  item.id = "row 9";
  item.locator = {1112, 300, 2};
  packer.add(item);
  const std::string hash = "\x03\x08\x07\x06\x05\x04\x03\x02\x01";              // size before it
  EXPECT_EQ(packer.bytes(), "\x01\x07\x05row 7" + hash + "\x32\x02\xe8\x07" +   //
                                "\x11\x41" + "8" + hash + "\x3c\x02\x9b\x08" +  //
                                "\x31\x41" + "9" + hash + "\xac\x02");
}

}  // namespace
}  // namespace sosie
