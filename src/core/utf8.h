#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sosie {

// The byte order mark at the start of some UTF-8 files.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// A sequence of `size` bytes that is either well-formed or a maximal ill-formed subpart, which
// decodes to U+FFFD (Unicode 3.9, table 3-7; the WHATWG decoder does the same).
struct DecodedCodePoint {
  char32_t code_point;
  std::uint32_t size;
};

namespace detail {

[[nodiscard]] inline bool continues(unsigned char byte) noexcept { return (byte & 0xC0) == 0x80; }

// True if the second byte makes no overlong form, surrogate or code point above U+10FFFF.
[[nodiscard]] inline bool may_follow(unsigned char lead, unsigned char second) noexcept {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return continues(second);
  }
}

// Does what decode_code_point() does, for bytes that are ill-formed or near the end.
[[nodiscard, gnu::noinline]] inline DecodedCodePoint decode_carefully(
    const unsigned char* at, const unsigned char* end) noexcept {
  const unsigned lead = at[0];
  const auto available = end - at;
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || lead > 0xF4) return {kReplacementCharacter, 1};
  if (available < 2 || !may_follow(at[0], at[1])) return {kReplacementCharacter, 1};
  const unsigned second = at[1] & 0x3FU;
  if (lead < 0xE0) return {(lead & 0x1FU) << 6 | second, 2};
  if (available < 3 || !continues(at[2])) return {kReplacementCharacter, 2};
  const unsigned third = at[2] & 0x3FU;
  if (lead < 0xF0) return {(lead & 0x0FU) << 12 | second << 6 | third, 3};
  if (available < 4 || !continues(at[3])) return {kReplacementCharacter, 3};
  return {(lead & 0x07U) << 18 | second << 12 | third << 6 | (at[3] & 0x3FU), 4};
}

}  // namespace detail

// The code point at `at`. Requires at < end; reads nothing at or after `end`.
[[nodiscard, gnu::always_inline]] inline DecodedCodePoint decode_code_point(
    const unsigned char* at, const unsigned char* end) noexcept {
  using detail::continues;
  const unsigned lead = at[0];
  if (lead < 0x80) return {lead, 1};
  // Nearly all characters outside ASCII have two or three bytes.
  if (end - at >= 3 && continues(at[1])) {
    const unsigned second = at[1] & 0x3FU;
    if (lead >= 0xC2 && lead < 0xE0) return {(lead & 0x1FU) << 6 | second, 2};
    const char32_t wide = (lead & 0x0FU) << 12 | second << 6 | (at[2] & 0x3FU);
    const bool is_scalar = wide >= 0x800 && (wide < 0xD800 || wide > 0xDFFF);
    if ((lead & 0xF0U) == 0xE0 && continues(at[2]) && is_scalar) return {wide, 3};
  }
  return detail::decode_carefully(at, end);
}

// An ill-formed byte decodes to a code point that does not occur in well-formed text: the lone
// surrogate U+DC00 + byte.
inline constexpr char32_t kByteEscapes = 0xDC00;

[[nodiscard]] constexpr bool is_escaped_byte(char32_t code_point) noexcept {
  return code_point - (kByteEscapes + 0x80) < 0x80;
}

// The code point at `at`, as decode_code_point() gives it, except that ill-formed bytes give the
// first of them in escaped form. Distinct bytes decode to distinct code points.
[[nodiscard, gnu::always_inline]] inline DecodedCodePoint decode_or_escape(
    const unsigned char* at, const unsigned char* end) noexcept {
  const DecodedCodePoint decoded = decode_code_point(at, end);
  const bool well_formed =
      decoded.code_point != kReplacementCharacter || (*at == 0xEF && decoded.size == 3);
  return well_formed ? decoded : DecodedCodePoint{kByteEscapes + *at, 1};
}

// Position of the first byte that is not part of well-formed UTF-8; npos if there is none.
[[nodiscard]] inline std::size_t find_ill_formed_utf8(std::string_view text) noexcept {
  const auto* begin = reinterpret_cast<const unsigned char*>(text.data());
  const auto* at = begin;
  for (const auto* end = begin + text.size(); at != end;) {
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    if (is_escaped_byte(decoded.code_point)) return static_cast<std::size_t>(at - begin);
    at += decoded.size;
  }
  return std::string_view::npos;
}

// Writes a scalar value in UTF-8 (an escaped byte as three ill-formed bytes) and returns the number
// of bytes, at most 4.
inline std::size_t encode_code_point(char32_t code_point, unsigned char* out) noexcept {
  const auto byte = [](char32_t value) { return static_cast<unsigned char>(value); };
  const auto low_six = [&](int shift) { return byte(0x80 | (code_point >> shift & 0x3F)); };
  if (code_point < 0x80) {
    out[0] = byte(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = byte(0xC0 | code_point >> 6);
    out[1] = low_six(0);
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = byte(0xE0 | code_point >> 12);
    out[1] = low_six(6);
    out[2] = low_six(0);
    return 3;
  }
  out[0] = byte(0xF0 | code_point >> 18);
  out[1] = low_six(12);
  out[2] = low_six(6);
  out[3] = low_six(0);
  return 4;
}

}  // namespace sosie
