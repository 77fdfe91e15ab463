// Formats read as JSON: converts the fields of a row to an object, in which the JSONL parser finds
// the requested fields; the text of a page needs no conversion.
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
constexpr std::string_view kText = "text";  // name of the field with the page's text
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

WarcRecord read_text_record(std::string_view row) {
  WarcRecord record = read_warc_record(row);
  if (record.type().empty()) throw RowError("this WARC record has no WARC-Type");
  if (!is_plain_text(record)) {
    throw RowError(
        "a record of type '" + std::string(record.type()) +
        "' contains no plain text: sosie.crawls in Python extracts it from HTML, and WET "
        "files contain it");
  }
  return record;
}

void append_record(const WarcRecord& record, std::string_view text, std::string& out) {
  for (const Renamed& renamed : kRenamed) {
    const std::string_view value = record.header(renamed.header);
    if (!value.empty()) append_field(renamed.name, value, out);
  }
  append_field(kText, text, out);
  append_other_headers(record, out);
  out += '}';
}

// Omits the text, which would waste memory if only names are requested.
void json_of_headers(std::string_view row, std::string& out) {
  append_record(read_text_record(row), {}, out);
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

// Reads fields from a JSON object that is generated from a row.
class ObjectParser {
 public:
  explicit ObjectParser(const FieldRequest& request) : parser_(make_jsonl_row_parser(request)) {}

  // An object to append to.
  [[nodiscard]] std::string& begin() noexcept {
    json_.clear();
    return json_;
  }
  void parse(Record& out) {
    const std::size_t size = json_.size();
    json_.append(kPadding, '\0');
    try {
      parser_->parse(std::string_view(json_).substr(0, size), out);
    } catch (const RowError& error) {
      throw RowError(error.what());  // without the place in JSON that nobody sees
    }
  }

 private:
  std::unique_ptr<RowParser> parser_;
  std::string json_;
};

class FpsParser final : public RowParser {
 public:
  explicit FpsParser(const FieldRequest& request) : object_(request) {}

  void parse(std::string_view row, Record& out) override {
    json_of_fps(row, object_.begin());
    object_.parse(out);
  }

 private:
  ObjectParser object_;
};

// If the text itself is requested, as is almost always the case, it is returned in place: as JSON,
// it may take six times its bytes.
class WarcParser final : public RowParser {
 public:
  explicit WarcParser(const FieldRequest& request)
      : object_(request),
        is_text_(request.column == kText && request.form != TextForm::elements),
        needs_text_((!is_text_ && may_name_text(request.column)) || may_name_text(request.id) ||
                    std::any_of(request.others.begin(), request.others.end(), may_name_text)) {}

  void parse(std::string_view row, Record& out) override {
    const WarcRecord record = read_text_record(row);
    append_record(record, needs_text_ ? record.content : std::string_view(), object_.begin());
    object_.parse(out);
    if (is_text_) out.text = record.content;
  }

 private:
  static bool may_name_text(std::string_view fields) {
    return fields.find(kText) != std::string_view::npos;
  }

  ObjectParser object_;
  const bool is_text_;
  const bool needs_text_;
};

using MakeJson = void (*)(std::string_view row, std::string& out);

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
  return std::make_unique<WarcParser>(request);
}

std::vector<std::string> warc_field_names(std::string_view row, Dialect /*dialect*/) {
  return names_by(json_of_headers, row);
}

std::unique_ptr<RowParser> make_fps_row_parser(const FieldRequest& request, Header /*header*/) {
  return std::make_unique<FpsParser>(request);
}

std::vector<std::string> fps_field_names(std::string_view row, Dialect /*dialect*/) {
  return names_by(json_of_fps, row);
}

}  // namespace sosie
