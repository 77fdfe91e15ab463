// Tests of the page of `sosie explain`, section by section.
#include "report/explanation.h"

#include <gtest/gtest.h>

#include "join/sets/set_run_test.h"
#include "report/explain_sets.h"
#include "report/row_of_id.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Two texts with 10 and 8 shingles, 6 of which are shared.
Explanation explained_texts() {
  Explanation e;
  e.left.id = "l";
  e.left.place = "in.jsonl:1";
  e.left.tokens = 14;
  e.left.shingles = 10;
  e.right.id = "right";
  e.right.place = "in.jsonl:22";
  e.right.tokens = 1;
  e.right.shingles = 8;
  e.overlap = {6, 12, 10};
  e.measure = "jaccard";
  e.similarity = 0.5;
  e.reaches = true;
  e.threshold = "0.5";
  e.shingle = "words:5";
  e.tokens = "unicode";
  e.token_name = "words";
  e.part = "shingle";
  e.finds_every_pair = true;
  e.compares_every_pair = true;
  return e;
}

std::string page(const Explanation& e) { return explanation_text(e, text_style(false)); }

std::string first_line(const Explanation& e) {
  const std::string text = page(e);
  return text.substr(0, text.find('\n'));
}

// The text after a label; the last one if there are several.
std::string line(const Explanation& e, const std::string& label) {
  const std::string text = page(e);
  const std::size_t at = text.rfind("\n" + label + std::string(13 - label.size(), ' '));
  if (at == std::string::npos) return {};
  return text.substr(at + 14, text.find('\n', at + 1) - at - 14);
}

TEST(ExplainPage, GivesItsVerdictFirst) {
  Explanation e = explained_texts();
  EXPECT_EQ(first_line(e), "Near-duplicates: similarity 0.500000, threshold 0.5. Both are kept.");
  e.reaches = false;
  EXPECT_EQ(first_line(e),
            "Not near-duplicates: similarity 0.500000, threshold 0.5. Both are kept.");
  e.same_text = true;
  EXPECT_EQ(first_line(e), "The same text, once normalised. Both are kept.");
  e.of_text = false;
  e.item = "set";
  EXPECT_EQ(first_line(e), "The same set. Both are kept.");
  e.same_row = true;
  EXPECT_EQ(first_line(e), "Left and right are the same row.");
  e = explained_texts();
  e.finds_every_pair = false;
  e.plan = {.components = 128, .bands = 14, .rows = 8, .filter_agreements = 40};
  e.agreement = SketchAgreement{0, 50};
  EXPECT_EQ(first_line(e),
            "Near-duplicates that this run MISSES: similarity 0.500000, threshold 0.5. Both are "
            "kept.");
  e.agreement = SketchAgreement{1, 40};
  EXPECT_TRUE(first_line(e).starts_with("Near-duplicates: "));
  e.lines = {{"length", "3 and 4"}};
  e.is_similarity = false;
  e.is_count = true;
  e.similarity = 3;
  e.threshold = "4";
  EXPECT_EQ(first_line(e), "Near-duplicates: distance 3, within 4. Both are kept.");
  e.is_candidate = false;
  EXPECT_TRUE(first_line(e).starts_with("Near-duplicates that this run MISSES"));
}

TEST(ExplainPage, SaysWhatBecameOfBoth) {
  const auto outcome = [](Fate left, Fate right) {
    Explanation e = explained_texts();
    e.left.fate = std::move(left);
    e.right.fate = std::move(right);
    return first_line(e).substr(sizeof "Near-duplicates: similarity 0.500000, threshold 0.5");
  };
  using Kind = Fate::Kind;
  const Fate near_left{Kind::removed_as_near, "left", 0.5};
  const Fate same_other{Kind::removed_as_identical, "x\x07"};
  EXPECT_EQ(outcome({}, near_left), " Right is removed, left is kept.");
  EXPECT_EQ(outcome({Kind::removed_as_near, "right"}, {}), " Left is removed, right is kept.");
  EXPECT_EQ(outcome({}, same_other), " Right is removed because of x\\x07; left is kept.");
  EXPECT_EQ(outcome(same_other, same_other), " Both are removed because of x\\x07.");
  EXPECT_EQ(outcome(same_other, {Kind::removed_as_near, "y"}),
            " Both are removed: left because of x\\x07, right because of y.");
  EXPECT_EQ(outcome({Kind::unmatched, ""}, near_left), " Right is removed, left is kept.");
}

