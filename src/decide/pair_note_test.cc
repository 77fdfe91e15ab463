// Tests of notes in pairs files: their content, and the runs for which they are valid.
#include "decide/pair_note.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

using Request = PairsFileRequirements;

Request asked_for(const std::string& threshold, const std::string& within = {}) {
  return {.path = "p.tsv",
          .threshold = threshold,
          .within = within,
          .measure = "jaccard",
          .bag_union = "max"};
}

// Message and hint of the error; empty if the note is accepted.
std::string refusal(const std::string& note, const Request& asked) {
  try {
    check_pair_note(note, asked);
  } catch (const Error& error) {
    return std::string(error.what()) + "; " + error.hint();
  }
  return {};
}

std::vector<std::string> told(const std::string& note, const Request& asked, bool quiet = false) {
  std::vector<std::string> messages;
  Options options;
  options.quiet = quiet;
  RunHooks hooks;
  hooks.on_message = [&](std::string_view text) { messages.emplace_back(text); };
  tell_of_pair_note(note, asked, options, hooks);
  return messages;
}

TEST(PairNote, SaysTheBoundTheMeasureAndWhatIsUnusual) {
  Options options;
  const BoundFacts jaccard{"jaccard", "0.9"};
  EXPECT_EQ(pair_note(options, jaccard), "threshold=0.9 measure=jaccard");
  EXPECT_EQ(pair_note(options, {"hamming", "3", false}), "within=3 measure=hamming");
  EXPECT_EQ(pair_note(options, {"hamming", "", false}), "measure=hamming");
  set_option(options, "shingle", "chars:5");
  set_option(options, "tokens", "ascii");
  set_option(options, "against", "other.jsonl");
  options.top = 3;
  options.top_pairs = 7;
  EXPECT_EQ(pair_note(options, jaccard),
            "threshold=0.9 measure=jaccard shingle=chars:5 tokens=ascii against=yes top=3 "
            "top-pairs=7");
  set_option(options, "kind", "bags");
  options.bag_union = "sum";
  options.against.clear();
  EXPECT_EQ(pair_note(options, jaccard),
            "threshold=0.9 measure=jaccard union=sum top=3 top-pairs=7");
}

// Thresholds in hundredths; distances are 1 - threshold.
RC_GTEST_PROP(PairNote, ServesBoundsThatLoseNoPair, ()) {
  const int made = *rc::gen::inRange(0, 101);
  const int asked = *rc::gen::inRange(0, 101);
  const bool made_within = *rc::gen::arbitrary<bool>();
  const bool asks_within = *rc::gen::arbitrary<bool>();
  const auto text = [](int hundredths) { return std::to_string(hundredths) + "/100"; };
  const std::string note =
      (made_within ? "within=" + text(100 - made) : "threshold=" + text(made)) + " measure=jaccard";
  const std::string said =
      refusal(note, asks_within ? asked_for("", text(100 - asked)) : asked_for(text(asked)));
  RC_ASSERT(said.empty() == (asked >= made));
}

TEST(PairNote, IsRefusedWithBothValuesAndAWayOut) {
  EXPECT_EQ(refusal("threshold=0.8 measure=jaccard", asked_for("0.7")),
            "p.tsv: was made with --threshold 0.8 and lacks pairs for --threshold 0.7; recreate "
            "the pairs with --threshold 0.7, or use --threshold 0.8");
  EXPECT_EQ(refusal("within=3 measure=jaccard", asked_for("", "4")),
            "p.tsv: was made with --within 3 and lacks pairs for --within 4; recreate the pairs "
            "with --within 4, or use --within 3");
  EXPECT_EQ(
      refusal("threshold=0.8 measure=jaccard", asked_for("", "0.3")),
      "p.tsv: was made with --threshold 0.8 and lacks pairs for --within 0.3; recreate the pairs "
      "with --within 0.3");
  EXPECT_EQ(refusal("threshold=high measure=jaccard", asked_for("1")),
            "p.tsv: was made with the threshold 'high', which is not a number; ");
  EXPECT_EQ(refusal("within=far", asked_for("")),
            "p.tsv: was made with a distance 'far', which is not a number; ");
  // A distance above 1 corresponds to no similarity except 0.
  EXPECT_EQ(refusal("within=7 measure=jaccard", asked_for("0")), "");
}

TEST(PairNote, IsRefusedForPairsOfAnotherRun) {
  Request asked = asked_for("0.9");
  EXPECT_EQ(refusal("threshold=0.8 measure=dice", asked),
            "p.tsv: was made with --measure dice, this run has jaccard; recreate the pairs");
  EXPECT_EQ(refusal("threshold=0.8 measure=jaccard union=sum", asked),
            "p.tsv: was made with --union sum, this run has max; recreate the pairs");
  asked.shingle = "words:5";
  asked.tokens = "unicode";
  EXPECT_EQ(refusal("threshold=0.8 measure=jaccard", asked), "");
  EXPECT_EQ(refusal("threshold=0.8 measure=jaccard shingle=chars:5", asked),
            "p.tsv: was made with --shingle chars:5, this run has words:5; recreate the pairs");
  EXPECT_EQ(refusal("threshold=0.8 measure=jaccard tokens=raw", asked),
            "p.tsv: was made with --tokens raw, this run has unicode; recreate the pairs");
  // Without a measure, nothing is known about the way in which the pairs were made.
  EXPECT_EQ(refusal("threshold=0.8 tokens=raw", asked), "");
  asked.measure = "";
  EXPECT_EQ(refusal("threshold=0.8 measure=dice", asked), "");

  EXPECT_EQ(refusal("measure=jaccard against=yes", asked), "");
  asked.of_one_collection = true;
  EXPECT_TRUE(
      refusal("measure=jaccard against=yes", asked).starts_with("p.tsv: was made with --against"));
  EXPECT_EQ(refusal("words without an equals sign threshold=0.8", asked), "");
}

TEST(PairNote, TellsWhatTheFileMayLack) {
  using Messages = std::vector<std::string>;
  EXPECT_EQ(told("threshold=0.8", asked_for("0.9")), Messages{});
  EXPECT_EQ(
      told("", asked_for("0.9")),
      Messages{"p.tsv: does not record the --threshold it was made with, so pairs below it are "
               "missing"});
  EXPECT_EQ(told("", asked_for("", "3")),
            Messages{"p.tsv: does not record the --within it was made with, so pairs beyond it are "
                     "missing"});
  EXPECT_EQ(told("", asked_for("0.9"), true), Messages{});
  Request piped = asked_for("");
  piped.path = "-";
  EXPECT_EQ(told("", piped), Messages{});
  piped.threshold = "0.9";
  EXPECT_EQ(told("", piped).size(), 1U);
  EXPECT_EQ(
      told("within=3 top=5 top-pairs=9 against=yes", asked_for("")),
      (Messages{
          "p.tsv: was made with --against; equal ids of the two collections count as one item here",
          "p.tsv: was made with --top 5; it lacks all other pairs",
          "p.tsv: was made with --top-pairs 9; it lacks all other pairs"}));
}

}  // namespace
}  // namespace sosie
