// Tests reading, writing and rejecting link rules in TOML.
#include "options/link_rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr const char* kRules = R"(version = 1
[fields]
name = { columns = ["given", "surname"], clean = "alnum", compare = "jaro-winkler", levels = [0.92, 0.82], swapped = true, nicknames = "nick.csv" }
born = { type = "date", format = "%d.%m.%Y|%d %b %y", format_right = "%Y-%m-%d", compare = "days", levels = [1, 31] }
"post code" = { columns_right = "zip", clean = "digits", compare = "levenshtein", levels = [1] }
price = { type = "number", decimal = ",", decimal_right = ".", compare = "ratio", levels = [0.05] }
note = { compare = "none", separator = "; " }
[candidates]
rules = [
  { equal = ["born"] },
  { equal = ["name", "post code"], prefix = 3 },
  { near = ["name", "note"], top = 7 },
  { sorted = ["name"], window = 4 },
  { near = ["name"], measure = "levenshtein", within = 2 },
  { near = ["name"], measure = "osa", threshold = 0.85 },
  { near = ["note"], measure = "jaccard", shingle = "words:2", threshold = 0.5, method = "lsh", recall = 0.95 },
  { near = ["note"], measure = "cosine", threshold = 0.5, top = 4 },
  { near = ["note"], measure = "dice", threshold = 0.25 },
]
max_block = 50
[decide]
assign = "best"
cut = "precision:0.99"
always = [{ equal = ["born", "name"] }, { equal = "price" }]
never = [{ differ = ["born"] }]
)";

