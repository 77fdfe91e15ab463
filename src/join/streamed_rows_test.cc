// Tests of rows that arrive through a pipe in pieces, and of reading them.
#include "join/streamed_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <thread>

#include "join/sets/query_row.h"
#include "join/sets/set_run_test.h"
#include "join/sets/sketched_text_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 20;

// A file of rows, and what a stream should reveal about them.
struct StreamCase {
  std::string name;
  std::string rows;
  OptionTexts given;
};

// The facts that a reader learned from a stream.
struct Told {
  std::vector<std::pair<std::uint64_t, std::string>> rows;  // with the lines in which they begin
  std::string events;  // n: it is known what names the rows; r: a row
  std::size_t flushed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t blank_lines = 0;
  std::string place;
  std::vector<QueryRow> read;
};

// Sends the rows through a pipe, some bytes at a time.
Told told_of(const StreamCase& stream, std::size_t at_once,
             const std::optional<BandingPlan>& banding = std::nullopt,
             std::uint64_t memory_bytes = 0) {
  Options options;
  set_option(options, "kind", "text");
  set_option(options, "shingle", "words:1");
  for (const auto& [name, value] : stream.given) set_option(options, name, value);
  Settings settings = resolve(options);
  if (memory_bytes > 0) settings.memory_bytes = memory_bytes;
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < stream.rows.size(); at += at_once) {
      const std::string part = stream.rows.substr(at, at_once);
      EXPECT_EQ(::write(ends[1], part.data(), part.size()), static_cast<ssize_t>(part.size()));
    }
    ::close(ends[1]);
  });
  InputFile input = list_inputs({stream.name}, {}).files.front();
  input.path = "-";
  RunHooks hooks;
  hooks.input_descriptor = ends[0];
  Scratch scratch("/tmp");
  StreamedRows rows(input, options, settings, scratch, hooks);
  Told told;
  std::optional<QueryRowReader> reader;
  const auto read_all = [&] {
    rows.read({[&] {
                 told.events += 'n';
                 reader.emplace(rows.inputs(), settings, banding);
               },
               [&](std::span<const FedRow> some) {
                 for (const FedRow& row : some) {
                   told.events += 'r';
                   told.rows.emplace_back(row.line, row.bytes);
                   reader->read(row, told.rows.size(), told.read.emplace_back());
                 }
               },
               [&] { ++told.flushed; }});
  };
  const auto finish = [&] {
    writer.join();
    ::close(ends[0]);
    told.bytes = rows.bytes();
    told.blank_lines = rows.blank_lines();
    told.place = rows.place(7);
  };
  try {
    read_all();
  } catch (const Error& error) {
    finish();
    told.place = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
    return told;
  }
  finish();
  return told;
}

class Streams : public testing::Test {
 protected:
  Streams() {
    work_in_test_folder();
    for (const char* name : {"in.jsonl", "in.csv", "in.txt"}) std::ofstream{name} << "\n";
  }
};

TEST_F(Streams, OfJsonAreTheirLinesButBlankOnes) {
  const StreamCase stream{
      "in.jsonl",
      "\n{\"id\": 4, \"text\": \"aa bb\"}\n  \n{\"id\": \"x\", \"text\": \"\"}\r\n"
      "{\"text\": 5\n\n{\"id\": 7, \"text\": \"bb cc dd\"}",
      {{"id", "id"}}};
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{5}, kAtOnce}) {
    const Told told = told_of(stream, at_once, kTestPlan);
    EXPECT_EQ(told.bytes, stream.rows.size());
    EXPECT_EQ(told.blank_lines, 3U);
    EXPECT_EQ(told.events, "nrrrr");
    EXPECT_GT(told.flushed, 0U);
    EXPECT_EQ(told.place, "in.jsonl:7");
    ASSERT_EQ(told.rows.size(), 4U);
    EXPECT_EQ(told.rows[0],
              (std::pair<std::uint64_t, std::string>{2, R"({"id": 4, "text": "aa bb"})"}));
    const std::uint64_t lines[] = {2, 4, 5, 7};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(told.rows[i].first, lines[i]);
    EXPECT_EQ(told.read[0].id, "4");
    EXPECT_TRUE(told.read[0].id_is_integer);
    EXPECT_EQ(told.read[0].tokens, 2U);
    EXPECT_EQ(told.read[1].id, "x");
    EXPECT_FALSE(told.read[1].id_is_integer);
    EXPECT_EQ(told.read[1].state, RowState::empty);
    EXPECT_TRUE(told.read[1].set.empty());
    EXPECT_TRUE(told.read[2].is_bad());
    EXPECT_EQ(told.read[2].trouble_line, 5U);
    EXPECT_FALSE(told.read[3].is_bad());
  }
}

