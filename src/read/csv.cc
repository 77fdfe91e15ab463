#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "data/padded_bytes.h"
#include "read/element_list.h"
#include "read/field_path.h"
#include "read/formats.h"

// Separated values after RFC 4180; .tsv is the same with a tab. The first row of a file names the
// fields. Quotes are taken off; everything else of a field is its value, blanks too.
namespace sosie {
namespace {

// A field as it stands in the row.
struct Field {
  std::string_view value;  // between the quotes, if there are any
  bool has_doubled_quotes = false;
};

// Cuts a row into fields. Throws RowError for quotes that RFC 4180 has no meaning for.
class FieldCutter {
 public:
  FieldCutter(std::string_view row, char separator) : row_(row), separator_(separator) {}

  // False behind the last field. A row has at least one.
  bool next(Field& field) {
    if (done_) return false;
    field = at_ < row_.size() && row_[at_] == '"' ? quoted() : unquoted();
    done_ = at_ == row_.size();
    ++at_;  // the separator
    return true;
  }

 private:
  Field unquoted() {
    const std::size_t end = std::min(row_.find(separator_, at_), row_.size());
    const std::string_view value = row_.substr(at_, end - at_);
    if (const std::size_t quote = value.find('"'); quote != std::string_view::npos) {
      throw RowError("a quote inside a field that does not begin with one", at_ + quote);
    }
    at_ = end;
    return {value};
  }

  Field quoted() {
    const std::size_t begin = at_ + 1;
    bool doubled = false;
    std::size_t quote = row_.find('"', begin);
    while (quote != std::string_view::npos && quote + 1 < row_.size() && row_[quote + 1] == '"') {
      doubled = true;
      quote = row_.find('"', quote + 2);
    }
    if (quote == std::string_view::npos) throw RowError("unclosed quote", at_);
    at_ = quote + 1;
    if (at_ < row_.size() && row_[at_] != separator_) {
      throw RowError("text behind a closing quote", at_);
    }
    return {row_.substr(begin, quote - begin), doubled};
  }

  std::string_view row_;
  char separator_;
  std::size_t at_ = 0;
  bool done_ = false;
};

void append_value(const Field& field, std::string& out) {
  for (std::size_t i = 0; i < field.value.size(); ++i) {
    out += field.value[i];
    if (field.has_doubled_quotes && field.value[i] == '"') ++i;
  }
}

FieldValue typed(std::string_view text) {
  if (text.empty()) return {};
  long double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return {whole ? FieldValue::Kind::number : FieldValue::Kind::text, whole ? number : 0, text};
}

class CsvParser final : public RowParser {
 public:
  CsvParser(const FieldRequest& request, std::span<const std::string> header, char separator)
      : columns_(header.size()), separator_(separator), has_id_(!request.id.empty()) {
    const auto position = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) -
                                      header.begin());
    };
    if (position(request.column) < columns_) {
      text_names_ = {request.column};
    } else if (!request.column.empty()) {
      text_names_ = joined_names(request.column);
    }
    for (const std::string& name : text_names_) text_fields_.push_back(position(name));
    id_name_ = request.id;
    id_field_ = position(id_name_);
    for (const std::string& name : request.others) other_fields_.push_back(position(name));
    others_.resize(other_fields_.size());
    if (request.form == TextForm::elements) elements_.emplace(request.ratings);
  }

  void parse(std::string_view row, Record& out) override {
    cut(row);
    out.text = elements_ ? elements_->from_words(text()) : text();
    out.id = {};
    if (has_id_) {
      out.id = value_of(id_field_, id_name_, id_);
    }
    out.others.clear();
    for (std::size_t i = 0; i < other_fields_.size(); ++i) {
      const bool there = other_fields_[i] < columns_;
      out.others.push_back(there ? typed(value_of(other_fields_[i], {}, others_[i]))
                                 : FieldValue{});
    }
  }

 private:
  void cut(std::string_view row) {
    fields_.clear();
    FieldCutter cutter(row, separator_);
    for (Field field; cutter.next(field);) fields_.push_back(field);
    if (fields_.size() != columns_) {
      throw RowError(fmt::format("expected {} {}, found {}", columns_,
                                 columns_ == 1 ? "field" : "fields", fields_.size()));
    }
  }

  std::string_view text() {
    if (text_fields_.size() == 1 && text_fields_[0] < columns_ &&
        !fields_[text_fields_[0]].has_doubled_quotes) {
      return fields_[text_fields_[0]].value;  // the row's padding is its own
    }
    joined_.clear();
    for (std::size_t i = 0; i < text_fields_.size(); ++i) {
      if (i > 0) joined_ += '\n';
      require(text_fields_[i], text_names_[i]);
      append_value(fields_[text_fields_[i]], joined_);
    }
    padded_.assign(joined_);
    return padded_.view();
  }

  // A view of the row, or of `unquoted` if the value does not stand there as it is.
  std::string_view value_of(std::size_t field, std::string_view name, std::string& unquoted) const {
    require(field, name);
    if (!fields_[field].has_doubled_quotes) return fields_[field].value;
    unquoted.clear();
    append_value(fields_[field], unquoted);
    return unquoted;
  }

  void require(std::size_t field, std::string_view name) const {
    if (field >= columns_) throw RowError(fmt::format("field '{}' is missing", name));
  }

  std::size_t columns_;
  char separator_;
  bool has_id_;
  std::vector<std::string> text_names_;
  std::vector<std::size_t> text_fields_;  // positions in the row; columns_ when there is none
  std::string id_name_;
  std::size_t id_field_ = 0;
  std::vector<std::size_t> other_fields_;
  std::vector<Field> fields_;
  std::optional<ElementList> elements_;  // when they are asked for
  std::string joined_;
  PaddedBytes padded_;
  std::string id_;
  std::vector<std::string> others_;
};

std::vector<std::string> values_of(std::string_view row, char separator) {
  std::vector<std::string> values;
  FieldCutter cutter(row, separator);
  for (Field field; cutter.next(field);) append_value(field, values.emplace_back());
  return values;
}

}  // namespace

std::unique_ptr<RowParser> make_csv_parser(const FieldRequest& request,
                                           std::span<const std::string> header) {
  return std::make_unique<CsvParser>(request, header, ',');
}

std::unique_ptr<RowParser> make_tsv_parser(const FieldRequest& request,
                                           std::span<const std::string> header) {
  return std::make_unique<CsvParser>(request, header, '\t');
}

std::vector<std::string> csv_field_names(std::string_view row) { return values_of(row, ','); }
std::vector<std::string> tsv_field_names(std::string_view row) { return values_of(row, '\t'); }

}  // namespace sosie
