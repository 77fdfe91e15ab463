// Reads records: rows of named fields, kept in memory by column.
#include "corpus/items/record_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "core/size_text.h"
#include "core/utf8.h"
#include "corpus/file_headers.h"
#include "corpus/items/item_rows.h"
#include "corpus/items/value_numbers.h"
#include "read/field_paths.h"
#include "sosie/error.h"

namespace sosie {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_utf8(std::string_view text) noexcept {
  constexpr std::uint64_t kNoAscii = 0x8080808080808080U;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = at + text.size();
  for (std::uint64_t word = 0; end - at >= std::ptrdiff_t{sizeof word}; at += sizeof word) {
    std::memcpy(&word, at, sizeof word);
    if ((word & kNoAscii) != 0) break;
  }
  while (at != end) {
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    if (is_escaped_byte(decoded.code_point)) return false;
    at += decoded.size;
  }
  return true;
}

// Number of rows inspected for fields in a file without a header; more, until all wanted fields
// have been seen, because rows omit fields without a value.
constexpr std::uint64_t kRowsOfFields = 10000;

void add_names(std::vector<std::string> names, std::vector<std::string>& fields) {
  for (std::string& name : names) {
    if (!holds(fields, name)) fields.push_back(std::move(name));
  }
}

// Adds the fields of the rows of a file without a header, in order of occurrence. Returns false if
// there are no rows.
bool add_fields_of_rows(const Inputs& inputs, std::uint32_t file,
                        const std::vector<std::string>& wanted, std::vector<std::string>& fields) {
  const Format& format = *inputs.list[file].format;
  const auto all_seen = [&] {
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const std::string& name) { return holds(fields, name); });
  };
  RowStream rows(inputs.source(file));
  std::uint64_t seen = 0;
  for (RowView row; (seen < kRowsOfFields || !all_seen()) && rows.next(row); ++seen) {
    if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
    add_names(format.field_names(row.bytes, format.dialect), fields);
  }
  return seen > 0;
}

// Fields named by the header of a file, or by its rows.
struct FileFields {
  std::vector<std::string> names;
  bool has_rows = false;  // or headers
};

FileFields all_fields(const Inputs& inputs, const std::vector<std::string>& wanted) {
  FileFields all;
  for (std::uint32_t file = 0; file < inputs.list.size(); ++file) {
    const Format& format = *inputs.list[file].format;
    if (!inputs.list[file].told.column.empty()) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}::column={}: records are compared on all their fields",
                              inputs.list[file].name, inputs.list[file].told.column),
                  "--rules FILE selects the fields");
    }
    if (!format.has_fields) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: has no fields, but records are compared field by field",
                              inputs.list[file].name),
                  "give CSV, TSV, JSONL or Parquet");
    }
    add_names(inputs.headers[file].names, all.names);
    const bool has_names = !inputs.headers[file].names.empty();
    const bool looks_at_rows = !has_names && !format.has_columns();
    if (has_names || (looks_at_rows && add_fields_of_rows(inputs, file, wanted, all.names))) {
      all.has_rows = true;
    }
  }
  return all;
}

// A note for each file whose header differs from the first one, as it may belong to another table.
// Throws for a file that has none of the first one's columns.
std::vector<std::string> notes_on_headers(const Inputs& inputs) {
  std::vector<std::string> notes;
  const std::vector<std::string>* first = nullptr;
  const auto without = [&](const std::vector<std::string>& names,
                           const std::vector<std::string>& others) {
    std::vector<std::string> left;
    std::copy_if(
        names.begin(), names.end(), std::back_inserter(left),
        [&](const std::string& name) { return name != inputs.fields.id && !holds(others, name); });
    return left;
  };
  for (std::uint32_t file = 0; file < inputs.list.size(); ++file) {
    const std::vector<std::string>& names = inputs.headers[file].names;
    if (names.empty()) continue;
    if (first == nullptr) first = &names;
    const std::vector<std::string> missing = without(*first, names);
    const std::vector<std::string> more = without(names, *first);
    if (missing.empty() && more.empty()) continue;
    if (missing.size() == first->size() - (inputs.fields.id.empty() ? 0 : 1)) {
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}: has none of the columns of {}", inputs.list[file].name,
                              inputs.list.front().name),
                  "all files of a collection must have the same columns; --against compares two "
                  "collections");
    }
    const std::string missed =
        missing.empty() ? "" : fmt::format("has no {}", joined_text(missing, ", "));
    const std::string added =
        more.empty() ? "" : fmt::format("has also {}", joined_text(more, ", "));
    notes.push_back(fmt::format("{}: {}{}{}", inputs.list[file].name, missed,
                                missed.empty() || added.empty() ? "" : ", and ", added));
  }
  return notes;
}