// Each row is answered with the knowledge available at that time.
TEST_F(Streams, OfJsonAskWhatNamesTheRowsUntilARowTells) {
  const StreamCase stream{
      "in.jsonl", "nonsense\n[1]\n{\"text\": \"aa\"}\n{\"text\": \"bb\"}\n", {}};
  for (const std::size_t at_once : {std::size_t{2}, kAtOnce}) {
    const Told told = told_of(stream, at_once);
    EXPECT_EQ(told.events, "nrnrnrr");
    EXPECT_TRUE(told.read[0].is_bad() && told.read[1].is_bad());
    EXPECT_FALSE(told.read[2].is_bad() || told.read[3].is_bad());
  }
}

TEST_F(Streams, OfTablesAreTheRowsBehindTheHeader) {
  const StreamCase stream{"in.csv",
                          "name,text,more\na,\"aa\nbb\n\",1\nb,cc dd,2\nc,\"x\n\ny\" z,3\n",
                          {{"id", "name"}, {"show", "more"}}};
  for (const std::size_t at_once : {std::size_t{1}, std::size_t{3}, kAtOnce}) {
    const Told told = told_of(stream, at_once);
    EXPECT_EQ(told.events, "nrrr");
    ASSERT_EQ(told.rows.size(), 3U);
    const std::uint64_t lines[] = {2, 5, 6};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(told.rows[i].first, lines[i]);
    EXPECT_EQ(told.read[0].id, "a");
    EXPECT_EQ(told.read[0].shown, std::vector<std::string>{"1"});
    EXPECT_EQ(told.read[0].set, SketchedText("aa bb").set);
    EXPECT_EQ(told.read[1].shown, std::vector<std::string>{"2"});
    EXPECT_TRUE(told.read[2].is_bad());
    EXPECT_EQ(told.read[2].trouble_line, 6U) << "the line where the quote opens";
  }
}

TEST_F(Streams, WithoutIdsNumberTheirRows) {
  const Told told = told_of({"in.txt", "aa\nbb cc\n", {{"id", "row"}}}, 4);
  ASSERT_EQ(told.read.size(), 2U);
  EXPECT_EQ(told.read[1].id, "2");
  EXPECT_TRUE(told.read[1].id_is_integer);
}

TEST_F(Streams, AnswerTheRowsBeforeOneThatIsTooLong) {
  const std::string many(40'000, 'a');
  for (const bool ends : {false, true}) {
    const StreamCase stream{"in.txt", "aa bb\ncc\n" + many + (ends ? "\ndd\n" : ""), {}};
    for (const std::size_t at_once : {std::size_t{1000}, kAtOnce}) {
      const Told told = told_of(stream, at_once, std::nullopt, 1 << 18);
      EXPECT_EQ(told.rows.size(), 2U);
      EXPECT_GT(told.flushed, 0U);
      EXPECT_NE(told.place.find("in.txt:3"), std::string::npos) << told.place;
    }
  }
}

TEST_F(Streams, OfRowsThatAreNotUtf8TakePartUnlessTheyAreSkipped) {
  const std::string rows = "aa bb\naa \xFF\ncc\n";
  const Told passed = told_of({"in.txt", rows, {{"encoding", "utf-8"}}}, kAtOnce);
  ASSERT_EQ(passed.read.size(), 3U);
  EXPECT_TRUE(passed.read[0].encoding_fault.empty());
  EXPECT_FALSE(passed.read[1].is_bad());
  EXPECT_FALSE(passed.read[1].encoding_fault.empty());
  EXPECT_EQ(passed.read[1].trouble_line, 2U);
  EXPECT_FALSE(passed.read[1].set.empty());
  const Told skipped =
      told_of({"in.txt", rows, {{"encoding", "utf-8"}, {"on-bad-row", "skip"}}}, kAtOnce);
  EXPECT_TRUE(skipped.read[1].is_bad());
  EXPECT_TRUE(skipped.read[1].set.empty());
  EXPECT_FALSE(skipped.read[2].is_bad());
}

// Sets and sketches of rows equal the ones of their texts, whatever rows came before.
RC_GTEST_PROP(RowsOfStreams, AreSeenAsTheirTexts, ()) {
  work_in_test_folder();
  std::ofstream{"in.txt"} << "\n";
  std::vector<std::string> texts = random_texts(*rc::gen::arbitrary<std::uint64_t>(), 20);
  std::erase(texts, "");
  std::string rows;
  for (const std::string& text : texts) rows += text + "\n";
  const Told told = told_of({"in.txt", rows, {}}, *rc::gen::inRange<std::size_t>(1, 60), kTestPlan);
  RC_ASSERT(told.read.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& row = told.read[i];
    const SketchedText expected(texts[i]);
    RC_ASSERT(row.state == RowState::normal);
    RC_ASSERT(row.tokens == (texts[i].size() + 1) / 3);
    RC_ASSERT(row.set == expected.set);
    RC_ASSERT(row.keys == expected.sketch.keys);
    RC_ASSERT(row.filter == expected.sketch.filter);
    RC_ASSERT(row.sketched().set.size() == row.set.size());
  }
}

}  // namespace
}  // namespace sosie
