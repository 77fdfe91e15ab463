#pragma once

#include <cstdint>
#include <string_view>

namespace sosie {

// Order of the values in a file of JSON.
enum class JsonShape : std::uint8_t {
  lines,         // one object a line, or nothing that is known here
  array,         // one array
  object,        // one object over several lines
  many_objects,  // several of these behind each other, or one without end
};

// Finds out how values lie in a file, from its beginning: seldom more than its first row.
class JsonLook {
 public:
  // Looks at the next bytes; true when no more are needed.
  bool add(std::string_view bytes) noexcept;
  // `is_whole`: no bytes are left to add.
  [[nodiscard]] JsonShape shape(bool is_whole) const noexcept;

 private:
  // The next byte that is neither blank nor part of a byte order mark.
  void add_byte(char c) noexcept;
  void add_inside(char c) noexcept;
  void decide(JsonShape shape) noexcept;

  JsonShape shape_ = JsonShape::lines;
  bool is_decided_ = false;
  bool is_spread_ = false;  // the object goes on in a second line
  bool is_in_string_ = false;
  bool is_escaped_ = false;
  bool has_object_ = false;  // it has begun
  std::uint64_t depth_ = 0;  // lists and objects that are open
  char last_ = '\0';         // before this byte, blanks and strings left out
};

}  // namespace sosie
