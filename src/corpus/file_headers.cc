// Reads the headers of files with columns and checks that they contain the requested fields.
#include "corpus/file_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "core/line_end.h"
#include "corpus/bad_row.h"
#include "data/table_note.h"
#include "options/formats.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Characters that may separate fields, most likely first.
constexpr std::string_view kLikelySeparators = ";\t|,";

std::string place_at(const Inputs& inputs, std::uint32_t file, std::uint64_t offset) {
  return place_of_row(inputs, {offset, 0, file});
}

std::vector<std::string> first_numbers(std::size_t count) {
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = std::to_string(i + 1);
  return names;
}

// The place where a file names its fields.
std::string place_of_names(const Inputs& inputs, std::uint32_t file) {
  if (inputs.list[file].format->columnar) return inputs.list[file].name;
  return place_at(inputs, file, inputs.headers[file].offset);
}

// Finds the dialect of a file whose format has columns.
void find_dialect_of(Inputs& inputs, std::uint32_t file, const DialectRules& rules) {
  const File& bytes = inputs.files[file];
  const Format*& format = inputs.list[file].format;
  Layout layout = layout_of(*format);
  const ToldOfFile& told = inputs.list[file].told;
  layout.skip_lines = told.skip_lines;
  format = &with_layout(*format, layout);
  if (!format->has_dialects) return;
  const TitleLines titles = find_titles(bytes, *format, told);
  DialectRules of_file = rules;
  of_file.separator.reset();
  if (!told.delimiter.empty()) of_file.separator = told.delimiter.front();
  if (!rules.column.empty()) of_file.column = told.column;
  of_file.delimiter_option = told.option("delimiter");
  of_file.id = told.id == "row" || told.id == kIdByFile ? "" : told.id;
  if (!of_file.separator && titles.separator != '\0') of_file.separator = titles.separator;
  std::string sample(kBytesOfDialect + 1, '\0');
  sample.resize(bytes.read_some(titles.end, sample.data(), sample.size()));
  const bool is_whole = sample.size() <= kBytesOfDialect;
  sample.resize(std::min(sample.size(), kBytesOfDialect));
  format = &find_dialect(inputs.list[file].name, *format, sample, is_whole, of_file);
}

// The fields of a line with this separator; empty if the line cannot be read.
std::vector<std::string> fields_of_line(const Format& format, std::string_view line,
                                        char separator) {
  try {
    return format.field_names(line, {separator, format.dialect.quote, format.dialect.escape});
  } catch (const RowError&) {
    return {};
  }
}

// True if some separator splits the line into fields that include one of these.
bool names_one_of(const std::vector<std::string>& fields, const Format& format,
                  std::string_view line) {
  const auto names_by = [&](char separator) {
    const std::vector<std::string> found = fields_of_line(format, line, separator);
    return std::find_first_of(found.begin(), found.end(), fields.begin(), fields.end()) !=
           found.end();
  };
  return names_by(format.dialect.separator) ||
         std::any_of(kLikelySeparators.begin(), kLikelySeparators.end(), names_by);
}

// Numbers of lines below the header that look more like a header; 0 if there are none.
struct LinesLikeHeader {
  std::uint64_t named = 0;      // the first that names the field
  std::uint64_t wide = 0;       // the first with several fields, where the header has one
  std::size_t wide_fields = 0;  // its fields, by the character that cuts it into most
};
LinesLikeHeader lines_like_header(const Inputs& inputs, std::uint32_t file,
                                  const FileHeader& header,
                                  const std::vector<std::string>& fields) {
  constexpr std::uint64_t kMostLines = 20;
  const Format& format = *inputs.list[file].format;
  std::size_t names = 0;  // without those that number_columns() gives
  for (std::size_t c = 0; c < header.names.size(); ++c) {
    const std::string& name = header.names[c];
    names += name.empty() || name == fmt::format("column {}", c + 1) ? 0U : 1U;
  }
  std::string head(kBytesOfDialect, '\0');
  head.resize(inputs.files[file].read_some(header.rows_begin, head.data(), head.size()));
  std::string_view rest = head;
  LinesLikeHeader found;
  const std::uint64_t first = LineCounter(inputs).line_of(file, header.rows_begin);
  for (std::uint64_t i = 0; i < kMostLines && !rest.empty(); ++i) {
    const std::string_view line = without_line_end(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), rest.find('\n')));
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
    if (names_one_of(fields, format, line)) {
      found.named = first + i;
      break;
    }
    if (names > 1 || found.wide != 0 ||
        line.find_first_of(kLikelySeparators) == std::string_view::npos) {
      continue;
    }
    found.wide = first + i;
    for (const char separator : kLikelySeparators) {
      found.wide_fields =
          std::max(found.wide_fields, fields_of_line(format, line, separator).size());
    }
  }
  return found;
}

