// Detects the encoding of a text from its first bytes, with libuchardet and rules for what it
// misses.
#include "io/detect_encoding.h"

#include <uchardet/uchardet.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/utf8.h"
#include "io/append_escaped.h"
#include "io/encoding.h"
#include "io/language_letters.h"

namespace sosie {
namespace {

// Logarithms of probabilities, in hundredths, as in LetterOften. These and the margins below were
// the best of several tried on the texts counted by tools/make_language_letters.py, a third of
// which were held out.
constexpr int kOtherLetter = -760;  // a letter that the language does not have
constexpr int kMark = -461;         // a quotation mark, a dash, a sign of a currency
constexpr int kNoText = -1151;      // anything else: frames, controls, mathematics
constexpr int kMisplaced = -391;    // a capital inside a word, a mark between letters

// A western encoding replaces the detected one if it is better by this amount per byte. The two
// encodings in kTwins assign the letters of half of western Europe to the same bytes.
constexpr int kMargin = 30;
constexpr int kMarginOfTwins = -1;
constexpr std::array<std::string_view, 2> kTwins = {"IBM852", "MAC-CENTRALEUROPE"};
constexpr int kForWindows = 10;       // windows-1252 wins against the two older ones
constexpr int kLeast = -450;          // for an encoding that no detector named
constexpr int kLeastOfOthers = -200;  // in place of another script

constexpr std::size_t kMostBytes = 4096;  // above 0x80: enough to tell

// Letters of an 8-bit encoding from 0x80 onwards; 0 if there is none.
using Letters = std::array<char32_t, 128>;

Letters letters_of(const std::string& name) {
  Letters letters{};
  const FileEncoding encoding = encoding_of_file({}, name);
  if (!encoding.codec) return letters;
  std::string text;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char byte = static_cast<char>(0x80 + i);
    text.clear();
    encoding.codec->decode({&byte, 1}, true, text);
    const DecodedCodePoint read = next_of_decoded(text, 0);
    if (read.size == text.size() && !is_any_escaped_byte(read.code_point)) {
      letters[i] = read.code_point;
    }
  }
  return letters;
}

bool is_letter(char32_t c) noexcept {
  if (c < 0x80) return (c | 0x20U) >= 'a' && (c | 0x20U) <= 'z';
  return c >= 0xC0 && c < 0x250 && c != 0xD7 && c != 0xF7;
}

// Lower case of a letter in Latin-1, Latin Extended-A or Romanian.
char32_t lower(char32_t c) noexcept {
  if (c < 0x80) return c | 0x20U;
  if (c < 0x100) return c >= 0xC0 && c < 0xDF ? c + 0x20 : c;
  if (c == 0x178) return 0xFF;
  const bool odd_is_upper = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
  const bool is_upper = odd_is_upper ? c % 2 == 1 : c % 2 == 0;
  return is_upper && (c < 0x17F || (c >= 0x218 && c <= 0x21B)) ? c + 1 : c;
}

bool is_mark(char32_t c) noexcept {
  constexpr std::u32string_view kMarks =
      U"\u00A0\u00A1\u00A3\u00A7\u00A8\u00A9\u00AA\u00AB\u00AE\u00B0\u00B1\u00B4\u00B7\u00BA\u00BB"
      U"\u00BF\u00D7\u2013\u2014\u2018\u2019\u201A\u201C\u201D\u201E\u2020\u2022\u2026\u20AC\u2122";
  return kMarks.find(c) != std::u32string_view::npos;
}

bool may_join_letters(char32_t c) noexcept { return c == 0x2019 || c == 0xB7 || c == 0xA0; }

// True if writers would not put a character between these two.
bool is_misplaced(char32_t before, char32_t c, char32_t behind) noexcept {
  const auto is_upper = [](char32_t x) { return is_letter(x) && lower(x) != x; };
  const auto is_lower = [](char32_t x) { return is_letter(x) && lower(x) == x; };
  if (!is_letter(c)) return is_letter(before) && is_letter(behind) && !may_join_letters(c);
  if (is_upper(c)) return is_lower(before) || (is_letter(before) && is_lower(behind));
  return is_upper(before) && is_upper(behind);
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// True if the byte is next to a number, or to a space and a number: "5 \x80".
bool is_beside_number(std::string_view text, std::size_t i) noexcept {
  const auto at = [&](std::size_t place) { return place < text.size() ? text[place] : '\0'; };
  const char before = i > 0 && text[i - 1] == ' ' ? at(i - 2) : at(i - 1);
  const char behind = at(i + 1) == ' ' ? at(i + 2) : at(i + 1);
  return is_digit(before) || is_digit(behind);
}

// The bytes of a text that are not ASCII.
class HighBytes {
 public:
  explicit HighBytes(std::string_view head) : head_(head) {
    for (std::size_t i = 0; i < head.size() && places_.size() < kMostBytes; ++i) {
      if ((static_cast<unsigned char>(head[i]) & 0x80U) == 0) continue;
      places_.push_back(i);
      ++counts_[static_cast<unsigned char>(head[i]) - 0x80U];
    }
  }

  [[nodiscard]] int count() const noexcept { return static_cast<int>(places_.size()); }
  // True if one of the bytes is in this range.
  [[nodiscard]] bool has(unsigned char first, unsigned char last) const noexcept {
    return std::any_of(counts_.begin() + (first - 0x80), counts_.begin() + (last - 0x80) + 1,
                       [](int count) { return count > 0; });
  }
  [[nodiscard]] bool has_any(std::string_view bytes) const noexcept {
    return std::any_of(bytes.begin(), bytes.end(), [&](char c) {
      return has(static_cast<unsigned char>(c), static_cast<unsigned char>(c));
    });
  }

  // Logarithm of the probability that a writer of the likeliest language wrote these characters.
  [[nodiscard]] int likelihood(const Letters& letters) const {
    int best = std::numeric_limits<int>::min();
    for (const LanguageLetters& language : language_letters()) {
      best = std::max(best, likelihood(letters, language));
    }
    const auto at = [&](std::size_t i) { return i < head_.size() ? letter(letters, head_[i]) : 0; };
    for (const std::size_t i : places_) {
      const char32_t before = i == 0 ? 0 : at(i - 1);
      const char32_t c = at(i);
      const bool is_alone = is_letter(c) && !is_letter(before) && !is_letter(at(i + 1));
      const bool is_price = is_alone && lower(c) != c && is_beside_number(head_, i);
      if (is_price) best += kOtherLetter;
      if (is_misplaced(before, c, at(i + 1))) best += kMisplaced;
    }
    return best;
  }

 private:
  static char32_t letter(const Letters& letters, char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 ? byte : letters[byte - 0x80U];
  }

  [[nodiscard]] int likelihood(const Letters& letters, const LanguageLetters& language) const {
    int sum = 0;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (counts_[i] > 0) sum += counts_[i] * often(letters[i], language);
    }
    return sum;
  }

  static int often(char32_t c, const LanguageLetters& language) {
    if (!is_letter(c)) return is_mark(c) ? kMark : kNoText;
    const char32_t small = lower(c);
    const auto found = std::find_if(language.letters.begin(), language.letters.end(),
                                    [&](const LetterOften& each) { return each.letter == small; });
    return found == language.letters.end() ? kOtherLetter : found->logarithm;
  }

  std::string_view head_;
  std::vector<std::size_t> places_;
  std::array<int, 128> counts_{};
};

constexpr std::array<std::string_view, 3> kCandidates = {"windows-1252", "cp850", "mac-roman"};

struct Likely {
  std::string_view name;
  int likelihood = std::numeric_limits<int>::min();
};

// The likeliest of the western encodings; the first one gets a `bonus`.
Likely likeliest(const HighBytes& bytes, int bonus) {
  Likely best;
  for (const std::string_view name : kCandidates) {
    const int own = name == kCandidates.front() ? bonus : 0;
    const int likelihood = bytes.likelihood(letters_of(std::string(name))) + own * bytes.count();
    if (likelihood > best.likelihood) best = {name, likelihood};
  }
  return best;
}

// True if an 8-bit encoding has many Latin letters.
bool is_latin(const Letters& letters) noexcept {
  return std::count_if(letters.begin(), letters.end(), is_letter) > 40;
}

// The name to use for windows-1252 and for encodings that differ from it by a few bytes.
std::string windows_or_latin(const HighBytes& bytes, const std::string& found) {
  constexpr unsigned char kEuro = 0xA4;  // in latin-1 a sign that hardly anybody writes
  constexpr std::string_view kOthers = "\xA6\xA8\xB4\xB8\xBC\xBD\xBE";
  if (bytes.has(0x80, 0x9F)) return std::string(kCandidates.front());
  const bool has_others = found == "ISO-8859-15" && bytes.has_any(kOthers);
  return bytes.has(kEuro, kEuro) || has_others ? "iso-8859-15" : "latin-1";
}

// The name of the encoding of a non-UTF-8 text that begins with `head`: windows-1252 (latin-1 if no
// byte requires more), cp850 or mac-roman, if under it the bytes are more plausible letters of some
// language than under `found`, the name given by a detector that does not know all of these
// encodings; otherwise `found`. Also distinguishes latin-1, iso-8859-15 and windows-1252.
std::string western_encoding(std::string_view head, const std::string& found) {
  const HighBytes bytes(head);
  const bool is_western =
      found == "ISO-8859-1" || found == "ISO-8859-15" || found == "WINDOWS-1252";
  const Likely best = likeliest(bytes, is_western ? kForWindows : 0);
  const bool is_known = !found.empty() && is_encoding_name(found);
  const Letters own = is_known && !is_western ? letters_of(found) : Letters{};
  bool takes_best = best.likelihood > kLeast * bytes.count();
  if (!is_western && is_latin(own)) {
    const bool is_twin = std::find(kTwins.begin(), kTwins.end(), found) != kTwins.end();
    const int margin = is_twin ? kMarginOfTwins : kMargin;
    takes_best = takes_best && best.likelihood > bytes.likelihood(own) + margin * bytes.count();
  } else if (!is_western) {
    takes_best = best.likelihood > kLeastOfOthers * bytes.count();
  }
  if (!takes_best && !is_western) return found;
  if (!takes_best || best.name == kCandidates.front()) return windows_or_latin(bytes, found);
  return std::string(best.name);
}

// True if `head` is UTF-8, except that its last character may be incomplete.
bool is_utf8(std::string_view head) {
  const std::size_t at = find_ill_formed_utf8(head);
  return at == std::string_view::npos || (head.size() >= 64 && at + 3 >= head.size());
}

bool is_in_text(unsigned char high, unsigned char low) noexcept {
  if (high == 0) return low >= 0xA0 || (low >= ' ' && low < 0x7F) || (low >= '\t' && low <= '\r');
  const bool is_alphabet =
      high <= 0x0E || (high >= 0x10 && high <= 0x12) || high == 0x1E || high == 0x1F;
  const bool is_sign = (high >= 0x20 && high <= 0x26) || high == 0x30 || high == 0xFF;
  const bool is_han_or_hangul = (high >= 0x31 && high <= 0x9F) || (high >= 0xAC && high <= 0xDF);
  return is_alphabet || is_sign || is_han_or_hangul;
}

// UTF-16 without a byte order mark. Spaces, line ends and digits have upper halves of zero in every
// script, and no 8-bit text has zeros only in every other place. The lower half of some characters
// is zero, such as U+4E00 and U+AC00, so the units must also form text. Zeros at odd positions are
// the upper halves of little-endian units.
std::string zeros_every_other(std::string_view head) {
  constexpr std::size_t kLeastZeros = 2;
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  const std::size_t upper = zeros[1] > zeros[0] ? 1 : 0;
  const std::size_t units = head.size() / 2;
  if (zeros[upper] < kLeastZeros || zeros[1 - upper] * 3 > zeros[upper]) return {};
  if (zeros[upper] * 100 < units) return {};
  std::size_t in_text = 0;
  std::size_t controls = 0;  // bytes that 8-bit text has not
  for (std::size_t i = 0; i + 1 < head.size(); i += 2) {
    const auto high = static_cast<unsigned char>(head[i + upper]);
    const auto low = static_cast<unsigned char>(head[i + 1 - upper]);
    in_text += is_in_text(high, low) ? 1 : 0;
    controls += high < '\t' ? 1 : 0;
  }
  const bool may_be_bytes = is_utf8(head) && controls * 4 < units;
  if (in_text * 20 < units * 19 || may_be_bytes) return {};
  return upper == 1 ? "utf-16le" : "utf-16be";
}

}  // namespace

std::string detect_encoding(std::string_view head) {
  std::string units = zeros_every_other(head);
  if (!units.empty()) return units;
  if (is_utf8(head)) return "utf-8";
  const std::unique_ptr<uchardet, decltype(&uchardet_delete)> detector(uchardet_new(),
                                                                       uchardet_delete);
  if (uchardet_handle_data(detector.get(), head.data(), head.size()) != 0) return "utf-8";
  uchardet_data_end(detector.get());
  const std::string found = western_encoding(head, uchardet_get_charset(detector.get()));
  return found.empty() ? "utf-8" : found;
}

}  // namespace sosie
