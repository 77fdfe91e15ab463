// Tests of summaries for people, and of the notes below them.
#include "report/summary.h"

#include <gtest/gtest.h>

#include "data/kinds.h"
#include "report/input_notes_text.h"
#include "report/summaries_test.h"

namespace sosie {
namespace {

// The text after a label of the summary; empty if there is no such line.
std::string line(const RunSummary& s, const std::string& label) {
  const std::string text = "\n" + summary_text(s);
  const std::size_t at = text.find("\n" + label + std::string(12 - label.size(), ' '));
  if (at == std::string::npos) return {};
  return text.substr(at + 13, text.find('\n', at + 1) - at - 13);
}

TEST(SummaryText, TellsRowsByTheVerb) {
  RunSummary s = summary_of_texts();
  EXPECT_EQ(line(s, "rows"), "10 read, 6 kept, 4 removed (3 identical, 1 near)");
  s.dry_run = true;
  EXPECT_EQ(line(s, "rows"), "10 read, 6 would be kept, 4 removed (3 identical, 1 near)");
  s.dry_run = false;
  s.all_written = true;
  EXPECT_EQ(line(s, "rows"), "10 read, 6 kept, 4 duplicates annotated (3 identical, 1 near)");
  s.verb = kPairs;
  s.pairs = 1;
  EXPECT_EQ(line(s, "rows"), "10 read, 1 pair found");
  EXPECT_EQ(line(s, "groups"), "");
  s.verb = kQuery;
  s.rows_with_pairs = 1;
  EXPECT_EQ(line(s, "rows"), "10 looked up, 1 with 1 hit");
}

TEST(SummaryText, TellsTheItemsOfEachKind) {
  RunSummary s = summary_of_texts();
  EXPECT_EQ(line(s, "text"), "3.0 kB, 1,234 words");
  s.shingle = "chars:5";
  EXPECT_EQ(line(s, "text"), "3.0 kB, 1,234 characters");
  s.kind = kSetItems;
  EXPECT_EQ(line(s, "sets"), "3.0 kB, 1,234 elements");
  s = summary_of_vectors();
  EXPECT_EQ(line(s, "vectors"), "3.0 kB, 128 uint8 components each");
  s.components = "bit";
  EXPECT_EQ(line(s, "vectors"), "3.0 kB, 128 bits each");
  s.dimension = 0;
  s.components = "character";
  EXPECT_EQ(line(s, "vectors"), "3.0 kB, 1,234 characters");
}

TEST(SummaryText, CountsWhatWasLeftOut) {
  RunSummary s = summary_of_texts();
  EXPECT_EQ(line(s, "set aside"), "");
  s.total.skipped = 1;
  s.total.unmatched = 2;
  s.total.empty = 1;
  s.total.blank_lines = 3;
  EXPECT_EQ(
      line(s, "set aside"),
      "1 bad row left out, 2 bad rows passed through, 1 row without a shingle (kept), 3 blank "
      "lines");
  s.total = {.name = {}, .empty = 2};
  s.kind = kBagItems;
  EXPECT_EQ(line(s, "set aside"), "2 empty sets (kept)");
  s.kind = kStringItems;
  s.components = "character";
  EXPECT_EQ(line(s, "set aside"), "2 rows without a string (kept)");
}

TEST(SummaryText, TellsOfTheOtherCollection) {
  RunSummary s = summary_of_texts();
  EXPECT_EQ(line(s, "against"), "");
  s.against = {.given = true, .rows = 1, .bytes = 5, .removed = 2, .bad = 1};
  EXPECT_EQ(
      line(s, "against"),
      "1 row (5 B), 1 bad row left out, compared with, not written; 2 removed because of them");
  s.verb = kPairs;
  EXPECT_EQ(line(s, "against"), "1 row (5 B), 1 bad row left out, compared with, not written");
  s.verb = kQuery;
  EXPECT_EQ(line(s, "data"), "1 row (5 B), 1 bad row left out");
}

TEST(SummaryText, TellsTheLargestGroupEscaped) {
  RunSummary s = summary_of_texts();
  EXPECT_EQ(line(s, "groups"), "none");
  s.groups = 2;
  s.largest = {1000, "a\x1b[31m", "first\tline"};
  EXPECT_EQ(line(s, "groups"), "2; the largest has 1,000 rows: a\\x1b[31m: first line");
  s = summary_of_vectors();
  s.groups = 1;
  s.largest = {2, "v1", ""};
  EXPECT_EQ(line(s, "groups"), "1; the largest has 2 rows: v1");
}

TEST(SummaryText, TellsTheMethodWithItsRecall) {
  RunSummary s = summary_of_texts();
  EXPECT_EQ(line(s, "method"), "brute: every pair of words:5 sets is compared; recall 1");
  s.method.method = Method::exact;
  s.kind = kBagItems;
  EXPECT_EQ(line(s, "method"), "exact: prefix index of bags of elements; recall 1");
  s.lowered = true;
  s.threshold = "3/7";
  EXPECT_EQ(line(s, "method"),
            "exact: prefix index of bags of elements; recall 1; thresholds down to 3/7");
  s = summary_of_texts();
  s.method = {
      .method = Method::lsh, .bands = 14, .rows = 8, .components = 128, .expected_recall = 0.98765};
  EXPECT_EQ(
      line(s, "method"),
      "lsh: 14 bands of 8 rows, 128 minhashes of words:5 (unicode); expected recall 0.9877 at "
      "0.8");
  EXPECT_EQ(line(summary_of_vectors(), "method"),
            "lsh: by hyperplanes; expected recall 0.9877 at 3.5");
  s.method = {.reused = "p\x1b.tsv"};
  EXPECT_EQ(line(s, "method"), "reuse: p\\x1b.tsv; nothing was compared");
  EXPECT_EQ(line(s, "checked"), "") << "nothing was";
}

TEST(SummaryText, TellsWhatWasCompared) {
  RunSummary s = summary_of_texts();
  s.candidates = 2000;
  s.verified = 1500;
  EXPECT_EQ(line(s, "checked"), "2,000 candidates, 1,500 verified by their jaccard similarity");
  s.unverified_extra = 5;
  EXPECT_EQ(line(s, "checked"),
            "2,000 candidates, 1,500 verified by their jaccard similarity; 5 further rows "
            "in shared buckets failed verification");
  RunSummary one = summary_of_texts();
  one.candidates = one.verified = one.total.words = 1;
  EXPECT_EQ(line(one, "checked"), "1 candidate, 1 verified by their jaccard similarity");
  EXPECT_EQ(line(one, "text"), "3.0 kB, 1 word");
  EXPECT_EQ(line(summary_of_vectors(), "checked"),
            "0 candidates, 0 verified by their euclidean distance");
  s.templates.assign(
      5,
      {.rows = 300, .may_be_more = true, .common = 0.75, .passage = "p\x07q", .candidates = 9000});
  EXPECT_EQ(line(s, "templates"),
            "at least 300 rows have 75 % of their shingles in common, 9,000 of the candidates: "
            "\"p\\x07q\"");
  const std::string text = summary_text(s);
  std::size_t shown = 0;
  for (std::size_t at = 0; (at = text.find("at least 300", at)) != text.npos; ++at) ++shown;
  EXPECT_EQ(shown, 3U);
}

TEST(SummaryText, ListsEncodings) {
  RunSummary s = summary_of_texts();
  s.encodings = {{"b.csv", "latin-1"}, {"a.csv", "latin-1"}, {"c.csv", "utf-16"}};
  EXPECT_EQ(line(s, "encoding"), "latin-1: 2 files, utf-16: c.csv");
  s.total.ill_formed = 2;
  EXPECT_EQ(
      line(s, "encoding"),
      "latin-1: 2 files, utf-16: c.csv, 2 rows are not in the encoding, each such byte treated "
      "as a character of its own");
  s.encodings.clear();
  s.total.ill_formed = 1;
  EXPECT_EQ(line(s, "encoding"),
            "1 row is not in UTF-8, each such byte treated as a character of its own");
}

TEST(SummaryText, HasATableOfSeveralInputs) {
  RunSummary s = summary_of_texts();
  s.inputs = {{.name = "a.jsonl", .rows = 4}};
  EXPECT_EQ(input_table(s), "");
  std::string name(60, 'x');
  name += "\n.csv";
  s.inputs.push_back({.name = name, .bytes = 2'000'000, .rows = 12345, .kept = 5});
  const std::string table = input_table(s);
  EXPECT_EQ(table.substr(0, table.find("\na.jsonl")),
            "\ninput" + std::string(13, ' ') +
                "          rows       bytes          kept   identical"
                "        near")
      << "80 columns";
  EXPECT_NE(table.find('\n' + std::string(60, 'x') + " .csv\n" + std::string(26, ' ') +
                       "12,345      2.0 MB             5"),
            table.npos)
      << table;
  s.verb = kPairs;
  EXPECT_EQ(input_table(s).find("kept"), std::string::npos);
}

TEST(SummaryNotes, NameWhatWasNotRead) {
  InputNotes notes;
  EXPECT_EQ(input_notes_text(notes), "");
  notes.passed_over = {"a", "b", "c", "d", "e\x1b"};
  EXPECT_EQ(input_notes_text(notes), "not read, not record files: a, b, c, d, e\\x1b\n");
  notes.passed_over.insert(notes.passed_over.end(), {"f", "g"});
  notes.hidden = {"d/.git/", "d/.x.csv"};
  notes.links = {"l"};
  notes.repeated = {{"d/a.txt", "d/a.txt"}, {"d/b.txt", "b.txt"}};
  EXPECT_EQ(input_notes_text(notes),
            "not read, not record files: a, b, c, d, e\\x1b and 2 more\n"
            "not read, 2 hidden paths (--hidden reads them): d/.git/, d/.x.csv\n"
            "not read, symbolic links (--follow reads them): l\n"
            "note: named twice, so its rows count twice: d/a.txt, d/b.txt (also b.txt)\n");
}

TEST(SummaryNotes, NameDamagedInputs) {
  RunSummary s = summary_of_texts();
  EXPECT_EQ(damaged_note(s), "");
  s.damaged = {{"z.gz", "ends early"}};
  EXPECT_EQ(damaged_note(s),
            "1 damaged input, read up to the last complete row: z.gz (ends early)\n");
}

// The note appears if at least one text in ten is short.
TEST(SummaryNotes, SpeakOfShortTextsWhereThereAreMany) {
  RunSummary s = summary_of_texts();
  s.total = {.name = {}, .rows = 120, .empty = 10, .skipped = 5, .unmatched = 5, .short_rows = 9};
  s.short_limit = 45;
  EXPECT_EQ(short_text_note(s), "");
  s.total.short_rows = 10;
  EXPECT_EQ(short_text_note(s),
            "note: 10 of 100 rows have fewer than 45 words: with words:5 at 0.8, one replaced word "
            "already takes them below the threshold. Try a lower --threshold or shorter shingles "
            "(words:2, chars:5).\n");
  s.total = {.name = {}, .rows = 10, .short_rows = 1};
  EXPECT_EQ(
      short_text_note(s).substr(0, 85),
      "note: 1 of 10 rows has fewer than 45 words: with words:5 at 0.8, one replaced word al");
  EXPECT_NE(short_text_note(s).find("takes it below"), std::string::npos);
  s.total.rows = 1;
  EXPECT_EQ(short_text_note(s).substr(0, 38), "note: the only row has fewer than 45 w");
  const auto advice = [&](const char* shingle) {
    s.shingle = shingle;
    const std::string note = short_text_note(s);
    return note.substr(note.find("--threshold"));
  };
  EXPECT_EQ(advice("words:2"), "--threshold or shorter shingles (words:1).\n");
  EXPECT_EQ(advice("words:1"), "--threshold.\n");
  EXPECT_EQ(advice("chars:5"), "--threshold.\n");
  EXPECT_EQ(advice("chars:6"), "--threshold or shorter shingles (words:2, chars:5).\n");
  s.short_limit = 0;
  EXPECT_EQ(short_text_note(s), "");
}

// 20^k shingles of k characters.
TEST(SummaryNotes, SpeakOfShinglesThatAllTextsShare) {
  RunSummary s = summary_of_texts();
  s.shingle = "chars:2";
  s.total = {.name = {}, .words = 4010, .rows = 10};
  EXPECT_TRUE(common_shingles_note(s).starts_with(
      "note: texts of 401 characters contain most of the roughly 400 common chars:2 shingles, re"));
  s.total.words = 4000;
  EXPECT_EQ(common_shingles_note(s), "");
  s.shingle = "chars:1";
  EXPECT_NE(common_shingles_note(s), "");
  s.total.rows = 1;
  EXPECT_EQ(common_shingles_note(s), "") << "one text shares nothing";
  s.total.rows = 10;
  s.shingle = "words:1";
  EXPECT_EQ(common_shingles_note(s), "");
}

}  // namespace
}  // namespace sosie
