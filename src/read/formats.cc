#include "read/formats.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "core/find_by_name.h"
#include "data/table_note.h"
#include "io/compression.h"
#include "read/vector_files.h"

namespace sosie {
namespace {

bool is_white(std::string_view row) {
  return row.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool is_empty(std::string_view row) { return row.empty(); }

constexpr std::array kFormats = {
    Format{.name = "jsonl",
           .extensions = {".jsonl", ".ndjson"},
           .has_fields = true,
           .is_blank = is_white,
           .make_parser = make_jsonl_parser,
           .field_names = jsonl_field_names},
    Format{.name = "csv",
           .extensions = {".csv", ""},
           .row_ends = RowEnds::quoted_line,
           .separator = ',',
           .has_fields = true,
           .has_header = true,
           .is_blank = is_empty,
           .make_parser = make_csv_parser,
           .field_names = csv_field_names},
    Format{.name = "tsv",
           .extensions = {".tsv", ""},
           .row_ends = RowEnds::quoted_line,
           .separator = '\t',
           .has_fields = true,
           .has_header = true,
           .is_blank = is_empty,
           .make_parser = make_tsv_parser,
           .field_names = tsv_field_names},
    Format{.name = "txt",
           .extensions = {".txt", ""},
           .make_parser = make_text_line_parser,
           .field_names = text_line_field_names},
    Format{.name = "sets",
           .extensions = {".sets", ""},
           .kind = "sets",
           .make_parser = make_text_line_parser,
           .field_names = text_line_field_names},
    Format{.name = "files",
           .extensions = {},
           .row_ends = RowEnds::file,
           .make_parser = make_text_line_parser,
           .field_names = text_line_field_names},
    Format{.name = "parquet",
           .extensions = {".parquet", ""},
           .has_fields = true,
           .columnar = true,
           .make_parser = make_jsonl_parser,
           .field_names = jsonl_field_names},
    Format{.name = "arrow",
           .extensions = {".arrow", ".feather"},
           .has_fields = true,
           .columnar = true,
           .make_parser = make_jsonl_parser,
           .field_names = jsonl_field_names},
    Format{.name = "npy",
           .extensions = {".npy", ""},
           .kind = "vectors",
           .row_ends = RowEnds::file,
           .read_vectors = read_npy,
           .vector_rows = npy_rows,
           .vector_header = npy_header},
    Format{.name = "fvecs",
           .extensions = {".fvecs", ""},
           .kind = "vectors",
           .row_ends = RowEnds::file,
           .read_vectors = read_fvecs,
           .vector_rows = rows_of_words},
    Format{.name = "bvecs",
           .extensions = {".bvecs", ""},
           .kind = "vectors",
           .row_ends = RowEnds::file,
           .read_vectors = read_bvecs,
           .vector_rows = rows_of_bytes},
    Format{.name = "ivecs",
           .extensions = {".ivecs", ""},
           .kind = "vectors",
           .row_ends = RowEnds::file,
           .read_vectors = read_ivecs,
           .vector_rows = rows_of_words},
};

constexpr Format kTable = {.name = "table",
                           .extensions = {},
                           .row_ends = RowEnds::cell,
                           .make_parser = make_text_line_parser,
                           .field_names = text_line_field_names};

bool has_extension(const Format& format, std::string_view path) noexcept {
  return std::any_of(format.extensions.begin(), format.extensions.end(),
                     [&](std::string_view e) { return !e.empty() && path.ends_with(e); });
}

}  // namespace

std::span<const Format> formats() noexcept { return kFormats; }

bool is_table_note(std::string_view line) noexcept { return line.starts_with(kTableNoteMark); }

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
    return has_extension(format, path);
  });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace sosie
