// Looks up formats in the table, and creates dialects of CSV and TSV.
#include "options/formats.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <utility>

#include "core/nearest_name.h"
#include "data/kinds.h"
#include "io/compression.h"
#include "options/format_table.h"
#include "sosie/error.h"
#include "sosie/formats.h"

namespace sosie {
namespace {

constexpr Format kTable = {.name = "table",
                           .extensions = {},
                           .row_ends = RowEnds::cell,
                           .make_parser = make_text_row_parser,
                           .field_names = text_line_field_names};

constexpr char kNoMark = '0';

bool is_called_so(const Format& format, std::string_view path) noexcept {
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&](std::string_view e) { return !e.empty() && has_extension(path, e); });
}

}  // namespace

std::span<const Format> formats() noexcept { return kFormatTable; }

std::vector<FormatFacts> known_formats() {
  std::vector<FormatFacts> facts;
  facts.reserve(kFormatTable.size());
  for (const Format& f : kFormatTable) {
    facts.push_back(
        {f.name, f.extensions, kind_name(f.kind), f.row_words, f.item_words, f.has_tables()});
  }
  return facts;
}

bool is_quote(char c) noexcept { return is_escape(c) && c != '\\'; }

bool is_escape(char c) noexcept {
  constexpr std::string_view kPunctuation = R"(!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~)";
  return kPunctuation.find(c) != std::string_view::npos;
}

bool is_separator(char c) noexcept {
  return c != '\0' && c != '"' && c != '\n' && c != '\r' && c != '\\' &&
         static_cast<unsigned char>(c) < 0x80;
}

const Format& table_format() noexcept { return kTable; }

const Format* format_by_name(std::string_view name) noexcept {
  return find_by_name(formats(), name);
}

Layout layout_of(const Format& format) noexcept {
  return {format.dialect, format.has_header, format.skip_lines};
}

const Format& with_layout(const Format& format, Layout layout) {
  if (!format.has_columns()) return format;
  const Format& base = *format_by_name(format.name);
  if (layout.dialect.separator == '\0') layout.dialect.separator = base.dialect.separator;
  if (layout == layout_of(base)) return base;
  static std::mutex mutex;
  static std::map<std::pair<const Format*, Layout>, Format> known;
  const std::lock_guard lock(mutex);
  const auto [at, added] = known.try_emplace({&base, layout}, base);
  if (added) {
    at->second.dialect = layout.dialect;
    at->second.has_header = layout.has_header;
    at->second.numbers_columns = !layout.has_header;
    at->second.skip_lines = layout.skip_lines;
  }
  return at->second;
}

// "csv;h": a separator, and whether there is a header. If the quote, the escape (kNoMark: none) or
// the number of lines to skip differ from the defaults, these three follow.
std::string saved_name(const Format& format) {
  std::string name(format.name);
  if (!format.has_columns() || &format == format_by_name(format.name)) return name;
  const Dialect& dialect = format.dialect;
  name += dialect.separator;
  name += format.has_header ? 'h' : 'n';
  const bool is_usual = dialect == Dialect{dialect.separator} && format.skip_lines == 0;
  if (is_usual) return name;
  name += dialect.quote == '\0' ? kNoMark : dialect.quote;
  name += dialect.escape == '\0' ? kNoMark : dialect.escape;
  return name + std::to_string(format.skip_lines);
}

const Format* format_by_saved_name(std::string_view name) {
  if (const Format* format = format_by_name(name)) return format;
  const auto base = std::find_if(
      kFormatTable.begin(), kFormatTable.end(),
      [&](const Format& format) { return format.has_columns() && name.starts_with(format.name); });
  if (base == kFormatTable.end()) return nullptr;
  name.remove_prefix(base->name.size());
  const bool has_marks = name.size() > 4;
  if (name.size() < 2 || (name.size() > 2 && !has_marks)) return nullptr;
  Layout layout{{name[0]}, name[1] == 'h'};
  if (!is_separator(name[0]) || (name[1] != 'h' && name[1] != 'n')) return nullptr;
  if (!has_marks) return &with_layout(*base, layout);
  layout.dialect.quote = name[2] == kNoMark ? '\0' : name[2];
  layout.dialect.escape = name[3] == kNoMark ? '\0' : name[3];
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + 4, end, layout.skip_lines);
  if (error != std::errc{} || rest != end || (name[2] != kNoMark && !is_quote(name[2])) ||
      (name[3] != kNoMark && !is_escape(name[3]))) {
    return nullptr;
  }
  return &with_layout(*base, layout);
}

const Format* format_by_extension(std::string_view path) noexcept {
  path = without_compression_extension(path);
  const auto* found =
      std::find_if(kFormatTable.begin(), kFormatTable.end(),
                   [&](const Format& format) { return is_called_so(format, path); });
  return found == kFormatTable.end() ? nullptr : found;
}

const Format* format_looked_into(std::string_view path) noexcept {
  path = without_compression_extension(path);
  const auto* found =
      std::find_if(kFormatTable.begin(), kFormatTable.end(), [&](const Format& format) {
        return !format.looked_into.empty() && has_extension(path, format.looked_into);
      });
  return found == kFormatTable.end() ? nullptr : found;
}

bool is_record_file(std::string_view path) noexcept {
  return format_by_extension(path) != nullptr || format_looked_into(path) != nullptr;
}

const Format& table_format_of(const std::string& path) {
  const Format* format = format_by_extension(path);
  if (format != nullptr && format->has_tables()) return *format;
  throw Error(ErrorKind::invalid_option, path + ": cannot tell the format from the name",
              "tables end in " + std::string(kTableExtensions.text()) +
                  "; all but the columnar ones may be compressed (.gz, .zst)");
}

}  // namespace sosie
