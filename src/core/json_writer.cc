// Writes JSON with numbers and texts in the form of nlohmann-json.
#include "core/json_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sosie {
namespace {

using OrderedJson = nlohmann::ordered_json;

void append_text(std::string_view text, std::string& out) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
  });
  if (!is_plain) {
    out += OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

}  // namespace

void JsonScalar::append_to(std::string& out) const {
  switch (type_) {
    case Type::null:
      out += "null";
      return;
    case Type::boolean:
      out += natural_ != 0 ? "true" : "false";
      return;
    case Type::integer:
      out += std::to_string(integer_);
      return;
    case Type::natural:
      out += std::to_string(natural_);
      return;
    case Type::real:
      out += OrderedJson(real_).dump();
      return;
    case Type::text:
      append_text(text_, out);
      return;
  }
}

void JsonWriter::value(JsonScalar value) {
  next_value();
  value.append_to(text_);
}

void JsonWriter::written(std::string_view json) {
  next_value();
  text_ += json;
}

void JsonWriter::written(std::string_view name, std::string_view json) {
  this->name(name);
  written(json);
}

void JsonWriter::member(std::string_view name, JsonScalar value) {
  this->name(name);
  this->value(value);
}

void JsonWriter::members(std::initializer_list<JsonMember> members) {
  for (const JsonMember& each : members) member(each.name, each.value);
}

void JsonWriter::object(std::initializer_list<JsonMember> members) {
  begin_object();
  this->members(members);
  end_object();
}

void JsonWriter::object(std::string_view name, std::initializer_list<JsonMember> members) {
  this->name(name);
  object(members);
}

void JsonWriter::begin_object(std::string_view name) {
  this->name(name);
  begin('{');
}

void JsonWriter::begin_array(std::string_view name) {
  this->name(name);
  begin('[');
}

void JsonWriter::begin(char bracket) {
  next_value();
  text_ += bracket;
  has_values_.push_back(false);
}

void JsonWriter::end(char bracket) {
  const bool had_values = has_values_.back();
  has_values_.pop_back();
  if (had_values) new_line();
  text_ += bracket;
}

// Writes the comma and the line end before a value or its name.
void JsonWriter::next_value() {
  if (is_named_) {
    is_named_ = false;
    return;
  }
  if (has_values_.empty()) return;
  if (has_values_.back()) text_ += ',';
  has_values_.back() = true;
  new_line();
}

void JsonWriter::name(std::string_view name) {
  next_value();
  append_text(name, text_);
  text_ += indent_ < 0 ? ":" : ": ";
  is_named_ = true;
}

void JsonWriter::new_line() {
  if (indent_ < 0) return;
  text_ += '\n';
  text_.append(has_values_.size() * static_cast<std::size_t>(indent_), ' ');
}

}  // namespace sosie
