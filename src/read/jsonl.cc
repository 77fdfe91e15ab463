// JSON lines. Plain rows are read by PlainJsonReader, all others by simdjson (its DOM picks the
// CPU's best code at run time; On-Demand cannot). What simdjson refuses but real crawls hold is
// read again from a repaired copy by nlohmann-json: ill-formed UTF-8, lone surrogates, integers
// beyond 64 bits. Text and row stay as they came.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/written_number.h"
#include "data/padded_bytes.h"
#include "read/element_list.h"
#include "read/joined_names.h"
#include "read/nested_json.h"
#include "read/plain_json.h"
#include "read/quote_large_integers.h"
#include "read/repair_json.h"
#include "read/row_parsers.h"

namespace sosie {
namespace {

namespace dom = simdjson::dom;
using Json = nlohmann::json;

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::string_view kBoolean = "a boolean";
// Text of a null; padded, as texts are.
constexpr std::array<char, kPadding + 1> kNoText{};
constexpr std::string_view kNothing(kNoText.data(), 0);

// In place of a number whose size no long double holds; it is a text, as in CSV.
constexpr long double kBeyond = std::numeric_limits<long double>::infinity();

[[noreturn]] void refuse(const std::string& why) { throw RowError(why); }

// A field's value as both parsers can give it.
struct Value {
  enum class Kind : std::uint8_t { text, integer, number, other, null } kind = Kind::null;
  std::string_view text;  // text of a string
  std::string written;    // written form of all other values
  long double number = 0;
  std::string_view type = "null";
};

Value value_from(const dom::element& element) {
  Value value;
  switch (element.type()) {
    case dom::element_type::STRING:
      value.kind = Value::Kind::text;
      value.text = element.get_string().value_unsafe();
      break;
    case dom::element_type::INT64:
      value = {Value::Kind::integer, {}, {}, 0, "a number"};
      value.number = static_cast<long double>(element.get_int64().value_unsafe());
      value.written = std::to_string(element.get_int64().value_unsafe());
      break;
    case dom::element_type::UINT64:
      value = {Value::Kind::integer, {}, {}, 0, "a number"};
      value.number = static_cast<long double>(element.get_uint64().value_unsafe());
      value.written = std::to_string(element.get_uint64().value_unsafe());
      break;
    case dom::element_type::DOUBLE:
      value = {Value::Kind::number, {}, {}, 0, "a number"};
      value.number = element.get_double().value_unsafe();
      break;
    case dom::element_type::NULL_VALUE:
      break;
    case dom::element_type::BOOL:
      value = {Value::Kind::other, {}, simdjson::minify(element), 0, kBoolean};
      break;
    case dom::element_type::ARRAY:
      value = {Value::Kind::other, {}, simdjson::minify(element), 0, "a list"};
      break;
    case dom::element_type::OBJECT:
      value = {Value::Kind::other, {}, simdjson::minify(element), 0, "an object"};
      break;
  }
  return value;
}

Value value_from(const Json& element) {
  Value value;
  if (element.is_string()) {
    value.kind = Value::Kind::text;
    value.text = element.get_ref<const std::string&>();
  } else if (element.is_number()) {
    const bool integer = element.is_number_integer();
    value = {integer ? Value::Kind::integer : Value::Kind::number, {}, {}, 0, "a number"};
    if (integer) value.written = element.dump();
    value.number = element.get<long double>();
  } else if (!element.is_null()) {
    value = {Value::Kind::other, {}, element.dump(), 0, kBoolean};
    if (element.is_array()) value.type = "a list";
    if (element.is_object()) value.type = "an object";
  }
  return value;
}

// The field that `path` names: a field called so, else "a.b" is b in the object a.
std::optional<dom::element> reach(const dom::object& object, std::string_view path) {
  std::optional<dom::element> found;
  for (const dom::key_value_pair field : object) {
    if (field.key == path) found = field.value;  // the last of equal names
  }
  for (std::size_t dot = path.find('.'); !found && dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    std::optional<dom::element> outer;
    for (const dom::key_value_pair field : object) {
      if (field.key == path.substr(0, dot)) outer = field.value;
    }
    dom::object inner;
    if (outer && outer->get_object().get(inner) == simdjson::SUCCESS) {
      found = reach(inner, path.substr(dot + 1));
    }
  }
  return found;
}

const Json* reach(const Json& object, std::string_view path) {
  if (const auto field = object.find(std::string(path)); field != object.end()) return &*field;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    const auto inner = object.find(std::string(path.substr(0, dot)));
    if (inner == object.end() || !inner->is_object()) continue;
    if (const Json* found = reach(*inner, path.substr(dot + 1))) return found;
  }
  return nullptr;
}

// True if `path` names one of these members or a part of one.
bool reaches_into(const std::vector<std::string>& members, std::string_view path) {
  return std::any_of(members.begin(), members.end(), [&](const std::string& member) {
    return path.starts_with(member) && (path.size() == member.size() || path[member.size()] == '.');
  });
}

// "field 'score' is NaN, which is no number of JSON", where a row says NaN or Infinity outside of
// its strings, as Python's json.dumps() writes them; else empty.
std::string told_no_number(std::string_view row) {
  std::string_view last;
  std::string_view name;
  for (std::size_t at = 0; at < row.size(); ++at) {
    const std::string_view rest = row.substr(at);
    if (row[at] == '"') {
      std::size_t end = at + 1;
      while (end < row.size() && row[end] != '"') end += row[end] == '\\' ? 2 : 1;
      end = std::min(end, row.size());
      last = row.substr(at + 1, end - at - 1);
      at = end;
    } else if (row[at] == ':') {
      name = last;
    }
    for (const std::string_view word : {"NaN", "-Infinity", "Infinity"}) {
      if (!rest.starts_with(word)) continue;
      return fmt::format("field '{}' is {}, which is no number of JSON", name, word);
    }
  }
  return {};
}

class JsonlParser final : public RowParser {
 public:
  explicit JsonlParser(const FieldRequest& request)
      : has_id_(!request.id.empty()), wanted_{request.column} {
    if (has_id_) wanted_.push_back(request.id);
    wanted_.insert(wanted_.end(), request.others.begin(), request.others.end());
    joined_begin_ = wanted_.size();
    if (request.column.find(',') != std::string::npos) {
      for (std::string& name : joined_names(request.column)) wanted_.push_back(std::move(name));
    }
    values_.resize(wanted_.size());
    if (PlainJsonReader::can_read(request)) plain_.emplace(request);
    if (request.form == TextForm::elements) elements_.emplace(request.elements);
  }