TEST(ExplainPage, TellsTheFateOfEach) {
  const auto fate = [](Fate of_right, bool of_text = true) {
    Explanation e = explained_texts();
    e.of_text = of_text;
    e.item = of_text ? "text" : "set";
    if (!of_text) e.nothing = "an empty set";
    e.right.fate = std::move(of_right);
    return line(e, "right");
  };
  using Kind = Fate::Kind;
  EXPECT_EQ(fate({}), "kept");
  EXPECT_EQ(fate({Kind::kept, "", 1, 2}), "kept; 1 row is removed for it");
  EXPECT_EQ(fate({Kind::kept, "", 1, 4}), "kept; 3 rows are removed for it");
  EXPECT_EQ(fate({Kind::removed_as_near, "left", 0.25}),
            "removed: near-duplicate of left, similarity 0.250000");
  EXPECT_EQ(fate({Kind::removed_as_identical, "left"}, false), "removed: the same set as left");
  EXPECT_EQ(fate({Kind::unmatched, ""}), "kept: a text without a shingle is not compared");
  EXPECT_EQ(fate({Kind::unmatched, ""}, false), "kept: an empty set is not compared");
}

TEST(ExplainPage, ShowsBothSetsAsOneBar) {
  Explanation e = explained_texts();
  const std::string text = page(e);
  EXPECT_EQ(line(e, "shingles"), "4 only left, 6 in both, 2 only right");
  EXPECT_NE(
      text.find("[" + std::string(20, '-') + std::string(30, '=') + std::string(10, '+') + "]"),
      std::string::npos);
  EXPECT_NE(text.find("left         l      in.jsonl:1   14 words, 10 distinct shingles\n"
                      "right        right  in.jsonl:22  1 words, 8 distinct shingles\n"),
            std::string::npos)
      << text;
  // Each part is shown, however small it is.
  e.left.shingles = 1000;
  e.right.shingles = 1001;
  e.overlap = {1000, 1001, 1000};
  EXPECT_NE(page(e).find("[" + std::string(60, '=') + "+]"), std::string::npos);
  EXPECT_EQ(explanation_text(e, text_style(true)).find("\x1b[31m"), std::string::npos);
  EXPECT_NE(explanation_text(e, text_style(true)).find("\x1b[32m+\x1b[0m"), std::string::npos);
}

TEST(ExplainPage, TellsTheFractionBehindAValue) {
  Explanation e = explained_texts();
  e.fraction = {6, 12};
  EXPECT_EQ(line(e, "similarity"),
            "0.500000 jaccard: 6 of 12 shingles in both (words:5, unicode tokens)");
  EXPECT_EQ(line(e, "containment"), "0.600000 of left is in right, 0.750000 of right is in left");
  e.of_text = false;
  e.part = "element";
  EXPECT_EQ(line(e, "similarity"), "0.500000 jaccard = 6/12: 6 of 12 elements in both");
  e.measure = "cosine";
  e.fraction = {6, 80, true};
  EXPECT_EQ(line(e, "similarity"), "0.500000 cosine = 6/sqrt 80: 6 elements in both, of 10 and 8");
}

