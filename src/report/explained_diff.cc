// Word diff of two texts, based on the words in their shingles, in hunks for a terminal.
#include "report/explained_diff.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/mix64.h"
#include "core/utf8.h"
#include "corpus/shown_text.h"
#include "kernels/hash_bytes.h"
#include "represent/unicode_tables.h"
#include "verify/word_diff.h"

namespace sosie {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kContext = 10;      // words around a change
constexpr std::size_t kMostChanges = 60;  // shown
constexpr std::size_t kMostWords = 120;   // shown on one side of a change
constexpr std::size_t kLongestWord = 80;
constexpr std::size_t kLongestGap = 12;

constexpr TextStyle kMarks{.removed = "[-", .removed_end = "-]", .added = "{+", .added_end = "+}"};
constexpr TextStyle kColours{.strong = "\x1b[1m",
                             .faint = "\x1b[2m",
                             .off = "\x1b[0m",
                             .removed = "\x1b[9;31m",
                             .removed_end = "\x1b[0m",
                             .added = "\x1b[1;32m",
                             .added_end = "\x1b[0m",
                             .between = " ",
                             .colour = true};

enum class Look : std::uint8_t { same, removed, added };

// Fills lines with words; a span that crosses a line end is reopened on the next line.
class Lines {
 public:
  explicit Lines(const TextStyle& style) : style_(style) {}

  void word(std::string_view gap, std::string_view spelt, Look look) {
    const std::string space = begun_ ? shown_text(squeezed(gap), kLongestGap) : std::string{};
    const std::string text = shown_text(spelt, kLongestWord);
    const std::size_t width = count_characters(space) + count_characters(text);
    const auto blank = space.rfind(' ');
    const std::size_t marks = look_ == Look::removed && look == Look::added ? 6 : kMarkWidth;
    const bool is_full = begun_ && column_ + width + marks > kWidth;
    if (is_full && space.empty()) {  // no space: scripts without spaces, or sides of a change
      break_line({}, look);
      put({}, look, text, width);
    } else if (is_full && blank != std::string::npos) {
      const std::string_view before = std::string_view(space).substr(0, blank);
      const std::string_view after = std::string_view(space).substr(blank + 1);
      break_line(before, look);
      put(after, look, text, width - count_characters(before) - 1);
    } else {
      put(space, look, text, width);
    }
    begun_ = true;
  }

  // Adds a separate line.
  void remark(const std::string& text) {
    end_line();
    out_ += fmt::format("  {}{}{}\n", style_.faint, text, style_.off);
  }

  void end_line() {
    close();
    if (column_ > kIndent) out_ += '\n';
    column_ = 0;
    begun_ = false;
  }

  [[nodiscard]] std::string take() {
    end_line();
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kIndent = 2;
  static constexpr std::size_t kMarkWidth = 4;  // marks that open and close a span

  // Replaces white space with a single space.
  static std::string squeezed(std::string_view gap) {
    std::string out;
    for (const char c : gap) {
      const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
      if (!blank || out.empty() || out.back() != ' ') out += blank ? ' ' : c;
    }
    return out;
  }

  // The gap before a span is written outside the span.
  void put(std::string_view space, Look look, std::string_view text, std::size_t width) {
    if (column_ == 0) {
      out_ += "  ";
      column_ = kIndent;
    }
    if (look != look_) {
      close();
      out_ += space;
      open(look);
    } else {
      out_ += space;
    }
    out_ += text;
    column_ += width;
  }

  // `before` is still written to the old line; `next` is the style at the start of the new line.
  void break_line(std::string_view before, Look next) {
    if (look_ != next) close();
    out_ += before;
    const Look look = look_;
    if (style_.colour) close();
    out_ += "\n  ";
    column_ = kIndent;
    if (style_.colour && look != Look::same) open(look);
  }

  void open(Look look) {
    look_ = look;
    if (look == Look::same) return;
    out_ += look == Look::removed ? style_.removed : style_.added;
    if (!style_.colour) column_ += 2;
  }

  void close() {
    if (look_ == Look::same) return;
    out_ += look_ == Look::removed ? style_.removed_end : style_.added_end;
    if (!style_.colour) column_ += 2;
    look_ = Look::same;
  }

  const TextStyle& style_;
  std::string out_;
  std::size_t column_ = 0;
  Look look_ = Look::same;
  bool begun_ = false;  // this line or the previous one has content
};

std::string count_of_words(std::size_t count) {
  return count == 1 ? "1 word" : fmt::format("{} words", count);
}

// One side of a change. `first_gap`: the text before the first word.
void add_changed(Lines& lines, std::span<const SpelledWord> words, std::string_view first_gap,
                 Look look) {
  const std::size_t shown = words.size() <= kMostWords + kContext ? words.size() : kMostWords;
  for (std::size_t i = 0; i < shown; ++i) {
    lines.word(i == 0 ? first_gap : words[i].gap, words[i].spelt, look);
  }
  if (shown < words.size()) {
    lines.remark(fmt::format("... {} more {} ...", count_of_words(words.size() - shown),
                             look == Look::removed ? "only in left" : "only in right"));
  }
}

// `first_gap`: the text before the first word.
void add_same(Lines& lines, std::span<const SpelledWord> words, std::string_view first_gap,
              bool first, bool last) {
  const std::size_t head = first ? 0 : kContext;
  const std::size_t tail = last ? 0 : kContext;
  const auto add = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      lines.word(i == 0 ? first_gap : words[i].gap, words[i].spelt, Look::same);
    }
  };
  if (words.size() <= head + tail + kContext) {
    add(0, words.size());
    return;
  }
  add(0, head);
  lines.remark(fmt::format("... {} the same ...", count_of_words(words.size() - head - tail)));
  add(words.size() - tail, words.size());
}

