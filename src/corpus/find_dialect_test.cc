// Tests detecting CSV dialects from small samples, and the names of dialects in saved files.
#include "corpus/find_dialect.h"

#include <gtest/gtest.h>

#include "options/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

const Format& csv() { return *format_by_name("csv"); }

Dialect found(std::string_view sample, DialectRules rules = {}, bool is_whole = true) {
  return find_dialect("in.csv", csv(), sample, is_whole, rules).dialect;
}

DialectRules naming(const std::string& column) {
  DialectRules rules;
  rules.column = column;
  return rules;
}

TEST(FindDialect, TakesTheDelimiterThatCutsAllRowsAlike) {
  EXPECT_EQ(found("a,b\n1,2;3\n"), (Dialect{','}));
  EXPECT_EQ(found("a;b\n1,2;3\n"), (Dialect{';'}));
  EXPECT_EQ(found("a\tb\r\n\r\n\"x\ty\"\tz\r\n"), (Dialect{'\t'}));
  EXPECT_EQ(found("a|b\n1|2"), (Dialect{'|'}));
}

TEST(FindDialect, TakesTheUsualOneWhereNoneFits) {
  EXPECT_EQ(found(""), (Dialect{','}));
  EXPECT_EQ(found("a\n1\n"), (Dialect{','}));
  EXPECT_EQ(found("a;b\n1;2;3\n"), (Dialect{','}));
  EXPECT_EQ(found("a;b\n1;\"2\n"), (Dialect{','}));
}

TEST(FindDialect, PrefersTheOneWithTheNamedColumns) {
  EXPECT_EQ(found("a;text,b\n1;x,2\n", naming("text,b")), (Dialect{';'}));
  EXPECT_EQ(found("a;text,b\n1;x,2\n", naming("b")), (Dialect{','}));
  EXPECT_EQ(found("a;text,b\n1;x,2\n", naming("other")), (Dialect{','}));
}

TEST(FindDialect, RefusesTwoThatGiveOtherFields) {
  try {
    (void)found("a;b,c\n1;2,3\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
    EXPECT_NE(std::string(error.what()).find("',' gives a;b | c; or ';' gives a | b,c"),
              std::string::npos)
        << error.what();
  }
}

TEST(FindDialect, TakesOtherQuotesWhereTheyExplainWhatDoubleQuotesCannot) {
  EXPECT_EQ(found("a,b\n1,'x'\n"), (Dialect{','}));
  EXPECT_EQ(found("a,b\n1,'x,y'\n"), (Dialect{',', '\''}));
  EXPECT_EQ(found("a,b\n1,\"x\\\",\\\"y\"\n2,z\n"), (Dialect{',', '"', '\\'}));
  EXPECT_EQ(found("a;b\n1;'x\\';\\'y'\n"), (Dialect{';', '\'', '\\'}));
}

// The third row is bad in any case; a quote in the second one that is never closed does not explain
// it.
TEST(FindDialect, ABadRowIsNoReasonForAQuoteThatTakesTheRest) {
  const std::string sample = "a,b\n1,'tis\n2,3,4\n" + std::string(1000, 'x');
  EXPECT_EQ(found(sample, {}, false), (Dialect{','}));
}

TEST(FindDialect, LeavesWhatIsSaid) {
  DialectRules rules;
  rules.separator = ';';
  EXPECT_EQ(found("a,b\n1,2\n", rules), (Dialect{';'}));
  rules.quote = '\0';
  EXPECT_EQ(found("a;b\n1;'x;y'\n", rules), (Dialect{';', '\0'}));
  rules.escape = '#';
  rules.quote = '\'';
  EXPECT_EQ(found("", rules), (Dialect{';', '\'', '#'}));
}

TEST(FindDialect, OnlyWholeRowsCountUnlessTheFileEnds) {
  EXPECT_EQ(found("a;b\n1;2\n3", {}, false), (Dialect{';'}));
  EXPECT_EQ(found("a;b\n1;2\n3", {}, true), (Dialect{','}));
}

TEST(FindDialect, OfOtherFormatsIsAsItWas) {
  const Format& tsv = *format_by_name("tsv");
  EXPECT_EQ(&find_dialect("in.tsv", tsv, "a;b\n1;2\n", true, {}), &tsv);
}

TEST(SavedNames, KeepEveryDialect) {
  for (const Dialect dialect : {Dialect{';'}, Dialect{',', '\''}, Dialect{'\t', '\0'},
                                Dialect{'|', '"', '\\'}, Dialect{';', '\'', '#'}}) {
    for (const std::uint64_t lines : {std::uint64_t{0}, std::uint64_t{12}}) {
      for (const bool has_header : {true, false}) {
        const Format& format = with_layout(csv(), {dialect, has_header, lines});
        EXPECT_EQ(format_by_saved_name(saved_name(format)), &format) << saved_name(format);
      }
    }
  }
  for (const char* name : {"csv;", "csv;x", "csv;h\"", "csv;h\"0", "csv;h\"0x", "csv;hx00",
                           "csv;h\"n0", "csv\nh", "xyz;h", "csv;h\"0-1"}) {
    EXPECT_EQ(format_by_saved_name(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace sosie
