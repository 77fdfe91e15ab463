// TSV: escapes tabs, line feeds, carriage returns and backslashes, so that each record is one line.
#include "core/terminal_text.h"
#include "write/row_writers.h"
#include "write/separated.h"

namespace sosie {
namespace {

// A text that begins with a quote is quoted; otherwise, readers would take it for a quoted text.
void append_tsv(std::string& out, std::string_view text) {
  const bool quoted = text.starts_with('"');
  if (quoted) out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out.append(quoted ? 2 : 1, c);
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
  if (quoted) out += '"';
}

void append_terminal_tsv(std::string& out, std::string_view text) {
  std::string escaped;
  append_tsv(escaped, text);
  append_terminal_text(out, escaped);
}

}  // namespace

constexpr RowWriter kTsvRowWriter = kSeparatedWriter<'\t', append_tsv>;
constexpr RowWriter kTerminalTsvRowWriter = kSeparatedWriter<'\t', append_terminal_tsv>;

}  // namespace sosie
