// JSON lines. Plain rows are read by PlainJsonReader, all others by simdjson (its DOM selects the
// best code for the CPU at run time; On-Demand cannot). Rows that simdjson rejects, but that occur
// in real crawls, are read again from a repaired copy: ill-formed UTF-8, lone surrogates, numbers
// beyond 64 bits, deep nesting. Text and row stay unchanged.
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "core/joined_text.h"
#include "core/json_value.h"
#include "core/utf8.h"
#include "core/written_number.h"
#include "data/padded_bytes.h"
#include "read/element_list.h"
#include "read/field_paths.h"
#include "read/nested_json.h"
#include "read/path_follower.h"
#include "read/plain_json.h"
#include "read/quote_large_integers.h"
#include "read/repair_json.h"
#include "read/row_parsers.h"

namespace sosie {
namespace {

namespace dom = simdjson::dom;

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

constexpr std::string_view kBoolean = "a boolean";
constexpr std::string_view kString = "a string";
// Text of a null; padded like all texts.
constexpr std::array<char, kPadding + 1> kNoText{};
constexpr std::string_view kNothing(kNoText.data(), 0);

// Replaces a number too large for a long double; it is treated as text, as in CSV.
constexpr long double kBeyond = std::numeric_limits<long double>::infinity();

[[noreturn]] void refuse(const std::string& why) { throw RowError(why); }

// The value of a field.
struct Value {
  enum class Kind : std::uint8_t { text, integer, number, other, members, null } kind = Kind::null;
  std::string_view text;  // text of a string
  std::string written;    // written form of all other values
  long double number = 0;
  std::string_view type = "null";
  std::string_view path = {};       // path that led to it
  std::vector<Value> members = {};  // values of the members of a list that a path took
};

// A requested field.
struct Wanted {
  std::string name;                // text of the option
  std::vector<std::string> paths;  // paths to follow where no field is called so
};

Value value_from(const dom::element& element) {
  Value value;
  switch (element.type()) {
    case dom::element_type::STRING:
      value.kind = Value::Kind::text;
      value.type = kString;
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

// A parser that accepts kMostNested levels.
dom::parser parser_of_nested() {
  dom::parser parser;
  if (parser.allocate(0, kMostNested + 1) != simdjson::SUCCESS) throw std::bad_alloc();
  return parser;
}

// Access to values in which paths are followed (read/path_follower.h).
struct DomView {
  using Value = dom::element;
  static bool is_null(const dom::element& value) noexcept { return value.is_null(); }
  static bool is_object(const dom::element& value) noexcept { return value.is_object(); }
  static bool is_list(const dom::element& value) noexcept { return value.is_array(); }

  static std::optional<dom::element> member(const dom::element& object, std::string_view name) {
    std::optional<dom::element> found;
    dom::object members;
    if (object.get_object().get(members) != simdjson::SUCCESS) return found;
    for (const dom::key_value_pair field : members) {
      if (field.key == name) found = field.value;  // the last of equal names
    }
    return found;
  }

  template <class Take>
  static void for_each(const dom::element& list, const Take& take) {
    dom::array members;
    if (list.get_array().get(members) != simdjson::SUCCESS) return;
    for (const dom::element member : members) take(member);
  }
};

// True if `path` names one of these members, whose names are in JSON form, or a part of one.
bool reaches_into(const std::vector<std::string_view>& members, std::string_view path) {
  return std::any_of(members.begin(), members.end(), [&](std::string_view member) {
    const std::optional<JsonValue> name = parse_json(member);  // none: no member of an object
    return name && lies_in(path, name->text());
  });
}

// "field 'score' is NaN, which is not a JSON number", if a row contains NaN or Infinity outside of
// strings, as Python's json.dumps() writes them; otherwise empty.
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
      return fmt::format("field '{}' is {}, which is not a JSON number", name, word);
    }
  }
  return {};
}

// True for values that count as missing: an empty text, an empty list, or a list of such
// values.
bool holds_nothing(const Value& value) {
  if (value.kind == Value::Kind::text) return value.text.empty();
  if (value.kind == Value::Kind::other) return value.written == "[]";
  const bool is_list = value.kind == Value::Kind::members;
  return is_list && std::all_of(value.members.begin(), value.members.end(), holds_nothing);
}

// True for a list or an object.
bool is_structure(const Value& value) {
  return value.kind == Value::Kind::other && value.type != kBoolean;
}

// A value that is used as a list but is not one.
struct NoList {
  std::size_t wanted = 0;
  std::string_view path;
  std::string_view type;
};

class JsonlParser final : public RowParser {
 public:
  explicit JsonlParser(const FieldRequest& request) : has_id_(!request.id.empty()) {
    std::vector<std::string> joined = joined_names(request.column);
    const bool is_joined = joined.size() > 1;
    wanted_.push_back(
        {request.column, is_joined ? std::vector{request.column} : field_paths(request.column)});
    if (has_id_) want(request.id);
    for (const std::string& name : request.others) want(name);
    joined_begin_ = wanted_.size();
    if (is_joined)
      std::for_each(joined.begin(), joined.end(), [&](const auto& name) { want(name); });
    values_.resize(wanted_.size());
    if (PlainJsonReader::can_read(request)) plain_.emplace(request);
    if (request.form == TextForm::elements) elements_.emplace(request.elements);
  }

