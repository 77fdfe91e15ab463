// Reads rows of CSV (RFC 4180, in any dialect) and TSV. In both, a field that begins with a quote
// ends at the next one that is not doubled. TSV has two rules of its own (docs/formats.md): \t, \n,
// \r and \\ stand for the characters that write/tsv.cc escapes, and a quote has no special meaning
// except around a whole field. Surrounding spaces belong to the value.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/written_number.h"
#include "data/padded_bytes.h"
#include "read/element_list.h"
#include "read/field_paths.h"
#include "read/row_parsers.h"

namespace sosie {
namespace {

// A field in its original form in the row.
struct Field {
  std::string_view value;    // between the quotes, if there are any
  bool has_escapes = false;  // doubled quotes, or a character after the dialect's escape
  bool has_tsv_escapes = false;
  std::string_view written = {};  // with the quotes

  [[nodiscard]] bool is_plain() const noexcept { return !has_escapes && !has_tsv_escapes; }
};

// The rules of the two formats, which differ.
enum class Rules : std::uint8_t { csv, tsv };

// The usual dialect if `asked` has no separator.
Dialect with_separator(Dialect asked, char usual) noexcept {
  if (asked.separator == '\0') asked.separator = usual;
  return asked;
}

constexpr std::string_view kQuoteInField = "a quote inside a field that does not begin with one";
constexpr std::string_view kUnclosedQuote = "unclosed quote";
constexpr std::string_view kTextBehindQuote = "text after a closing quote";

// Describes a fault of quotes; if many lines were affected, gives their number.
std::string told_lines(std::string_view fault, std::string_view value) {
  const auto lines = 1 + std::count(value.begin(), value.end(), '\n');
  if (lines == 1) return std::string(fault);
  return fmt::format("{}: the field that begins here spans {} lines", fault, lines);
}

// Splits a row into fields. Throws RowError for quotes that have no meaning in the dialect.
class FieldCutter {
 public:
  FieldCutter(std::string_view row, Dialect dialect, Rules rules)
      : row_(row), dialect_(dialect), rules_(rules) {}

  // Returns false after the last field. A row has at least one field.
  bool next(Field& field) {
    if (done_) return false;
    const std::size_t begin = at_;
    field = is_quote(at_) ? quoted() : unquoted();
    field.written = row_.substr(begin, at_ - begin);
    done_ = at_ == row_.size();
    ++at_;  // the separator
    return true;
  }

 private:
  [[nodiscard]] bool is_quote(std::size_t at) const noexcept {
    return at < row_.size() && row_[at] == dialect_.quote && dialect_.quote != '\0';
  }

  Field unquoted() {
    const bool may_have_quotes = rules_ == Rules::tsv || dialect_.quote == '\0';
    std::string marks(1, dialect_.separator);
    if (!may_have_quotes) marks += dialect_.quote;
    if (dialect_.escape != '\0') marks += dialect_.escape;
    const std::size_t begin = at_;
    bool escapes = false;
    at_ = find_mark(marks, begin);
    while (at_ < row_.size() && row_[at_] != dialect_.separator) {
      if (row_[at_] != dialect_.escape) throw RowError(std::string(kQuoteInField), at_);
      escapes = true;
      at_ = find_mark(marks, at_ + 2);
    }
    const std::string_view value = row_.substr(begin, at_ - begin);
    return {value, escapes, rules_ == Rules::tsv && has_backslash(value)};
  }

  // The next of these characters; the end of the row if there is none.
  [[nodiscard]] std::size_t find_mark(std::string_view marks, std::size_t from) const noexcept {
    return std::min(row_.find_first_of(marks, std::min(from, row_.size())), row_.size());
  }

  Field quoted() {
    const std::size_t begin = at_ + 1;
    const auto [quote, escapes] = find_closing_quote(begin);
    if (quote == std::string_view::npos) {
      throw RowError(told_lines(kUnclosedQuote, row_.substr(begin)), at_);
    }
    at_ = quote + 1;
    const std::string_view value = row_.substr(begin, quote - begin);
    if (at_ < row_.size() && row_[at_] != dialect_.separator) {
      if (rules_ == Rules::csv) throw RowError(told_lines(kTextBehindQuote, value), begin - 1);
      at_ = begin - 1;
      return unquoted();
    }
    return {value, escapes, rules_ == Rules::tsv && has_backslash(value)};
  }