// Throws for a wanted field that does not exist.
void require_wanted(const std::vector<std::string>& wanted, const std::vector<std::string>& fields,
                    const Inputs& inputs) {
  const std::vector<std::string_view> names(fields.begin(), fields.end());
  for (const std::string& name : wanted) {
    if (holds(fields, name)) continue;
    const std::string_view nearest = nearest_name(name, names);
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: field '{}' is missing", inputs.list.front().name, name),
                nearest.empty() ? fmt::format("available fields: {}", joined_text(names, ", "))
                                : fmt::format("did you mean {}?", nearest));
  }
}

constexpr std::uint64_t kBytesBetweenChecks = std::uint64_t{1} << 20;

// Values of the latest rows of one column, until they are numbered.
class WaitingValues {
 public:
  void add(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }
  // Keeps only the first `count` values.
  void cut(std::size_t count) {
    ends_.resize(count);
    bytes_.resize(ends_.empty() ? 0 : ends_.back());
  }
  void move_to(ValueNumbers& numbers) {
    std::array<std::string_view, ValueNumbers::kAtOnce> texts;
    std::array<std::uint32_t, ValueNumbers::kAtOnce> found;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      texts[i] = std::string_view(bytes_).substr(begin, ends_[i] - begin);
      begin = ends_[i];
    }
    numbers.numbers_of(std::span(texts).first(ends_.size()), found);
    for (std::size_t i = 0; i < ends_.size(); ++i) numbers.append(found[i]);
    cut(0);
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

// Fills columns row by row.
class RecordCollector {
 public:
  RecordCollector(const Settings& settings, const RecordFields& asked, RecordRows& rows)
      : settings_(settings), asked_(asked), rows_(rows) {}

  [[nodiscard]] ItemRowSteps steps() {
    return {.add = {},
            .end_row = [this] { return ++count_ > 0; },
            .leave_out = [this] { leave_out(); },
            .is_well_formed = [this] { return is_well_formed_; },
            .length = [this] { return bytes_; }};
  }
  [[nodiscard]] FieldSteps field_steps() {
    return {.fields_of = [this](const Inputs& inputs) { return fields_of(inputs); },
            .renamed = [this](std::uint32_t column,
                              const std::string& name) { note_name(column, name); },
            .take = [this](const Record& record) { add(record); }};
  }
  // Call after the last row.
  void finish() {
    for (std::size_t c = 0; c < numbers_.size(); ++c) waiting_[c].move_to(numbers_[c]);
    numbered_ = count_;
  }

 private:
  std::vector<std::string> fields_of(const Inputs& inputs) {
    FileFields all = all_fields(inputs, asked_.wanted);
    for (std::string& name : all.names) {
      if (name != inputs.fields.id) rows_.fields.push_back(std::move(name));
    }
    rows_.are_empty_files = !all.has_rows;
    for (std::uint32_t file = 0; file < inputs.list.size(); ++file) {
      const std::string hint = title_hint(inputs, file);
      if (!hint.empty()) rows_.notes.push_back(inputs.list[file].name + ": " + hint);
    }
    for (std::string& note : notes_on_headers(inputs)) rows_.notes.push_back(std::move(note));
    if (all.has_rows) require_wanted(asked_.wanted, rows_.fields, inputs);
    std::vector<std::string> fields;
    for (const std::string& name : rows_.fields) {
      const bool is_wanted = asked_.wanted.empty()
                                 ? !holds(asked_.ignored, name)
                                 : holds(asked_.wanted, name) || holds(asked_.also, name);
      if (is_wanted) fields.push_back(name);
    }
    rows_.columns.resize(fields.size());
    waiting_.resize(fields.size());
    numbers_.reserve(fields.size());
    for (std::size_t c = 0; c < fields.size(); ++c) {
      rows_.columns[c].name = fields[c];
      numbers_.emplace_back(rows_.columns[c]);
    }
    return fields;
  }