  void parse(std::string_view row, Record& out) override {
    if (plain_ && plain_->read(row, out)) return;
    std::fill(values_.begin(), values_.end(), std::nullopt);
    no_list_ = {};
    stand_ins_ = 0;
    if (const char* error = read_values(row, row)) read_repaired(row, error);
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
  void want(const std::string& name) { wanted_.push_back({name, field_paths(name)}); }

  // Fills values_ from `json`, which is padded, with numbers as written in `row`. If simdjson
  // rejects it, returns the reason.
  const char* read_values(std::string_view json, std::string_view row) {
    dom::element root;
    const auto code =
        parser_.parse(json.data(), json.size(), /*realloc_if_needed=*/false).get(root);
    if (code != simdjson::SUCCESS) return simdjson::error_message(code);
    dom::object object;
    if (root.get_object().get(object) != simdjson::SUCCESS) refuse("the row is not a JSON object");
    for (const dom::key_value_pair field : object) {
      for (std::size_t i = 0; i < wanted_.size(); ++i) {
        if (wanted_[i].name == field.key) values_[i] = value_from(field.value);
      }
    }
    follow_paths(root);
    take_digits(row);
    return nullptr;
  }

  // Looks up the wanted fields that are still missing.
  void follow_paths(const dom::element& root) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (values_[i]) {
        values_[i]->path = wanted_[i].name;
        continue;
      }
      const bool is_plain = wanted_[i].paths.size() == 1 && is_plain_name(wanted_[i].name);
      if (!is_plain) follow_paths_of(i, root);
    }
  }

  void follow_paths_of(std::size_t i, const dom::element& root) {
    for (const std::string& path : wanted_[i].paths) {
      const auto found = PathFollower<DomView>(path).follow(root);
      if (found.no_list) no_list_ = {i, found.path_to_no_list, value_from(*found.no_list).type};
      if (!found.is_there) continue;
      Value value;
      if (found.took_members && !found.values.empty()) {
        value = {Value::Kind::members, {}, {}, 0, "a list"};
        for (const auto& member : found.values) value.members.push_back(value_from(member));
      } else if (!found.values.empty()) {
        value = value_from(found.values.front());
      }
      const bool is_one_of_several = wanted_[i].paths.size() > 1;
      if (is_one_of_several && holds_nothing(value)) value = {};
      const bool is_null = value.kind == Value::Kind::null;
      if (is_null && values_[i]) continue;
      values_[i] = std::move(value);
      values_[i]->path = path;
      if (!is_null) return;
    }
  }

