// Tests of an index that stays open, compared with runs over its rows.
#include "sosie/stored_index.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "core/mix64.h"
#include "read/vector_files.h"
#include "sosie/error.h"
#include "sosie/index.h"
#include "verbs/index/item_index_run.h"

namespace sosie {
namespace {

class StoredIndexTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "stored-index-" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(path_);
    set_option(options_, "kind", "sets");
    set_option(options_, "threshold", "0.5");
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  static std::vector<std::string> ids_of(const std::vector<StoredHit>& hits) {
    std::vector<std::string> ids;
    for (const StoredHit& hit : hits) ids.push_back(hit.id);
    return ids;
  }

  using Ids = std::vector<std::string>;

  std::string path_;
  Options options_;
};

constexpr std::string_view kAbc = R"({"id": "abc", "text": ["a", "b", "c"]})";
constexpr std::string_view kAb = R"({"id": "ab", "text": ["a", "b"]})";
constexpr std::string_view kXy = R"({"id": "xy", "text": ["x", "y"]})";
constexpr std::string_view kEmpty = R"({"id": "none", "text": []})";

TEST_F(StoredIndexTest, TakesBitStringsAsAnArrayWithNames) {
  static constexpr std::string_view kLines = "00ff\n00fe\nff00\n";
  const auto lines = memory_file_of({{kLines.data(), kLines.size()}}, nullptr);
  const auto named = named_rows_of(lines, {{"x", "7", "z"}, {false, true, false}});
  Options options;
  set_option(options, "kind", "bits");
  set_option(options, "within", "1");
  StoredIndex index = StoredIndex::create(path_, options, ArrayRows{named, ".txt", 3});
  EXPECT_EQ(index.facts().items, 3U);
  const auto found = index.query(ArrayRows{lines, ".txt", 3});
  EXPECT_EQ(ids_of(found[0]), (Ids{"x", "7"}));
  EXPECT_TRUE(found[0][1].id_is_integer);
  EXPECT_EQ(ids_of(index.query(ArrayRows{named, ".txt", 3}, {.exclude_self = true})[0]), Ids{"7"});
  const auto twice = named_rows_of(lines, {{"a", "b", "a"}, {false, false, false}});
  EXPECT_THROW((void)index.add(ArrayRows{twice, ".txt", 3}), Error);
  EXPECT_THROW((void)index.add(ArrayRows{lines, ".txt", 3}), Error);    // without names
  EXPECT_THROW((void)index.query(ArrayRows{lines, ".txt", 2}), Error);  // there are three
  EXPECT_THROW((void)index.add_new(ArrayRows{named, ".txt", 2}), Error);
  EXPECT_EQ(index.facts().items, 3U);
}

TEST_F(StoredIndexTest, FindsWhatWasAddedBestFirstAndNothingThatWasRemoved) {
  StoredIndex index = StoredIndex::create(path_, options_);
  EXPECT_EQ(index.add(std::vector{kAbc, kAb, kXy, kEmpty}).added, 4U);
  const std::vector asked{kAb, kEmpty};
  auto found = index.query(asked);
  EXPECT_EQ(ids_of(found[0]), (Ids{"ab", "abc"}));
  EXPECT_DOUBLE_EQ(found[0][1].value, 2.0 / 3);
  EXPECT_TRUE(found[1].empty());
  EXPECT_EQ(ids_of(index.query(asked, {.top = 1})[0]), Ids{"ab"});
  EXPECT_EQ(ids_of(index.query(asked, {.exclude_self = true})[0]), Ids{"abc"});
  EXPECT_EQ(ids_of(index.query(asked, {.options = {{"threshold", "0.9"}}})[0]), Ids{"ab"});
  EXPECT_EQ(index.remove(Ids{"ab", "nobody"}), 1U);
  EXPECT_EQ(ids_of(index.query(asked)[0]), Ids{"abc"});
  EXPECT_EQ(index.facts().items, 3U);
}

TEST_F(StoredIndexTest, ExplainsAnItemByTheWordsOfTheRow) {
  set_option(options_, "kind", "text");
  set_option(options_, "shingle", "words:2");
  const StoredIndex index = StoredIndex::create(
      path_, options_,
      std::vector<std::string_view>{R"({"id": "a", "text": "one two three four"})",
                                    R"({"id": "b", "text": "x y"})"});
  const std::string page = index.explain(R"({"text": "zero one two three"})", "a");
  EXPECT_NE(page.find("Near-duplicates: similarity 0.500000"), std::string::npos) << page;
  EXPECT_NE(page.find("= \"one two\""), std::string::npos) << page;
  EXPECT_NE(page.find("- \"zero one\""), std::string::npos) << page;
  EXPECT_EQ(page.find("kept"), std::string::npos) << page;  // no decisions are made
  EXPECT_NE(index.explain(R"({"text": ""})", "b").find("Not near"), std::string::npos);
  EXPECT_NE(index.explain_ids("a", "b").find("0 of 4 shingles"), std::string::npos);
  EXPECT_NE(index.explain_ids("a", "a").find("same row"), std::string::npos);
  EXPECT_THROW(static_cast<void>(index.explain_ids("a", "nobody")), Error);
}

TEST_F(StoredIndexTest, AddsNewRowsInTheirOrder) {
  StoredIndex index = StoredIndex::create(path_, options_, std::vector{kXy});
  const auto rows = index.add_new(
      std::vector{kAb, kAbc, kEmpty, std::string_view(R"({"id": "q", "text": ["y", "x"]})")});
  EXPECT_TRUE(rows[0].is_added);
  EXPECT_EQ(rows[1].similar_to->id, "ab");
  EXPECT_FALSE(rows[2].is_added || rows[2].similar_to);
  EXPECT_EQ(rows[3].similar_to->id, "xy");
  EXPECT_EQ(index.facts().items, 2U);
}

TEST_F(StoredIndexTest, IsThereWhenItIsOpenedAgain) {
  {
    StoredIndex index = Index::create(path_, options_);
    index.add(std::vector{kAbc, kXy});
    EXPECT_THROW(static_cast<void>(StoredIndex::open(path_)), Error);  // another writer
    const StoredIndex reader = Index::open(path_, true);
    EXPECT_EQ(reader.facts().items, 2U);
    index.compact();
    index.close();
    EXPECT_THROW(static_cast<void>(index.query(std::vector{kAb})), Error);
  }
  StoredIndex index = StoredIndex::open(path_);
  EXPECT_EQ(ids_of(index.query(std::vector{kAb})[0]), Ids{"abc"});
  EXPECT_EQ(ids_of(*index.query_ids(Ids{"abc"})[0]), Ids{"abc"});
  EXPECT_FALSE(index.query_ids(Ids{"nobody"})[0]);
}

TEST_F(StoredIndexTest, AddsAllRowsOrNone) {
  StoredIndex index = StoredIndex::create(path_, options_, std::vector{kAbc});
  for (const std::string_view bad : {kAbc, std::string_view(R"({"text": ["a"]})"),
                                     std::string_view("{"), std::string_view(R"({"id": "z"})")}) {
    EXPECT_THROW(index.add(std::vector{kXy, bad}), Error) << bad;
    EXPECT_EQ(index.facts().items, 1U);
  }
  EXPECT_THROW(index.add(std::vector{kXy, kXy}), Error);
  EXPECT_EQ(index.add(std::vector{kXy, kAbc}, {.skip_existing = true}).added, 1U);
  EXPECT_EQ(index.add(std::vector{kAbc}, {.replace = true}).replaced, 1U);
  EXPECT_EQ(index.facts().items, 2U);
}

TEST_F(StoredIndexTest, RunsAreMergedBesideLookUpsAndChanges) {
  StoredIndex index = StoredIndex::create(path_, options_);
  constexpr int kBatches = 5;
  constexpr int kRows = 9'000;  // more than the log can hold
  for (int batch = 0; batch < kBatches; ++batch) {
    std::vector<std::string> lines;
    for (int i = 0; i < kRows; ++i) {
      const std::string id = std::to_string(batch * kRows + i);
      lines.push_back(R"({"id": ")" + id + R"(", "text": ["x)" + id + R"(", "y)" + id + "\"]}");
    }
    index.add(std::vector<std::string_view>(lines.begin(), lines.end()));
    EXPECT_EQ(index.remove(Ids{std::to_string(batch * kRows + 7)}), 1U);
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (index.facts().runs > 2 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_LE(index.facts().runs, 2U);
  EXPECT_EQ(index.facts().items, kBatches * (kRows - 1U));
  for (const std::string id : {"0", "9007", "44999"}) {
    const std::string asked = R"({"text": ["x)" + id + R"(", "y)" + id + "\"]}";
    const auto hits = ids_of(index.query(std::vector<std::string_view>{asked})[0]);
    EXPECT_EQ(hits, id == "9007" ? Ids{} : Ids{id});
  }
}

TEST_F(StoredIndexTest, LookUpsBesideChangesSeeWholeCalls) {
  StoredIndex index = StoredIndex::create(path_, options_);
  std::atomic<bool> is_done{false};
  std::atomic<int> odd{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!is_done) odd += index.query(std::vector{kAb})[0].size() % 2 == 0 ? 0 : 1;
    });
  }
  for (int i = 0; i < 30; ++i) {
    const std::string one = R"({"id": "a)" + std::to_string(i) + R"(", "text": ["a", "b"]})";
    const std::string two = R"({"id": "b)" + std::to_string(i) + R"(", "text": ["a", "b"]})";
    index.add(std::vector<std::string_view>{one, two});
    if (i % 10 == 5) index.compact();
  }
  is_done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(odd, 0);
  EXPECT_EQ(index.query(std::vector{kAb})[0].size(), 60U);
}

