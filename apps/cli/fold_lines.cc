// Folds long lines between words, for terminals, which cut them anywhere.
#include "fold_lines.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace sosie::cli {
namespace {

constexpr std::size_t kLeastColumns = 40;  // narrower ones would show a word a line
constexpr std::size_t kMostLabel = 30;

// TABLE: code points that are two columns wide, for the scripts and symbols that may occur in
// messages.
constexpr std::array<std::array<char32_t, 2>, 7> kWide = {{{0x1100, 0x115F},
                                                           {0x2E80, 0xA4CF},
                                                           {0xAC00, 0xD7A3},
                                                           {0xF900, 0xFAFF},
                                                           {0xFF00, 0xFF60},
                                                           {0x1F300, 0x1FAFF},
                                                           {0x20000, 0x3FFFD}}};

bool is_wide(char32_t point) noexcept {
  return std::any_of(kWide.begin(), kWide.end(),
                     [&](const auto& range) { return point >= range[0] && point <= range[1]; });
}

// Width of well-formed UTF-8 in columns; marks that combine with a letter are counted as one,
// colours as none.
std::size_t columns_of(std::string_view text) noexcept {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1) + 1;
      continue;
    }
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = size == 1 ? lead : lead & (0x7FU >> size);
    for (std::size_t k = 1; k < size && i + k < text.size(); ++k) {
      point = point << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    }
    columns += is_wide(point) ? 2 : 1;
    i += size;
  }
  return columns;
}

// Start of the text in a line: after its label, or after leading spaces.
std::size_t text_begin(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  for (const std::string_view opening : {"note: ", "sosie: "}) {
    if (line.starts_with(opening)) return opening == "note: " ? opening.size() : 2;
  }
  const std::size_t blanks = line.find("  ", first);
  if (blanks >= kMostLabel) return first > 0 ? first : 2;
  return std::min(line.find_first_not_of(' ', blanks), line.size());
}

// Start of the words between which a line may be folded: its text, or a sentence after the cells of
// a table. npos if there are none.
std::size_t words_begin(std::string_view line) {
  constexpr auto kLeastBlanks = 3;  // a cell such as "0.1 s" has one
  const std::size_t begin = text_begin(line);
  const std::size_t last = line.rfind("  ");
  if (last == std::string_view::npos || last + 2 <= begin) return begin;
  const std::string_view behind = line.substr(last + 2);
  const bool is_sentence = std::count(behind.begin(), behind.end(), ' ') >= kLeastBlanks;
  return is_sentence ? last + 2 : std::string_view::npos;
}

void fold_line(std::string_view line, std::size_t columns, std::string& out) {
  const std::size_t words = words_begin(line);
  if (columns_of(line) <= columns || words == std::string_view::npos) {
    out += line;
    return;
  }
  const std::size_t indent = words * 2 > columns ? line.find_first_not_of(' ') + 2 : words;
  const std::string_view said = line.substr(words);
  out += line.substr(0, words);
  std::size_t at = columns_of(line.substr(0, words));
  bool starts = true;
  for (std::size_t begin = 0; begin < said.size();) {
    const std::size_t end = std::min(said.find(' ', begin), said.size());
    const std::string_view word = said.substr(begin, end - begin);
    const std::size_t width = columns_of(word);
    if (!starts && at + 1 + width > columns) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (!starts) {
      out += ' ';
      ++at;
    }
    out += word;
    at += width;
    starts = false;
    begin = end + 1;
  }
}

}  // namespace

std::string fold_lines(std::string_view text, std::size_t columns) {
  if (columns < kLeastColumns) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    fold_line(text.substr(0, end), columns, out);
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::size_t columns_of_terminal(int descriptor) noexcept {
  struct winsize size = {};
  if (::isatty(descriptor) == 0 || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace sosie::cli
