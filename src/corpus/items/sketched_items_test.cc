// Tests that hashes from sketches are where a join expects them, or are rejected.
#include "corpus/items/sketched_items.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sosie/error.h"

namespace sosie {
namespace {

// Sketches of items whose identities and keys are consecutive numbers starting at `first`, in
// blocks of two.
class MadeSketches final : public Sketches {
 public:
  MadeSketches(std::uint32_t first, std::uint64_t items, std::size_t bands)
      : first_(first), items_(items), bands_(bands) {}

  [[nodiscard]] std::vector<std::string> paths() const override { return {"made.sketches"}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return plan_; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return plan_.measure; }
  [[nodiscard]] Fields fields() const override { return {}; }
  [[nodiscard]] InputList inputs() const override { return {}; }
  void check(std::span<const File> /*files*/) const override {}
  void append_blocks(std::uint32_t /*file*/, std::vector<BlockRange>& /*to*/) const override {}
  [[nodiscard]] ScannedBlock read(std::size_t /*number*/, std::uint32_t /*file*/) const override {
    return {};
  }
  [[nodiscard]] std::uint64_t dimension() const noexcept override { return 3; }
  [[nodiscard]] std::vector<std::uint64_t> item_counts() const override {
    std::vector<std::uint64_t> counts(items_ / 2, 2);
    if (items_ % 2 == 1) counts.push_back(1);
    return counts;
  }
  [[nodiscard]] HashedItems read_items(std::size_t number) const override {
    HashedItems items;
    for (std::size_t i = 0; i < item_counts()[number]; ++i) {
      const auto item = static_cast<std::uint32_t>(first_ + 2 * number + i);
      items.identities.push_back({item, 0});
      for (std::size_t band = 0; band < bands_; ++band) {
        const auto key = static_cast<std::uint32_t>(100 * item + band);
        if (near == 0) {
          items.keys.push_back(key);
          continue;
        }
        for (int function = 0; function < 3; ++function) {
          items.cells.push_back(1);
          items.near.push_back(item == 1 ? near : 2);
        }
      }
      items.sketches.push_back(item + 7);
    }
    return items;
  }
  [[noreturn]] void refuse_changed(std::size_t number) const override {
    throw Error(ErrorKind::malformed_input, "block " + std::to_string(number));
  }

  std::uint32_t near = 0;  // cells near item 1, instead of keys

 private:
  SavedPlan plan_;
  std::uint32_t first_;
  std::uint64_t items_;
  std::size_t bands_;
};

constexpr std::size_t kBands = 5;

Hash128 number_of(RowId item) { return {item, 0}; }

std::vector<std::uint32_t> all(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

TEST(SketchedItems, FillTheBandsOfTheItemsThatAreKnown) {
  Options options;
  options.against_sketches = std::make_shared<const MadeSketches>(0, 3, kBands);
  ThreadPool pool(2, nullptr);
  SketchedItems known(options, 3, 3, 6, number_of);
  BandedRows table;
  table.rows = 6;
  table.sketch_words = 1;
  for (const BandRange& bands : {BandRange{0, kBands}, BandRange{2, 4}, BandRange{0, 0}}) {
    table.bands = bands.size();
    table.keys.assign(6 * bands.size(), 9);
    std::vector<std::uint64_t> sketches(6, 1);
    EXPECT_EQ(known.load(bands, all(6), table, sketches.data(), pool),
              (std::vector<std::uint32_t>{3, 4, 5}));
    for (std::uint32_t row = 0; row < 6; ++row) {
      for (std::size_t i = 0; i < bands.size(); ++i) {
        const std::size_t key = row < 3 ? 100 * row + bands.first + i : 9;
        EXPECT_EQ(table.keys_of(row)[i], key) << row << " " << i;
      }
      EXPECT_EQ(sketches[row], row < 3 ? row + 7 : 1);
    }
  }
}

TEST(SketchedItems, MayBeThoseOfBothCollections) {
  Options options;
  options.against_sketches = std::make_shared<const MadeSketches>(0, 4, kBands);
  options.sketches = std::make_shared<const MadeSketches>(4, 1, kBands);
  ThreadPool pool(1, nullptr);
  SketchedItems known(options, 3, 4, 5, number_of);
  BandedRows table;
  table.rows = 5;
  table.bands = kBands;
  table.keys.resize(5 * kBands);
  EXPECT_TRUE(known.load({0, kBands}, all(5), table, nullptr, pool).empty());
  EXPECT_EQ(table.keys_of(4)[0], 400U);
}

TEST(SketchedItems, OfAnotherNumberOrLengthAreRefused) {
  Options options;
  options.sketches = std::make_shared<const MadeSketches>(0, 4, kBands);
  EXPECT_NO_THROW(SketchedItems(options, 3, 0, 4, number_of));
  for (const RowId items : {0U, 1U, 3U, 5U}) {
    EXPECT_THROW(SketchedItems(options, 3, 0, items, number_of), Error) << items;
  }
  EXPECT_THROW(SketchedItems(options, 2, 0, 4, number_of), Error);
}

TEST(SketchedItems, ThatAreNotThoseOfTheInputAreRefused) {
  Options options;
  options.sketches = std::make_shared<const MadeSketches>(0, 4, kBands);
  ThreadPool pool(1, nullptr);
  BandedRows table;
  table.rows = 4;
  SketchedItems known(options, 3, 0, 4, [](RowId item) { return number_of(item == 2 ? 9 : item); });
  EXPECT_THROW((void)known.load({0, 0}, {}, table, nullptr, pool), Error);
}

TEST(SketchedItems, NearMoreCellsThanItemsAreAreLeftToHash) {
  ThreadPool pool(1, nullptr);
  for (const auto& [near, left] : {std::pair{0xFFFFU, 0U}, {0x1FFFFU, 1U}, {~0U, 1U}}) {
    auto sketches = std::make_shared<MadeSketches>(0, 4, kBands);
    sketches->near = near;
    Options options;
    options.sketches = sketches;
    SketchedItems known(options, 3, 0, 4, number_of);
    BandedRows table;
    table.rows = 4;
    table.bands = kBands;
    table.functions = 3;
    table.cells.resize(4 * kBands * 3);
    table.near.resize(table.cells.size());
    const auto rows = known.load({0, kBands}, all(4), table, nullptr, pool);
    EXPECT_EQ(rows, std::vector<std::uint32_t>(left, 1)) << near;
  }
}

TEST(SketchedItems, OfEqualNumbersOfOtherTypesAreEqual) {
  const VectorColumn floats{2, 2, std::vector<float>{1, 0.5, 3, 4}};
  const VectorColumn doubles{2, 2, std::vector<double>{3, 4, 1, 0.5}};
  const VectorColumn bytes{1, 2, std::vector<std::uint8_t>{3, 4}};
  EXPECT_EQ(identity_of(floats, 0), identity_of(doubles, 1));
  EXPECT_EQ(identity_of(floats, 1), identity_of(doubles, 0));
  EXPECT_EQ(identity_of(floats, 1), identity_of(bytes, 0));
  EXPECT_NE(identity_of(floats, 0), identity_of(floats, 1));
  const BitColumn bits{2, 4, 1, {5, 6}};
  EXPECT_NE(identity_of(bits, 0), identity_of(bits, 1));
}

}  // namespace
}  // namespace sosie