// Rows of items that are not sets; one of them is near the first.
struct ItemRows {
  std::string kind;
  std::vector<std::pair<std::string, std::string>> options;
  std::string first, near, far;
};

class StoredItemsTest : public StoredIndexTest, public testing::WithParamInterface<ItemRows> {
 protected:
  void SetUp() override {
    StoredIndexTest::SetUp();
    path_ =
        testing::TempDir() + "stored-items-" + GetParam().kind + "-" + std::to_string(::getpid());
    std::filesystem::remove_all(path_);
    options_ = {};
    set_option(options_, "kind", GetParam().kind);
    for (const auto& [name, value] : GetParam().options) set_option(options_, name, value);
    first_ = row("first", GetParam().first);
    near_ = row("near", GetParam().near);
    far_ = row("far", GetParam().far);
  }

  static std::string row(const std::string& id, const std::string& item) {
    return R"({"id": ")" + id + R"(", "text": )" + item + "}";
  }
  static std::vector<std::string_view> views(const std::vector<std::string>& rows) {
    return {rows.begin(), rows.end()};
  }

  std::string first_, near_, far_;
};

TEST_P(StoredItemsTest, FindsWhatIsThere) {
  StoredIndex index = StoredIndex::create(path_, options_);
  EXPECT_EQ(index.add(std::vector<std::string_view>{first_, far_}).added, 2U);
  const std::vector<std::string_view> asked{near_, far_};
  EXPECT_EQ(ids_of(index.query(asked)[0]), Ids{"first"});
  EXPECT_EQ(ids_of(index.query(asked)[1]), Ids{"far"});
  EXPECT_TRUE(index.query(asked, {.exclude_self = true})[1].empty());
  index.add(std::vector<std::string_view>{near_});
  EXPECT_EQ(ids_of(index.query(asked)[0]), (Ids{"near", "first"}));
  EXPECT_EQ(ids_of(index.query(asked, {.top = 1})[0]), Ids{"near"});
  const auto found = index.query_ids(Ids{"near", "nobody", "far"}, {.exclude_self = true});
  EXPECT_EQ(ids_of(*found[0]), Ids{"first"});
  EXPECT_FALSE(found[1]);
  EXPECT_TRUE(found[2]->empty());
  EXPECT_EQ(index.remove(Ids{"first", "nobody"}), 1U);
  EXPECT_EQ(ids_of(index.query(asked)[0]), Ids{"near"});
  index.compact();
  EXPECT_EQ(ids_of(index.query(asked)[0]), Ids{"near"});
  EXPECT_EQ(index.facts().kind, GetParam().kind);
}

