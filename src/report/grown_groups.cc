// Writes groups with their new records (link --assign groups).
#include "report/grown_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/joined_text.h"
#include "core/line_end.h"
#include "corpus/rows/row_reader.h"
#include "data/padded_bytes.h"
#include "report/made_row.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kGrownSize = "cluster_size";
constexpr std::string_view kGrownWeakest = "probability";

bool has_name(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Names of a collection's fields, in the order in which rows have them. Without a header, they come
// from the first rows.
std::vector<std::string> names_of_fields(const RecordRows& rows) {
  const Inputs& inputs = rows.places.inputs;
  std::vector<std::string> names = inputs.headers.front().names;
  if (!names.empty()) return names;
  names = rows.fields;
  if (!inputs.fields.id.empty()) names.insert(names.begin(), inputs.fields.id);
  return names;
}

// Rejects fields of new rows whose names are reserved for values that the run determines. place()
// returns the place of these fields.
template <typename PlaceOfNames>
void refuse_decided(const std::vector<std::string>& names, const PlaceOfNames& place) {
  for (const std::string_view decided : {kClusterId, kGrownSize, kGrownWeakest}) {
    if (!has_name(names, decided)) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{"assign", "groups"},
                fmt::format("{}: field '{}' already exists", place(), decided),
                "new records have no groups yet: remove the field, or rename it");
  }
}

[[noreturn]] void refuse_unknown(const std::string& place, const std::string& groups,
                                 const std::vector<std::string>& unknown) {
  throw Error(ErrorKind::invalid_option, RefusedOption{"assign", "groups"},
              fmt::format("{} has fields that {} does not have: {}", place, groups,
                          joined_text(unknown, ", ")),
              "remove them, or add the columns to the groups");
}

void require_text_rows(const Inputs& inputs) {
  for (const InputFile& file : inputs.list) {
    if (!file.memory && !file.format->columnar && file.format->writer != nullptr) continue;
    throw Error(ErrorKind::unsupported, RefusedOption{"assign", "groups"},
                fmt::format("{}: is not CSV, TSV or JSONL", file.name),
                "rows are appended to the rows of the groups, in their format");
  }
}

// Appends rows after the copied ones.
class RowAppender {
 public:
  RowAppender(const RecordRows& fresh, const RecordRows& groups, OutputFile& out)
      : fresh_(fresh),
        groups_(groups),
        out_(out),
        names_(names_of_fields(groups)),
        ending_(line_ending()) {
    if (!format().has_columns()) add_names(fresh.fields);
    reader_.emplace(fresh.places.inputs, fresh.places.corpus, request());
  }