  // The end of the field, and true if something in it is escaped.
  [[nodiscard]] std::pair<std::size_t, bool> find_closing_quote(std::size_t from) const noexcept {
    bool escapes = false;
    const std::array<char, 2> marks = {dialect_.quote, dialect_.escape};
    const std::string_view looked_for(marks.data(), dialect_.escape == '\0' ? 1 : 2);
    std::size_t at = row_.find_first_of(looked_for, from);
    while (at != std::string_view::npos) {
      const bool doubled = row_[at] == dialect_.quote && is_quote(at + 1);
      if (row_[at] == dialect_.quote && !doubled) break;
      escapes = true;
      at = row_.find_first_of(looked_for, std::min(at + 2, row_.size()));
    }
    return {at, escapes};
  }

  static bool has_backslash(std::string_view value) noexcept {
    return value.find('\\') != std::string_view::npos;
  }

  std::string_view row_;
  Dialect dialect_;
  Rules rules_;
  std::size_t at_ = 0;
  bool done_ = false;
};

void append_value(const Field& field, Dialect dialect, std::string& out) {
  constexpr std::string_view kMarks = "tnr\\";
  constexpr std::string_view kMeant = "\t\n\r\\";
  const std::string_view value = field.value;
  if (field.is_plain()) {
    out += value;
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool escapes = field.has_tsv_escapes && value[i] == '\\' && i + 1 < value.size();
    const std::size_t mark = escapes ? kMarks.find(value[i + 1]) : std::string_view::npos;
    if (mark != std::string_view::npos) {
      out += kMeant[mark];
      ++i;
      continue;
    }
    const bool is_escape = value[i] == dialect.escape && dialect.escape != '\0';
    const bool is_quote = value[i] == dialect.quote && dialect.quote != '\0';
    const bool stands_for_next = field.has_escapes && (is_escape || is_quote);
    if (stands_for_next && i + 1 < value.size()) ++i;
    out += value[i];
  }
}

FieldValue typed(std::string_view text) {
  if (text.empty()) return {FieldValue::Kind::missing, 0, ""};
  const std::optional<long double> number = written_number(text);
  return {number ? FieldValue::Kind::number : FieldValue::Kind::text, number.value_or(0), text};
}

// A requested field: the columns that may contain it; the first non-empty one is used.
struct ColumnsOfField {
  std::string name;
  std::vector<std::size_t> columns;  // none: the header names none of them
};

ColumnsOfField columns_of_field(const std::string& name, std::span<const std::string> header) {
  ColumnsOfField asked{name, {}};
  const auto add = [&](const std::string& called) {
    const auto found = std::find(header.begin(), header.end(), called);
    if (found == header.end()) return;
    asked.columns.push_back(static_cast<std::size_t>(found - header.begin()));
  };
  add(name);
  if (!asked.columns.empty()) return asked;
  for (const std::string& path : field_paths(name)) add(path);
  return asked;
}

class CsvParser final : public RowParser {
 public:
  CsvParser(const FieldRequest& request, std::span<const std::string> header, char separator,
            Rules rules)
      : columns_(header.size()),
        dialect_(with_separator(request.dialect, separator)),
        rules_(rules),
        has_id_(!request.id.empty()) {
    const bool is_literal = std::find(header.begin(), header.end(), request.column) != header.end();
    std::vector<std::string> names = joined_names(request.column);
    if (is_literal) names = {request.column};
    if (request.column.empty()) names.clear();
    for (const std::string& name : names) text_fields_.push_back(columns_of_field(name, header));
    id_field_ = columns_of_field(request.id, header);
    for (const std::string& name : request.others) {
      other_fields_.push_back(columns_of_field(name, header));
    }
    others_.resize(other_fields_.size());
    if (request.form == TextForm::elements) elements_.emplace(request.elements);
  }

  void parse(std::string_view row, Record& out) override {
    cut(row);
    out.text = elements_ ? elements_->from_words(text()) : text();
    out.id = {};
    if (has_id_) {
      out.id = value_of(id_field_, id_);
    }
    out.others.clear();
    for (std::size_t i = 0; i < other_fields_.size(); ++i) {
      const bool there = !other_fields_[i].columns.empty();
      out.others.push_back(there ? typed(value_of(other_fields_[i], others_[i])) : FieldValue{});
    }
  }

