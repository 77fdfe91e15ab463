#pragma once

#include <cstdint>
#include <string_view>

namespace sosie {

// Arrangement of the values in a JSON file.
enum class JsonShape : std::uint8_t {
  lines,         // one object per line, or unknown
  array,         // one array
  object,        // one object over several lines
  many_objects,  // several of these one after another, or one without an end
};

// Detects how the values in a file are arranged, from its beginning; rarely needs more than its
// first row.
class JsonLook {
 public:
  // Examines the next bytes; returns true if no more are needed.
  bool add(std::string_view bytes) noexcept;
  // `is_whole`: there are no more bytes to add.
  [[nodiscard]] JsonShape shape(bool is_whole) const noexcept;

 private:
  // The next byte that is neither white space nor part of a byte order mark.
  void add_byte(char c) noexcept;
  void add_inside(char c) noexcept;
  void decide(JsonShape shape) noexcept;

  JsonShape shape_ = JsonShape::lines;
  bool is_decided_ = false;
  bool is_spread_ = false;  // the object continues on a second line
  bool is_in_string_ = false;
  bool is_escaped_ = false;
  bool has_object_ = false;  // it has begun
  std::uint64_t depth_ = 0;  // lists and objects that are open
  char last_ = '\0';         // before this byte, ignoring white space and strings
};

}  // namespace sosie
