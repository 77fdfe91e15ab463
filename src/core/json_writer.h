#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sosie {

// A JSON value without members: null, a boolean, a number or a text. Texts are not copied.
class JsonScalar {
 public:
  enum class Type : std::uint8_t { null, boolean, integer, natural, real, text };

  // NOLINTBEGIN(google-explicit-constructor)
  constexpr JsonScalar(std::nullptr_t) noexcept : type_(Type::null), natural_(0) {}
  template <std::integral Number>
  constexpr JsonScalar(Number number) noexcept {
    if constexpr (std::is_same_v<Number, bool>) {
      type_ = Type::boolean;
      natural_ = number ? 1 : 0;
    } else if constexpr (std::is_signed_v<Number>) {
      type_ = Type::integer;
      integer_ = number;
    } else {
      type_ = Type::natural;
      natural_ = number;
    }
  }
  constexpr JsonScalar(double number) noexcept : type_(Type::real), real_(number) {}
  constexpr JsonScalar(std::string_view text) noexcept : type_(Type::text), text_(text) {}
  constexpr JsonScalar(const char* text) noexcept : JsonScalar(std::string_view(text)) {}
  JsonScalar(const std::string& text) noexcept : JsonScalar(std::string_view(text)) {}
  // NOLINTEND(google-explicit-constructor)

  // Appends the value. Numbers are written with the fewest digits that read back to the same
  // number, and as null if they are not finite; each ill-formed part of a text becomes U+FFFD.
  void append_to(std::string& out) const;

 private:
  Type type_;
  union {
    std::uint64_t natural_;
    std::int64_t integer_;
    double real_;
    std::string_view text_;
  };
};

struct JsonMember {
  std::string_view name;
  JsonScalar value;
};

// Writes JSON from start to end. Members of an object are written in the order of the calls; no
// name may occur twice.
//
//   JsonWriter json(2);
//   json.begin_object();
//   json.member("verb", "dedup");
//   json.begin_array("inputs");
//   for (const Input& input : inputs) json.object({{"name", input.name}, {"rows", input.rows}});
//   json.end_array();
//   json.end_object();
//   return json.text();
class JsonWriter {
 public:
  // `indent`: number of spaces per level, with each value on a line of its own; if negative, all on
  // one line.
  explicit JsonWriter(int indent = -1) : indent_(indent) {}

  // Writes an element of an array, the value that belongs to the latest name(), or the only value.
  void value(JsonScalar value);
  // Writes a value that is already JSON, unchanged.
  void written(std::string_view json);
  void object(std::initializer_list<JsonMember> members);
  void begin_object() { begin('{'); }
  void begin_array() { begin('['); }

  // Members of an object.
  void name(std::string_view name);
  void member(std::string_view name, JsonScalar value);
  void members(std::initializer_list<JsonMember> members);
  void written(std::string_view name, std::string_view json);
  void object(std::string_view name, std::initializer_list<JsonMember> members);
  void begin_object(std::string_view name);
  void begin_array(std::string_view name);
  template <class List>
  void list(std::string_view name, const List& values) {
    begin_array(name);
    for (const auto& each : values) value(each);
    end_array();
  }

  void end_object() { end('}'); }
  void end_array() { end(']'); }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  void begin(char bracket);
  void end(char bracket);
  void next_value();
  void new_line();

  int indent_;
  std::string text_;
  std::vector<bool> has_values_;  // for each open object and array, outermost first
  bool is_named_ = false;         // the next value already has its name
};

}  // namespace sosie
