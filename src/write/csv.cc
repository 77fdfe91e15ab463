// CSV as in RFC 4180: texts that contain a comma, a quote or a line break are quoted.
#include <algorithm>

#include "write/row_writers.h"
#include "write/separated.h"

namespace sosie {
namespace {

void append_csv(std::string& out, std::string_view text) {
  const auto is_special = [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; };
  if (std::none_of(text.begin(), text.end(), is_special)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

constexpr RowWriter kCsvRowWriter = kSeparatedWriter<',', append_csv>;

}  // namespace sosie