TEST(ExplainPage, SaysWhyTheRunComparesTheTwo) {
  Explanation e = explained_texts();
  EXPECT_EQ(line(e, "candidate"), "yes: this run compares every pair (brute)");
  e.compares_every_pair = false;
  EXPECT_EQ(line(e, "candidate"),
            "yes: this run finds every pair at the threshold or above (exact)");
  e.reaches = false;
  EXPECT_EQ(line(e, "candidate"),
            "no: this run looks for pairs at the threshold or above only (exact)");
  e.right.shingles = 0;
  e.overlap = {0, 10, 10};
  EXPECT_EQ(line(e, "candidate"), "no: a text without a shingle is compared with nothing");
  e.same_text = true;
  EXPECT_EQ(line(e, "candidate"), "not needed: the engine treats rows with the same text as one");

  e = explained_texts();
  e.finds_every_pair = false;
  e.plan = {.components = 128, .bands = 14, .rows = 1, .filter_agreements = 60};
  const auto banding = [&](int bands, int components) {
    e.agreement = SketchAgreement{bands, components};
    return line(e, "candidate");
  };
  EXPECT_EQ(banding(0, 100), "no: they share no band");
  EXPECT_EQ(banding(2, 59), "no: the filter rejects it");
  EXPECT_EQ(line(e, "  filter"), "59 of 128 minhashes agree, 64 expected; 60 needed: too few");
  EXPECT_EQ(banding(2, 60), "yes");
  EXPECT_EQ(line(e, "  bands"),
            "2 of 14 agree, 7.0 expected; 99.99 % of pairs this similar share one");
  e.reaches = false;
  EXPECT_EQ(banding(2, 60), "yes, but rejected when their texts were compared");
}

TEST(ExplainPage, ListsExamplesAndWhatIsNotShown) {
  Explanation e = explained_texts();
  e.of_text = false;
  e.part = "element";
  e.in_both = {{"a\x1b", 1}, {"b", 2}};
  e.left.only_here = {{"x", 4}};
  e.right.only_here = {{"c", 2}};
  const std::string text = page(e);
  EXPECT_NE(
      text.find("\nin both      = \"a\\x1b\"\n             = \"b\", 2 times\n             = and 3 "
                "more elements\nonly left    - \"x\", 4 times\nonly right   + \"c\", 2 times\n"),
      std::string::npos)
      << text;
  e.of_text = true;
  EXPECT_EQ(page(e).find("more"), std::string::npos) << "of texts some are shown";
}

