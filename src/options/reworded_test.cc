// Tests of messages reworded for a front end.
#include "sosie/reworded.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

// A front end that has --top and --audit alone.
std::optional<std::string> words(std::string_view option, std::string_view value) {
  if (option != "top" && option != "audit") return std::nullopt;
  return "[" + std::string(option) + (value.empty() ? "" : ":" + std::string(value)) + "]";
}

TEST(Reworded, OptionsGetTheWordsOfTheFrontEnd) {
  EXPECT_EQ(reworded("--top 3, or --audit=all.", words), "[top] 3, or [audit:all].");
  EXPECT_EQ(reworded("--audit=30 draws more", words), "[audit]=30 draws more");
  EXPECT_EQ(reworded("raise --memory or --top", words), "raise --memory or [top]");
}

TEST(Reworded, OnlyOptionsOfTheTableAreChanged) {
  for (const std::string_view text :
       {"a--top", "_--top", "--topmost", "-- top", "field '--none'", "", "; ", "`"}) {
    EXPECT_EQ(reworded(text, words), text == "; " ? "" : text) << text;
  }
}

TEST(Reworded, CommandsStay) {
  EXPECT_EQ(reworded("`sosie pairs --top 3` is faster than --top", words),
            "`sosie pairs --top 3` is faster than [top]");
  EXPECT_EQ(reworded("lower --top; sosie plan --top 3 says more; or --top", words),
            "lower [top]; sosie plan --top 3 says more; or [top]");
}

TEST(Reworded, HintsLeaveOutWhatTheFrontEndLacks) {
  EXPECT_EQ(reworded_hint("--column FIELD names the text, --top 1; lower --top", words),
            "lower [top]");
  EXPECT_EQ(reworded_hint("raise --memory", words), "");
  EXPECT_EQ(reworded_hint("run `sosie plan --top 3`; lower --top", words), "lower [top]");
  EXPECT_EQ(reworded_hint("raise --memory; sosie index build INDEX --fields F makes one", words),
            "sosie index build INDEX --fields F makes one");
}

}  // namespace
}  // namespace sosie
