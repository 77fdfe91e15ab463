// Messages about unreadable rows: place, reason, available fields, way out.
#include "corpus/bad_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "corpus/file_headers.h"
#include "corpus/find_dialect.h"
#include "corpus/foreign_content.h"
#include "options/formats.h"
#include "options/json_files.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The field that a reason such as "field 'txt' is missing" refers to; empty if it refers to none.
std::string_view field_in(std::string_view reason) {
  constexpr std::string_view kBegin = "field '";
  if (!reason.starts_with(kBegin)) return {};
  reason.remove_prefix(kBegin.size());
  return reason.substr(0, reason.find('\''));
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// True for a header that consists of numbers, which is probably a row.
bool looks_like_row(const std::vector<std::string>& names) {
  return !names.empty() && std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name.find_first_of("0123456789") != std::string::npos &&
           name.find_first_not_of("0123456789.,+-eE ") == std::string::npos;
  });
}

std::string listed_fields(const std::vector<std::string>& names, const std::string& field,
                          const ToldOfFile& told) {
  std::vector<std::string> written;  // the way options name them
  written.reserve(names.size());
  for (const std::string& name : names) written.push_back(escaped_name(name));
  const std::vector<std::string_view> views(written.begin(), written.end());
  const std::string_view nearest = nearest_name(field, views);
  return fmt::format(
      "{}available fields: {}; {}",
      nearest.empty() || nearest == field ? "" : fmt::format("did you mean '{}'? ", nearest),
      joined_text(written, ", "), told.field_options());
}

// The available fields if `field` is not among them; otherwise `hint`, as its value is at fault.
std::string field_hint(const UnreadRow& bad, std::string_view field, const std::string& hint) {
  const bool is_value = bad.reason.ends_with(", not a list");
  if (!bad.format.has_columns() && !is_value) {
    std::string way_in = way_into_value(bad.bytes, field);
    if (!way_in.empty()) return way_in;
  }
  if (is_value) return fmt::format("'{}' alone reads the value as is; {}", field, hint);
  const bool is_null = bad.reason.find("' is null") != std::string::npos;
  if (is_null || bad.format.columnar) return hint;
  if (bad.format.has_columns()) {
    if (bad.header == nullptr) return {};
    // The header names this field, so it is missing because the cell is empty.
    return is_among(*bad.header, field) ? hint
                                        : fields_there(*bad.header, std::string(field), bad.told);
  }
  const auto names = bad.format.field_names(bad.bytes, bad.format.dialect);
  std::string there =
      names.empty() ? std::string() : listed_fields(names, std::string(field), bad.told);
  if (bad.place.ends_with(":1")) return there;  // no row has it, perhaps
  return there.empty() ? hint : fmt::format("{}; {}", there, hint);
}

// Throws for a file of another JSON shape, which is not the fault of its first row.
void expect_json_lines(const Inputs& inputs, std::uint32_t file) {
  const InputFile& input = inputs.list[file];
  if (input.format != format_by_name("jsonl") || input.memory) return;
  const JsonShape shape = shape_of_json(inputs.files[file]);
  if (shape == JsonShape::lines) return refuse_other_than_json(input, inputs.files[file]);
  JsonRefusal refusal = refusal_of(input.name, shape);
  throw Error(ErrorKind::malformed_input, BadPlace{input.name}, std::move(refusal.reason),
              std::move(refusal.hint));
}

// The hint for the first row of standard input; empty if there is none.
std::string stream_hint(const UnreadRow& bad) {
  if (bad.place != "<stdin>:1" || bad.format.name != "jsonl") return {};
  const std::size_t begin = bad.bytes.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  const std::string_view row = bad.bytes.substr(begin);
  if (row.front() == '[') return refusal_of("<stdin>", JsonShape::array).hint;
  if (row == "{" || row == "{\r") return refusal_of("<stdin>", JsonShape::object).hint;
  if (!bad.reason.starts_with("broken JSON")) return {};
  return fmt::format("standard input is read as JSONL unless {} is given",
                     bad.told.option("format"));
}

