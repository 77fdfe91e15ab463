// Tests of pairs files: values, bounds, and the graph of the items in the file.
#include "decide/pair_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "cluster/star.h"
#include "options/formats.h"
#include "reference/star.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// A TSV file in memory and its reader.
struct WrittenTable {
  explicit WrittenTable(std::string content)
      : text(std::make_shared<std::string>(std::move(content))),
        file(File::in_memory("p.tsv", memory_file_of({{text->data(), text->size()}}, text))),
        reader(file, "p.tsv", *format_by_name("tsv")) {}

  std::shared_ptr<std::string> text;
  File file;
  TableReader reader;
};

// "a-b:0.9 ": the pairs within the bound, with their overlaps in millionths.
std::string listed(const std::string& content, const std::optional<PairBound>& bound = {}) {
  WrittenTable table(content);
  PairFile file(table.reader, bound);
  std::string out;
  while (file.next()) {
    EXPECT_EQ(file.overlap().united, 1'000'000U);
    out +=
        fmt::format("{}-{}:{}:{} ", file.left(), file.right(), file.value(), file.overlap().shared);
  }
  return out;
}

std::string failure(const std::string& content) {
  try {
    (void)listed(content);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
    return error.reason();
  }
  return {};
}

TEST(PairFile, TellsSimilaritiesOrDistances) {
  EXPECT_EQ(listed("left\tright\tsimilarity\na\tb\t0.25\n"), "a-b:0.25:250000 ");
  EXPECT_EQ(listed("distance\tright\tleft\n0.25\tb\ta\n7\tc\ta\n"), "a-b:0.25:750000 a-c:7:0 ");
  // If there are both columns, the similarity counts.
  EXPECT_EQ(listed("left\tright\tdistance\tsimilarity\na\tb\t3\t1\n"), "a-b:1:1000000 ");
  EXPECT_EQ(failure(""), "is empty: it has no header");
  WrittenTable distances("left\tright\tdistance\n");
  EXPECT_TRUE(PairFile(distances.reader, {}).tells_distances());
}

TEST(PairFile, RefusesWhatIsNoPair) {
  const std::string head = "left\tright\tsimilarity\n";
  for (const char* value : {"1.000001", "-0.1", "nan", "inf", "", "0.5x", " 0.5", "0,5"}) {
    EXPECT_EQ(failure(head + "a\tb\t0.5\nc\td\t" + value + "\n"),
              std::string("'") + value + "' is no similarity between 0 and 1");
  }
  EXPECT_EQ(failure("left\tright\tdistance\na\tb\t-1\n"), "'-1' is no distance");
  EXPECT_EQ(failure("left\tright\tdistance\na\tb\tinf\n"), "'inf' is no distance");
  EXPECT_EQ(failure(head + "a\ta\t1\n"), "'a' is paired with itself");
  EXPECT_NE(failure("left\tright\n"), "");
  EXPECT_NE(failure("left\tsimilarity\n"), "");
}

// A similarity p/q is written with six decimals; a bound of p/q must not lose it, regardless of how
// it was rounded.
RC_GTEST_PROP(PairFile, LosesNoPairToRoundingAndTakesNoneThatIsClearlyBeyond, ()) {
  const auto q = *rc::gen::inRange<std::uint64_t>(1, 3000);
  const auto p = *rc::gen::inRange<std::uint64_t>(0, q + 1);
  const bool is_similarity = *rc::gen::arbitrary<bool>();
  const double value = static_cast<double>(p) / static_cast<double>(q);
  const std::string content = fmt::format("left\tright\t{}\na\tb\t{:.6f}\n",
                                          is_similarity ? "similarity" : "distance", value);
  const auto takes = [&](std::uint64_t num, std::uint64_t den) {
    return !listed(content, PairBound{{num, den}, is_similarity}).empty();
  };
  RC_ASSERT(takes(p, q));
  // Exceeds the bound by more than the last decimal.
  RC_ASSERT(!takes(is_similarity ? p * 100'000 + 2 * q : 0, q * 100'000) ||
            (!is_similarity && p == 0));
  RC_ASSERT(takes(is_similarity ? 0 : p * 100'000 + 2 * q, q * 100'000));
}

