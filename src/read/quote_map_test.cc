#include "read/quote_map.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace sosie {
namespace {

rc::Gen<std::string> csv_bytes() {
  return rc::gen::container<std::string>(rc::gen::elementOf(std::string("a\"\"\",,\n\\';")));
}

rc::Gen<Dialect> dialects() {
  return rc::gen::element(Dialect{','}, Dialect{';', '\''}, Dialect{',', '"', '\\'},
                          Dialect{',', '\0'}, Dialect{',', '\0', '\\'}, Dialect{';', '"', '\''});
}

// The ends of rows in a plain definition: a line feed ends a row unless it is within quotes or
// follows an escape, and quotes open at the beginning of a field.
std::vector<std::size_t> ends_of_rows(const std::string& bytes, Dialect dialect) {
  std::vector<std::size_t> ends;
  bool quoted = false;
  bool begins = true;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    const bool is_quote = c == dialect.quote && dialect.quote != '\0';
    const bool escapes = c == dialect.escape && dialect.escape != '\0';
    if (escapes && !quoted) {
      ++i;
      begins = false;
      continue;
    }
    if (quoted) {
      const bool doubled = is_quote && i + 1 < bytes.size() && bytes[i + 1] == c;
      if (doubled || escapes) ++i;
      if (is_quote && !doubled) quoted = false;
      continue;
    }
    if (c == '\n') ends.push_back(i + 1);
    quoted = is_quote && begins;
    begins = c == dialect.separator || c == '\n';
  }
  return ends;
}

RC_GTEST_PROP(QuotedRows, EndAtLineFeedsOutsideQuotes, ()) {
  const std::string bytes = *csv_bytes();
  const Dialect dialect = *dialects();
  std::vector<std::size_t> ends;
  QuoteState state = QuoteState::row_start;
  const char* const end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end;) {
    at = find_row_end(at, end, dialect, state);
    if (state == QuoteState::row_start) ends.push_back(static_cast<std::size_t>(at - bytes.data()));
  }
  RC_ASSERT(ends == ends_of_rows(bytes, dialect));
}

RC_GTEST_PROP(QuotedRows, PiecesPassedOverApartComposeToTheWhole, ()) {
  const std::string bytes = *csv_bytes() + "x";
  const Dialect dialect = *dialects();
  const auto cut = *rc::gen::inRange<std::size_t>(1, bytes.size() + 1);
  const QuoteMap whole = pass_over(bytes, dialect);
  const QuoteMap first = pass_over(std::string_view(bytes).substr(0, cut), dialect);
  for (std::size_t before = 0; before < kQuoteStates; ++before) {
    QuoteState behind = first[before];
    if (cut < bytes.size()) {
      const QuoteMap rest = pass_over(std::string_view(bytes).substr(cut), dialect);
      behind = rest[static_cast<std::size_t>(behind)];
    }
    RC_ASSERT(behind == whole[before]);
  }
}

}  // namespace
}  // namespace sosie