 private:
  void cut(std::string_view row) {
    fields_.clear();
    FieldCutter cutter(row, dialect_, rules_);
    for (Field field; cutter.next(field);) fields_.push_back(field);
    if (fields_.size() != columns_) {
      throw RowError(fmt::format("expected {} {}, found {}", columns_,
                                 columns_ == 1 ? "field" : "fields", fields_.size()));
    }
  }

  // The elements of joined fields are combined like the elements of a single field.
  std::string_view text() {
    if (text_fields_.size() == 1) {
      const Field& field = field_of(text_fields_.front());
      if (field.is_plain()) return field.value;  // the row's padding is its own
    }
    joined_.clear();
    for (std::size_t i = 0; i < text_fields_.size(); ++i) {
      if (i > 0) joined_ += elements_ ? ' ' : '\n';
      append_value(field_of(text_fields_[i]), dialect_, joined_);
    }
    padded_.assign(joined_);
    return padded_.view();
  }

  // A view of the row or, if the value is escaped there, of `unquoted`.
  std::string_view value_of(const ColumnsOfField& asked, std::string& unquoted) const {
    const Field& field = field_of(asked);
    if (field.is_plain()) return field.value;
    unquoted.clear();
    append_value(field, dialect_, unquoted);
    return unquoted;
  }

  [[nodiscard]] const Field& field_of(const ColumnsOfField& asked) const {
    if (asked.columns.empty()) throw RowError(told_missing(asked.name));
    for (const std::size_t column : asked.columns) {
      if (!fields_[column].value.empty()) return fields_[column];
    }
    return fields_[asked.columns.front()];
  }

  std::size_t columns_;
  Dialect dialect_;
  Rules rules_;
  bool has_id_;
  std::vector<ColumnsOfField> text_fields_;  // fields that are joined
  ColumnsOfField id_field_;
  std::vector<ColumnsOfField> other_fields_;
  std::vector<Field> fields_;
  std::optional<ElementList> elements_;  // when they are asked for
  std::string joined_;
  PaddedBytes padded_;
  std::string id_;
  std::vector<std::string> others_;
};

std::vector<std::string> values_of(std::string_view row, Dialect dialect, Rules rules) {
  std::vector<std::string> values;
  values.reserve(1 +
                 static_cast<std::size_t>(std::count(row.begin(), row.end(), dialect.separator)));
  FieldCutter cutter(row, dialect, rules);
  for (Field field; cutter.next(field);) append_value(field, dialect, values.emplace_back());
  return values;
}

std::string_view written_in(std::string_view row, std::size_t column, Dialect dialect,
                            Rules rules) {
  FieldCutter cutter(row, dialect, rules);
  Field field;
  for (std::size_t i = 0; cutter.next(field); ++i) {
    if (i == column) return field.written;
  }
  return {};
}

std::size_t column_called(std::string_view name, Header header) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

}  // namespace

std::unique_ptr<RowParser> make_csv_row_parser(const FieldRequest& request,
                                               std::span<const std::string> header) {
  return std::make_unique<CsvParser>(request, header, ',', Rules::csv);
}

std::unique_ptr<RowParser> make_tsv_row_parser(const FieldRequest& request,
                                               std::span<const std::string> header) {
  return std::make_unique<CsvParser>(request, header, '\t', Rules::tsv);
}

std::vector<std::string> csv_field_names(std::string_view row, Dialect dialect) {
  return values_of(row, with_separator(dialect, ','), Rules::csv);
}

std::vector<std::string> tsv_field_names(std::string_view row, Dialect dialect) {
  return values_of(row, with_separator(dialect, '\t'), Rules::tsv);
}

std::string_view csv_written_value(std::string_view row, std::string_view name, Header header,
                                   Dialect dialect) {
  return written_in(row, column_called(name, header), with_separator(dialect, ','), Rules::csv);
}

std::string_view tsv_written_value(std::string_view row, std::string_view name, Header header,
                                   Dialect dialect) {
  return written_in(row, column_called(name, header), with_separator(dialect, '\t'), Rules::tsv);
}

}  // namespace sosie
