// Lines that stand for texts in summaries, reports and lists of groups.
#include "report/telling_line.h"

#include <algorithm>
#include <set>

namespace sosie {
namespace {

constexpr std::size_t kLineBytes = 2000;  // more than any line that is shown
constexpr std::size_t kMostLines = 32;    // beyond them a text is not looked at
constexpr std::uint64_t kLeastTexts = 4;  // fewer do not show what is common

bool says_something(std::string_view line) {
  return std::any_of(line.begin(), line.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte >= '0' && byte <= '9') ||
           ((byte | 0x20U) >= 'a' && (byte | 0x20U) <= 'z');
  });
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  line = line.substr(0, kLineBytes);
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

// Goes through the first lines that are not blank, until `visit` returns true.
template <class Visit>
void visit_lines(std::string_view text, const Visit& visit) {
  for (std::size_t seen = 0; seen < kMostLines && !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.empty()) continue;
    ++seen;
    if (visit(line)) return;
  }
}

}  // namespace

void TellingLines::add(std::string_view text) {
  std::set<std::string_view> lines;
  visit_lines(text, [&](std::string_view line) {
    lines.insert(line);
    return false;
  });
  ++texts_;
  for (const std::string_view line : lines) ++texts_with_[std::string(line)];
}

bool TellingLines::is_common(std::string_view line) const {
  const auto found = texts_with_.find(std::string(line));
  return texts_ >= kLeastTexts && found != texts_with_.end() && found->second * 4 > texts_;
}

std::string TellingLines::of(std::string_view text) const {
  std::string_view first;
  std::string_view chosen;
  visit_lines(text, [&](std::string_view line) {
    if (first.empty()) first = line;
    if (says_something(line) && !is_common(line)) chosen = line;
    return !chosen.empty();
  });
  return std::string(chosen.empty() ? first : chosen);
}

}  // namespace sosie
