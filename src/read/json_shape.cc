// Distinguishes JSON lines from an array and from objects spread over several lines.
#include "read/json_shape.h"

namespace sosie {
namespace {

// Zeros make up half of the bytes of ASCII text in UTF-16; the other bytes are UTF-8 and UTF-16
// marks.
constexpr std::string_view kBlank(" \t\r\n\0\xEF\xBB\xBF\xFE\xFF", 10);

bool is_left_out(char c) noexcept { return kBlank.find(c) != std::string_view::npos; }

}  // namespace

bool JsonLook::add(std::string_view bytes) noexcept {
  for (const char c : bytes) {
    if (is_decided_) break;
    if (is_in_string_) {
      add_inside(c);
    } else if (c == '\n') {
      is_spread_ |= depth_ > 0;
    } else if (!is_left_out(c)) {
      add_byte(c);
    }
  }
  return is_decided_;
}

void JsonLook::add_inside(char c) noexcept {
  if (c == '\n') decide(JsonShape::lines);  // a string has no line breaks: a broken row
  if (is_escaped_) {
    is_escaped_ = c == '\0';
  } else if (c == '\\') {
    is_escaped_ = true;
  } else if (c == '"') {
    is_in_string_ = false;
  }
}

void JsonLook::add_byte(char c) noexcept {
  const bool begins_value = last_ == '[' || last_ == ',' || last_ == ':';
  if (depth_ == 0) {
    if (has_object_) return decide(JsonShape::many_objects);
    if (c != '{') return decide(c == '[' ? JsonShape::array : JsonShape::lines);
    has_object_ = true;
    depth_ = 1;
  } else if (c == '"') {
    is_in_string_ = true;
  } else if (c == '{' || c == '[') {
    if (!begins_value) return decide(JsonShape::lines);  // the next row, after a broken one
    ++depth_;
  } else if (c == '}' || c == ']') {
    --depth_;
    if (depth_ == 0 && !is_spread_) return decide(JsonShape::lines);
  }
  last_ = c;
}

void JsonLook::decide(JsonShape shape) noexcept {
  shape_ = shape;
  is_decided_ = true;
}

JsonShape JsonLook::shape(bool is_whole) const noexcept {
  if (is_decided_ || !is_spread_) return shape_;
  return is_whole ? JsonShape::object : JsonShape::many_objects;
}

}  // namespace sosie
