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

// Greatest depth of nested lists and objects: the limit of simdjson.
inline constexpr int kMostNested = 1024;

// A value of JSON that was read. A number is natural where it is whole, not negative and below
// 2^64.
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

  // Each requires a value of its type.
  [[nodiscard]] bool boolean() const { return std::get<bool>(held_); }
  [[nodiscard]] std::uint64_t natural() const { return std::get<std::uint64_t>(held_); }
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& text() const { return std::get<std::string>(held_); }
  [[nodiscard]] const List& list() const { return std::get<List>(held_); }
  [[nodiscard]] const Members& members() const { return std::get<Members>(held_); }

  // The member of an object that is called so; null where there is none, or where this is no
  // object. O(members).
  [[nodiscard]] const JsonValue* find(std::string_view name) const noexcept;
  // True for this text, and for this boolean.
  [[nodiscard]] bool is(std::string_view text) const noexcept;
  [[nodiscard]] bool is_true() const noexcept;

  // The value on one line, as JsonWriter writes it.
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

// Reason why a text is no JSON that is read here.
struct JsonFault {
  enum class Kind : std::uint8_t {
    broken,        // no JSON
    large_number,  // a number that no double holds
    deep           // nested deeper than kMostNested
  };
  Kind kind = Kind::broken;
  std::size_t byte = 0;  // bytes read when it was found
  // A name that an object has twice. The last of its values counts, and it is no fault by itself.
  std::string repeated = {};
};

// The value that `text` holds; none where it is no JSON. `fault`: told why, and of repeated names.
[[nodiscard]] std::optional<JsonValue> parse_json(std::string_view text,
                                                  JsonFault* fault = nullptr);

// True for JSON of any depth whose numbers doubles hold.
[[nodiscard]] bool is_json(std::string_view text);

}  // namespace sosie