// 63/640 is 98437.5 millionths, and may be written as either of the neighbouring values.
TEST(PairFile, TakesWhatWasRoundedFromTheMiddle) {
  for (const char* written : {"0.098437", "0.098438"}) {
    for (const char* column : {"similarity", "distance"}) {
      const std::string content = fmt::format("left\tright\t{}\na\tb\t{}\n", column, written);
      EXPECT_NE(listed(content, PairBound{{63, 640}, *column == 's'}), "") << content;
    }
  }
  EXPECT_EQ(listed("left\tright\tsimilarity\na\tb\t0.098436\n", PairBound{{63, 640}, true}), "");
  EXPECT_EQ(listed("left\tright\tdistance\na\tb\t0.098439\n", PairBound{{63, 640}, false}), "");
}

// Other programs write more decimals, which are more precise.
RC_GTEST_PROP(PairFile, DecidesByAllDecimals, ()) {
  const auto q = *rc::gen::inRange<std::uint64_t>(1, 3000);
  const auto p = *rc::gen::inRange<std::uint64_t>(0, q + 1);
  const auto decimals = *rc::gen::inRange(6, 18);
  const bool is_similarity = *rc::gen::arbitrary<bool>();
  const std::string content =
      fmt::format("left\tright\t{}\na\tb\t{:.{}f}\n", is_similarity ? "similarity" : "distance",
                  static_cast<double>(p) / static_cast<double>(q), decimals);
  RC_ASSERT(!listed(content, PairBound{{p, q}, is_similarity}).empty());
  // Exceeds the bound by 1.1 units in the last decimal, as far as the terms of a bound can express
  // this.
  std::uint64_t scale = 1;
  for (int i = 0; i < std::min(decimals, 8); ++i) scale *= 10;
  const auto beyond = static_cast<std::int64_t>(p * scale * 10 / q) + (is_similarity ? 12 : -12);
  if (beyond < 0) return;
  const PairBound bound{{static_cast<std::uint64_t>(beyond), scale * 10}, is_similarity};
  RC_ASSERT(listed(content, bound).empty());
}

TEST(PairFile, PassesOverWhatIsBelowInTheSeventhDecimal) {
  for (const char* value : {"0.79999999", "0.7999994", "0.7999995", "0.7999999999", "7.9999999e-1",
                            "79999999E-8", "0.000079999999e+4", "7.9999999e-01"}) {
    const std::string content = fmt::format("left\tright\tsimilarity\na\tb\t{}\n", value);
    EXPECT_EQ(listed(content, PairBound{{4, 5}, true}), "") << value;
  }
  EXPECT_EQ(listed("left\tright\tsimilarity\na\tb\t0.800000\na\tc\t0.8\na\td\t8e-1\n",
                   PairBound{{4, 5}, true}),
            "a-b:0.8:800000 a-c:0.8:800000 a-d:0.8:800000 ");
  EXPECT_EQ(listed("left\tright\tdistance\na\tb\t2e1\na\tc\t2.0000001e+1\na\td\t1e-300\n",
                   PairBound{{20, 1}, false}),
            "a-b:20:0 a-d:1e-300:1000000 ");
  EXPECT_EQ(listed("left\tright\tdistance\na\tb\t0.20000001\n", PairBound{{1, 5}, false}), "");
  EXPECT_EQ(listed("left\tright\tdistance\na\tb\t0.20000001\n", PairBound{{4, 5}, true}), "");
}

TEST(PairFile, TakesDistancesAsTheOppositesOfSimilarities) {
  const std::string content = "left\tright\tdistance\na\tb\t0.2\na\tc\t0.3\na\td\t4\n";
  EXPECT_EQ(listed(content, PairBound{{4, 5}, true}), "a-b:0.2:800000 ");
  EXPECT_EQ(listed(content, PairBound{{3, 10}, false}), "a-b:0.2:800000 a-c:0.3:700000 ");
}