// The error for rules that cannot be read: its place, reason and hint.
std::string refusal(const std::string& text) {
  try {
    (void)parse_link_rules(text, "r.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
    return error.place() + "|" + error.reason() + "|" + error.hint();
  }
  return "none";
}

std::string with_field(const std::string& field) {
  return "version = 1\n[fields]\na = " + field + "\n[candidates]\nrules = [{ near = [\"a\"] }]\n";
}

TEST(LinkRules, HoldWhatTheFileSays) {
  const LinkRules rules = parse_link_rules(kRules, "r.toml");
  ASSERT_EQ(rules.fields.size(), 5U);
  EXPECT_EQ(rules.fields[0].name, "name");
  EXPECT_EQ(rules.fields[0].columns, (std::vector<std::string>{"given", "surname"}));
  EXPECT_EQ(rules.fields[0].form.clean, FieldClean::alnum);
  EXPECT_EQ(rules.fields[0].comparison.bounds, (std::vector<double>{0.92, 0.82}));
  EXPECT_EQ(rules.fields[1].form.date_format, "%d.%m.%Y|%d %b %y");
  EXPECT_EQ(rules.fields[1].form_right().date_format, "%Y-%m-%d");
  EXPECT_EQ(rules.fields[3].form.decimal, ',');
  EXPECT_EQ(rules.fields[3].form_right().decimal, '.');
  EXPECT_EQ(rules.fields[2].columns, std::vector<std::string>{"post code"});
  EXPECT_EQ(rules.fields[2].columns_right, std::vector<std::string>{"zip"});
  EXPECT_FALSE(rules.fields[4].is_compared);
  EXPECT_EQ(rules.compared(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(rules.fields[0].swapped);
  EXPECT_EQ(rules.fields[0].nicknames, "nick.csv");
  EXPECT_EQ(rules.fields[4].separator, "; ");
  ASSERT_EQ(rules.candidates.size(), 9U);
  EXPECT_EQ(rules.candidates[1].prefix, 3U);
  EXPECT_EQ(rules.candidates[2].top, 7U);
  EXPECT_EQ(rules.candidates[2].fields, (std::vector<std::uint32_t>{0, 4}));
  EXPECT_TRUE(rules.candidates[2].near.is_tfidf());
  EXPECT_EQ(rules.candidates[3].window, 4U);
  EXPECT_EQ(rules.candidates[4].near.within, 2U);
  EXPECT_TRUE(rules.candidates[4].near.is_of_strings());
  EXPECT_EQ(rules.candidates[5].near.threshold, "0.85");
  EXPECT_TRUE(rules.candidates[6].near.lsh);
  EXPECT_EQ(rules.candidates[6].near.recall, 0.95);
  EXPECT_EQ(rules.candidates[6].near.shingle, "words:2");
  EXPECT_EQ(rules.candidates[6].top, 0U);
  EXPECT_EQ(rules.candidates[7].top, 4U);
  EXPECT_EQ(rules.candidates[8].top, 0U);
  EXPECT_EQ(rules.always, (std::vector<PairRule>{{1, 0}, {3}}));
  EXPECT_EQ(rules.never, (std::vector<PairRule>{{1}}));
  EXPECT_EQ(rules.max_block, 50U);
  EXPECT_EQ(rules.assign, Assign::best);
  EXPECT_EQ(rules.cut, "precision:0.99");
}

TEST(LinkRules, AreWrittenAsTheyAreRead) {
  const std::string text = link_rules_text(parse_link_rules(kRules, "r.toml"), {"a note"});
  EXPECT_TRUE(text.starts_with("# a note\nversion = 1\n"));
  EXPECT_EQ(link_rules_text(parse_link_rules(text, "r.toml"), {"a note"}), text);
}

TEST(LinkRules, RefuseVeryManyLevels) {
  std::string bounds = "1000";
  for (int bound = 1001; bound < 1061; ++bound) bounds += ", " + std::to_string(bound);
  const std::string field = "{ compare = \"levenshtein\", levels = [" + bounds;
  EXPECT_EQ(parse_link_rules(with_field(field + "] }"), "r.toml").fields[0].comparison.levels(),
            kMostLevels);
  EXPECT_NE(refusal(with_field(field + ", 2000] }")), "none");
}

TEST(LinkRules, HoldColumnsThatAreComparedInMoreThanOneWay) {
  const std::string text =
      "version = 1\n[fields]\n"
      "given = { crosswise = \"surname\" }\nsurname = {}\n"
      "price = { type = \"number\", compare = \"nearness\" }\n"
      "code = { compare = \"edit-similarity\", clean = \"words\" }\n"
      "all = { columns = [\"given\", \"price\"], brief = \"given\", compare = \"tfidf\" }\n"
      "[candidates]\nrules = [{ near = [\"all\"], prune = 0.2 }]\n";
  const LinkRules rules = parse_link_rules(text, "r.toml");
  EXPECT_EQ(rules.fields[0].crosswise, "surname");
  EXPECT_EQ(rules.fields[2].comparison.bounds.size(), 5U);
  EXPECT_EQ(rules.fields[3].comparison.bounds.size(), 4U);
  EXPECT_EQ(rules.fields[4].brief, (std::vector<std::string>{"given"}));
  EXPECT_EQ(rules.candidates[0].near.prune, 0.2);
  const std::string written = link_rules_text(rules, {});
  EXPECT_EQ(link_rules_text(parse_link_rules(written, "r.toml"), {}), written);
}

TEST(LinkRules, RefuseWhatIsNotKnownWithItsLine) {
  EXPECT_EQ(refusal(with_field("{ colums = [\"x\"] }")),
            "r.toml:3|unknown key 'colums'|did you mean columns?");
  EXPECT_EQ(refusal(with_field("{ compare = \"jaro\" }")),
            "r.toml:3|'jaro' is no comparison|did you mean jaro-winkler?");
  EXPECT_EQ(refusal(with_field("{ clean = \"fol\" }")),
            "r.toml:3|'fol' is no clean|did you mean fold?");
  EXPECT_EQ(
      refusal("version = 1\n[fields]\nname = {}\n[candidates]\nrules = [\n{ near = [\"nam\"] }]"),
      "r.toml:6|'nam' is not a field|did you mean name?");
  EXPECT_EQ(refusal("version = 1\nfield = 1\n"),
            "r.toml:2|unknown key 'field'|did you mean fields?");
}

TEST(LinkRules, RefuseWhatCannotBeMeant) {
  EXPECT_EQ(refusal("version = 2\n").substr(0, 9), "r.toml:1|");
  EXPECT_EQ(refusal("[fields\n").substr(0, 19), "r.toml:1|not TOML: ");
  for (const char* field : {"{ levels = [0.8, 0.9] }",
                            "{ levels = [1.5] }",
                            "{ compare = \"levenshtein\", levels = [2, 1] }",
                            "{ compare = \"equal\", levels = [1] }",
                            "{ crosswise = \"b\" }",
                            "{ crosswise = \"a\" }",
                            "{ brief = \"b\", compare = \"tfidf\" }",
                            "{ brief = \"a\" }",
                            "{ compare = \"nearness\" }",
                            "{ compare = \"days\" }",
                            "{ compare = \"ratio\" }",
                            "{ format = \"%Y\" }",
                            "{ type = \"date\", format = \"%d.%m\" }",
                            "{ type = \"date\", format = \"%Y|\" }",
                            "{ format_right = \"%Y\" }",
                            "{ type = \"date\", decimal = \",\" }",
                            "{ type = \"number\", decimal = \";\" }",
                            "{ levels = 3 }",
                            "{ columns = [] }",
                            "{ columns = [1] }",
                            "3",
                            "{ compare = \"none\" }",
                            "{ levels = [nan] }",
                            "{ levels = [-1] }",
                            "{ levels = [inf] }",
                            "{ levels = [1e300] }",
                            "{ swapped = true }",
                            "{ swapped = 1 }",
                            "{ swapped = true, columns = [\"x\"] }",
                            "{ swapped = true, columns = [\"x\", \"y\"], separator = \";\" }",
                            "{ swapped = true, columns = [\"x\", \"y\"], columns_right = [\"z\"] }",
                            "{ nicknames = \"\" }",
                            "{ nicknames = \"n.csv\", compare = \"equal\" }",
                            "{ nicknames = \"n.csv\", type = \"number\", compare = \"ratio\" }",
                            "{ separator = \"\" }"}) {
    EXPECT_EQ(refusal(with_field(field)).substr(0, 7), "r.toml:") << field;
  }
  for (const char* rule :
       {"{}",
        "{ near = [\"a\"], equal = [\"a\"] }",
        "{ near = [\"a\"], window = 3 }",
        "{ near = [\"a\"], top = 0 }",
        "{ equal = [] }",
        "3",
        "{ equal = [\"a\"], top = 3 }",
        "{ sorted = [\"a\"], within = 3 }",
        "{ near = [\"a\"], measure = \"levenshtein\" }",
        "{ near = [\"a\"], measure = \"levenshtein\", within = -1 }",
        "{ near = [\"a\"], measure = \"levenshtein\", within = 1.5 }",
        "{ near = [\"a\"], measure = \"levenshtein\", within = 2, threshold = 0.9 }",
        "{ near = [\"a\"], measure = \"levenshtein\", within = 2, top = 5 }",
        "{ near = [\"a\"], measure = \"indel\", threshold = 1.5 }",
        "{ near = [\"a\"], measure = \"indel\", threshold = nan }",
        "{ near = [\"a\"], measure = \"indel\", threshold = 0.8, shingle = \"chars:3\" }",
        "{ near = [\"a\"], measure = \"cosine\", within = 2 }",
        "{ near = [\"a\"], measure = \"cosine\", threshold = 0.5, method = \"lsh\" }",
        "{ near = [\"a\"], measure = \"jaccard\", method = \"lsh\" }",
        "{ near = [\"a\"], measure = \"jaccard\", threshold = 0.5, recall = 0.9 }",
        "{ near = [\"a\"], measure = \"jaccard\", threshold = 0.5, method = \"lsh\", recall = 1 }",
        "{ near = [\"a\"], measure = \"jaccard\", threshold = 0.5, method = \"lsh\", top = 5 }",
        "{ near = [\"a\"], measure = \"jaccard\", threshold = 0 }",
        "{ near = [\"a\"], measure = \"euclidean\", threshold = 0.5 }",
        "{ near = [\"a\"], measure = \"tversky:0.5\", threshold = 0.5 }",
        "{ near = [\"a\"], shingle = \"chars:0\" }",
        "{ near = [\"a\"], shingle = \"bytes:3\" }",
        "{ near = [\"a\"], prune = 0.6 }",
        "{ near = [\"a\"], prune = -1 }",
        "{ equal = [\"a\"], prune = 0.2 }",
        "{ near = [\"a\"], measure = \"dice\", prune = 0.2 }",
        "{ near = [\"a\"], threshold = 0.5 }",
        "{ near = [\"a\"], within = 1 }"}) {
    EXPECT_EQ(
        refusal(std::string("version = 1\n[fields]\na = {}\n[candidates]\nrules = [") + rule + "]")
            .substr(0, 9),
        "r.toml:5|")
        << rule;
  }
  for (const char* decide :
       {"always = 3", "always = [{}]", "always = [{ differ = [\"a\"] }]", "never = [3]",
        "never = [{ differ = [\"b\"] }]", "never = [{ differ = [] }]", "assign = \"some\"",
        "cut = 0", "cut = nan", "cut = -1", "cut = \"recall:0.9\"", "cut = [1]"}) {
    EXPECT_EQ(refusal(with_field("{}") + "[decide]\n" + decide + "\n").substr(0, 9), "r.toml:7|")
        << decide;
  }
  EXPECT_NE(refusal("version = 1\n[fields]\na = {}\n"), "none");
  EXPECT_NE(refusal("version = 1\n[fields]\na = {}\n[candidates]\nrules = []\n"), "none");
}

TEST(LinkRules, AreRefusedForLettersInPlaceOfBlanksAndKeys) {
  for (const char* letter : {"\u00E9", "\u02FF", "\u3042", "\u2C80", "\uFE00", "\U0001F600"}) {
    for (const std::string& line :
         {fmt::format("{} = 1", letter), fmt::format("x {} = 1", letter),
          fmt::format("x = {}", letter), fmt::format("x = 1 {}", letter)}) {
      EXPECT_TRUE(refusal("version = 1\n" + line + "\n").starts_with("r.toml:2|not TOML: "))
          << line;
    }
  }
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(LinkRules, AreRefusedForKeysOfVeryManyParts) {
  for (const std::size_t parts : {std::size_t{64}, std::size_t{200'000}}) {
    for (const char* part : {"a.", "a . ", "\"a b\".", "'\t'\t.\t"}) {
      const std::string key = repeated(part, parts) + "a";
      for (const std::string& line :
           {key + " = 1", "[" + key + "]", "[[fields." + key + "]]", "x = { " + key + " = 1 }",
            "x = 'y' # z\nx = [{ x = '''\n''', " + key + " = 1 }]"}) {
        EXPECT_TRUE(refusal("# ......\n" + line).ends_with("|a key has more than 64 parts|"))
            << line.substr(0, 80);
      }
      EXPECT_TRUE(refusal("version = 1\n" + key + " = 1").starts_with("r.toml:2|"));
    }
  }
  // Brackets and keys nested as deeply as allowed.
  const std::string opened = "{ " + repeated("a.", 62) + "a = ";
  for (const std::size_t depth : {std::size_t{200}, std::size_t{300}}) {
    const std::string text = "x = " + repeated(opened, depth) + "1" + repeated(" }", depth);
    EXPECT_TRUE(refusal(text).starts_with("r.toml:1|")) << depth;
  }
  const std::string dotted = with_field("{}") + "# " + std::string(500, '.') + "\n";
  EXPECT_EQ(refusal(dotted), "none");
  EXPECT_EQ(refusal(with_field("{}") + " # " + repeated("see e.g. a.b. ", 40) + "\n"), "none");
}

TEST(LinkRules, SayWhatCannotBeCombined) {
  const auto of_rule = [](const std::string& rule) {
    return refusal("version = 1\n[fields]\na = {}\n[candidates]\nrules = [" + rule + "]");
  };
  EXPECT_EQ(of_rule("{ near = [\"a\"], measure = \"levenstein\", within = 2 }"),
            "r.toml:5|'levenstein' is no measure|did you mean levenshtein?");
  EXPECT_EQ(of_rule("{ near = [\"a\"], measure = \"osa\", within = 2, top = 3 }"),
            "r.toml:5|top cannot be combined with 'osa', which compares strings and counts "
            "edits|within or threshold finds all similar strings");
  EXPECT_EQ(of_rule("{ near = [\"a\"], measure = \"dice\", threshold = 0.5, method = \"lsh\" }"),
            "r.toml:5|there is no lsh for 'dice'|measure = \"jaccard\" has one; method = \"exact\" "
            "finds every pair");
  EXPECT_EQ(of_rule("{ equal = [\"a\"], within = 2 }"), "r.toml:5|within is for near|");
}

TEST(LinkRules, CutsAreAutoOrPartsOfOne) {
  for (const char* cut : {"auto", "0.5", "1", "9/10", "precision:0.99"}) {
    EXPECT_TRUE(is_link_cut(cut)) << cut;
  }
  for (const char* cut : {"", "0", "1.1", "precision:", "recall:0.9", "-1", "nan"}) {
    EXPECT_FALSE(is_link_cut(cut)) << cut;
  }
}

}  // namespace
}  // namespace sosie
