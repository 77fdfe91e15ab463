// Tests of runs that use the results of an earlier run instead of comparing rows again.
#include "decide/reuse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <fstream>

#include "decide/decide.h"
#include "join/sets/set_run_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Several tests may run at a time, each in its own process.
std::string saved_path() {
  return testing::TempDir() + "sosie-reuse-test." + std::to_string(::getpid()) + ".tsv";
}

std::string saved(const std::string& content) {
  const std::string path = saved_path();
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

// A prepared run that reuses a file with this content.
struct Reusing {
  Reusing(const TestTexts& texts, const std::string& content, OptionTexts given = {}) {
    given.emplace_back("reuse", saved(content));
    run = std::make_unique<TextRun>(kDedup, texts, given);
    file = open_reused(reuse_source(*run->run));
    run->run->prepare();
  }
  Decisions decisions() { return decide(*run->run, file.get()); }
  std::string survivors() {
    std::string out;
    const Decisions decided = decisions();
    for (RowId row = 0; row < run->run->corpus.rows; ++row) {
      const Decision decision = decided.of(row);
      out += decision.survivor == kNoRowNumber ? "- " : fmt::format("{} ", decision.survivor);
    }
    return out;
  }

  std::unique_ptr<TextRun> run;
  std::unique_ptr<ReusedFile> file;
};

std::string refusal(const TestTexts& texts, const std::string& content, OptionTexts given = {}) {
  try {
    (void)Reusing(texts, content, std::move(given)).decisions();
  } catch (const Error& error) {
    const std::string text = error.what();
    const std::size_t name = text.find("sosie-reuse-test");
    return name == std::string::npos ? text : text.substr(text.find(".tsv", name) + 1);
  }
  return {};
}

// Pairs as written by `sosie pairs`, with six decimals, in any order.
std::string pairs_file(const TestTexts& texts, const OptionTexts& given) {
  TextRun pairs(kPairs, texts, given);
  pairs.run->prepare();
  std::vector<std::string> lines;
  pairs.run->similar_rows("comparing")->for_each([&](std::span<const RowPair> some) {
    for (const RowPair& pair : some) {
      lines.push_back(
          fmt::format("r{}\tr{}\t{:.6f}\n", pair.left, pair.right, pair.overlap.jaccard()));
    }
    return true;
  });
  std::reverse(lines.begin(), lines.end());
  return fmt::format("#sosie threshold={}\nleft\tright\tsimilarity\n{}", pairs.options.threshold,
                     fmt::join(lines, ""));
}

RC_GTEST_PROP(ReusedPairs, GiveTheDecisionsOfARunThatCompares, ()) {
  const TestTexts texts{random_texts(*rc::gen::arbitrary<std::uint64_t>(), 40)};
  const std::string made = *rc::gen::element<std::string>("0.5", "0.6");
  const std::string threshold = *rc::gen::element<std::string>("0.6", "2/3", "0.9");
  OptionTexts given = {{"threshold", threshold},
                       {"method", "brute"},
                       {"keep", *rc::gen::element<std::string>("first", "longest")},
                       {"clustering", *rc::gen::element<std::string>("star", "components")}};
  TextRun compared(kDedup, texts, given);
  compared.run->prepare();
  const Decisions expected = decide(*compared.run, nullptr);
  Reusing reusing(texts, pairs_file(texts, {{"threshold", made}, {"method", "brute"}}), given);
  const Decisions found = reusing.decisions();
  for (RowId row = 0; row < texts.own.size(); ++row) {
    RC_ASSERT(found.of(row).survivor == expected.of(row).survivor);
    RC_ASSERT(found.of(row).identical == expected.of(row).identical);
    if (found.of(row).is_same(row)) continue;
    RC_ASSERT(std::abs(found.of(row).score.overlap().jaccard() -
                       expected.of(row).score.overlap().jaccard()) < 1e-6);
  }
  RC_ASSERT(reusing.run->messages.empty());
}

RC_GTEST_PROP(ReusedClusters, GiveTheDecisionsThatTheyList, ()) {
  const TestTexts texts{random_texts(*rc::gen::arbitrary<std::uint64_t>(), 40)};
  TextRun compared(kDedup, texts, {{"threshold", "0.6"}});
  compared.run->prepare();
  const Decisions expected = decide(*compared.run, nullptr);
  std::string lines = "id\tcluster_id\tkept\n";
  for (RowId row = 0; row < texts.own.size(); ++row) {
    const RowNumber survivor = expected.of(row).survivor;
    if (expected.group_rows(survivor) < 2) continue;
    lines += fmt::format("r{}\tr{}\t{}\n", row, survivor,
                         *rc::gen::element<std::string>(row == survivor ? "true" : "false",
                                                        row == survivor ? "1" : "0"));
  }
  Reusing reusing(texts, lines, {{"threshold", "0.6"}});
  const Decisions found = reusing.decisions();
  for (RowId row = 0; row < texts.own.size(); ++row) {
    RC_ASSERT(found.of(row).survivor == expected.of(row).survivor);
    RC_ASSERT(found.of(row).identical == expected.of(row).identical);
    RC_ASSERT(found.of(row).score.overlap().shared == expected.of(row).score.overlap().shared);
    RC_ASSERT(found.of(row).score.overlap().united == expected.of(row).score.overlap().united);
  }
}

const TestTexts kFour{{"aa bb", "aa cc", "bb cc dd", "aa bb", ""}};

TEST(ReusedClusters, KeepTheRowThatTheClusterIsNamedFor) {
  const std::string head = "cluster_id\tid\tkept\n";
  // The cluster is named after r2, although r0 ranks better.
  EXPECT_EQ(Reusing(kFour, head + "r2\tr0\ttrue\nr2\tr2\ttrue\nr2\tr1\tfalse\n").survivors(),
            "0 2 2 3 4 ");
  EXPECT_EQ(Reusing(kFour, head + "r2\tr2\ttrue\nr2\tr0\ttrue\nr2\tr1\tfalse\n").survivors(),
            "0 2 2 3 4 ");
  // No row has the cluster's name, so its best-ranked kept row survives.
  EXPECT_EQ(Reusing(kFour, head + "x\tr2\ttrue\nx\tr1\ttrue\nx\tr0\tfalse\n").survivors(),
            "1 1 2 3 4 ");
  EXPECT_EQ(Reusing(kFour, head + "x\tr2\ttrue\nx\tr1\ttrue\nx\tr0\tfalse\n", {{"keep", "last"}})
                .survivors(),
            "2 1 2 3 4 ");
  // Nobody is kept.
  EXPECT_EQ(Reusing(kFour, head + "x\tr2\tFalse\nx\tr1\tFALSE\n").survivors(), "0 - - 3 4 ");
  EXPECT_EQ(Reusing(kFour, head).survivors(), "0 1 2 3 4 ") << "a header decides nothing";
  EXPECT_THROW((void)Reusing(kFour, "").survivors(), Error);  // a failed pipe leaves an empty file
}

TEST(ReusedClusters, MarkRowsOfOneTextAsIdentical) {
  Reusing reusing(kFour, "id\tcluster_id\tkept\nr0\tx\t1\nr3\tx\t0\nr1\tx\t0\nr4\tx\t0\n");
  const Decisions found = reusing.decisions();
  EXPECT_TRUE(found.of(3).identical);
  EXPECT_FALSE(found.of(1).identical);
  EXPECT_EQ(found.of(1).score.overlap(), (Overlap{1, 3, 2}));
  // A row without a shingle is removed only because a person says so.
  EXPECT_EQ(found.of(4).survivor, 0U);
  EXPECT_FALSE(found.of(4).identical);
  EXPECT_EQ(found.group_rows(0), 4U);
}

TEST(ReusedFile, IsRefusedNamingItsLine) {
  const std::string clusters = "id\tcluster_id\tkept\n";
  EXPECT_EQ(refusal(kFour, clusters + "r0\tx\tyes\n"), "tsv:2: kept is 'yes', not true or false");
  EXPECT_EQ(refusal(kFour, clusters + "r0\tx\t1\nr7\tx\t0\n"),
            "tsv:3: no input row has the id 'r7'");
  EXPECT_EQ(refusal(kFour, clusters + "r0\tx\t1\nr0\ty\t1\n"), "tsv:3: id 'r0' is listed twice");
  const std::string pairs = "left\tright\tsimilarity\n";
  EXPECT_EQ(refusal(kFour, pairs + "r0\tr9\t1\n"), "tsv:2: no input row has the id 'r9'");
  EXPECT_EQ(refusal(kFour, pairs + "r0\tr1\t0.9\nr1\tr0\t0.8\n", {{"threshold", "0.5"}}),
            "tsv: gives two similarities for the same pair, 0.900000 and 0.800000");
  EXPECT_EQ(refusal(kFour, pairs + "r0\tr1\t0.9\nr1\tr0\t0.9\n", {{"threshold", "0.5"}}), "");
  EXPECT_TRUE(refusal(kFour, "id\tname\nr0\tx\n").ends_with("neither a pairs nor a clusters file"));
  EXPECT_TRUE(refusal(kFour, "#sosie threshold=0.9\n" + pairs, {{"threshold", "0.8"}})
                  .ends_with("lacks pairs for --threshold 0.8"));
}

TEST(ReusedFile, GoesWithNothingThatCompares) {
  const std::string pairs = "left\tright\tsimilarity\n";
  EXPECT_EQ(refusal(kFour, pairs, {{"audit", "5"}}),
            "--audit: cannot be combined with --reuse, which compares nothing");
  EXPECT_EQ(refusal(kFour, pairs, {{"pairs", "out.tsv"}}),
            "--pairs: cannot be combined with --reuse, which compares nothing");
  EXPECT_EQ(
      refusal({kFour.own, {"aa"}}, pairs),
      "--against: cannot be combined with --reuse, which knows the ids of one collection only");
  EXPECT_NE(refusal(kFour, pairs, {{"removed", saved_path()}}), "") << "the file is an input";
}

TEST(ReusedFile, TellsWhatPairsMayLack) {
  Reusing reusing(kFour, "left\tright\tsimilarity\nr0\tr1\t0.9\n");
  (void)reusing.decisions();
  ASSERT_EQ(reusing.run->messages.size(), 1U);
  EXPECT_NE(reusing.run->messages[0].find("does not record the --threshold"), std::string::npos);
}

// Items in memory: each has a value, which the file must give with six decimals.
class ReusedItems : public testing::Test {
 protected:
  RankedClusters clusters(const std::string& pairs, const std::string& clustering) {
    Reusing reusing({{"aa", "bb", "cc", "dd", "ee"}}, "left\tright\tdistance\n" + pairs,
                    {{"clustering", clustering}});
    const auto value = [](Place left, Place right) { return right - left + 0.25; };
    const auto measure = [&](Place left, Place right) {
      return value(left, right) < 3 ? std::optional(value(left, right)) : std::nullopt;
    };
    const ThreadPool pool(1, nullptr);
    return reused_clusters_of_items(reuse_source(*reusing.run->run), *reusing.file,
                                    {value, measure}, pool);
  }
};

TEST_F(ReusedItems, AreGroupedByTheListedPairsWithinTheBound) {
  const std::string pairs = "r1\tr0\t1.25\nr1\tr2\t1.250001\nr0\tr3\t3.25\nr2\tr4\t2.25\n";
  const RankedClusters star = clusters(pairs, "star");
  EXPECT_EQ(star.survivor, (std::vector<Place>{0, 0, 2, 3, 2}));
  EXPECT_EQ(star.value, (std::vector<double>{0, 1.25, 0, 0, 2.25}));
  const RankedClusters chain = clusters(pairs, "components");
  EXPECT_EQ(chain.survivor, (std::vector<Place>{0, 0, 0, 3, 0}));
  EXPECT_EQ(chain.value, (std::vector<double>{0, 1.25, 2.25, 0, 4.25}));
}

TEST_F(ReusedItems, AreRefusedWhereTheFileTellsAnotherValue) {
  try {
    (void)clusters("r0\tr1\t1.25\nr1\tr2\t1.251\n", "star");
    FAIL() << "1.251 is not 1.25";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("gives 1.251000 for 'r1' and 'r2', but the rows now have 1.25"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace sosie
