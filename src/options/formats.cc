// Look-ups in the table of formats, and dialects of CSV and TSV.
#include "options/formats.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "core/find_by_name.h"
#include "io/compression.h"
#include "options/format_table.h"
#include "sosie/error.h"
#include "sosie/formats.h"

namespace sosie {
namespace {

constexpr Format kTable = {.name = "table",
                           .extensions = {},
                           .row_ends = RowEnds::cell,
                           .make_parser = make_text_line_parser,
                           .field_names = text_line_field_names};

bool is_called_so(const Format& format, std::string_view path) noexcept {
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&](std::string_view e) { return !e.empty() && has_extension(path, e); });
}

}  // namespace

std::span<const Format> formats() noexcept { return kFormats; }

std::vector<FormatFacts> known_formats() {
  std::vector<FormatFacts> facts;
  facts.reserve(kFormats.size());
  for (const Format& f : kFormats) {
    facts.push_back({f.name, f.extensions, f.kind, f.row_words, f.item_words, f.has_tables()});
  }
  return facts;
}

bool is_separator(char c) noexcept {
  return c != '\0' && c != '"' && c != '\n' && c != '\r' && c != '\\' &&
         static_cast<unsigned char>(c) < 0x80;
}

const Format& table_format() noexcept { return kTable; }

const Format* format_by_name(std::string_view name) noexcept {
  return find_by_name(formats(), name);
}

const Format& dialect_of(const Format& format, char separator, bool has_header) {
  if (!format.has_columns()) return format;
  const Format& base = *format_by_name(format.name);
  if (separator == '\0') separator = base.separator;
  if (separator == base.separator && has_header) return base;
  static std::mutex mutex;
  static std::map<std::tuple<const Format*, char, bool>, Format> known;
  const std::lock_guard lock(mutex);
  const auto [at, added] = known.try_emplace({&base, separator, has_header}, base);
  if (added) {
    at->second.separator = separator;
    at->second.has_header = has_header;
    at->second.numbers_columns = !has_header;
  }
  return at->second;
}

std::string saved_name(const Format& format) {
  std::string name(format.name);
  if (!format.has_columns() || &format == format_by_name(format.name)) return name;
  name += format.separator;
  name += format.has_header ? 'h' : 'n';
  return name;
}

const Format* format_by_saved_name(std::string_view name) {
  if (const Format* format = format_by_name(name)) return format;
  if (name.size() < 3) return nullptr;
  const char header = name.back();
  const char separator = name[name.size() - 2];
  const Format* base = format_by_name(name.substr(0, name.size() - 2));
  if (base == nullptr || !base->has_columns() || (header != 'h' && header != 'n')) return nullptr;
  if (!is_separator(separator)) return nullptr;
  return &dialect_of(*base, separator, header == 'h');
}

const Format* format_by_extension(std::string_view path) noexcept {
  path = without_compression_extension(path);
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return is_called_so(format, path);
  });
  return found == kFormats.end() ? nullptr : found;
}

const Format* format_looked_into(std::string_view path) noexcept {
  path = without_compression_extension(path);
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return !format.looked_into.empty() && has_extension(path, format.looked_into);
  });
  return found == kFormats.end() ? nullptr : found;
}

const Format& table_format_of(const std::string& path) {
  const Format* format = format_by_extension(path);
  if (format != nullptr && format->has_tables()) return *format;
  throw Error(ErrorKind::invalid_option, path + ": cannot tell the format from the name",
              "tables end in " + std::string(kTableExtensions.text()) +
                  "; all but the columnar ones may be packed (.gz, .zst)");
}

}  // namespace sosie