TEST_P(StoredItemsTest, ReadsSeveralIndexesAsOne) {
  const std::string other = path_ + "-other";
  std::filesystem::remove_all(other);
  StoredIndex::create(path_, options_).add(std::vector<std::string_view>{first_, far_});
  StoredIndex::create(other, options_).add(std::vector<std::string_view>{near_, first_});
  StoredIndex index = StoredIndex::open(std::vector{path_, other});
  EXPECT_EQ(index.folder(), path_ + "," + other);
  EXPECT_EQ(index.facts().items, 4U);
  EXPECT_TRUE(index.is_read_only());
  const std::vector<std::string_view> asked{near_, far_};
  EXPECT_EQ(ids_of(index.query(asked)[0]), (Ids{"near", "first", "first"}));
  EXPECT_EQ(ids_of(index.query(asked)[1]), Ids{"far"});
  EXPECT_EQ(ids_of(*index.query_ids(Ids{"near"}, {.exclude_self = true})[0]),
            (Ids{"first", "first"}));
  EXPECT_THROW(index.add(std::vector<std::string_view>{far_}), Error);
  EXPECT_THROW((void)StoredIndex::open(std::vector{path_, path_}), Error);
  EXPECT_THROW((void)StoredIndex::open(std::vector<std::string>{}), Error);
  std::filesystem::remove_all(other);
}

