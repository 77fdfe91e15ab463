#include "read/quoted_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace sosie {
namespace {

rc::Gen<std::string> csv_bytes() {
  return rc::gen::container<std::string>(rc::gen::elementOf(std::string("a\"\"\",,\n")));
}

// Ends of rows, said plainly: a line feed ends a row unless it stands in quotes, and quotes open
// where a field begins.
std::vector<std::size_t> ends_of_rows(const std::string& bytes) {
  std::vector<std::size_t> ends;
  bool quoted = false;
  bool begins = true;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (quoted) {
      const bool doubled = c == '"' && i + 1 < bytes.size() && bytes[i + 1] == '"';
      if (doubled) ++i;
      if (c == '"' && !doubled) quoted = false;
      continue;
    }
    if (c == '\n') ends.push_back(i + 1);
    quoted = c == '"' && begins;
    begins = c == ',' || c == '\n';
  }
  return ends;
}

RC_GTEST_PROP(QuotedRows, EndAtLineFeedsOutsideQuotes, ()) {
  const std::string bytes = *csv_bytes();
  std::vector<std::size_t> ends;
  QuoteState state = QuoteState::row_start;
  const char* const end = bytes.data() + bytes.size();
  for (const char* at = bytes.data(); at < end;) {
    at = find_row_end(at, end, ',', state);
    if (state == QuoteState::row_start) ends.push_back(static_cast<std::size_t>(at - bytes.data()));
  }
  RC_ASSERT(ends == ends_of_rows(bytes));
}

RC_GTEST_PROP(QuotedRows, PiecesPassedOverApartComposeToTheWhole, ()) {
  const std::string bytes = *csv_bytes() + "x";
  const auto cut = *rc::gen::inRange<std::size_t>(1, bytes.size() + 1);
  const QuoteMap whole = pass_over(bytes, ',');
  const QuoteMap first = pass_over(std::string_view(bytes).substr(0, cut), ',');
  for (std::size_t before = 0; before < kQuoteStates; ++before) {
    QuoteState behind = first[before];
    if (cut < bytes.size()) {
      const QuoteMap rest = pass_over(std::string_view(bytes).substr(cut), ',');
      behind = rest[static_cast<std::size_t>(behind)];
    }
    RC_ASSERT(behind == whole[before]);
  }
}

}  // namespace
}  // namespace sosie