// A sorted pairs file of items in random order, as written by `pairs`.
struct PairWorld {
  std::vector<std::string> names;  // in the order of their input
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  std::string content = "left\tright\tsimilarity\n";
};

PairWorld random_pair_world() {
  PairWorld world;
  const auto items = *rc::gen::inRange<std::size_t>(2, 12);
  for (std::size_t i = 0; i < items; ++i) world.names.push_back("n" + std::to_string(i * 7 % 31));
  for (int i = *rc::gen::inRange(0, 25); i > 0; --i) {
    const auto left = *rc::gen::inRange<std::size_t>(0, items - 1);
    world.pairs.emplace(left, *rc::gen::inRange<std::size_t>(left + 1, items));
  }
  for (const auto& [left, right] : world.pairs) {
    world.content +=
        fmt::format("{}\t{}\t0.{}\n", world.names[left], world.names[right], 100 + left + right);
  }
  return world;
}

RC_GTEST_PROP(PairGraph, GroupsTheItemsOfASortedFileAsTheirInputWouldBe, ()) {
  const PairWorld world = random_pair_world();
  WrittenTable table(world.content);
  PairFile file(table.reader, {});
  Scratch scratch("/tmp");
  const PairGraph graph = read_pair_graph(file, scratch, {std::uint64_t{1} << 24});
  RC_ASSERT(graph.pair_count == world.pairs.size());

  std::vector<VerifiedPair> pairs;
  graph.pairs->for_each([&](const VerifiedPair& pair) {
    pairs.push_back(pair);
    return true;
  });
  RC_ASSERT(pairs.size() == world.pairs.size());
  std::map<std::string, std::size_t> number_of;
  for (std::size_t i = 0; i < world.names.size(); ++i) number_of[world.names[i]] = i;
  for (const VerifiedPair& pair : pairs) {
    RC_ASSERT(pair.left < pair.right);
    const auto [left, right] =
        std::minmax(number_of.at(graph.ids[pair.left]), number_of.at(graph.ids[pair.right]));
    RC_ASSERT(world.pairs.contains({left, right}));
    RC_ASSERT(pair.overlap.shared == (100 + left + right) * 1000);
  }

  const std::vector<std::size_t> expected = reference::star(
      world.names.size(), [](auto, auto) { return true; },
      [&](std::size_t a, std::size_t b) {
        return world.pairs.contains({a, b});
      });
  const auto places = static_cast<Place>(graph.ids.size());
  const Clusters found = star_of_pairs(places, all_of(pairs), 0);
  for (Place place = 0; place < places; ++place) {
    const std::size_t item = number_of.at(graph.ids[place]);
    RC_ASSERT(graph.ids[found.survivor[place]] == world.names[expected[item]]);
  }
}

// "e" first appears as a right item but is ranked by its place as a left item; "x" is removed
// because of "c".
TEST(PairGraph, RanksItemsByTheLeftColumn) {
  WrittenTable table("left\tright\tsimilarity\na\tb\t1\nb\te\t1\nc\tx\t1\ne\tx\t1\n");
  PairFile file(table.reader, {});
  Scratch scratch("/tmp");
  EXPECT_EQ(read_pair_graph(file, scratch, {std::uint64_t{1} << 24}).ids,
            (std::vector<std::string>{"a", "b", "c", "e", "x"}));
}

TEST(PairGraph, RefusesIdsThatTakeMoreThanHalfOfTheMemory) {
  std::string content = "left\tright\tsimilarity\n";
  for (int i = 0; i < 50; ++i) content += fmt::format("left{}\tright{}\t1\n", i, i);
  const auto read = [&](std::uint64_t memory) {
    WrittenTable table(content);
    PairFile file(table.reader, {});
    Scratch scratch("/tmp");
    return read_pair_graph(file, scratch, {memory}).ids.size();
  };
  EXPECT_EQ(read(36'000), 100U);
  try {
    (void)read(20'000);
    FAIL() << "100 ids in 10,000 bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
    EXPECT_TRUE(error.reason().starts_with("the ids of 62 items take more than half"))
        << error.reason();
  }
}

}  // namespace
}  // namespace sosie