  void parse(std::string_view row, Record& out) override {
    if (plain_ && plain_->read(row, out)) return;
    std::fill(values_.begin(), values_.end(), std::nullopt);
    stand_ins_ = 0;
    if (const char* error = read_fast(row)) read_repaired(row, error);
    out.text = text();
    std::size_t next = 1;
    out.id = {};
    if (has_id_) {
      out.id_is_integer = values_[next] && values_[next]->kind == Value::Kind::integer;
      out.id = id_of(next++);
    }
    out.others.clear();
    for (; next < joined_begin_; ++next) out.others.push_back(field_of(next));
    if (stand_ins_ != 0) restore(out);
  }

 private:
  // Fills values_; the reason when simdjson refuses the row.
  const char* read_fast(std::string_view row) {
    dom::element root;
    const auto code = parser_.parse(row.data(), row.size(), /*realloc_if_needed=*/false).get(root);
    if (code != simdjson::SUCCESS) return simdjson::error_message(code);
    dom::object object;
    if (root.get_object().get(object) != simdjson::SUCCESS) refuse("the row is not a JSON object");
    for (const dom::key_value_pair field : object) {
      for (std::size_t i = 0; i < wanted_.size(); ++i) {
        if (wanted_[i] == field.key) values_[i] = value_from(field.value);
      }
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (values_[i] || wanted_[i].find('.') == std::string::npos) continue;
      if (const auto found = reach(object, wanted_[i])) values_[i] = value_from(*found);
    }
    take_digits(row);
    return nullptr;
  }

