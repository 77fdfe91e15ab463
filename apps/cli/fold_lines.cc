// Folds long lines between words, because terminals fold them anywhere.
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

// Width of well-formed UTF-8 in columns; a mark that combines with a letter counts as one column, a
// colour sequence as none.
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
// a table; npos if there are none.
std::size_t words_begin(std::string_view line) {
  constexpr auto kLeastBlanks = 3;  // a cell such as "0.1 s" has one
  const std::size_t begin = text_begin(line);
  const std::size_t last = line.rfind("  ");
  if (last == std::string_view::npos || last + 2 <= begin) return begin;
  const std::string_view behind = line.substr(last + 2);
  const bool is_sentence = std::count(behind.begin(), behind.end(), ' ') >= kLeastBlanks;
  return is_sentence ? last + 2 : std::string_view::npos;
}

// End of the word at `begin`: before the next space or, if the word is wider than a line, after the
// last of its ampersands that fits, as in a list of fields.
std::size_t word_end(std::string_view said, std::size_t begin, std::size_t columns) {
  const std::size_t space = std::min(said.find(' ', begin), said.size());
  if (columns_of(said.substr(begin, space - begin)) <= columns) return space;
  std::size_t end = space;
  for (std::size_t at = said.find('&', begin); at < space; at = said.find('&', at + 1)) {
    if (columns_of(said.substr(begin, at + 1 - begin)) > columns) break;
    end = at + 1;
  }
  return end;
}

// Appends the words of `said`, the first of them in column `at`.
void fold_words(std::string_view said, std::size_t at, std::size_t indent, std::size_t columns,
                std::string& out) {
  bool starts = true;
  bool follows_space = false;
  for (std::size_t begin = 0; begin < said.size();) {
    const std::size_t end = word_end(said, begin, columns - indent);
    const std::string_view word = said.substr(begin, end - begin);
    const std::size_t width = columns_of(word);
    if (!starts && at + (follows_space ? 1 : 0) + width > columns) {
      out += '\n' + std::string(indent, ' ');
      at = indent;
    } else if (follows_space) {
      out += ' ';
      ++at;
    }
    out += word;
    at += width;
    starts = false;
    follows_space = end < said.size() && said[end] == ' ';
    begin = end + (follows_space ? 1 : 0);
  }
}

void fold_line(std::string_view line, std::size_t columns, std::string& out);

// True if a line whose cells are too wide was appended: the first cell, and the others below it.
bool fold_cells(std::string_view line, std::size_t columns, std::string& out) {
  const std::size_t first = line.find_first_not_of(' ');
  const std::size_t blanks = line.find("  ", first);
  if (blanks < kMostLabel || blanks == std::string_view::npos) return false;
  const std::size_t rest = line.find_first_not_of(' ', blanks);
  if (rest == std::string_view::npos) return false;
  fold_line(line.substr(0, blanks), columns, out);
  out += '\n';
  fold_line(std::string(first + 2, ' ').append(line.substr(rest)), columns, out);
  return true;
}

void fold_line(std::string_view line, std::size_t columns, std::string& out) {
  if (columns_of(line) <= columns) {
    out += line;
    return;
  }
  const std::size_t words = words_begin(line);
  const std::size_t cells = std::min(words, line.size());
  if (columns_of(line.substr(0, cells)) > columns && fold_cells(line, columns, out)) return;
  if (words == std::string_view::npos) {
    out += line;
    return;
  }
  const std::size_t indent = words * 2 > columns ? line.find_first_not_of(' ') + 2 : words;
  out += line.substr(0, words);
  fold_words(line.substr(words), columns_of(line.substr(0, words)), indent, columns, out);
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
