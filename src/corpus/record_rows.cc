// Reads records: rows of named fields, kept in memory by column.
#include "corpus/record_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/number_text.h"
#include "core/utf8.h"
#include "corpus/field_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_utf8(std::string_view text) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const auto* end = at + text.size(); at != end;) {
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    if (is_escaped_byte(decoded.code_point)) return false;
    at += decoded.size;
  }
  return true;
}

// Fields of the first row of each file: in a file without a header, rows behind it may have more.
std::vector<std::string> all_fields(const Inputs& inputs) {
  std::vector<std::string> fields;
  for (std::uint32_t file = 0; file < inputs.list.size(); ++file) {
    const Format& format = *inputs.list[file].format;
    if (!format.has_fields) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: has no fields, and records are compared by theirs",
                              inputs.list[file].name),
                  "give CSV, TSV, JSONL or Parquet");
    }
    std::vector<std::string> names = inputs.headers[file].names;
    RowStream rows(inputs.source(file));
    for (RowView row; names.empty() && !format.has_columns() && rows.next(row);) {
      if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
      names = format.field_names(row.bytes, format.separator);
    }
    for (std::string& name : names) {
      if (!holds(fields, name)) fields.push_back(std::move(name));
    }
  }
  return fields;
}

}  // namespace

RecordRows RecordReader::read_left(const std::vector<std::string>& paths) {
  return read(with_listed_paths(reading_, paths), /*of_right=*/false);
}

RecordRows RecordReader::read_right(const std::vector<std::string>& paths) {
  return read(paths, /*of_right=*/true);
}

RecordRows RecordReader::read(const std::vector<std::string>& paths, bool of_right) {
  RecordRows rows;
  ItemReading reading = reading_;
  reading.places = &rows.places;
  reading.alone = true;
  reading.of_against = of_right;
  ItemRowSteps steps;
  steps.end_row = [this] { ++rows_; };
  steps.leave_out = [this] { leave_out(); };
  steps.is_well_formed = [this] { return is_well_formed_; };
  FieldSteps fields;
  fields.fields_of = [&](const Inputs& inputs) { return fields_of(inputs, of_right, rows.fields); };
  fields.take = [this](const Record& record) { add(record); };
  ItemRows read = read_field_rows(reading, paths, steps, fields);
  rows.ids = std::move(read.ids);
  rows.rows = read.rows;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].values.resize(rows_, RecordColumn::kMissing);
  }
  return rows;
}

std::vector<std::string> RecordReader::fields_of(const Inputs& inputs, bool of_right,
                                                 std::vector<std::string>& all) {
  std::vector<std::string> fields;
  wanted_.clear();
  for (std::string& name : all_fields(inputs)) {
    if (name != inputs.fields.id) all.push_back(std::move(name));
  }
  for (const std::string& name : all) {
    if (holds(ignored_, name)) continue;
    const auto column = std::find_if(columns_.begin(), columns_.end(),
                                     [&](const RecordColumn& c) { return c.name == name; });
    if (column == columns_.end() && of_right) continue;
    fields.push_back(name);
    wanted_.push_back(static_cast<std::size_t>(column - columns_.begin()));
    if (column != columns_.end()) continue;
    columns_.emplace_back();
    columns_.back().name = name;
    numbers_.emplace_back(columns_.back());
  }
  return fields;
}

void RecordReader::add(const Record& record) {
  constexpr std::uint64_t kCheckEvery = 4096;
  if (rows_ % kCheckEvery == 0) check_memory();
  is_well_formed_ = true;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    const std::string_view text = record.others[i].text;
    is_well_formed_ = is_well_formed_ && is_utf8(text);
    numbers_[wanted_[i]].add(text);
  }
}

// A row that threw may have left some of its values.
void RecordReader::leave_out() {
  for (const std::size_t c : wanted_) {
    columns_[c].values.resize(rows_);
    columns_[c].values.push_back(RecordColumn::kMissing);
  }
  ++rows_;
}

void RecordReader::check_memory() const {
  std::uint64_t bytes = 0;
  for (const RecordColumn& column : columns_) {
    bytes += column.bytes.capacity() + 4 * column.values.capacity() + 24 * column.starts.capacity();
  }
  if (bytes <= reading_.settings.memory_bytes / 2) return;
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("the records take {}, and are kept in memory: --memory is {}",
                          bytes_text(bytes), bytes_text(reading_.settings.memory_bytes)),
              fmt::format("say a larger --memory: above {}M", (2 * bytes >> 20) + 1));
}

RecordTable RecordReader::take(const RecordRows& left, const RecordRows* right) {
  RecordTable table;
  table.left = static_cast<std::uint32_t>(left.rows);
  table.across = right != nullptr;
  if (right != nullptr) table.right = static_cast<std::uint32_t>(right->rows);
  for (const std::string& name : ignored_) {
    if (holds(left.fields, name) || (right != nullptr && holds(right->fields, name))) continue;
    throw Error(ErrorKind::malformed_input, fmt::format("field '{}' is missing", name),
                fmt::format("the fields there are: {}", fmt::join(left.fields, ", ")));
  }
  for (RecordColumn& column : columns_) {
    if (right != nullptr && !holds(right->fields, column.name)) continue;
    table.columns.push_back(std::move(column));
  }
  if (!table.columns.empty() || (table.size() == 0)) return table;
  throw Error(ErrorKind::malformed_input,
              right == nullptr ? "the records have no field to be compared by"
                               : "the collections have no field in common",
              right == nullptr
                  ? std::string()
                  : fmt::format("one has {}; the other one {}", fmt::join(left.fields, ", "),
                                fmt::join(right->fields, ", ")));
}

}  // namespace sosie
