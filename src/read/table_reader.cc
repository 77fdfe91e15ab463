// Reads tables by their header, or by the names in lines of JSON.
#include "read/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/joined_text.h"
#include "core/json_value.h"
#include "core/utf8.h"
#include "data/table_note.h"
#include "read/quote_large_integers.h"
#include "read/quote_map.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The cells of a JSON object that are named by `columns`: texts unchanged, other values as JSON.
// While `columns` is empty, fills in the names instead. Throws RowError.
void split_json_object(std::string_view object, const std::vector<std::string>& columns,
                       std::vector<std::string>& out) {
  JsonFault fault;
  const std::string with_digits = quote_large_integers(object);  // ids keep theirs
  std::optional<JsonValue> read = parse_json(with_digits, &fault);
  if (fault.kind == JsonFault::Kind::large_number) {
    read = parse_json(with_numbers_in_range(with_digits));
  }
  if (!read || !read->is_object()) throw RowError("not a JSON object");
  out.clear();
  if (columns.empty()) {
    for (const auto& [name, value] : read->members()) out.push_back(name);
    return;
  }
  for (const std::string& name : columns) {
    const JsonValue* value = read->find(name);
    if (value == nullptr) throw RowError(fmt::format("field '{}' is missing", name));
    out.push_back(value->is_text() ? value->text() : value->written());
  }
}

// Each cell is a separate string, and each JSON value a node, so a byte may need this many.
constexpr std::uint64_t kFormsOfRecord = 256;

}  // namespace

TableReader::TableReader(const File& file, const std::string& path, const Format& format,
                         std::uint64_t memory_bytes)
    : file_(file),
      name_(path == "-" ? "<stdin>" : path),
      format_(format),
      limit_{memory_bytes, 1, kFormsOfRecord} {
  bool has_record = next_record();
  if (has_record && format_.has_header && record_.starts_with(kTableNoteMark)) {
    note_ = record_.substr(kTableNoteMark.size());
    has_record = next_record();
  }
  if (!has_record && format_.has_header) {  // lines of JSON may be none
    throw Error(ErrorKind::malformed_input, BadPlace{name_},
                note_.empty() ? "is empty: it has no header" : "has no header after its note",
                "recreate it: even a table without rows has a header");
  }
  if (!has_record) return;
  split({}, columns_);
  if (columns_.empty()) {
    throw Error(ErrorKind::malformed_input, BadPlace{place()}, "an object without fields");
  }
  unread_ = !format_.has_header;
}

bool TableReader::has_column(std::string_view name) const noexcept {
  return std::find(columns_.begin(), columns_.end(), name) != columns_.end();
}

std::size_t TableReader::column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
  throw Error(ErrorKind::malformed_input, BadPlace{place()},
              fmt::format("has no column '{}'", name),
              fmt::format("available columns: {}", joined_text(columns_, ", ")));
}

bool TableReader::next() {
  if (!unread_ && !next_record()) return false;
  unread_ = false;
  split(columns_, cells_);
  if (format_.has_header && columns_.size() > 1 && cells_ == columns_) {
    throw Error(ErrorKind::malformed_input, BadPlace{place()},
                "the row repeats the header, as when files are concatenated with their headers",
                "remove the row");
  }
  if (cells_.size() == columns_.size()) return true;
  throw Error(ErrorKind::malformed_input, BadPlace{place()},
              fmt::format("expected {} fields, found {}", columns_.size(), cells_.size()));
}

std::string TableReader::place() const {
  if (file_.is_in_memory()) return place_of_line(file_, first_line_);
  return fmt::format("{}:{}", name_, first_line_);
}

void TableReader::split(const TableCells& columns, TableCells& out) {
  try {
    if (format_.has_header) {
      out = format_.field_names(record_, {});
    } else {
      split_json_object(record_, columns, out);
    }
  } catch (const RowError& error) {
    throw Error(ErrorKind::malformed_input, BadPlace{place()}, error.what());
  }
}

bool TableReader::next_line(std::string& line, std::size_t had) {
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  const std::uint64_t most = limit_.bytes();
  std::size_t end = buffer_.find('\n', at_);
  while (end == std::string::npos && read_end_ < file_.known_size()) {
    if (had + buffer_.size() - at_ > most) refuse_record();
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t have = buffer_.size();
    const auto want =
        static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, file_.known_size() - read_end_));
    buffer_.resize(have + want);
    const std::size_t more = file_.read_some(read_end_, buffer_.data() + have, want);
    buffer_.resize(have + more);
    if (more == 0) break;
    read_end_ += more;
    end = buffer_.find('\n', have);
  }
  if (end == std::string::npos && at_ == buffer_.size()) return false;
  const std::size_t size = std::min(end, buffer_.size()) - at_;
  if (had + size > most) refuse_record();
  line.assign(buffer_, at_, size);
  at_ = std::min(end, buffer_.size() - 1) + 1;
  if (lines_++ == 0 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return true;
}

// Reads to the end of the record without keeping it, to report its size.
void TableReader::refuse_record() {
  if (record_.empty()) first_line_ = lines_ + 1;
  std::vector<char> piece(std::size_t{1} << 18);
  QuoteState state = QuoteState::row_start;
  std::uint64_t length = 0;
  bool is_open = true;
  while (is_open && record_begin_ + length < file_.known_size()) {
    const std::uint64_t left = file_.known_size() - record_begin_ - length;
    const std::size_t size = file_.read_some(record_begin_ + length, piece.data(),
                                             std::min<std::uint64_t>(piece.size(), left));
    if (size == 0) break;
    const char* const begin = piece.data();
    const char* end = std::find(begin, begin + size, '\n');
    is_open = end == begin + size;
    if (!is_open) ++end;
    if (format_.dialect.separator != '\0') {
      end = find_row_end(begin, begin + size, format_.dialect, state);
      is_open = state != QuoteState::row_start;
    }
    length += static_cast<std::uint64_t>(end - begin);
  }
  refuse_long_row(limit_, place(), length);
}

bool TableReader::next_record() {
  do {
    record_.clear();
    record_begin_ = position();
    if (!next_line(record_, 0)) return false;
  } while (record_.find_first_not_of(" \r") == std::string::npos);
  first_line_ = lines_;
  std::string line;
  QuoteState state = QuoteState::row_start;
  const auto is_open = [&](std::string_view of) {
    if (state == QuoteState::row_start && of.find('"') == std::string_view::npos) return false;
    const char* end = of.data() + of.size();
    for (const char* at = of.data(); at < end;) {
      at = find_row_end(at, end, format_.dialect, state);
    }
    return state == QuoteState::quoted;
  };
  bool goes_on = format_.dialect.separator != '\0' && is_open(record_);
  while (goes_on && next_line(line, record_.size())) {
    record_ += '\n';
    record_ += line;
    goes_on = is_open(line);
  }
  while (record_.ends_with('\r')) record_.pop_back();
  return true;
}

}  // namespace sosie
