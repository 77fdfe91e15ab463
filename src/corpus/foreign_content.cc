// Detects from the first lines of a file that its format differs from its name.
#include "corpus/foreign_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/ascii_lower.h"
#include "core/line_end.h"
#include "core/utf8.h"
#include "io/detect_encoding.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kExtractText = "extract the text first, or download the data itself";

// True if line ends are two-byte units, or if there are none and a quarter of the bytes are zero;
// UTF-8 text may contain some zeros.
bool ends_lines_by_units(std::string_view head, bool is_little_endian) {
  std::size_t ends = 0;
  std::size_t units = 0;
  for (std::size_t i = 0; i + 1 < head.size(); i += 2) {
    const char low = head[is_little_endian ? i : i + 1];
    const char high = head[is_little_endian ? i + 1 : i];
    ends += (low == '\n' ? 1U : 0U) + (high == '\n' ? 1U : 0U);
    units += low == '\n' && high == '\0' ? 1U : 0U;
  }
  if (ends > 0) return units * 2 > ends;
  return static_cast<std::size_t>(std::count(head.begin(), head.end(), '\0')) * 4 >= head.size();
}

// The first lines that are not blank, trimmed; the last one may be incomplete.
std::vector<std::string_view> first_lines(std::string_view head) {
  constexpr std::size_t kMost = 10;
  constexpr std::string_view kBlanks = " \t\r";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  std::vector<std::string_view> lines;
  while (!head.empty() && lines.size() < kMost) {
    std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(kBlanks)));
    line.remove_suffix(line.size() - std::min(line.size(), line.find_last_not_of(kBlanks) + 1));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// Ignores case.
bool begins_with(std::string_view line, std::string_view beginning) {
  return line.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), line.begin(),
                    [](char a, char b) { return ascii_lower(a) == ascii_lower(b); });
}

// The name of the markup language with which a line begins; empty if there is none. "<html" and
// "<!doctype html" are both HTML.
std::string_view markup_of(std::string_view line) {
  constexpr std::string_view kPage = "<html";
  const bool is_page = begins_with(line, kPage) &&
                       (line.size() == kPage.size() || line.substr(kPage.size()).starts_with(' ') ||
                        line.substr(kPage.size()).starts_with('>'));
  if (is_page || begins_with(line, "<!doctype html")) return "HTML";
  return begins_with(line, "<?xml") ? "XML" : std::string_view{};
}

// True if these lines, the first of which begins a document, are rows of text: either the tag ends
// at the end of its line and no markup follows, or each row begins a document of its own.
bool are_rows_of_markup(const std::vector<std::string_view>& lines) {
  if (lines.size() < 2) return false;
  const std::string_view tag = lines[0].substr(0, lines[0].find_first_of(" >"));
  if (begins_with(lines[1], tag)) return true;
  return lines[0].ends_with('>') && std::none_of(lines.begin() + 1, lines.end(),
                                                 [](auto line) { return line.starts_with('<'); });
}

// True if a line is a JSON object or its beginning.
bool is_json_object(std::string_view line, bool is_whole = true) {
  if (!line.starts_with('{') || (is_whole && !line.ends_with('}'))) return false;
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
  return line.starts_with('"') && line.find("\":") != std::string_view::npos;
}

bool is_json_array(std::string_view line) {
  if (!line.starts_with('[')) return false;
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
  return is_json_object(line, /*is_whole=*/false);
}

[[noreturn]] void refuse(const InputFile& input, ErrorKind kind, std::string_view content,
                         std::string_view way_out) {
  throw Error(kind, BadPlace{input.name},
              fmt::format("appears to contain {}, not {}", content,
                          input.format->name == "txt"     ? "lines of text"
                          : input.format->name == "jsonl" ? "one JSON object per line"
                          : input.format->name == "sets"  ? "one set per line"
                          : input.format->name == "tsv"   ? "TSV"
                                                          : "CSV"),
              std::string(way_out));
}