TEST(ExplainPage, ShowsItemsInFull) {
  Explanation e = explained_texts();
  e.left.full = ItemInFull{.part = "shingle",
                           .parts = {"a b", "b\nc"},
                           .signature_name = "signature",
                           .signature = "1 2",
                           .bands = {{"00ff", {3}, {}}, {"0aaa", {1, 2, 3, 4}, {"x", "y\x07"}}}};
  e.right.full.emplace();
  e.right.full->part = "shingle";
  e.right.full->parts = {"z"};
  const std::string text = page(e);
  EXPECT_NE(
      text.find(
          "\nleft in full 2 shingles\nshingles     a b\n             b c\nsignature    1 2\n"
          "band 0       00ff: no other row\nband 1       0aaa: 3 other rows: x, y\\x07, ...\n"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find("\nright in full 1 shingle\nshingles     z\nbands        none: this run does not "
                "hash such an item\n"),
      std::string::npos)
      << text;
  e.same_row = true;
  EXPECT_EQ(page(e).find("right in full"), std::string::npos);
}

// The explanation of two rows in a prepared run.
Explanation explained(TextRun& test, RowId left, RowId right) {
  Explanation e;
  e.threshold = test.options.threshold;
  explain_sets(*test.run, left, right, e);
  return e;
}

TEST(ExplainedSets, ShareWhatTheirTextsShare) {
  const std::vector<std::string> texts = random_texts(3, 30);
  TextRun test(kExplain, {texts}, {{"threshold", "0.5"}, {"method", "lsh"}, {"bands", "8x2"}});
  test.run->prepare();
  std::set<std::pair<RowId, RowId>> listed;
  TextRun pairs(kPairs, {texts}, {{"threshold", "0.5"}, {"method", "lsh"}, {"bands", "8x2"}});
  pairs.run->prepare();
  pairs.run->similar_rows("comparing")->for_each([&](std::span<const RowPair> some) {
    for (const RowPair& pair : some) listed.emplace(pair.left, pair.right);
    return true;
  });
  for (RowId left = 0; left < texts.size(); ++left) {
    for (RowId right = left; right < texts.size(); ++right) {
      const Explanation e = explained(test, left, right);
      const Overlap expected = overlap_of(texts[left], texts[right]);
      ASSERT_EQ(e.overlap, expected);
      ASSERT_EQ(e.left.shingles, expected.left);
      ASSERT_EQ(e.right.shingles, expected.right());
      ASSERT_EQ(e.similarity, expected.jaccard());
      ASSERT_EQ(e.left.only_here.empty(), expected.shared == expected.left);
      ASSERT_EQ(e.in_both.empty(), expected.shared == 0);
      ASSERT_LE(e.in_both.size(), 3U);
      if (texts[left].empty() || texts[right].empty() || texts[left] == texts[right]) continue;
      // Explain gives the same verdict about a pair as pairs.
      const bool accepted = e.agreement && e.agreement->accepted_by(e.plan);
      ASSERT_EQ(accepted && e.reaches, listed.contains({left, right})) << left << " " << right;
    }
  }
}

TEST(ExplainedSets, InFullAreFoundInTheBucketsOfTheirRows) {
  TextRun test(kExplain, {{"aa bb cc", "aa bb cc", "cc bb aa", "dd", ""}},
               {{"threshold", "0.5"}, {"method", "lsh"}, {"bands", "4x2"}});
  test.run->prepare();
  const ItemInFull full = set_in_full(*test.run, 1);
  EXPECT_EQ(full.part, "shingle");
  EXPECT_EQ(full.parts, (std::vector<std::string>{"aa", "bb", "cc"}));
  ASSERT_EQ(full.bands.size(), 4U);
  for (const auto& band : full.bands) {
    EXPECT_EQ(band.rows, (std::vector<RowId>{0, 1, 2})) << "one text, and one set";
    EXPECT_EQ(band.key.size(), 16U);
  }
  EXPECT_EQ(std::count(full.signature.begin(), full.signature.end(), ' ') + 1,
            test.run->choice.banding.components);
  EXPECT_TRUE(set_in_full(*test.run, 4).bands.empty());
}

// In each band, the rows in an item's bucket are those with its key.
TEST(ExplainedSets, InFullAreBesideTheRowsThatShareABand) {
  const std::vector<std::string> texts = random_texts(3, 25);
  TextRun test(kExplain, {texts}, {{"method", "lsh"}, {"bands", "8x2"}});
  test.run->prepare();
  std::vector<ItemInFull> items;
  for (RowId row = 0; row < texts.size(); ++row) items.push_back(set_in_full(*test.run, row));
  for (const ItemInFull& item : items) {
    for (std::size_t band = 0; band < item.bands.size(); ++band) {
      std::vector<RowId> rows;
      for (RowId row = 0; row < texts.size(); ++row) {
        const auto& bands = items[row].bands;
        if (!bands.empty() && bands[band].key == item.bands[band].key) rows.push_back(row);
      }
      ASSERT_EQ(item.bands[band].rows, rows);
    }
  }
}

std::string no_row_called(const TestFiles& files, const std::string& id, OptionTexts given = {}) {
  given.emplace_back("method", "brute");
  TestSetRun test(kExplain, files, {}, given);
  test.run->looks_up_ids = true;
  test.run->prepare();
  try {
    return std::to_string(row_of_id(test.run->inputs, test.run->corpus, test.run->pool, id));
  } catch (const Error& error) {
    return std::string(error.what()) + "; " + error.hint();
  }
}

TEST(ExplainIds, AreFoundOrTheNearestIsNamed) {
  const TestFiles files = file_of_texts("in.jsonl", 'r', std::vector<std::string>(12, "aa"));
  EXPECT_EQ(no_row_called(files, "r11"), "11");
  EXPECT_EQ(no_row_called(files, "R3"), "no row has the id 'R3'; did you mean 'r3'?");
  EXPECT_EQ(no_row_called(files, "row-11-of-all"),
            "no row has the id 'row-11-of-all'; ids are read from the field 'id'; --id FIELD names "
            "another, --id row the row number");
  EXPECT_EQ(no_row_called(files, "xr11x"), "no row has the id 'xr11x'; did you mean 'r1'?")
      << "the first that is part of it";
  EXPECT_EQ(
      no_row_called(files, "12", {{"id", "row"}}),
      "no row has the id '12'; rows are identified by their numbers here, 0 to 11; --id FIELD "
      "names a field");
  EXPECT_EQ(no_row_called(files, "7", {{"id", "row"}}), "7");
  EXPECT_EQ(no_row_called({{"in.jsonl", ""}}, "7", {{"id", "row"}}),
            "no row has the id '7'; there is no row");
}

}  // namespace
}  // namespace sosie