bool is_ascii_word(unsigned char byte) noexcept {
  return byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') ||
         ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

}  // namespace

WordCutter::PartAt WordCutter::part_at(std::string_view text, std::size_t at) const noexcept {
  using unicode::CharClass;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const bool at_blanks = !recipe_.cuts_words();
  if (recipe_.tokens == TokenMode::ascii && !at_blanks) {
    return {is_ascii_word(bytes[at]) ? Part::inside : Part::between, 1};
  }
  const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
  const CharClass char_class = unicode::properties_of(decoded.code_point).char_class();
  if (char_class == CharClass::single) return {Part::alone, decoded.size};
  const bool inside = at_blanks ? char_class != CharClass::blank : char_class == CharClass::word;
  return {inside ? Part::inside : Part::between, decoded.size};
}

std::uint64_t WordCutter::key_of(std::string_view spelt) {
  padded_.assign(spelt);
  if (!recipe_.cuts_words()) {
    fold_chars(padded_.view(), recipe_.tokens, folded_);
    return hash_bytes(folded_.bytes.data(), folded_.bytes.size());
  }
  fold_words(padded_.view(), recipe_.tokens, folded_);
  std::uint64_t key = 0;
  for (const TokenSpan token : folded_.tokens) {
    key = mix64(key ^ hash_bytes(folded_.bytes.data() + token.begin, token.end - token.begin));
  }
  return key;
}

std::vector<SpelledWord> WordCutter::cut(std::string_view text, std::size_t most) {
  std::vector<SpelledWord> words;
  std::size_t end_of_last = 0;
  for (std::size_t at = 0; at < text.size() && words.size() < most;) {
    PartAt part = part_at(text, at);
    const std::size_t begin = at;
    at += part.size;
    if (part.part == Part::between) continue;
    while (part.part == Part::inside && at < text.size()) {
      const PartAt next = part_at(text, at);
      if (next.part != Part::inside) break;
      at += next.size;
    }
    const std::string_view spelt = text.substr(begin, at - begin);
    words.push_back({key_of(spelt), text.substr(end_of_last, begin - end_of_last), spelt});
    end_of_last = at;
  }
  return words;
}

const TextStyle& text_style(bool colour) noexcept { return colour ? kColours : kMarks; }

ExplainedDiff::ExplainedDiff(std::span<const SpelledWord> left, std::span<const SpelledWord> right)
    : left_(left), right_(right) {
  collect();
  join_scattered();
}

void ExplainedDiff::collect() {
  std::vector<std::uint64_t> keys[2];
  for (const SpelledWord& word : left_) keys[0].push_back(word.key);
  for (const SpelledWord& word : right_) keys[1].push_back(word.key);
  for (const DiffRun& run : word_diff(keys[0], keys[1])) {
    const bool same = run.kind == DiffKind::same;
    if (hunks_.empty() || hunks_.back().same || same) {
      hunks_.push_back({same, run.left, run.left, run.right, run.right});
    }
    hunks_.back().left_end += run.kind == DiffKind::added ? 0 : run.count;
    hunks_.back().right_end += run.kind == DiffKind::removed ? 0 : run.count;
    if (same) counts_.same += run.count;
    if (run.kind == DiffKind::removed) counts_.removed += run.count;
    if (run.kind == DiffKind::added) counts_.added += run.count;
  }
}

// One or two equal words in the middle of a rewritten passage are usually equal by chance and do
// not help the reader, so they become part of the change.
void ExplainedDiff::join_scattered() {
  constexpr std::size_t kFew = 2;
  constexpr std::size_t kPassage = 4;  // changed words on either side
  const auto changed = [](const Hunk& hunk) {
    return std::max(hunk.left_end - hunk.left, hunk.right_end - hunk.right);
  };
  std::vector<Hunk> joined;
  for (std::size_t i = 0; i < hunks_.size(); ++i) {
    const Hunk& hunk = hunks_[i];
    const bool inner = hunk.same && !joined.empty() && i + 1 < hunks_.size();
    if (inner && hunk.left_end - hunk.left <= kFew && changed(joined.back()) >= kPassage &&
        changed(hunks_[i + 1]) >= kPassage) {
      joined.back().left_end = hunks_[++i].left_end;
      joined.back().right_end = hunks_[i].right_end;
    } else {
      joined.push_back(hunk);
    }
  }
  hunks_ = std::move(joined);
}

std::string ExplainedDiff::text(const TextStyle& style) const {
  Lines lines(style);
  std::size_t changes = 0;
  for (std::size_t i = 0; i < hunks_.size(); ++i) {
    const Hunk& hunk = hunks_[i];
    const auto left = left_.subspan(hunk.left, hunk.left_end - hunk.left);
    const auto right = right_.subspan(hunk.right, hunk.right_end - hunk.right);
    if (hunk.same) {
      const bool enough = changes == kMostChanges;
      const bool after_added = i > 0 && hunks_[i - 1].right < hunks_[i - 1].right_end;
      add_same(lines, left, after_added ? right.front().gap : left.front().gap, i == 0,
               enough || i + 1 == hunks_.size());
      if (!enough || i + 1 == hunks_.size()) continue;
      lines.remark(fmt::format("... and {} more places that differ", (hunks_.size() - i) / 2));
      break;
    }
    if (!left.empty()) add_changed(lines, left, left.front().gap, Look::removed);
    if (!right.empty()) {
      const std::string_view gap = left.empty() ? right.front().gap : style.between;
      add_changed(lines, right, gap, Look::added);
    }
    ++changes;
  }
  return lines.take();
}

}  // namespace sosie
