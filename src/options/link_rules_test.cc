// Tests rules of link in TOML: reading, writing, and what is refused.
#include "options/link_rules.h"

#include <gtest/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr const char* kRules = R"(version = 1
[fields]
name = { columns = ["given", "surname"], clean = "alnum", compare = "jaro-winkler", levels = [0.92, 0.82] }
born = { type = "date", format = "%d.%m.%Y", compare = "days", levels = [1, 31] }
"post code" = { columns_right = "zip", clean = "digits", compare = "levenshtein", levels = [1] }
price = { type = "number", compare = "ratio", levels = [0.05] }
note = { compare = "none" }
[candidates]
rules = [
  { equal = ["born"] },
  { equal = ["name", "post code"], prefix = 3 },
  { near = ["name", "note"], top = 7 },
  { sorted = ["name"], window = 4 },
]
max_block = 50
[decide]
assign = "best"
cut = "precision:0.99"
)";

// Error of rules that cannot be read: its place, reason and hint.
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
  EXPECT_EQ(rules.fields[1].form.date_format, "%d.%m.%Y");
  EXPECT_EQ(rules.fields[2].columns, std::vector<std::string>{"post code"});
  EXPECT_EQ(rules.fields[2].columns_right, std::vector<std::string>{"zip"});
  EXPECT_FALSE(rules.fields[4].is_compared);
  EXPECT_EQ(rules.compared(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  ASSERT_EQ(rules.candidates.size(), 4U);
  EXPECT_EQ(rules.candidates[1].prefix, 3U);
  EXPECT_EQ(rules.candidates[2].top, 7U);
  EXPECT_EQ(rules.candidates[2].fields, (std::vector<std::uint32_t>{0, 4}));
  EXPECT_EQ(rules.candidates[3].window, 4U);
  EXPECT_EQ(rules.max_block, 50U);
  EXPECT_EQ(rules.assign, Assign::best);
  EXPECT_EQ(rules.cut, "precision:0.99");
}

TEST(LinkRules, AreWrittenAsTheyAreRead) {
  const std::string text = link_rules_text(parse_link_rules(kRules, "r.toml"), {"a note"});
  EXPECT_TRUE(text.starts_with("# a note\nversion = 1\n"));
  EXPECT_EQ(link_rules_text(parse_link_rules(text, "r.toml"), {"a note"}), text);
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
      "r.toml:6|'nam' is no field|did you mean name?");
  EXPECT_EQ(refusal("version = 1\nfield = 1\n"),
            "r.toml:2|unknown key 'field'|did you mean fields?");
}

TEST(LinkRules, RefuseWhatCannotBeMeant) {
  EXPECT_EQ(refusal("version = 2\n").substr(0, 9), "r.toml:1|");
  EXPECT_EQ(refusal("[fields\n").substr(0, 19), "r.toml:1|not TOML: ");
  for (const char* field :
       {"{ levels = [0.8, 0.9] }", "{ levels = [1.5] }",
        "{ compare = \"levenshtein\", levels = [2, 1] }", "{ compare = \"equal\", levels = [1] }",
        "{ levels = [.9,.8,.7,.6,.5,.4] }", "{ compare = \"days\" }", "{ compare = \"ratio\" }",
        "{ format = \"%Y\" }", "{ type = \"date\", format = \"%d.%m.%y\" }", "{ levels = 3 }",
        "{ columns = [] }", "{ columns = [1] }", "3", "{ compare = \"none\" }",
        "{ levels = [nan] }", "{ levels = [-1] }"}) {
    EXPECT_EQ(refusal(with_field(field)).substr(0, 7), "r.toml:") << field;
  }
  for (const char* rule :
       {"{}", "{ near = [\"a\"], equal = [\"a\"] }", "{ near = [\"a\"], window = 3 }",
        "{ near = [\"a\"], top = 0 }", "{ equal = [] }", "3"}) {
    EXPECT_EQ(
        refusal(std::string("version = 1\n[fields]\na = {}\n[candidates]\nrules = [") + rule + "]")
            .substr(0, 9),
        "r.toml:5|")
        << rule;
  }
  EXPECT_NE(refusal("version = 1\n[fields]\na = {}\n"), "none");
  EXPECT_NE(refusal("version = 1\n[fields]\na = {}\n[candidates]\nrules = []\n"), "none");
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