  // Restores the digits of numbers that parsers round, and the original text of members if
  // requested.
  void take_digits(std::string_view row) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (!values_[i]) continue;
      Value& value = *values_[i];
      if (value.kind == Value::Kind::number) take_digits(json_values(row, value.path).at(0), value);
      if (value.kind != Value::Kind::members) continue;
      const bool is_text = !elements_ && (i == 0 || i >= joined_begin_);
      const bool has_number =
          std::any_of(value.members.begin(), value.members.end(),
                      [](const Value& member) { return member.kind == Value::Kind::number; });
      if (is_text && !has_number) continue;
      const std::vector<std::string_view> written = json_values(row, value.path);
      value.written = fmt::format("[{}]", sosie::joined_text(written, ", "));
      for (std::size_t m = 0; m < written.size(); ++m) take_digits(written[m], value.members.at(m));
    }
  }

  static void take_digits(std::string_view written, Value& value) {
    if (value.kind != Value::Kind::number) return;
    value.written = written;
    value.number = written_number(value.written)
                       .value_or(is_beyond_double(value.written) ? kBeyond : value.number);
    if (is_whole_number(value.written)) value.kind = Value::Kind::integer;
  }

  void read_repaired(std::string_view row, const char* error) {
    if (row.starts_with(kByteOrderMark))
      row.remove_prefix(kByteOrderMark.size());  // files put together
    stand_ins_ = repair_json(row, repaired_);
    if (stand_ins_ == 0) refuse("ill-formed UTF-8 beside every private character");
    const ShallowJson shallow = shallow_json(repaired_.view());
    plain_numbers_.assign(
        with_numbers_in_64_bits(shallow.has_deep ? shallow.text : repaired_.view()));
    if (!is_whole(shallow) || read_values(plain_numbers_.view(), repaired_.view()) != nullptr) {
      const std::string no_number = told_no_number(row);
      refuse("broken JSON: " + (no_number.empty() ? std::string(error) : no_number));
    }
    for (const Wanted& wanted : wanted_) refuse_deep(shallow.deep_members, wanted);
    for (std::optional<Value>& value : values_) {
      if (!value || !is_structure(*value)) continue;
      const std::string_view in_row = json_values(repaired_.view(), value->path).at(0);
      if (with_numbers_in_64_bits(in_row) != in_row) value->written = in_row;
    }
  }

  // Returns false for a row that is broken inside a part that is nested too deeply.
  [[nodiscard]] bool is_whole(const ShallowJson& shallow) const {
    return !shallow.has_deep || is_json(with_numbers_in_range(repaired_.view()));
  }

  // `deep`: names of members as written.
  static void refuse_deep(const std::vector<std::string_view>& deep, const Wanted& wanted) {
    const auto refuse_path = [&](const std::string& path) {
      if (!reaches_into(deep, path)) return;
      refuse(fmt::format("field '{}' is nested deeper than {} levels", path, kMostNested));
    };
    refuse_path(wanted.name);
    std::for_each(wanted.paths.begin(), wanted.paths.end(), refuse_path);
  }

  // Replaces placeholders with the row's own bytes. Lists and objects, which are in JSON form,
  // become valid JSON.
  void restore(Record& out) {
    restored_.resize(2 + out.others.size());
    restore_bytes(out.text, stand_ins_, restored_[0]);
    padded_text_.assign(restored_[0]);
    out.text = padded_text_.view();
    restore_bytes(out.id, stand_ins_, restored_[1]);
    out.id = restored_[1];
    for (std::size_t i = 0; i < out.others.size(); ++i) {
      FieldValue& value = out.others[i];
      if (value.text.data() == nullptr) continue;
      const bool is_json = value.kind == FieldValue::Kind::other;
      (is_json ? restore_readable : restore_bytes)(value.text, stand_ins_, restored_[2 + i]);
      value.text = restored_[2 + i];
    }
  }

  [[noreturn]] void refuse_missing(std::size_t i) const {
    if (no_list_.path.empty() || no_list_.wanted != i) refuse(told_missing(wanted_[i].name));
    refuse(fmt::format("field '{}' is {}, not a list", no_list_.path, no_list_.type));
  }

  [[nodiscard]] const Value& required(std::size_t i) const {
    if (!values_[i]) refuse_missing(i);
    return *values_[i];
  }

  // A number or boolean is its text, as in CSV; a null has nothing to compare.
  std::string_view text_of(std::size_t i) {
    const Value& value = required(i);
    if (value.kind == Value::Kind::null) return kNothing;
    if (value.kind == Value::Kind::text) return value.text;
    if (value.kind == Value::Kind::members) {
      joined_.clear();
      append_text(value);
      padded_text_.assign(joined_);
      return padded_text_.view();
    }
    if (is_structure(value)) refuse_text(value);
    padded_text_.assign(value.written);
    return padded_text_.view();
  }

  [[noreturn]] static void refuse_text(const Value& value) {
    refuse(fmt::format("field '{}' is {}, not a string", value.path, value.type));
  }

  // Appends a value as text, as in CSV: a number or boolean as written. Members are separated by
  // line ends.
  void append_text(const Value& value) {
    if (is_structure(value)) refuse_text(value);
    for (std::size_t i = 0; i < value.members.size(); ++i) {
      const Value& member = value.members[i];
      if (i > 0) joined_ += '\n';
      if (is_structure(member)) {
        refuse(
            fmt::format("field '{}' is {} in one member, not a string", value.path, member.type));
      }
      append_text(member);
    }
    if (value.kind == Value::Kind::members) return;
    joined_ += value.kind == Value::Kind::text ? value.text : std::string_view(value.written);
  }

  // A list or object of elements, or a string with elements separated by spaces.
  std::string_view elements_of(std::size_t i) {
    const Value& value = required(i);
    if (is_structure(value) || value.kind == Value::Kind::members) {
      return elements_->from_json(value.written, value.path);
    }
    if (value.kind == Value::Kind::null) return elements_->from_words(kNothing);
    if (value.kind != Value::Kind::text) {
      refuse(fmt::format("field '{}' is {}, not a list of elements", value.path, value.type));
    }
    return elements_->from_words(value.text);
  }

  std::string_view text() {
    if (wanted_[0].name.empty()) return {};  // nobody asked
    const bool is_joined = !values_[0] && joined_begin_ < wanted_.size();
    if (elements_) return is_joined ? joined_elements() : elements_of(0);
    return is_joined ? joined_text() : text_of(0);
  }

  // The fields joined as in CSV: null and missing fields are empty, but at least one must be
  // present.
  std::string_view joined_text() {
    require_any();
    joined_.clear();
    for (std::size_t i = joined_begin_; i < wanted_.size(); ++i) {
      if (i > joined_begin_) joined_ += '\n';
      if (values_[i]) append_text(*values_[i]);
    }
    padded_text_.assign(joined_);
    return padded_text_.view();
  }

  // The elements of all fields.
  std::string_view joined_elements() {
    require_any();
    joined_.clear();
    for (std::size_t i = joined_begin_; i < wanted_.size(); ++i) {
      if (values_[i]) joined_ += elements_of(i);
    }
    padded_text_.assign(joined_);
    return padded_text_.view();
  }

  void require_any() const {
    const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(joined_begin_);
    const auto is_there = [](const std::optional<Value>& value) { return value.has_value(); };
    if (std::none_of(begin, values_.end(), is_there)) refuse_missing(joined_begin_);
  }

  [[nodiscard]] std::string_view id_of(std::size_t i) const {
    const Value& value = required(i);
    if (value.kind == Value::Kind::text) return value.text;
    if (value.kind == Value::Kind::integer) return value.written;
    refuse(fmt::format("field '{}' is {}; an id is a string or an integer", value.path,
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
      case Value::Kind::members:
        return {FieldValue::Kind::other, 0, value.written};
      default:
        if (value.number == kBeyond) return {FieldValue::Kind::text, 0, value.written};
        return {FieldValue::Kind::number, value.number, value.written};
    }
  }

  bool has_id_;
  // In this order: the column, the id's field (if any), other fields, and the parts of a joined
  // column.
  std::vector<Wanted> wanted_;
  std::size_t joined_begin_ = 0;
  std::vector<std::optional<Value>> values_;
  NoList no_list_;  // in the latest row
  std::string joined_;
  std::optional<PlainJsonReader> plain_;
  std::optional<ElementList> elements_;  // when they are asked for
  dom::parser parser_ = parser_of_nested();
  PaddedBytes repaired_;
  char32_t stand_ins_ = 0;  // stand-ins of the latest row, if it was repaired
  std::vector<std::string> restored_;
  PaddedBytes plain_numbers_;
  PaddedBytes padded_text_;
};

}  // namespace

