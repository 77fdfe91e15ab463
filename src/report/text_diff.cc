// Diff of two texts for the --report page.
#include "report/text_diff.h"

#include <algorithm>

#include "core/cut_text.h"
#include "core/mix64.h"
#include "core/utf8.h"
#include "verify/word_diff.h"

namespace sosie {
namespace {

constexpr std::size_t kComparedBytes = std::size_t{64} << 10;
constexpr std::size_t kShownBytes = 3000;  // bytes of one side that are shown
constexpr std::size_t kShownParts = 200;
constexpr std::size_t kDiffContext = 12;  // words shown of a common run at each of its ends

bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Scripts written without spaces: South-East Asian scripts, Han, kana and related ones.
bool stands_alone(char32_t c) noexcept {
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
         (c >= 0x1780 && c <= 0x17FF) || (c >= 0x2E80 && c <= 0xA4CF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

std::uint64_t count_words(std::string_view text) noexcept {
  std::uint64_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = is_blank(c);
    words += !blank && !inside ? 1U : 0U;
    inside = !blank;
  }
  return words;
}

// End of the word that starts at `start`.
std::size_t end_of_word(std::string_view text, std::size_t start) noexcept {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t at = start;
  while (at < text.size() && !is_blank(text[at])) {
    const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
    if (stands_alone(decoded.code_point)) return at == start ? at + decoded.size : at;
    at += decoded.size;
  }
  return at;
}

// Adds runs of words to a side until it is full.
class SideWriter {
 public:
  SideWriter(std::string_view text, const std::vector<std::size_t>& starts, ReportSide& side)
      : text_(text), starts_(starts), side_(side) {}

  void same(std::size_t first, std::size_t count) {
    if (count <= 3 * kDiffContext) {
      add(DiffPart::Kind::same, first, count);
      return;
    }
    add(DiffPart::Kind::same, first, kDiffContext);
    leave_out(count - 2 * kDiffContext);
    add(DiffPart::Kind::same, first + count - kDiffContext, kDiffContext);
  }

  void changed(std::size_t first, std::size_t count) { add(DiffPart::Kind::changed, first, count); }

  void leave_out(std::uint64_t words) {
    if (words == 0) return;
    if (!side_.parts.empty() && side_.parts.back().kind == DiffPart::Kind::left_out) {
      side_.parts.back().words += words;
    } else {
      side_.parts.push_back({DiffPart::Kind::left_out, {}, words});
    }
  }

 private:
  void add(DiffPart::Kind kind, std::size_t first, std::size_t count) {
    if (count == 0) return;
    if (shown_ >= kShownBytes || side_.parts.size() >= kShownParts) {
      leave_out(count);
      return;
    }
    std::size_t last = first + count;
    const std::size_t last_start = starts_[first] + (kShownBytes - shown_);
    while (last > first + 1 && starts_[last] > last_start) --last;
    const std::string_view run =
        cut_text(text_.substr(starts_[first], starts_[last] - starts_[first]), kShownBytes);
    shown_ += run.size();
    side_.parts.push_back({kind, std::string(run), last - first});
    leave_out(first + count - last);
  }

  std::string_view text_;
  const std::vector<std::size_t>& starts_;
  ReportSide& side_;
  std::size_t shown_ = 0;
};

}  // namespace

std::uint64_t TextDiff::token_number(std::string_view word) {
  word_.assign(word);
  shingler_.read(word_.view());
  std::uint64_t number = 0;
  for (const std::uint64_t token : shingler_.shingles()) number = mix64(number ^ token) | 1;
  return number;
}

void TextDiff::split(std::string_view text, Words& words) {
  words.text = cut_text(text, kComparedBytes);
  for (std::size_t at = 0; at < words.text.size();) {
    if (is_blank(words.text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(words.text, at);
    // Text without a token belongs to the preceding word, or to the first word.
    if (const std::uint64_t number = token_number(words.text.substr(at, end - at)); number != 0) {
      words.starts.push_back(words.starts.empty() ? 0 : at);
      words.tokens.push_back(number);
    }
    at = end;
  }
  words.starts.push_back(words.text.size());
}

void TextDiff::compare(std::string_view left, std::string_view right, ReportSide& left_side,
                       ReportSide& right_side) {
  Words left_words;
  Words right_words;
  split(left, left_words);
  split(right, right_words);
  left_side.words = count_words(left);
  right_side.words = count_words(right);
  SideWriter left_out(left_words.text, left_words.starts, left_side);
  SideWriter right_out(right_words.text, right_words.starts, right_side);
  for (const DiffRun& run : word_diff(left_words.tokens, right_words.tokens)) {
    switch (run.kind) {
      case DiffKind::same:
        left_out.same(run.left, run.count);
        right_out.same(run.right, run.count);
        break;
      case DiffKind::removed:
        left_out.changed(run.left, run.count);
        break;
      case DiffKind::added:
        right_out.changed(run.right, run.count);
        break;
    }
  }
  left_out.leave_out(count_words(left.substr(left_words.text.size())));
  right_out.leave_out(count_words(right.substr(right_words.text.size())));
}

}  // namespace sosie