std::string way_to_line(const File& file, const InputFile& input, std::uint64_t line) {
  const TitleLines titles = find_titles(file, *input.format, input.told);
  const std::uint64_t not_counted = titles.separator == '\0' ? 0 : 1;
  return fmt::format("line {} looks like the header: {} {} skips the lines above it", line,
                     input.told.option("skip-lines"), line - 1 - not_counted);
}

// A hint if there are lines above the real header, or another character separates fields; otherwise
// empty.
std::string header_hint(const Inputs& inputs, std::uint32_t file, const FileHeader& header,
                        const std::vector<std::string>& fields) {
  const Format& format = *inputs.list[file].format;
  if (!format.has_header || format.columnar || inputs.list[file].memory) return {};
  std::string by_delimiter = delimiter_hint(format, header.names, inputs.list[file].told);
  if (!by_delimiter.empty() && names_one_of(fields, format, header.names.front())) {
    return by_delimiter;
  }
  const LinesLikeHeader found = lines_like_header(inputs, file, header, fields);
  if (found.named == 0 && !by_delimiter.empty()) return by_delimiter;
  const std::uint64_t line = found.named == 0 ? found.wide : found.named;
  return line == 0 ? std::string() : way_to_line(inputs.files[file], inputs.list[file], line);
}

// A hint if another separator splits a header that this dialect cannot read; otherwise empty. A
// broken row prevents detection of the dialect.
std::string unread_header_hint(const Format& format, std::string_view header,
                               const ToldOfFile& told) {
  if (!format.has_dialects) return {};
  for (const char separator : kLikelySeparators) {
    const std::vector<std::string> names = fields_of_line(format, header, separator);
    if (names.size() < 2) continue;
    return fmt::format("{} {} splits the header into {}; rows that do not fit are then reported",
                       told.option("delimiter"), shown_mark(separator), joined_text(names, ", "));
  }
  return {};
}

// The fields that contain the text; empty if items are not texts.
std::vector<std::string> text_fields(const std::string& column,
                                     const std::vector<std::string>& header) {
  if (column.empty()) return {};
  const bool literal = std::find(header.begin(), header.end(), column) != header.end();
  return literal ? std::vector{column} : joined_names(column);
}

}  // namespace

FileHeader read_file_header(const Inputs& inputs, std::uint32_t file) {
  const Format& format = *inputs.list[file].format;
  FileHeader header;
  const TitleLines titles = find_titles(inputs.files[file], format, inputs.list[file].told);
  if (titles.end - titles.begin > kMaxRowBytes) {
    throw Error(ErrorKind::limit_exceeded, BadPlace{inputs.list[file].name},
                "the lines to skip are longer than 2 GiB");
  }
  header.titles_begin = titles.begin;
  header.titles_length = static_cast<std::uint32_t>(titles.end - titles.begin);
  const std::uint64_t begin = titles.lines == 0 ? 0 : titles.end;
  RowStream rows(
      {&inputs.files[file], format.row_ends, format.dialect, begin, nullptr, 0, inputs.row_limit});
  for (RowView row; rows.next(row);) {
    constexpr std::uint64_t kByteOrderMark = 3;
    const bool may_be_note = format.has_header && row.offset <= kByteOrderMark;
    if (format.is_blank(row.bytes) || (may_be_note && is_table_note(row.bytes))) continue;
    header.offset = row.offset;
    header.length = row.length;
    header.rows_begin = row.offset + row.length;
    // Inside quotes it is part of a name.
    if (has_lone_return(row.bytes.substr(0, row.bytes.find(format.dialect.quote)))) {
      throw Error(ErrorKind::malformed_input, BadPlace{place_at(inputs, file, row.offset)},
                  "a line of the header ends with a carriage return but no line feed", kWayToLines);
    }
    try {
      header.names = format.field_names(row.bytes, format.dialect);
    } catch (const RowError& error) {
      std::string hint = unread_header_hint(format, row.bytes, inputs.list[file].told);
      if (hint.empty()) {
        hint = header_hint(inputs, file, header, field_paths(inputs.column_of(file)));
      }
      throw Error(ErrorKind::malformed_input,
                  BadPlace{place_at(inputs, file, row.offset + error.offset())}, error.what(),
                  std::move(hint));
    }
    break;
  }
  if (header.length == 0) header.rows_begin = inputs.files[file].size();
  if (!format.numbers_columns || header.length == 0) return header;
  header.names = first_numbers(header.names.size());
  header.rows_begin = header.offset;
  header.length = 0;
  return header;
}