  // Gives numbers that parsers round the digits that stand in the row.
  void take_digits(std::string_view row) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (!values_[i] || values_[i]->kind != Value::Kind::number) continue;
      Value& value = *values_[i];
      value.written = json_member(row, wanted_[i]);
      value.number = written_number(value.written)
                         .value_or(is_beyond_double(value.written) ? kBeyond : value.number);
      if (is_whole_number(value.written)) value.kind = Value::Kind::integer;
    }
  }

  void read_repaired(std::string_view row, const char* error) {
    stand_ins_ = repair_json(row, repaired_);
    if (stand_ins_ == 0) refuse("ill-formed UTF-8 beside every private character");
    std::vector<std::string> deep;
    slow_ = parse_shallow_json<Json>(repaired_.view(), deep);
    if (slow_.is_discarded()) {
      const std::string no_number = told_no_number(row);
      refuse("broken JSON: " + (no_number.empty() ? std::string(error) : no_number));
    }
    if (!slow_.is_object()) refuse("the row is not a JSON object");
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (reaches_into(deep, wanted_[i])) {
        refuse(fmt::format("field '{}' is nested deeper than {} levels", wanted_[i], kMostNested));
      }
      const Json* found = reach(slow_, wanted_[i]);
      if (found == nullptr) continue;
      values_[i] = value_from(*found);
      if (!found->is_structured()) continue;
      const std::string_view in_row = json_member(repaired_.view(), wanted_[i]);
      const bool is_rounded = quote_large_integers(in_row) != in_row;
      if (is_rounded || with_numbers_in_range(in_row) != in_row) values_[i]->written = in_row;
    }
    take_digits(repaired_.view());
    padded_text_.assign(values_[0] ? values_[0]->text : std::string_view{});
    if (values_[0]) values_[0]->text = padded_text_.view();
  }

  // Puts the row's own bytes in place of what stood in for them; what names rows is readable.
  void restore(Record& out) {
    restored_.resize(2 + out.others.size());
    restore_bytes(out.text, stand_ins_, restored_[0]);
    padded_text_.assign(restored_[0]);
    out.text = padded_text_.view();
    restore_readable(out.id, stand_ins_, restored_[1]);
    out.id = restored_[1];
    for (std::size_t i = 0; i < out.others.size(); ++i) {
      if (out.others[i].text.data() == nullptr) continue;
      restore_readable(out.others[i].text, stand_ins_, restored_[2 + i]);
      out.others[i].text = restored_[2 + i];
    }
  }

  [[nodiscard]] const Value& required(std::size_t i) const {
    if (!values_[i]) refuse(fmt::format("field '{}' is missing", wanted_[i]));
    return *values_[i];
  }

  // A whole number is its text, as in CSV; a null has nothing to compare.
  std::string_view text_of(std::size_t i) {
    const Value& value = required(i);
    if (value.kind == Value::Kind::null) return kNothing;
    if (value.kind == Value::Kind::text) return value.text;
    if (value.kind != Value::Kind::integer) {
      refuse(fmt::format("field '{}' is {}, not a string", wanted_[i], value.type));
    }
    padded_text_.assign(value.written);
    return padded_text_.view();
  }

  // A list or object of elements, or a string of them between blanks.
  std::string_view elements_of(std::size_t i) {
    const Value& value = required(i);
    if (value.kind == Value::Kind::other && value.type != kBoolean) {
      return elements_->from_json(value.written, wanted_[i]);
    }
    if (value.kind == Value::Kind::null) return elements_->from_words(kNothing);
    if (value.kind != Value::Kind::text) {
      refuse(fmt::format("field '{}' is {}, not a list of elements", wanted_[i], value.type));
    }
    return elements_->from_words(value.text);
  }

  std::string_view text() {
    if (wanted_[0].empty()) return {};  // nobody asked
    if (elements_) return elements_of(0);
    return values_[0] || joined_begin_ == wanted_.size() ? text_of(0) : joined_text();
  }

  // The fields side by side, as CSV has them: a number or boolean as it is written, a null or
  // missing one empty. One of them must be there.
  std::string_view joined_text() {
    joined_.clear();
    bool any = false;
    for (std::size_t i = joined_begin_; i < wanted_.size(); ++i) {
      if (i > joined_begin_) joined_ += '\n';
      if (!values_[i]) continue;
      any = true;
      const Value& value = *values_[i];
      if (value.kind == Value::Kind::other && value.type != kBoolean) {
        refuse(fmt::format("field '{}' is {}, not a string", wanted_[i], value.type));
      }
      joined_ += value.kind == Value::Kind::text ? value.text : std::string_view(value.written);
    }
    if (!any) refuse(fmt::format("field '{}' is missing", wanted_[joined_begin_]));
    padded_text_.assign(joined_);
    return padded_text_.view();
  }

  [[nodiscard]] std::string_view id_of(std::size_t i) const {
    const Value& value = required(i);
    if (value.kind == Value::Kind::text) return value.text;
    if (value.kind == Value::Kind::integer) return value.written;
    refuse(fmt::format("field '{}' is {}; an id is a string or an integer", wanted_[i],
                       value.kind == Value::Kind::number ? "a fraction" : value.type));
  }

  [[nodiscard]] FieldValue field_of(std::size_t i) const {
    if (!values_[i]) return {};
    const Value& value = *values_[i];
    switch (value.kind) {
      case Value::Kind::null:
        return {FieldValue::Kind::missing, 0, kNothing};
      case Value::Kind::text:
        return {FieldValue::Kind::text, 0, value.text};
      case Value::Kind::other:
        return {FieldValue::Kind::other, 0, value.written};
      default:
        if (value.number == kBeyond) return {FieldValue::Kind::text, 0, value.written};
        return {FieldValue::Kind::number, value.number, value.written};
    }
  }

  bool has_id_;
  // The column, then the id's field if there is one, then others, then the parts of a joined
  // column.
  std::vector<std::string> wanted_;
  std::size_t joined_begin_ = 0;
  std::vector<std::optional<Value>> values_;
  std::string joined_;
  std::optional<PlainJsonReader> plain_;
  std::optional<ElementList> elements_;  // when they are asked for
  dom::parser parser_;
  PaddedBytes repaired_;
  char32_t stand_ins_ = 0;  // stand-ins of the latest row, if it was repaired
  std::vector<std::string> restored_;
  PaddedBytes padded_text_;
  Json slow_;
};

}  // namespace

std::unique_ptr<RowParser> make_jsonl_row_parser(const FieldRequest& request,
                                                 std::span<const std::string> /*header*/) {
  return std::make_unique<JsonlParser>(request);
}

std::vector<std::string> jsonl_field_names(std::string_view row, Dialect /*dialect*/) {
  std::vector<std::string> names;
  dom::parser parser;
  dom::object object;
  if (parser.parse(simdjson::padded_string(row)).get_object().get(object) == simdjson::SUCCESS) {
    for (const dom::key_value_pair field : object) names.emplace_back(field.key);
    return names;
  }
  PaddedBytes repaired;
  const char32_t stand_ins = repair_json(row, repaired);
  if (stand_ins == 0) return {};
  std::vector<std::string> deep;
  const auto slow = parse_shallow_json<nlohmann::ordered_json>(repaired.view(), deep);
  if (!slow.is_object()) return names;
  for (const auto& field : slow.items())
    restore_readable(field.key(), stand_ins, names.emplace_back());
  return names;
}

}  // namespace sosie