std::unique_ptr<RowParser> make_jsonl_row_parser(const FieldRequest& request,
                                                 std::span<const std::string> /*header*/) {
  return std::make_unique<JsonlParser>(request);
}

std::vector<std::string> jsonl_field_names(std::string_view row, Dialect /*dialect*/) {
  std::vector<std::string> names;
  const auto add_names = [&names](dom::parser& parser, std::string_view json) {
    dom::object object;
    const simdjson::padded_string padded(json);
    if (parser.parse(padded).get_object().get(object) != simdjson::SUCCESS) return false;
    for (const dom::key_value_pair field : object) names.emplace_back(field.key);
    return true;
  };
  if (row.starts_with(kByteOrderMark)) row.remove_prefix(kByteOrderMark.size());
  dom::parser parser = parser_of_nested();
  if (add_names(parser, row)) return names;
  PaddedBytes repaired;
  const char32_t stand_ins = repair_json(row, repaired);
  if (stand_ins == 0) return {};
  const ShallowJson shallow = shallow_json(repaired.view());
  add_names(parser, with_numbers_in_64_bits(shallow.has_deep ? shallow.text : repaired.view()));
  for (std::string& name : names) {
    std::string readable;
    restore_readable(name, stand_ins, readable);
    name = std::move(readable);
  }
  return names;
}

std::string_view jsonl_written_value(std::string_view row, std::string_view name, Header /*header*/,
                                     Dialect /*dialect*/) {
  if (row.starts_with(kByteOrderMark)) row.remove_prefix(kByteOrderMark.size());
  const std::vector<std::string_view> values = json_values(row, name);
  return values.empty() ? std::string_view() : values.front();
}

}  // namespace sosie