TEST_P(StoredItemsTest, RefusesIdsThatAreThereUnlessToldOtherwise) {
  StoredIndex index = StoredIndex::create(path_, options_, std::vector<std::string_view>{first_});
  const std::string same = row("first", GetParam().far);
  const std::vector<std::string_view> rows{same, near_};
  EXPECT_THROW(index.add(rows), Error);
  EXPECT_EQ(index.facts().items, 1U);
  const StoredAdded added = index.add(rows, {.skip_existing = true});
  EXPECT_EQ(added.added, 1U);
  EXPECT_EQ(added.skipped, 1U);
  EXPECT_EQ(index.add(rows, {.replace = true}).replaced, 2U);
  EXPECT_EQ(ids_of(index.query(std::vector<std::string_view>{far_})[0]), Ids{"first"});
}

TEST_P(StoredItemsTest, AddsNewRowsInTheirOrder) {
  {
    StoredIndex index = StoredIndex::create(path_, options_, std::vector<std::string_view>{first_});
    const std::string again = row("again", GetParam().far);
    const auto rows = index.add_new(std::vector<std::string_view>{near_, far_, again});
    EXPECT_EQ(rows[0].similar_to->id, "first");
    EXPECT_TRUE(rows[1].is_added);
    EXPECT_EQ(rows[2].similar_to->id, "far");
    EXPECT_EQ(index.facts().items, 2U);
  }
  const StoredIndex index = StoredIndex::open(path_, true);
  EXPECT_EQ(ids_of(index.query(std::vector<std::string_view>{far_})[0]), Ids{"far"});
}

TEST_P(StoredItemsTest, NamesARowThatCannotBeRead) {
  StoredIndex index = StoredIndex::create(path_, options_, std::vector<std::string_view>{first_});
  const std::vector<std::string_view> rows{near_, R"({"id": "x", "text": [true]})"};
  try {
    index.add(rows);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
    EXPECT_NE(std::string(error.what()).find("row 1"), std::string::npos) << error.what();
  }
  EXPECT_EQ(index.facts().items, 1U);
}

TEST_P(StoredItemsTest, ExplainsItemsAsRowsOfFiles) {
  const StoredIndex index =
      StoredIndex::create(path_, options_, std::vector<std::string_view>{first_, far_});
  const std::string near = index.explain(near_, "first");
  EXPECT_NE(near.find("Near-duplicates: "), std::string::npos) << near;
  EXPECT_EQ(near.find("kept"), std::string::npos) << near;
  EXPECT_NE(index.explain(near_, "far").find("Not near-duplicates: "), std::string::npos);
  EXPECT_NE(index.explain_ids("first", "far").find("Not near-duplicates: "), std::string::npos);
  EXPECT_NE(index.explain_ids("first", "first").find("same row"), std::string::npos);
  EXPECT_THROW(static_cast<void>(index.explain(near_, "nobody")), Error);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, StoredItemsTest,
    testing::Values(
        ItemRows{"strings", {{"within", "2"}}, R"("levenshtein")", R"("levenstein")", R"("x")"},
        ItemRows{"bits", {{"within", "2"}}, R"("00ff00ff")", R"("00ff00fe")", R"("ffffffff")"},
        ItemRows{"vectors", {{"threshold", "0.9"}}, "[1, 0.5, 0]", "[1, 0.6, 0]", "[0, 0, 2]"}),
    [](const auto& info) { return info.param.kind; });

