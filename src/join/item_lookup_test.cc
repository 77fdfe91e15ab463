// Tests looking up rows as they arrive, including rows that cannot be read.
#include "join/item_lookup.h"

#include <gtest/gtest.h>

#include "data/format.h"
#include "join/items_test.h"

namespace sosie {
namespace {

// A kind of items, four items of DATA, and rows to look up among them.
struct LookupCase {
  std::string kind;
  OptionTexts given;
  std::vector<std::string> data;                   // values of JSON
  std::vector<std::string> near;                   // near the item of DATA with the same number
  std::vector<std::vector<std::string>> bad = {};  // fields of rows that cannot be read
};

const LookupCase kBits = {
    "bits",
    {{"within", "1"}},
    {R"("00ff00ff")", R"("0ff00ff0")", R"("deadbeef")", R"("ffffffff")"},
    {"00ff00fe", "0ff00ff0", "deadbeee", "fffffffe"},
    {{"00ff00ffaa"}, {"00ff"}, {"xyz"}, {"00ff", "00fg"}, {"00000000", "zz"}}};
const LookupCase kVectors = {
    "vectors",
    {{"within", "1"}, {"measure", "euclidean"}},
    {"[1,2,3]", "[10,20,30]", "[-5,0,5]", "[7,7,7]"},
    {"[1,2,4]", "10,20,30", "[-5,0,5.5]", "[6.5,7,7]"},
    {{"[1,2,3,4]"}, {"[1,2]"}, {"[1,x,3]"}, {"1", "2", "y"}, {"1,2", "3,4"}}};

class Lookups : public testing::TestWithParam<LookupCase> {
 protected:
  // The items of DATA found by each row.
  using Found = std::vector<std::vector<RowId>>;

  void open(const std::vector<std::string>& data, const OptionTexts& more = {}) {
    OptionTexts given = GetParam().given;
    given.insert(given.end(), more.begin(), more.end());
    items_.emplace(GetParam().kind, kQuery, std::vector<std::string>{"null"}, data, given);
    lookup_ = items_->joiner->lookup(items_->pool, items_->hooks);
    steps_ = lookup_->steps();
  }
  // Returns false for a row that cannot be read.
  [[nodiscard]] bool take(const std::vector<std::string>& fields) const {
    try {
      for (const std::string& field : fields) steps_.add(field, "v");
      steps_.end_row();
    } catch (const RowError&) {
      steps_.leave_out();
      return false;
    }
    return true;
  }
  Found find() {
    std::vector<std::vector<ScoredPair>> pairs;
    compared_ += lookup_->find(pairs);
    Found found;
    for (std::uint32_t row = 0; row < pairs.size(); ++row) {
      found.emplace_back();
      for (const ScoredPair& pair : pairs[row]) {
        EXPECT_EQ(pair.left, row);
        found.back().push_back(pair.right);
      }
    }
    return found;
  }

  std::optional<JoinedItems> items_;
  std::unique_ptr<ItemLookup> lookup_;
  ItemRowSteps steps_;
  std::uint64_t compared_ = 0;
};

TEST_P(Lookups, OfRowsBehindBadOnesFindTheSame) {
  const LookupCase& c = GetParam();
  open(c.data);
  const Found all = {{0}, {1}, {2}, {3}};
  for (const std::string& row : c.near) EXPECT_TRUE(take({row}));
  EXPECT_EQ(find(), all);
  for (const auto& bad : c.bad) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_FALSE(take(bad)) << bad.front();
      EXPECT_TRUE(take({c.near[i]})) << "behind " << bad.front();
    }
    EXPECT_FALSE(take(bad));
    EXPECT_EQ(find(), all) << bad.front();
  }
  EXPECT_EQ(find(), Found{});
  EXPECT_GE(compared_, 4 * (c.bad.size() + 1));
}

// A row may turn out to be left out after its fields have been read.
TEST_P(Lookups, OfARowThatIsLeftOutAreNotMade) {
  const LookupCase& c = GetParam();
  open(c.data);
  EXPECT_TRUE(take({c.near[2]}));
  steps_.add(c.near[0], "v");
  steps_.leave_out();
  EXPECT_TRUE(take({c.near[1]}));
  EXPECT_EQ(find(), (Found{{2}, {1}}));
}

TEST_P(Lookups, SayWhichRowsOfDataItsItemsAre) {
  const LookupCase& c = GetParam();
  std::vector<std::string> data = c.data;
  data.insert(data.begin() + 1, {"null", "null"});
  data.push_back("null");
  open(data, {{"on-bad-row", "skip"}});
  EXPECT_EQ(lookup_->places().corpus.rows, 7U);
  const RowId rows[] = {0, 3, 4, 5};
  for (RowId item = 0; item < 4; ++item) EXPECT_EQ(lookup_->row_of(item), rows[item]);
  for (const std::string& row : c.near) EXPECT_TRUE(take({row}));
  EXPECT_EQ(find(), (Found{{0}, {1}, {2}, {3}}));
  EXPECT_GT(lookup_->bytes(), 0U);
}

// The first row determines the length of all others.
TEST_P(Lookups, AmongNothingFindNothing) {
  const LookupCase& c = GetParam();
  open({"null"}, {{"on-bad-row", "skip"}});
  EXPECT_TRUE(take({c.near[0]}));
  EXPECT_FALSE(take(c.bad[0]));
  EXPECT_TRUE(take({c.near[1]}));
  EXPECT_EQ(find(), (Found{{}, {}}));
}

void PrintTo(const LookupCase& each, std::ostream* out) { *out << each.kind; }

INSTANTIATE_TEST_SUITE_P(Kinds, Lookups, testing::Values(kBits, kVectors),
                         [](const auto& each) { return each.param.kind; });

}  // namespace
}  // namespace sosie