  void append(RowId row, const NewMember& member) {
    if (!has_appended_ && lacks_line_end()) put(ending_);
    has_appended_ = true;
    const RowLocator& place = fresh_.places.corpus.locator(row);
    const bool is_json = !fresh_.places.inputs.list[place.file].format->has_columns();
    if (is_json) {
      load(place);
      learn_names(place);
      reader_->look_in(place.file, place.offset, bytes_.view());
    }
    const Record& record = reader_->read(row);
    std::vector<AddedField> fields;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (std::optional<AddedField> added = decided(names_[i], member)) {
        fields.push_back(*added);
        continue;
      }
      AddedField field = field_of(names_[i], record.others[i], is_json);
      if (!field.is_null || format().has_columns()) fields.push_back(field);
    }
    put(made_row(format(), fields) + ending_);
  }

 private:
  [[nodiscard]] const Inputs& inputs() const noexcept { return groups_.places.inputs; }
  [[nodiscard]] const Format& format() const noexcept { return *inputs().list.front().format; }

  void load(const RowLocator& row) {
    bytes_.reserve(row.length);
    fresh_.places.inputs.files[row.file].read_at(row.offset, bytes_.data(), row.length);
    bytes_.set_size(row.length);
  }

  // The loaded row comes from a file without columns and may have fields that no earlier row has.
  // If the groups have no columns either, such fields are added; otherwise, they are an error.
  void learn_names(const RowLocator& row) {
    const std::string& id = fresh_.places.inputs.fields.id;
    const Format& own = *fresh_.places.inputs.list[row.file].format;
    std::vector<std::string> names = own.field_names(row_line(own, bytes_.view()), own.dialect);
    const auto place = [&] { return place_of_row(fresh_.places.inputs, row); };
    refuse_decided(names, place);
    std::erase_if(names,
                  [&](const std::string& name) { return name == id || has_name(names_, name); });
    if (names.empty()) return;
    if (format().has_columns()) refuse_unknown(place(), inputs().list.front().name, names);
    add_names(names);
    reader_.emplace(fresh_.places.inputs, fresh_.places.corpus, request());
  }

  void add_names(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (!has_name(names_, name)) names_.push_back(name);
    }
  }

  // The fields of the groups; the id gets the name that it has in the new rows.
  [[nodiscard]] FieldRequest request() const {
    FieldRequest request = fresh_.places.inputs.fields;
    request.column.clear();
    request.others = names_;
    request.items = 0;
    const std::string& id = inputs().fields.id;
    for (std::string& name : request.others) {
      if (!id.empty() && name == id) name = request.id;
    }
    request.id.clear();
    return request;
  }

  static std::optional<AddedField> decided(const std::string& name, const NewMember& member) {
    if (name == kClusterId)
      return AddedField{name, IdText{member.name.text, member.name.is_integer}};
    if (name == kGrownSize) return AddedField{name, member.size};
    if (name == kGrownWeakest) return AddedField{name, Decimal{member.weakest}, member.weakest < 0};
    return std::nullopt;
  }

  // The line ending of the first line in the groups.
  [[nodiscard]] std::string line_ending() const {
    const FileHeader& header = inputs().headers.front();
    RowLocator line{header.offset, header.length, 0};
    if (line.length == 0 && groups_.rows > 0) line = groups_.places.corpus.locator(0);
    std::string text(line.length, '\0');
    inputs().files[line.file].read_at(line.offset, text.data(), text.size());
    return text.ends_with("\r\n") ? "\r\n" : "\n";
  }

  [[nodiscard]] bool lacks_line_end() const {
    const File& file = inputs().files.back();
    if (file.size() == 0) return false;
    char last = '\0';
    file.read_at(file.size() - 1, &last, 1);
    return last != '\n';
  }

  // Writes text in the encoding of the groups.
  void put(std::string text) {
    const FileEncoding& encoding = inputs().encoding_of(0);
    if (encoding.has_returns) std::replace(text.begin(), text.end(), '\n', '\r');
    if (!encoding.codec) {
      out_.write(text);
      return;
    }
    encoded_.clear();
    if (!encoding.codec->encode(text, encoded_)) {
      throw Error(ErrorKind::unsupported,
                  fmt::format("{}: a new row contains a character that {} cannot represent",
                              inputs().list.front().name, encoding.name),
                  "convert the groups to UTF-8");
    }
    out_.write(encoded_);
  }

  const RecordRows& fresh_;
  const RecordRows& groups_;
  OutputFile& out_;
  std::vector<std::string> names_;
  std::optional<RowReader> reader_;
  std::string ending_;
  PaddedBytes bytes_;  // the latest row without columns
  std::string encoded_;
  bool has_appended_ = false;
};

// Replaces the group ids of older rows whose groups were joined; leaves all other bytes unchanged.
RowEdits joined_rows(const GrownGroups& grown) {
  RowEdits edits;
  if (!grown.joined) return edits;
  edits.bytes = [&grown](const RowLocator& place, RowNumber row, std::string& bytes) {
    if (row == kNoRowNumber) return;
    const std::optional<GroupName> group = grown.joined(row_id(row));
    if (!group) return;
    const Inputs& inputs = grown.groups.places.inputs;
    const Format& format = *inputs.list[place.file].format;
    const std::string_view old = format.written_value(
        without_line_end(bytes), kClusterId, inputs.headers[place.file].names, format.dialect);
    if (old.empty()) return;  // the file has changed meanwhile, so the run will fail
    std::string made;
    format.writer->value(made, IdText{group->text, group->is_integer}, format.dialect);
    bytes.replace(static_cast<std::size_t>(old.data() - bytes.data()), old.size(), made);
  };
  return edits;
}

}  // namespace

void check_grown_groups(const RecordRows& fresh, const RecordRows& groups) {
  require_text_rows(groups.places.inputs);
  require_text_rows(fresh.places.inputs);
  const std::string& name = fresh.places.inputs.list.front().name;
  const std::string& other = groups.places.inputs.list.front().name;
  refuse_decided(fresh.fields, [&] { return name; });
  if (fresh.places.inputs.fields.id.empty() != groups.places.inputs.fields.id.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"assign", "groups"},
                fmt::format("records have ids in only one of {} and {}", name, other),
                "--id and --other-id name the fields");
  }
  if (!groups.places.inputs.list.front().format->has_columns()) return;
  std::vector<std::string> unknown;
  for (const std::string& field : fresh.fields) {
    if (!has_name(groups.fields, field)) unknown.push_back(field);
  }
  if (!unknown.empty() && !groups.are_empty_files) refuse_unknown(name, other, unknown);
}

void write_grown_groups(const GrownGroups& grown, const KeptSource& source, OutputFile& out) {
  write_kept_rows(
      source, [](RowNumber) { return true; }, joined_rows(grown), out);
  const RecordRows& fresh = grown.fresh;
  RowAppender appender(fresh, grown.groups, out);
  for (RowId row = 0; row < fresh.rows; ++row) {
    if (fresh.places.corpus.state(row) == RowState::skipped) continue;
    appender.append(row, grown.members[row]);
  }
}

}  // namespace sosie