// A JSON row with a random vector; `fraction` makes its components doubles.
std::string vector_row(std::uint64_t number, bool fraction = false) {
  std::string row = R"({"id": ")" + std::to_string(number) + R"(", "text": [)";
  for (std::uint64_t i = 0; i < 8; ++i) {
    if (i > 0) row += ',';
    row += std::to_string(1 + random64(number, i) % 50) + (fraction ? ".1" : "");
  }
  return row + "]}";
}

std::vector<std::string> vector_rows(std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> rows;
  for (std::uint64_t i = first; i < first + count; ++i) rows.push_back(vector_row(i));
  return rows;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& rows) {
  return {rows.begin(), rows.end()};
}

bool is_same_hit(const StoredHit& a, const StoredHit& b) {
  return a.id == b.id && a.value == b.value;
}

class GrownVectorsTest : public StoredIndexTest {
 protected:
  void SetUp() override {
    StoredIndexTest::SetUp();
    options_ = {};
    set_option(options_, "kind", "vectors");
    index_.emplace(StoredIndex::create(path_, options_));
    const std::vector<float> components = {1, 2, 3, 0.1F, 0.2F, 0.9F};
    const std::string header = npy_header(ItemArray::Type::float32, 2, 3);
    const auto array = memory_file_of(
        {{header.data(), header.size()},
         {reinterpret_cast<const char*>(components.data()), sizeof(float) * components.size()}},
        nullptr);
    index_->add(ArrayRows{named_rows_of(array, {{"a", "b"}, {false, false}}), ".npy", 2});
  }

  [[nodiscard]] std::uint64_t bytes_of_components() const {
    const auto items = all_items(IndexView(IndexFolder(path_)), options_);
    EXPECT_TRUE(items->is_array());
    return items->size() - npy_header(ItemArray::Type::float32, items->numbers().size(), 3).size();
  }

  std::optional<StoredIndex> index_;
};

// A service adds JSON rows to an index that was built from a float32 array.
TEST_F(GrownVectorsTest, VectorsOfSeveralTypesStayAnArray) {
  index_->add(std::vector<std::string_view>{R"({"id": "c", "text": [0.1, 0.2, 0.7]})"});
  const auto found = index_->query(
      std::vector<std::string_view>{R"({"id": "q", "text": [0.1, 0.2, 0.7]})"}, {.top = 3});
  EXPECT_EQ(ids_of(found[0]), (Ids{"c", "b", "a"}));
  EXPECT_EQ(found[0][0].value, 1);
  EXPECT_LT(found[0][1].value, 1);
  EXPECT_EQ(bytes_of_components(), 3 * 3 * sizeof(double));
}

// Rows before and after the first one that needs doubles keep their original values.
TEST_F(StoredIndexTest, VectorsThatBecomeDoublesKeepTheirValues) {
  Options options;
  set_option(options, "kind", "vectors");
  StoredIndex index = StoredIndex::create(path_, options);
  const std::vector<std::string> components = {"[1, -2, 127]", "[3, 0, -128]", "[0.1, 1e70, 5]",
                                               "[1, 2, 3]", "[0.5, 300, 0.25]"};
  for (std::size_t i = 0; i < components.size(); ++i) {
    const std::string row =
        R"({"id": ")" + std::to_string(i) + R"(", "text": )" + components[i] + "}";
    index.add(std::vector<std::string_view>{row});
  }
  const auto items = all_items(IndexView(IndexFolder(path_)), options);
  ASSERT_TRUE(items->is_array());
  const std::string header = npy_header(ItemArray::Type::float64, components.size(), 3);
  std::vector<double> values(components.size() * 3);
  ASSERT_EQ(items->size(), header.size() + values.size() * sizeof(double));
  items->read(header.size(), reinterpret_cast<char*>(values.data()),
              values.size() * sizeof(double));
  EXPECT_EQ(values,
            (std::vector<double>{1, -2, 127, 3, 0, -128, 0.1, 1e70, 5, 1, 2, 3, 0.5, 300, 0.25}));
}

