// Tests reading several indexes as one: items are numbered consecutively, and are found by key, by
// name and in order.
#include "store/index/index_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "store/index/index_on_disk_test.h"

namespace sosie {
namespace {

// One index has items 0 to 9 in a run and 10 to 12 in the log; the other has 0 to 4 and 5 to 7.
class TwoIndexes : public IndexOnDisk {
 protected:
  void SetUp() override {
    build(10, 3);
    IndexWriter writer(second(), manifest(), {std::uint64_t{1} << 30});
    add(writer, 0, 5);
    writer.commit(5);
    add(writer, 5, 8);
    writer.commit(8);
  }

  [[nodiscard]] std::string second() const { return (root_ / "second").string(); }

  [[nodiscard]] std::vector<std::unique_ptr<IndexFolder>> both() const {
    std::vector<std::unique_ptr<IndexFolder>> folders;
    folders.push_back(std::make_unique<IndexFolder>(folder()));
    folders.push_back(std::make_unique<IndexFolder>(second()));
    return folders;
  }

  using Numbers = std::vector<std::uint64_t>;
};

TEST_F(TwoIndexes, NumbersItemsInTheOrderOfTheIndexes) {
  const IndexView index(both());
  EXPECT_EQ(index.items(), 21U);
  EXPECT_EQ(index.next_number(), 21U);
  EXPECT_EQ(index.log_items(), 6U);
  EXPECT_EQ(index.path(), folder() + "," + second());
  EXPECT_EQ(index.path_of(12), folder());
  EXPECT_EQ(index.path_of(13), second());
  Numbers numbers;
  index.for_each([&](const IndexItem& item) { numbers.push_back(item.number); }, 11);
  EXPECT_EQ(numbers, (Numbers{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}));
}

TEST_F(TwoIndexes, FindsItemsOfBothByTheirKeys) {
  const IndexView index(both());
  IndexBuffer buffer;
  std::vector<ItemPlace> found;
  index.find(keys_of(1), buffer, found);
  Numbers numbers;
  for (const ItemPlace& place : found) {
    numbers.push_back(index.item(place, buffer).number);
    EXPECT_EQ(index.filter(place, buffer), filter_of(index.item(place, buffer).hash.high));
  }
  EXPECT_EQ(numbers, (Numbers{1, 5, 9, 14, 18}));
  EXPECT_EQ(index.item(*index.find_name(id_of(11), buffer), buffer).number, 11U);
  EXPECT_EQ(index.item(*index.find_name(id_of(7), buffer), buffer).number, 7U);
  EXPECT_FALSE(index.find_name(id_of(13), buffer));
}

TEST_F(TwoIndexes, FindsItemsWithoutIdsByTheirNumbersAsTheyAreWritten) {
  const auto unnamed = [&](const std::string& name) {
    const std::string path = (root_ / name).string();
    IndexManifest without_ids = manifest();
    without_ids.contents.id_field.clear();
    IndexWriter writer(path, without_ids, {std::uint64_t{1} << 30});
    for (std::uint64_t number = 0; number < 4; ++number) {
      const std::string filter = filter_of(number);
      IndexItem item;
      item.number = number;
      item.hash = {number, ~number};
      item.filter = filter;
      writer.add(pack_item(item), keys_of(number));
    }
    writer.commit(4);
    return std::make_unique<IndexFolder>(path);
  };
  std::vector<std::unique_ptr<IndexFolder>> folders;
  for (const char* name : {"third", "fourth"}) folders.push_back(unnamed(name));
  const IndexView index(std::move(folders));
  IndexBuffer buffer;
  for (const std::uint64_t number : {0U, 3U, 4U, 7U}) {
    const auto place = index.find_name(std::to_string(number), buffer);
    ASSERT_TRUE(place) << number;
    EXPECT_EQ(index.item(*place, buffer).number, number);
    EXPECT_FALSE(index.find_name("0" + std::to_string(number), buffer)) << number;
  }
  EXPECT_FALSE(index.find_name("8", buffer));
}

TEST_F(TwoIndexes, FindsForManyRowsWhatItFindsForEach) {
  const IndexView index(both());
  IndexBuffer buffer;
  for (std::size_t band = 0; band < 3; ++band) {
    std::vector<RowKey> keys;
    for (std::uint32_t row = 0; row < 24; ++row) keys.push_back({keys_of(row % 12)[band], row});
    std::sort(keys.begin(), keys.end(),
              [](const RowKey& a, const RowKey& b) { return a.key < b.key; });
    std::vector<RowPlace> together;
    ASSERT_TRUE(index.find_in_band(band, keys, 1000, buffer, together));
    for (std::uint32_t row = 0; row < 24; ++row) {
      std::vector<std::uint64_t> one(3, ~std::uint64_t{0} >> 8);
      one[band] = keys_of(row % 12)[band];
      std::vector<ItemPlace> alone;
      index.find(one, buffer, alone);
      std::vector<ItemPlace> of_row;
      for (const RowPlace& found : together) {
        if (found.row == row) of_row.push_back(found.place);
      }
      EXPECT_EQ(of_row, alone) << "band " << band << ", row " << row;
    }
    EXPECT_FALSE(index.find_in_band(band, keys, 3, buffer, together));
  }
}

TEST_F(TwoIndexes, AreNamedWithACommaUnlessAFolderIsCalledSo) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(indexes_in(folder() + "," + second()), (Paths{folder(), second()}));
  EXPECT_EQ(indexes_in(folder()), Paths{folder()});
  EXPECT_EQ(indexes_in(folder() + ",nothing"), (Paths{folder(), "nothing"}));
  EXPECT_TRUE(indexes_in("nothing,nowhere").empty());
  const std::string both = (root_ / "one,two").string();
  std::filesystem::copy(folder(), both);
  EXPECT_EQ(indexes_in(both), Paths{both});
}

}  // namespace
}  // namespace sosie
