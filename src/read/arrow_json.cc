// Writes values of Arrow arrays as JSON.
#include "read/arrow_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "sosie/error.h"

namespace sosie {
namespace {

// By byte: what stands behind a backslash for it in a JSON string ('u': its number does); 0 for
// bytes that stand there as they are.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> table{};
  for (std::size_t i = 0; i < 0x20; ++i) table[i] = 'u';
  table['\b'] = 'b';
  table['\f'] = 'f';
  table['\n'] = 'n';
  table['\r'] = 'r';
  table['\t'] = 't';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

template <typename T>
T value_at(const ArrowArray& array, int buffer, std::int64_t slot) noexcept {
  T value;
  std::memcpy(
      &value,
      static_cast<const char*>(array.buffers[buffer]) + static_cast<std::size_t>(slot) * sizeof(T),
      sizeof(T));
  return value;
}

template <typename T>
void append_number(T number, std::string& out) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  out.append(text.data(), end);
}

[[noreturn]] void refuse_type(const ArrowSchema& schema) {
  throw Error(ErrorKind::unsupported,
              fmt::format("column '{}' is of a type that is not read (Arrow format '{}')",
                          schema.name == nullptr ? "" : schema.name, schema.format));
}

std::int64_t number_behind(std::string_view format, char mark) {
  const std::size_t at = format.find(mark);
  std::int64_t number = 0;
  std::from_chars(format.data() + at + 1, format.data() + format.size(), number);
  return number;
}

// "d:19,10" or "d:19,10,128": a decimal of 128 bits.
bool is_decimal(std::string_view format) {
  const auto commas = std::count(format.begin(), format.end(), ',');
  return format.starts_with("d:") && (commas == 1 || format.ends_with(",128"));
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  std::size_t copied = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out.append(text, copied, i - copied);
    copied = i + 1;
    out += '\\';
    out += escape;
    if (escape == 'u') fmt::format_to(std::back_inserter(out), "{:04x}", byte);
  }
  out.append(text, copied);
  out += '"';
}

ArrowJson::ArrowJson(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first)
    : array_(&array), first_(first + array.offset) {
  const std::string_view format = schema.format;
  if (format == "+l" || format == "+m") {
    shape_ = Shape::list32;
  } else if (format == "+L") {
    shape_ = Shape::list64;
  } else if (format.starts_with("+w:")) {
    shape_ = Shape::fixed_list;
    width_ = number_behind(format, ':');
  } else if (format == "+s") {
    shape_ = Shape::object;
  } else if (is_decimal(format)) {
    shape_ = Shape::decimal;
    width_ = number_behind(format, ',');
  } else {
    layout_ = arrow_layout(format);
    std::optional<ArrowLayout> dictionary;
    if (schema.dictionary != nullptr) dictionary = arrow_layout(schema.dictionary->format);
    if (!layout_ || (schema.dictionary != nullptr && !dictionary)) refuse_type(schema);
    values_.emplace(array, *layout_, first, dictionary);
    if (dictionary) layout_ = dictionary;
  }
  // The slots of a struct's children are counted from the struct's own first one.
  add_children(schema, shape_ == Shape::object ? first_ : 0);
}

void ArrowJson::add_children(const ArrowSchema& schema, std::int64_t first) {
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& child = *schema.children[i];
    std::string name;
    append_json_string(child.name == nullptr ? "" : child.name, name);
    names_.push_back(name + ": ");
    children_.emplace_back(child, *array_->children[i], first);
  }
}

bool ArrowJson::is_null(std::int64_t slot) const noexcept {
  if (array_->buffers == nullptr || array_->buffers[0] == nullptr) return false;
  const auto byte = static_cast<const std::uint8_t*>(array_->buffers[0])[slot / 8];
  return (byte >> (slot % 8) & 1) == 0;
}

void ArrowJson::append(std::int64_t position, std::string& out) const {
  if (shape_ == Shape::value) {
    append_value(position, out);
    return;
  }
  const std::int64_t slot = first_ + position;
  if (is_null(slot)) {
    out += "null";
  } else if (shape_ == Shape::decimal) {
    append_decimal(slot, out);
  } else if (shape_ == Shape::object) {
    append_object(position, out);
  } else {
    append_list(slot, out);
  }
}

void ArrowJson::append_value(std::int64_t position, std::string& out) const {
  const FieldValue value = values_->value(position);
  if (value.kind == FieldValue::Kind::text) {
    append_json_string(value.text, out);
  } else if (value.kind != FieldValue::Kind::number) {
    out += "null";
  } else if (*layout_ == ArrowLayout::bit) {
    out += value.number != 0 ? "true" : "false";
  } else if (is_fraction(*layout_)) {
    const auto number = static_cast<double>(value.number);
    if (std::isfinite(number)) {
      append_number(number, out);
    } else {
      out += "null";
    }
  } else if (value.number < 0) {
    append_number(static_cast<std::int64_t>(value.number), out);
  } else {
    append_number(static_cast<std::uint64_t>(value.number), out);
  }
}

void ArrowJson::append_decimal(std::int64_t slot, std::string& out) const {
  const auto low = value_at<std::uint64_t>(*array_, 1, 2 * slot);
  const auto high = value_at<std::uint64_t>(*array_, 1, 2 * slot + 1);
  __extension__ using Wide = unsigned __int128;
  Wide number = (static_cast<Wide>(high) << 64) | low;
  const bool negative = (high >> 63) != 0;
  if (negative) number = ~number + 1;
  std::string digits;  // from the last one on
  for (; number != 0; number /= 10) {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
  }
  const auto scale = static_cast<std::size_t>(std::max<std::int64_t>(0, width_));
  if (digits.size() <= scale) digits.resize(scale + 1, '0');
  if (scale > 0) digits.insert(scale, 1, '.');
  if (negative) digits += '-';
  out.append(digits.rbegin(), digits.rend());
  if (width_ < 0) out.append(static_cast<std::size_t>(-width_), '0');
}

void ArrowJson::append_list(std::int64_t slot, std::string& out) const {
  std::int64_t begin = slot * width_;
  std::int64_t end = begin + width_;
  if (shape_ == Shape::list32) {
    begin = value_at<std::int32_t>(*array_, 1, slot);
    end = value_at<std::int32_t>(*array_, 1, slot + 1);
  } else if (shape_ == Shape::list64) {
    begin = value_at<std::int64_t>(*array_, 1, slot);
    end = value_at<std::int64_t>(*array_, 1, slot + 1);
  }
  out += '[';
  for (std::int64_t i = begin; i < end; ++i) {
    if (i > begin) out += ", ";
    children_.front().append(i, out);
  }
  out += ']';
}

void ArrowJson::append_object(std::int64_t position, std::string& out) const {
  out += '{';
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (i > 0) out += ", ";
    out += names_[i];
    children_[i].append(position, out);
  }
  out += '}';
}

}  // namespace sosie