void read_file_headers(Inputs& inputs, FileRange unknown, const DialectRules& rules,
                       ThreadPool& pool) {
  pool.for_each(inputs.list.size(), [&](unsigned /*worker*/, std::size_t i) {
    const auto file = static_cast<std::uint32_t>(i);
    if (!inputs.list[i].format->has_columns()) return;
    if (file >= unknown.begin && file < unknown.end) find_dialect_of(inputs, file, rules);
    inputs.headers[i] = read_file_header(inputs, file);
  });
}

std::vector<std::uint32_t> number_columns(std::vector<std::string>& names) {
  std::vector<std::uint32_t> numbered;
  std::unordered_set<std::string> known(names.begin(), names.end());
  std::unordered_map<std::string, std::uint32_t> seen;  // number of columns so far, by name
  for (std::uint32_t c = 0; c < names.size(); ++c) {
    std::uint32_t& count = seen[names[c]];
    ++count;
    if (!names[c].empty() && count == 1) continue;
    const std::string own = names[c].empty() ? "column" : names[c];
    std::uint32_t number = names[c].empty() ? c + 1 : count;
    while (!known.insert(fmt::format("{} {}", own, number)).second) ++number;
    count = names[c].empty() ? count : number;
    names[c] = fmt::format("{} {}", own, number);
    numbered.push_back(c);
  }
  return numbered;
}

std::string title_hint(const Inputs& inputs, std::uint32_t file) {
  constexpr std::size_t kFewestFields = 3;  // fewer are a comma in a text
  const Format& format = *inputs.list[file].format;
  const FileHeader& header = inputs.headers[file];
  const bool is_read = format.has_header && !format.columnar && !inputs.list[file].memory;
  if (!is_read || header.names.empty()) return {};
  const LinesLikeHeader found = lines_like_header(inputs, file, header, {});
  if (found.wide_fields < kFewestFields) return {};
  return way_to_line(inputs.files[file], inputs.list[file], found.wide);
}

void check_field(const Inputs& inputs, std::uint32_t file, const std::string& field) {
  const std::vector<std::string>& names = inputs.headers[file].names;
  const bool columnar = inputs.list[file].format->columnar;
  bool is_twice = false;
  std::vector<std::string> paths = field_paths(field);
  paths.push_back(field);
  for (const std::string& path : paths) {
    const auto count = std::count_if(names.begin(), names.end(), [&](const std::string& name) {
      return columnar ? lies_in(path, name) : name == path;
    });
    if (count == 1) return;
    is_twice = is_twice || count > 1;
  }
  const std::string other =
      is_twice ? std::string{} : header_hint(inputs, file, inputs.headers[file], paths);
  throw Error(ErrorKind::malformed_input, BadPlace{place_of_names(inputs, file)},
              is_twice ? fmt::format("field '{}' occurs twice", field) : told_missing(field),
              other.empty()
                  ? fields_there(names, field_paths(field).front(), inputs.list[file].told)
                  : other);
}

void check_file_headers(const Inputs& inputs, FileRange range, const std::string& id) {
  std::vector<std::uint32_t> firsts;  // the first file of each format
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    const std::vector<std::string>& names = inputs.headers[i].names;
    if (names.empty()) continue;
    const auto first = std::find_if(firsts.begin(), firsts.end(), [&](std::uint32_t file) {
      return inputs.list[file].format == inputs.list[i].format;
    });
    if (first == firsts.end()) {
      firsts.push_back(i);
    } else if (names != inputs.headers[*first].names && inputs.list[i].format->numbers_columns) {
      throw Error(ErrorKind::malformed_input, BadPlace{inputs.list[i].name},
                  fmt::format("has {}, {} has {}", plural_text(names.size(), "column", "columns"),
                              inputs.list[*first].name, inputs.headers[*first].names.size()));
    } else if (names == inputs.headers[*first].names &&
               inputs.list[i].told == inputs.list[*first].told) {
      continue;
    }
    const std::string& column = inputs.column_of(i);
    for (const std::string& field : text_fields(column, names)) check_field(inputs, i, field);
    if (!id.empty()) check_field(inputs, i, id);
  }
}

}  // namespace sosie
