#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sosie {

class JsonWriter;

// Maximum depth of nested lists and objects: the limit of simdjson.
inline constexpr int kMostNested = 1024;

// A parsed JSON value. A number is natural if it is an integer from 0 to 2^64 - 1.
class JsonValue {
 public:
  struct Member;
  using List = std::vector<JsonValue>;
  using Members = std::vector<Member>;  // in the order of the text

  using Held = std::variant<std::nullptr_t, bool, std::uint64_t, std::int64_t, double, std::string,
                            List, Members>;

  JsonValue() noexcept;  // null
  explicit JsonValue(Held held) noexcept;
  ~JsonValue();
  JsonValue(JsonValue&& other) noexcept;
  JsonValue& operator=(JsonValue&& other) noexcept;
  JsonValue(const JsonValue&) = delete;
  JsonValue& operator=(const JsonValue&) = delete;

  [[nodiscard]] bool is_null() const noexcept { return is<std::nullptr_t>(); }
  [[nodiscard]] bool is_boolean() const noexcept { return is<bool>(); }
  [[nodiscard]] bool is_natural() const noexcept { return is<std::uint64_t>(); }
  [[nodiscard]] bool is_number() const noexcept {
    return is<std::uint64_t>() || is<std::int64_t>() || is<double>();
  }
  [[nodiscard]] bool is_text() const noexcept { return is<std::string>(); }
  [[nodiscard]] bool is_list() const noexcept { return is<List>(); }
  [[nodiscard]] bool is_object() const noexcept { return is<Members>(); }

  // The functions below require that the value has their type.
  [[nodiscard]] bool boolean() const { return std::get<bool>(held_); }
  [[nodiscard]] std::uint64_t natural() const { return std::get<std::uint64_t>(held_); }
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& text() const { return std::get<std::string>(held_); }
  [[nodiscard]] const List& list() const { return std::get<List>(held_); }
  [[nodiscard]] const Members& members() const { return std::get<Members>(held_); }

  // The member with this name; null if the object has no such member or if this value is not an
  // object. O(members).
  [[nodiscard]] const JsonValue* find(std::string_view name) const noexcept;
  // True if the value is equal to this text or boolean.
  [[nodiscard]] bool is(std::string_view text) const noexcept;
  [[nodiscard]] bool is_true() const noexcept;

  // The value on a single line, as JsonWriter writes it.
  [[nodiscard]] std::string written() const;
  void write_to(JsonWriter& json) const;

 private:
  template <class Type>
  [[nodiscard]] bool is() const noexcept {
    return std::holds_alternative<Type>(held_);
  }

  Held held_;
};

struct JsonValue::Member {
  std::string name;
  JsonValue value;
};

// Reason why a text is not accepted as JSON.
struct JsonFault {
  enum class Kind : std::uint8_t {
    broken,        // not JSON
    large_number,  // a number outside the range of double
    deep           // nested deeper than kMostNested
  };
  Kind kind = Kind::broken;
  std::size_t byte = 0;  // bytes read before it was found
  // A name that occurs twice in the same object. The last of its values counts; a repeated name
  // alone is not a fault.
  std::string repeated = {};
};

// Parses `text`; nullopt if it is not JSON. `fault` receives the reason, and any repeated name.
[[nodiscard]] std::optional<JsonValue> parse_json(std::string_view text,
                                                  JsonFault* fault = nullptr);

// True for JSON of any depth whose numbers are within the range of double.
[[nodiscard]] bool is_json(std::string_view text);

}  // namespace sosie
