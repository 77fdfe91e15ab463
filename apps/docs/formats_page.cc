// The table of formats in docs/formats.md, between two comments that are preserved.
#include <fmt/format.h>

#include "documents.h"
#include "sosie/formats.h"

namespace sosie::docs {
namespace {

constexpr std::string_view kBegin =
    "<!-- formats: made by sosie_docs from the table of formats; run `make docs` -->\n";
constexpr std::string_view kEnd = "<!-- end of formats -->\n";

std::string table() {
  std::string out =
      "| name | extensions | kind | a row is | the item is | tables |\n|---|---|---|---|---|---|\n";
  for (const FormatFacts& format : known_formats()) {
    std::string extensions;
    for (const std::string_view extension : format.extensions) {
      if (!extension.empty()) {
        extensions += fmt::format("{}`{}`", extensions.empty() ? "" : " ", extension);
      }
    }
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", format.name, extensions, format.kind,
                       format.row, format.item, format.has_tables ? "yes" : "");
  }
  return out;
}

}  // namespace

std::string formats_page(const std::string& old) {
  const std::size_t begin = old.find(kBegin);
  const std::size_t end = old.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    return fmt::format("{}{}{}{}", old, kBegin, table(), kEnd);
  }
  return old.substr(0, begin + kBegin.size()) + table() + old.substr(end);
}

}  // namespace sosie::docs