// Suggests a remedy for a rejected CSV row.
std::string quote_hint(const UnreadRow& bad) {
  const bool is_of_quotes =
      bad.format.has_columns() && bad.reason.find("quote") != std::string::npos;
  if (!is_of_quotes) return {};
  if (!bad.format.has_dialects) {
    return fmt::format("{} csv {} {} --quote none reads quotes as text; ",
                       bad.told.option("format"), bad.told.option("delimiter"),
                       shown_mark(bad.format.dialect.separator));
  }
  const char behind[] = {'\\', bad.format.dialect.quote, '\0'};
  const bool may_be_escaped = bad.format.dialect.escape == '\0' &&
                              std::string_view(bad.bytes).find(behind) != std::string_view::npos;
  return may_be_escaped ? "--escape '\\' reads quotes after a backslash as text; "
                        : "--quote none reads quotes as text; ";
}

}  // namespace

bool has_lone_return(std::string_view row) noexcept {
  for (std::size_t at = row.find('\r'); at != std::string_view::npos; at = row.find('\r', at + 1)) {
    if (at + 1 < row.size() && row[at + 1] != '\n' && row[at + 1] != '\r') return true;
  }
  return false;
}

std::string delimiter_hint(const Format& format, const std::vector<std::string>& names,
                           const ToldOfFile& told) {
  if (!format.has_header || names.size() != 1) return {};
  for (const char c : {';', '\t', '|', ','}) {
    if (c == format.dialect.separator || names.front().find(c) == std::string::npos) continue;
    return fmt::format("the header is a single field, '{}'; {} {} splits it", names.front(),
                       told.option("delimiter"), shown_mark(c));
  }
  return {};
}

std::string fields_there(const std::vector<std::string>& names, const std::string& field,
                         const ToldOfFile& told) {
  if (!looks_like_row(names)) return listed_fields(names, field, told);
  return "the first line contains only numbers: --no-header reads it as a row and names the fields "
         "1, "
         "2 and so on";
}

void throw_bad_row(const Inputs& inputs, const BadRow& bad, const std::string& hint) {
  expect_json_lines(inputs, bad.row.file);
  std::string bytes(bad.row.length, '\0');
  inputs.files[bad.row.file].read_at(bad.row.offset, bytes.data(), bytes.size());
  const std::string place = place_of_row(inputs, {bad.trouble, 0, bad.row.file});
  const std::vector<std::string>& header = inputs.headers[bad.row.file].names;
  // If a title was taken for the header, quotes and numbers of fields below it mean nothing.
  const bool may_be_title = header.size() == 1 && field_in(bad.reason).empty();
  const std::string title = may_be_title ? title_hint(inputs, bad.row.file) : std::string();
  if (!title.empty()) throw Error(ErrorKind::malformed_input, BadPlace{place}, bad.reason, title);
  throw_bad_row({*inputs.list[bad.row.file].format, inputs.list[bad.row.file].told, bytes, place,
                 bad.reason, &header},
                hint);
}

void throw_bad_row(const UnreadRow& bad, const std::string& hint) {
  const std::string_view field = field_in(bad.reason);
  std::string way_out = stream_hint(bad);
  if (way_out.empty() && bad.header != nullptr) {
    way_out = delimiter_hint(bad.format, *bad.header, bad.told);
  }
  // Cells may contain carriage returns; lines of JSON cannot.
  const bool has_return = bad.format.has_fields && !bad.format.columnar &&
                          bad.format.row_ends != RowEnds::record && field.empty() &&
                          has_lone_return(bad.bytes);
  if (way_out.empty() && has_return) way_out = kWayToLines;
  if (way_out.empty())
    way_out = field.empty() ? quote_hint(bad) + hint : field_hint(bad, field, hint);
  throw Error(ErrorKind::malformed_input, BadPlace{bad.place}, bad.reason, std::move(way_out));
}

}  // namespace sosie