// Number of fields into which a character splits a line, ignoring quotes.
std::size_t fields_by(char separator, std::string_view line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), separator)) + 1;
}

// The separator of a header and the row after it; '\0' if they do not form a table.
char separator_of(const std::vector<std::string_view>& lines) {
  for (const char separator : {'\t', ';', ',', '|'}) {
    const std::size_t names = fields_by(separator, lines.front());
    if (names < 2 || lines.front().find(". ") != std::string_view::npos) continue;
    if (lines.size() == 1 || fields_by(separator, lines[1]) >= names) return separator;
  }
  return '\0';
}

}  // namespace

void refuse_foreign_content(const InputFile& input, std::string_view head) {
  const Format& format = *input.format;
  if (input.is_format_asked || input.memory || format.is_document()) return;
  if (input.told.encoding.empty() && head.find('\0') != std::string_view::npos) {
    const std::string encoding = detect_encoding(head);
    if (encoding.starts_with("utf-16") && ends_lines_by_units(head, encoding == "utf-16le")) {
      throw Error(ErrorKind::unsupported, BadPlace{input.name},
                  "appears to be UTF-16 without a byte order mark",
                  fmt::format("{} {} reads it", input.told.option("encoding"), encoding));
    }
  }
  const std::vector<std::string_view> lines = first_lines(head);
  if (lines.empty() || format.name == "jsonl") return;
  const std::string as_it_is = fmt::format("; --format {} reads it as is", format.name);
  const bool is_table_row = format.has_columns() && lines.size() > 1 &&
                            lines.front().find_first_of(",;|\t") != std::string_view::npos;
  const std::string_view markup = markup_of(lines.front());
  const bool are_rows = is_table_row || (!format.has_columns() && are_rows_of_markup(lines));
  if (!markup.empty() && !are_rows) {
    refuse(input, ErrorKind::unsupported, markup, std::string(kExtractText) + as_it_is);
  }
  const bool are_objects = lines.size() == 1
                               ? is_json_object(lines.front(), /*is_whole=*/false)
                               : is_json_object(lines.front()) && is_json_object(lines[1]);
  if (are_objects) {
    refuse(input, ErrorKind::unsupported, "JSON lines", "--format jsonl reads them" + as_it_is);
  }
  if (is_json_array(lines.front())) {
    refuse(input, ErrorKind::unsupported, "a JSON array",
           "jq -c '.[]' FILE > ROWS.jsonl turns it into rows" + as_it_is);
  }
}

void refuse_other_than_json(const InputFile& input, const File& file) {
  std::string head(std::min<std::uint64_t>(kBytesOfContent, file.known_size()), '\0');
  head.resize(file.read_some(0, head.data(), head.size()));
  const std::vector<std::string_view> lines = first_lines(head);
  const bool may_be_json = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.front() == '{' || line.front() == '[';
  });
  if (lines.empty() || may_be_json) return;
  const auto refuse_for = [&](std::string_view content, std::string_view way_out) {
    refuse(input, ErrorKind::malformed_input, content, way_out);
  };
  if (const std::string_view markup = markup_of(lines.front()); !markup.empty()) {
    refuse_for(markup, kExtractText);
  }
  const std::string option = input.told.option("format");
  if (lines.front().starts_with("WARC/1.")) refuse_for("WARC records", option + " wet reads them");
  if (lines.front().starts_with("#FPS")) refuse_for("fingerprints", option + " fps reads them");
  const char separator = separator_of(lines);
  const auto refuse_table = [&](std::string_view name, std::string_view format) {
    refuse_for(name, fmt::format("{} {} reads it", option, format));
  };
  if (separator == '\t') refuse_table("TSV", "tsv");
  if (separator != '\0') refuse_table("CSV", "csv");
  if (input.path == "-") return;  // throw_bad_row() says what is expected there
  refuse_for("other text",
             fmt::format("{0} txt reads each line as an item, {0} csv reads tables", option));
}

}  // namespace sosie
