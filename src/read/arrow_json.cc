// Writes values of Arrow arrays as JSON.
#include "read/arrow_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "read/arrow_layout.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// For each byte: the character after the backslash in a JSON string ('u': followed by its number);
// 0 for bytes that are not escaped.
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
              fmt::format("column '{}' has a type that cannot be read (Arrow format '{}')",
                          schema.name == nullptr ? "" : schema.name, schema.format));
}

std::int64_t number_behind(std::string_view format, char mark) {
  const std::size_t at = format.find(mark);
  std::int64_t number = 0;
  std::from_chars(format.data() + at + 1, format.data() + format.size(), number);
  return number;
}

// "d:19,10" or "d:19,10,128": the size of a decimal in bytes; empty for other formats.
std::optional<std::size_t> bytes_of_decimal(std::string_view format) {
  if (!format.starts_with("d:")) return std::nullopt;
  if (std::count(format.begin(), format.end(), ',') == 1) return 16;
  for (const std::size_t bytes : {4U, 8U, 16U, 32U}) {
    if (format.ends_with(fmt::format(",{}", 8 * bytes))) return bytes;
  }
  return std::nullopt;
}

// The digits of a number of 64-bit words, lowest word first, beginning with the last digit.
std::string reversed_digits(std::array<std::uint64_t, 4> words) {
  constexpr std::uint64_t kPart = 1'000'000'000'000'000'000;  // 18 digits
  __extension__ using Wide = unsigned __int128;
  std::string digits;
  while (std::any_of(words.begin(), words.end(), [](std::uint64_t word) { return word != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      const Wide all = (static_cast<Wide>(rest) << 64) | words[i];
      words[i] = static_cast<std::uint64_t>(all / kPart);
      rest = static_cast<std::uint64_t>(all % kPart);
    }
    for (int i = 0; i < 18; ++i, rest /= 10) digits += static_cast<char>('0' + rest % 10);
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
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
    if (escape != 'u') continue;
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "00";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  out.append(text, copied);
  out += '"';
}

ArrowJson::ArrowJson(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first)
    : array_(&array), first_(first + array.offset) {
  take_shape(schema);
  if (shape_ == Shape::value) {
    take_values(schema, first);
  } else if (shape_ == Shape::runs) {
    if (schema.n_children != 2) refuse_type(schema);
    layout_ = arrow_layout(schema.children[0]->format);
    if (!layout_) refuse_type(schema);
    values_.emplace(*array.children[0], *layout_, 0, std::nullopt);
    children_.emplace_back(*schema.children[1], *array.children[1], 0);
  } else {
    const bool is_map = shape_ == Shape::map;
    if (is_map && (schema.n_children != 1 || schema.children[0]->n_children != 2)) {
      refuse_type(schema);
    }
    // The slots of a struct's children are counted from the struct's own first slot.
    add_children(schema, shape_ == Shape::object ? first_ : 0);
  }
}

void ArrowJson::take_shape(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (format == "+l") {
    shape_ = Shape::list32;
  } else if (format == "+L") {
    shape_ = Shape::list64;
  } else if (format == "+vl") {
    shape_ = Shape::list_view32;
  } else if (format == "+vL") {
    shape_ = Shape::list_view64;
  } else if (format.starts_with("+w:")) {
    shape_ = Shape::fixed_list;
    width_ = number_behind(format, ':');
  } else if (format == "+m") {
    shape_ = Shape::map;
  } else if (format == "+s") {
    shape_ = Shape::object;
  } else if (format == "+r") {
    shape_ = Shape::runs;
  } else if (format == "w:16") {
    shape_ = Shape::uuid;
  } else if (format.starts_with("w:")) {
    shape_ = Shape::fixed_binary;
    width_ = number_behind(format, ':');
  } else if (const auto bytes = bytes_of_decimal(format)) {
    shape_ = Shape::decimal;
    decimal_bytes_ = *bytes;
    width_ = number_behind(format, ',');
  }
}

void ArrowJson::take_values(const ArrowSchema& schema, std::int64_t first) {
  layout_ = arrow_layout(schema.format);
  if (!layout_) refuse_type(schema);
  time_ = WrittenTime::of(schema.format);
  values_.emplace(*array_, *layout_, first, std::nullopt);
  if (schema.dictionary == nullptr) return;
  if (array_->dictionary == nullptr) refuse_type(schema);
  shape_ = Shape::dictionary;
  children_.emplace_back(*schema.dictionary, *array_->dictionary, 0);
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
  if (shape_ == Shape::runs) {
    children_.front().append(run_at(slot), out);
  } else if (is_null(slot)) {
    out += "null";
  } else if (shape_ == Shape::dictionary) {
    children_.front().append(static_cast<std::int64_t>(values_->value(position).number), out);
  } else if (shape_ == Shape::decimal) {
    append_decimal(slot, out);
  } else if (shape_ == Shape::fixed_binary) {
    const char* bytes = static_cast<const char*>(array_->buffers[1]);
    append_json_string({bytes + slot * width_, static_cast<std::size_t>(width_)}, out);
  } else if (shape_ == Shape::uuid) {
    append_uuid(slot, out);
  } else if (shape_ == Shape::object) {
    (void)append_counted(position, {}, out);
  } else if (shape_ == Shape::map) {
    append_map(slot, out);
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
  } else if (time_) {
    out += '"';
    time_->append(static_cast<std::int64_t>(value.number), out);
    out += '"';
  } else if (*layout_ == ArrowLayout::bit) {
    out += value.number != 0 ? "true" : "false";
  } else if (is_fraction(*layout_)) {
    const auto number = static_cast<double>(value.number);
    if (std::isfinite(number)) {
      append_number(number, out);
    } else {
      out += number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    }
  } else if (value.number < 0) {
    append_number(static_cast<std::int64_t>(value.number), out);
  } else {
    append_number(static_cast<std::uint64_t>(value.number), out);
  }
}

void ArrowJson::append_decimal(std::int64_t slot, std::string& out) const {
  const char* bytes = static_cast<const char*>(array_->buffers[1]);
  bytes += static_cast<std::size_t>(slot) * decimal_bytes_;
  const bool negative = (static_cast<unsigned char>(bytes[decimal_bytes_ - 1]) & 0x80) != 0;
  std::array<std::uint64_t, 4> words;
  words.fill(negative ? ~std::uint64_t{0} : 0);
  std::memcpy(words.data(), bytes, decimal_bytes_);
  if (negative) {  // the complement, and 1
    bool carries = true;
    for (std::uint64_t& word : words) {
      word = ~word + (carries ? 1 : 0);
      carries = carries && word == 0;
    }
  }
  std::string digits = reversed_digits(words);
  const auto scale = static_cast<std::size_t>(std::max<std::int64_t>(0, width_));
  if (digits.size() <= scale) digits.resize(scale + 1, '0');
  if (scale > 0) digits.insert(scale, 1, '.');
  if (negative) digits += '-';
  out.append(digits.rbegin(), digits.rend());
  if (width_ < 0 && digits != "0") out.append(static_cast<std::size_t>(-width_), '0');
}

// "12345678-1234-1234-1234-123456789abc"
void ArrowJson::append_uuid(std::int64_t slot, std::string& out) const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::int64_t kBytes = 16;
  const char* bytes = static_cast<const char*>(array_->buffers[1]) + slot * kBytes;
  out += '"';
  for (std::int64_t i = 0; i < kBytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  out += '"';
}

// Begin and end of the list's elements.
std::pair<std::int64_t, std::int64_t> ArrowJson::list_at(std::int64_t slot) const {
  const auto begin_and_end = [&](auto begin, auto end) {
    return std::pair<std::int64_t, std::int64_t>(begin, end);
  };
  switch (shape_) {
    case Shape::list32:
    case Shape::map:
      return begin_and_end(value_at<std::int32_t>(*array_, 1, slot),
                           value_at<std::int32_t>(*array_, 1, slot + 1));
    case Shape::list64:
      return begin_and_end(value_at<std::int64_t>(*array_, 1, slot),
                           value_at<std::int64_t>(*array_, 1, slot + 1));
    case Shape::list_view32: {
      const auto begin = value_at<std::int32_t>(*array_, 1, slot);
      return begin_and_end(begin, begin + value_at<std::int32_t>(*array_, 2, slot));
    }
    case Shape::list_view64: {
      const auto begin = value_at<std::int64_t>(*array_, 1, slot);
      return begin_and_end(begin, begin + value_at<std::int64_t>(*array_, 2, slot));
    }
    default:
      return begin_and_end(slot * width_, (slot + 1) * width_);
  }
}

void ArrowJson::append_list(std::int64_t slot, std::string& out) const {
  const auto [begin, end] = list_at(slot);
  out += '[';
  for (std::int64_t i = begin; i < end; ++i) {
    if (i > begin) out += ", ";
    children_.front().append(i, out);
  }
  out += ']';
}

// A map is a list of structs of a key and a value.
void ArrowJson::append_map(std::int64_t slot, std::string& out) const {
  const auto [begin, end] = list_at(slot);
  const ArrowJson& entries = children_.front();
  out += '{';
  for (std::int64_t i = begin; i < end; ++i) {
    if (i > begin) out += ", ";
    std::string key;
    entries.children_[0].append(i, key);
    if (key.starts_with('"')) {
      out += key;
    } else {
      append_json_string(key, out);
    }
    out += ": ";
    entries.children_[1].append(i, out);
  }
  out += '}';
}

// The run that contains a slot: the first run that ends after it.
std::int64_t ArrowJson::run_at(std::int64_t slot) const {
  std::int64_t begin = 0;
  std::int64_t end = array_->children[0]->length - 1;
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (values_->value(middle).number > static_cast<long double>(slot)) {
      end = middle;
    } else {
      begin = middle + 1;
    }
  }
  return begin;
}

std::uint64_t ArrowJson::append_counted(std::int64_t position, const std::vector<bool>& counted,
                                        std::string& out) const {
  std::uint64_t bytes = 0;
  out += '{';
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (i > 0) out += ", ";
    out += names_[i];
    const std::size_t before = out.size();
    children_[i].append(position, out);
    if (i < counted.size() && counted[i]) {
      bytes += children_[i].counted_bytes(position, out.size() - before);
    }
  }
  out += '}';
  return bytes;
}

// `json_bytes`: size of the value as JSON.
std::uint64_t ArrowJson::counted_bytes(std::int64_t position, std::size_t json_bytes) const {
  if (shape_ == Shape::value) {
    const FieldValue value = values_->value(position);
    return value.kind == FieldValue::Kind::number ? json_bytes : value.text.size();
  }
  if (is_null(first_ + position)) return 0;
  if (shape_ != Shape::dictionary) return json_bytes;
  const auto entry = static_cast<std::int64_t>(values_->value(position).number);
  return children_.front().counted_bytes(entry, json_bytes);
}

}  // namespace sosie
