// Reads JSON into values. Only this file compiles the parser of nlohmann-json
// (docs/decisions/0023).
#include "core/json_value.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/json_writer.h"

namespace sosie {
namespace {

constexpr int kNumberOutOfRange = 406;  // nlohmann-json: "number overflow parsing"

// Builds values from the parser's events.
class JsonBuilder {
 public:
  explicit JsonBuilder(JsonFault& fault) : fault_(fault) {}

  [[nodiscard]] JsonValue take() { return std::move(root_); }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string& /*written*/) { return add(value); }
  bool string(std::string& text) { return add(std::move(text)); }
  static bool binary(std::vector<std::uint8_t>& /*bytes*/) { return false; }
  bool start_object(std::size_t /*size*/) { return open(); }
  bool start_array(std::size_t /*size*/) { return open(); }
  bool key(std::string& name) {
    open_.back().names.push_back(std::move(name));
    return true;
  }
  bool end_array() {
    JsonValue::List list = std::move(open_.back().values);
    open_.pop_back();
    return add(std::move(list));
  }
  bool end_object() {
    JsonValue::Members members = members_of(open_.back());
    open_.pop_back();
    return add(std::move(members));
  }
  template <class Exception>
  bool parse_error(std::size_t byte, const std::string& /*token*/, const Exception& error) {
    fault_.kind =
        error.id == kNumberOutOfRange ? JsonFault::Kind::large_number : JsonFault::Kind::broken;
    fault_.byte = byte;
    return false;
  }

 private:
  struct Open {
    std::vector<std::string> names = {};  // none in a list
    JsonValue::List values = {};
  };

  bool open() {
    if (open_.size() == static_cast<std::size_t>(kMostNested)) {
      fault_.kind = JsonFault::Kind::deep;
      return false;
    }
    open_.emplace_back();
    return true;
  }

  bool add(JsonValue::Held value) {
    if (open_.empty()) {
      root_ = JsonValue(std::move(value));
    } else {
      open_.back().values.emplace_back(std::move(value));
    }
    return true;
  }

  // Members in order; if a name occurs several times, the last value counts.
  JsonValue::Members members_of(Open& object) {
    std::vector<std::size_t> order(object.names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
      const int names = object.names[left].compare(object.names[right]);
      return names != 0 ? names < 0 : left < right;
    });
    std::vector<bool> is_first(object.names.size(), true);
    for (std::size_t i = order.size(); i-- > 1;) {
      if (object.names[order[i - 1]] != object.names[order[i]]) continue;
      object.values[order[i - 1]] = std::move(object.values[order[i]]);
      is_first[order[i]] = false;
      fault_.repeated = object.names[order[i]];
    }
    JsonValue::Members members;
    members.reserve(object.names.size());
    for (std::size_t i = 0; i < object.names.size(); ++i) {
      if (is_first[i]) members.push_back({std::move(object.names[i]), std::move(object.values[i])});
    }
    return members;
  }

  JsonFault& fault_;
  std::vector<Open> open_;
  JsonValue root_;
};

// nlohmann-json treats NUL as the end of the text, whatever follows.
bool has_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

}  // namespace

JsonValue::JsonValue() noexcept : held_(nullptr) {}
JsonValue::JsonValue(Held held) noexcept : held_(std::move(held)) {}
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;

double JsonValue::number() const {
  if (const auto* natural = std::get_if<std::uint64_t>(&held_))
    return static_cast<double>(*natural);
  if (const auto* integer = std::get_if<std::int64_t>(&held_)) return static_cast<double>(*integer);
  return std::get<double>(held_);
}

const JsonValue* JsonValue::find(std::string_view name) const noexcept {
  const auto* members = std::get_if<Members>(&held_);
  if (members == nullptr) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members->end() ? nullptr : &found->value;
}

bool JsonValue::is(std::string_view text) const noexcept {
  const auto* held = std::get_if<std::string>(&held_);
  return held != nullptr && *held == text;
}

bool JsonValue::is_true() const noexcept {
  const auto* held = std::get_if<bool>(&held_);
  return held != nullptr && *held;
}

std::string JsonValue::written() const {
  JsonWriter json;
  write_to(json);
  return json.text();
}

void JsonValue::write_to(JsonWriter& json) const {
  if (const auto* list = std::get_if<List>(&held_)) {
    json.begin_array();
    for (const JsonValue& each : *list) each.write_to(json);
    json.end_array();
  } else if (const auto* members = std::get_if<Members>(&held_)) {
    json.begin_object();
    for (const Member& each : *members) {
      json.name(each.name);
      each.value.write_to(json);
    }
    json.end_object();
  } else if (const auto* integer = std::get_if<std::int64_t>(&held_)) {
    json.value(*integer);
  } else if (is_natural()) {
    json.value(natural());
  } else if (is_number()) {
    json.value(number());
  } else if (is_text()) {
    json.value(text());
  } else if (is_boolean()) {
    json.value(boolean());
  } else {
    json.value(nullptr);
  }
}

std::optional<JsonValue> parse_json(std::string_view text, JsonFault* fault) {
  JsonFault unused;
  JsonFault& told = fault == nullptr ? unused : *fault;
  told = {};
  if (has_nul(text)) {
    told.byte = text.find('\0') + 1;
    return std::nullopt;
  }
  JsonBuilder builder(told);
  if (!nlohmann::json::sax_parse(text, &builder)) return std::nullopt;
  return builder.take();
}

bool is_json(std::string_view text) { return !has_nul(text) && nlohmann::json::accept(text); }

}  // namespace sosie