  // Files of the same format have equal headers, so each column is reported once.
  void note_name(std::uint32_t column, const std::string& name) {
    std::string note = fmt::format("column {} has no unique name and is called '{}'", column, name);
    if (!holds(rows_.notes, note)) rows_.notes.push_back(std::move(note));
  }

  void add(const Record& record) {
    number_full();
    is_well_formed_ = true;
    bytes_ = 0;
    for (std::size_t c = 0; c < waiting_.size(); ++c) {
      const std::string_view text = record.others[c].text;
      is_well_formed_ = is_well_formed_ && is_utf8(text);
      waiting_[c].add(text);
      unchecked_bytes_ += text.size() + sizeof(std::uint32_t);
      bytes_ += static_cast<std::uint32_t>(text.size());
    }
    if (unchecked_bytes_ > kBytesBetweenChecks) check_memory();
  }

  void number_full() {
    if (count_ - numbered_ == ValueNumbers::kAtOnce) finish();
  }

  // A row that threw may have left some of its values.
  void leave_out() {
    for (WaitingValues& values : waiting_) values.cut(count_ - numbered_);
    number_full();
    for (WaitingValues& values : waiting_) values.add({});
    ++count_;
  }

  void check_memory() {
    unchecked_bytes_ = 0;
    std::uint64_t bytes = asked_.bytes_before + memory_bytes_of(rows_.columns);
    for (const ValueNumbers& numbers : numbers_) bytes += numbers.memory_bytes();
    if (bytes <= settings_.memory_bytes / 2) return;
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("the records need {} of memory; --memory is {}", bytes_text(bytes),
                            limit_text(settings_.memory_bytes)),
                "raise --memory above " + round_size_text(2 * bytes));
  }

  const Settings& settings_;
  const RecordFields& asked_;
  RecordRows& rows_;
  std::vector<ValueNumbers> numbers_;
  std::vector<WaitingValues> waiting_;  // by column
  std::uint64_t count_ = 0;             // rows so far
  std::uint64_t numbered_ = 0;          // rows whose values are numbered
  std::uint64_t unchecked_bytes_ = 0;   // bytes of values since memory was last checked
  bool is_well_formed_ = true;          // the last row is
  std::uint32_t bytes_ = 0;             // bytes of the values of the last row
};

}  // namespace

RecordRows read_records(const ItemReading& reading, const std::vector<std::string>& paths,
                        const RecordFields& fields) {
  RecordRows rows;
  ItemReading alone = reading;
  alone.places = &rows.places;
  alone.alone = true;
  RecordCollector collector(reading.settings, fields, rows);
  ItemRows read = read_field_rows(alone, with_listed_paths(alone, paths), collector.steps(),
                                  collector.field_steps());
  collector.finish();
  rows.ids = std::move(read.ids);
  rows.rows = static_cast<std::uint32_t>(read.rows);
  return rows;
}

void require_ignored(const RecordFields& fields, const RecordRows& left, const RecordRows* right) {
  std::vector<std::string> written;
  for (const std::string& field : left.fields) written.push_back(escaped_name(field));
  const std::vector<std::string_view> names(written.begin(), written.end());
  for (const std::string& name : fields.ignored) {
    if (holds(left.fields, name) || (right != nullptr && holds(right->fields, name))) continue;
    const std::string_view nearest = nearest_name(name, names);
    throw Error(ErrorKind::invalid_option, RefusedOption{"ignore", name},
                "no record has this field",
                nearest.empty() ? fmt::format("available fields: {}", joined_text(names, ", "))
                                : fmt::format("did you mean {}?", nearest));
  }
}

}  // namespace sosie