// Most programs print a float32 as the exact value of the double.
TEST_F(GrownVectorsTest, DoublesWithTheValueOfFloatsTakeNoMoreMemory) {
  index_->add(
      std::vector<std::string_view>{R"({"id": "c", "text": [0.10000000149011612, 0.5, -0.25]})"});
  EXPECT_EQ(bytes_of_components(), 3 * 3 * sizeof(float));
}

// Vectors are laid out once and then kept up to date. The results must equal the results of a newly
// opened index and of a run over the rows.
TEST_F(StoredIndexTest, VectorsThatStayKeepUpWithChanges) {
  Options options;
  set_option(options, "kind", "vectors");
  StoredIndex index = StoredIndex::create(path_, options);
  const std::vector<std::string> asked = vector_rows(1'000'000, 4);
  std::uint64_t next = 0;
  for (std::uint64_t round = 0; round < 40; ++round) {
    std::vector<std::string> rows;
    const std::uint64_t count = random64(1, round) % 12;
    for (std::uint64_t i = 0; i < count; ++i) rows.push_back(vector_row(next++, round == 20));
    index.add(views_of(rows));
    Ids gone;
    for (std::uint64_t i = 0; i < random64(2, round) % 5; ++i) {
      gone.push_back(std::to_string(random64(round, i) % (next + 1)));
    }
    index.remove(gone);
    if (round % 7 == 3) index.compact();
    if (random64(3, round) % 3 == 0) continue;  // several changes at once
    const auto found = index.query(views_of(asked), {.top = 5});
    const auto run = index.query(views_of(asked), {.top = 5, .exclude_self = true});
    StoredIndex other = StoredIndex::open(path_, true);
    const auto anew = other.query(views_of(asked), {.top = 5});
    for (std::size_t i = 0; i < asked.size(); ++i) {
      EXPECT_TRUE(
          std::equal(found[i].begin(), found[i].end(), run[i].begin(), run[i].end(), is_same_hit))
          << round;
      EXPECT_TRUE(
          std::equal(found[i].begin(), found[i].end(), anew[i].begin(), anew[i].end(), is_same_hit))
          << round;
    }
  }
}

TEST_F(StoredIndexTest, FewBytesOfVectorsAreLookedUpToo) {
  Options options;
  set_option(options, "kind", "vectors");
  set_option(options, "measure", "euclidean");
  StoredIndex index = StoredIndex::create(path_, options);
  const std::string_view asked = R"({"text": [1, 2, 4]})";
  EXPECT_TRUE(index.query(std::vector{asked}, {.top = 2})[0].empty());
  index.add(std::vector<std::string_view>{R"({"id": "near", "text": [1, 2, 3]})"});
  const auto found = index.query(std::vector{asked}, {.top = 2});
  EXPECT_EQ(ids_of(found[0]), Ids{"near"});
  EXPECT_DOUBLE_EQ(found[0][0].value, 1);
}

TEST_F(StoredIndexTest, ListsOfVectorsFindTheRecallThatWasAskedFor) {
  Options options;
  set_option(options, "kind", "vectors");
  set_option(options, "method", "lsh");
  set_option(options, "recall", "0.9");
  StoredIndex index = StoredIndex::create(path_, options);
  index.add(views_of(vector_rows(0, 6000)));
  index.add(views_of(vector_rows(6000, 10)));
  const std::vector<std::string> asked = vector_rows(5900, 110);
  const auto found = index.query(views_of(asked), {.top = 10});
  const auto all = index.query(views_of(asked), {.top = 10, .options = {{"method", "exact"}}});
  std::size_t same = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    ASSERT_EQ(found[i].size(), 10U);
    EXPECT_EQ(found[i].front().id, all[i].front().id);
    same += static_cast<std::size_t>(
        std::count_if(found[i].begin(), found[i].end(), [&](const StoredHit& hit) {
          return std::any_of(all[i].begin(), all[i].end(),
                             [&](const StoredHit& other) { return is_same_hit(hit, other); });
        }));
  }
  EXPECT_GE(same, 110 * 10 * 87 / 100);
  EXPECT_LT(same, 110 * 10) << "the lists are not looked into";
  StoredIndex other = StoredIndex::open(path_, true);
  set_option(options, "recall", "1");
  EXPECT_THROW((void)StoredIndex::create(path_ + "-1", options), Error);
}

}  // namespace
}  // namespace sosie
