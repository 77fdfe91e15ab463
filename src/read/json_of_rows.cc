// Formats read as JSON: converts the fields of a row to an object, in which the JSONL parser finds
// the requested fields.
#include <algorithm>
#include <array>

#include "core/ascii_lower.h"
#include "data/padded_bytes.h"
#include "read/arrow_json.h"
#include "read/row_parsers.h"
#include "read/warc.h"

namespace sosie {
namespace {

void append_field(std::string_view name, std::string_view value, std::string& out) {
  out += out.empty() ? '{' : ',';
  append_json_string(name, out);
  out += ':';
  append_json_string(value, out);
}

// Headers that get the shorter names used by readers of crawls.
struct Renamed {
  std::string_view header;
  std::string_view name;
};
constexpr std::array<Renamed, 3> kRenamed = {
    {{"warc-record-id", "id"}, {"warc-target-uri", "url"}, {"warc-date", "date"}}};
// Other headers become fields under their names in lower case, except those that describe only the
// archive; only the first of each name counts.
void append_other_headers(const WarcRecord& record, std::string& out) {
  std::vector<std::string> known = {"text", "warc-type", "content-length"};
  for (const Renamed& renamed : kRenamed) {
    known.emplace_back(renamed.header);
    known.emplace_back(renamed.name);
  }
  for (const WarcHeader& header : record.headers) {
    std::string name = ascii_lower(std::string(header.name));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string value(header.value);  // a folded header on one line
    std::replace(value.begin(), value.end(), '\r', ' ');
    std::replace(value.begin(), value.end(), '\n', ' ');
    append_field(name, value, out);
    known.push_back(std::move(name));
  }
}

void json_of_warc(std::string_view row, std::string& out) {
  const WarcRecord record = read_warc_record(row);
  if (record.type().empty()) throw RowError("this WARC record has no WARC-Type");
  if (!is_plain_text(record)) {
    throw RowError("a record of type '" + std::string(record.type()) +
                   "' contains no plain text; use WET files, which contain the text of pages");
  }
  for (const Renamed& renamed : kRenamed) {
    const std::string_view value = record.header(renamed.header);
    if (!value.empty()) append_field(renamed.name, value, out);
  }
  append_field("text", record.content, out);
  append_other_headers(record, out);
  out += '}';
}

// "HEX<tab>ID", optionally followed by a tab and more.
void json_of_fps(std::string_view row, std::string& out) {
  const std::size_t end = row.find('\t');
  if (end == std::string_view::npos) throw RowError("expected HEX<tab>ID, found no tab");
  const std::string_view rest = row.substr(end + 1);
  append_field("id", rest.substr(0, rest.find('\t')), out);
  append_field("text", row.substr(0, end), out);
  out += '}';
}

using MakeJson = void (*)(std::string_view row, std::string& out);

class RowAsJsonParser final : public RowParser {
 public:
  RowAsJsonParser(MakeJson make_json, const FieldRequest& request)
      : make_json_(make_json), parser_(make_jsonl_row_parser(request)) {}

  void parse(std::string_view row, Record& out) override {
    text_.clear();
    make_json_(row, text_);
    json_.assign(text_);
    try {
      parser_->parse(json_.view(), out);
    } catch (const RowError& error) {
      throw RowError(error.what());  // without the place in JSON that nobody sees
    }
  }

 private:
  MakeJson make_json_;
  std::unique_ptr<RowParser> parser_;
  std::string text_;
  PaddedBytes json_;
};

std::vector<std::string> names_by(MakeJson make_json, std::string_view row) {
  std::string json;
  try {
    make_json(row, json);
  } catch (const RowError&) {
    return {};
  }
  return jsonl_field_names(json);
}

}  // namespace

std::unique_ptr<RowParser> make_warc_row_parser(const FieldRequest& request, Header /*header*/) {
  return std::make_unique<RowAsJsonParser>(json_of_warc, request);
}

std::vector<std::string> warc_field_names(std::string_view row, Dialect /*dialect*/) {
  return names_by(json_of_warc, row);
}

std::unique_ptr<RowParser> make_fps_row_parser(const FieldRequest& request, Header /*header*/) {
  return std::make_unique<RowAsJsonParser>(json_of_fps, request);
}

std::vector<std::string> fps_field_names(std::string_view row, Dialect /*dialect*/) {
  return names_by(json_of_fps, row);
}

}  // namespace sosie
