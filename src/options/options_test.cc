#include "sosie/options.h"

#include <gtest/gtest.h>

#include <set>

#include "join/sets/set_run.h"
#include "options/settings.h"
#include "sosie/error.h"

namespace sosie {
namespace {

TEST(OptionTable, NamesAreUniqueAndDocumented) {
  std::set<std::string_view> names;
  for (const OptionRow& row : option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    if (!row.alias.empty()) {
      EXPECT_TRUE(names.insert(row.alias).second) << row.alias;
    }
    EXPECT_FALSE(row.help.empty()) << row.name;
    EXPECT_EQ(row.metavar.empty(), row.type == OptionType::flag) << row.name;
    EXPECT_NE(row.verbs, VerbBit{}) << row.name;
    EXPECT_EQ(find_option(row.name), &row);
  }
}

TEST(OptionTable, NoNameIsAPythonKeyword) {
  const std::set<std::string_view> keywords = {"as",  "from", "in",  "is",
                                               "not", "or",   "and", "with"};
  for (const OptionRow& row : option_table()) EXPECT_FALSE(keywords.contains(row.name));
}

// The documented defaults are the defaults of the struct, so setting them changes nothing.
TEST(OptionTable, ShownDefaultsAreTheRealOnes) {
  for (const char* name : {"column", "threshold", "shingle", "tokens", "method", "recall", "seed",
                           "keep", "clustering", "on-bad-row", "progress"}) {
    Options set;
    set_option(set, name, find_option(name)->default_text);
    const Options fresh;
    EXPECT_EQ(set.column + set.threshold + set.shingle + set.tokens + set.recall + set.keep +
                  set.clustering + set.on_bad_row + set.progress + std::to_string(set.seed),
              fresh.column + fresh.threshold + fresh.shingle + fresh.tokens + fresh.recall +
                  fresh.keep + fresh.clustering + fresh.on_bad_row + fresh.progress +
                  std::to_string(fresh.seed))
        << name;
    EXPECT_EQ(set.method, fresh.method) << name;
  }
}

TEST(OptionTable, RefusesWhatCannotBeMeant) {
  const std::vector<std::pair<const char*, const char*>> bad = {
      {"threshold", "abc"},   {"threshold", "1e"},  {"recall", "0"},        {"recall", "2"},
      {"shingle", "words:0"}, {"tokens", "utf8"},   {"method", "exact2"},   {"bands", "14"},
      {"bands", "0x5"},       {"bands", "999x999"}, {"seed", "-1"},         {"keep", "best"},
      {"keep", "max:"},       {"keep", ""},         {"threads", "0"},       {"memory", "lots"},
      {"memory", "0"},        {"top", "0"},         {"measure", "cosine2"}, {"on-bad-row", "drop"},
      {"dry-run", "perhaps"}, {"column", ""},       {"nonsense", "1"}};
  for (const auto& [name, value] : bad) {
    Options options;
    try {
      set_option(options, name, value);
      ADD_FAILURE() << name << ' ' << value;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  }
}

TEST(Error, TellsOptionValueAndReasonApart) {
  Options options;
  try {
    set_option(options, "threads", "0");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.option(), "threads");
    EXPECT_EQ(error.what(), "--threads: " + error.reason());
    EXPECT_TRUE(error.place().empty());
  }
  const Error recall(ErrorKind::invalid_option, RefusedOption{"recall", "1"}, "is too much",
                     "less");
  EXPECT_STREQ(recall.what(), "--recall 1: is too much");
  EXPECT_EQ(recall.value(), "1");
  const Error row(ErrorKind::malformed_input, BadPlace{"a.csv:3"}, "broken");
  EXPECT_STREQ(row.what(), "a.csv:3: broken");
  EXPECT_EQ(row.place(), "a.csv:3");
  EXPECT_EQ(row.reason(), "broken");
  EXPECT_EQ(Error(ErrorKind::io, "disk full").reason(), "disk full");
}

TEST(OptionTable, ReadsSizes) {
  Options options;
  set_option(options, "memory", "256M");
  EXPECT_EQ(options.memory_bytes, std::uint64_t{256} << 20);
  set_option(options, "memory", "4G");
  EXPECT_EQ(options.memory_bytes, std::uint64_t{4} << 30);
  set_option(options, "memory", "1000000");
  EXPECT_EQ(options.memory_bytes, 1000000U);
}

TEST(OptionHint, NamesTheNearestOption) {
  EXPECT_EQ(option_hint("treshold", kAllVerbs), "did you mean --threshold?");
  EXPECT_EQ(option_hint("thresh", kAllVerbs), "did you mean --threshold?");
  EXPECT_EQ(option_hint("ngram", kAllVerbs), "use --shingle words:N");
  EXPECT_EQ(option_hint("xyzzyplugh", kAllVerbs), "");
}

TEST(Settings, ResolveCombinations) {
  Options options;
  options.recall = "1";
  EXPECT_EQ(resolve(options).method, Method::exact);
  options.method = Method::lsh;
  EXPECT_THROW((void)resolve(options), Error);
  options.recall = "0.9";
  options.bands = "14x8";
  const Settings settings = resolve(options);
  EXPECT_EQ(settings.fixed_bands, 14);
  EXPECT_EQ(settings.fixed_rows, 8);
  options.bands = "300x10";  // only vectors and bits may have this many
  EXPECT_THROW((void)resolve(options), Error);
  options.bands = "14x8";
  options.method = Method::brute;
  EXPECT_THROW((void)resolve(options), Error);
}

TEST(Keep, RulesAreRead) {
  const auto rules = parse_keep("max:score,longest,last");
  ASSERT_TRUE(rules.has_value());
  EXPECT_EQ(rules->size(), 3U);
  EXPECT_EQ((*rules)[0].field, "score");
  EXPECT_FALSE(parse_keep("first,").has_value());
  const auto escaped = parse_keep(R"(max:a\,b,last)");
  ASSERT_TRUE(escaped.has_value());
  EXPECT_EQ(escaped->size(), 2U);
  EXPECT_EQ(escaped->front().field, R"(a\,b)");  // still escaped, for field_paths()
}

// words:5 at 0.8 gives texts under 49 words (CLI.md).
TEST(ShortText, LimitIsWhereOneReplacedWordStillPasses) {
  EXPECT_EQ(short_text_limit({ShingleUnit::words, 5, TokenMode::unicode}, {4, 5}), 49U);
  for (const int n : {1, 2, 5, 9}) {
    const Rational t{4, 5};
    const std::uint64_t words = short_text_limit({ShingleUnit::words, n, TokenMode::unicode}, t);
    const auto size = static_cast<std::uint64_t>(n);
    const std::uint64_t shingles = words - size + 1;
    EXPECT_TRUE(at_least(shingles - size, shingles + size, t)) << n;
    EXPECT_FALSE(at_least(shingles - 1 - size, shingles - 1 + size, t)) << n;
  }
}

}  // namespace
}  // namespace sosie
