// Tables of character kinds for the folding kernels.
#include "represent/utf8_letters.h"

#include <algorithm>

#include "core/utf8.h"
#include "represent/unicode_tables.h"

namespace sosie {
namespace {

using kernels::Utf8Letters;
using unicode::CharClass;
using unicode::Properties;

static_assert(static_cast<int>(CharClass::blank) == Utf8Letters::blank);
static_assert(static_cast<int>(CharClass::separator) == Utf8Letters::separator);
static_assert(static_cast<int>(CharClass::word) == Utf8Letters::word);
static_assert(static_cast<int>(CharClass::single) == Utf8Letters::single);

// Enters a two-byte character in the table of its lead byte.
void set_letter(char32_t c, Utf8Letters::Lead& lead) noexcept {
  const std::size_t low_bits = c & 63;
  const Properties properties = unicode::properties_of(c);
  unsigned char bytes[8] = {};
  std::size_t size = encode_code_point(c, bytes);
  if (properties.mapping() == unicode::kFullPath) {
    size = 0;
  } else if (properties.mapping() != 0) {
    const unicode::Mapping& mapping = unicode::kMappings[properties.mapping()];
    size = mapping.size;
    std::copy_n(mapping.bytes, sizeof mapping.bytes, bytes);
  }
  lead.first[low_bits] = bytes[0];
  lead.second[low_bits] = bytes[1];
  const bool odd = size != 2 || properties.joins_previous();
  lead.kind[low_bits] =
      odd ? std::uint8_t{Utf8Letters::odd} : static_cast<std::uint8_t>(properties.char_class());
}

// Kind of a three-byte code point.
std::uint8_t kind_of(char32_t c) noexcept {
  const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
  const std::uint16_t bits = unicode::look_up(unicode::kPropertiesBlock, unicode::kProperties, c);
  if (c < 0x800 || surrogate || bits > Utf8Letters::single) return Utf8Letters::odd;
  return static_cast<std::uint8_t>(bits);
}

// The kind shared by the 4,096 kinds from `first` onwards, if they are equal.
std::uint8_t common_kind(const std::uint8_t* first) noexcept {
  const bool same = std::all_of(first, first + 0x1000, [&](std::uint8_t k) { return k == *first; });
  return same && *first != Utf8Letters::odd ? *first : std::uint8_t{Utf8Letters::mixed};
}

Utf8Letters make_letters() noexcept {
  Utf8Letters letters;
  for (std::size_t i = 0; i < letters.leads.size(); ++i) {
    letters.leads[i] = {};
    letters.leads[i].kind.fill(Utf8Letters::odd);  // 0xC0 and 0xC1: overlong forms
    for (char32_t c = 0; c < 64 && i >= 2; ++c) {
      set_letter(static_cast<char32_t>(i) << 6 | c, letters.leads[i]);
    }
  }
  for (char32_t c = 0; c < letters.kinds.size(); ++c) letters.kinds[c] = kind_of(c);
  for (std::size_t i = 0; i < letters.kind_of_three.size(); ++i) {
    letters.kind_of_three[i] = common_kind(&letters.kinds[i << 12]);
  }
  letters.blocks = unicode::kPropertiesBlock.data();
  letters.properties = unicode::kProperties.data();
  return letters;
}

}  // namespace

const Utf8Letters& utf8_letters() noexcept {
  static const Utf8Letters letters = make_letters();
  return letters;
}

}  // namespace sosie
