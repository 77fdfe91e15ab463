// Edit distances between two UTF-8 strings, and between one string and many others.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/utf8.h"
#include "sosie/error.h"
#include "sosie/strings.h"
#include "verify/edit_pattern.h"
#include "verify/few_edits.h"
#include "verify/jaro.h"

namespace sosie {
namespace {

constexpr std::uint32_t kAscii = 128;
constexpr std::size_t kTextsAtOnce = 64;
constexpr std::size_t kMostBytes = (std::size_t{1} << 31) - 1;

std::uint64_t word_at(const char* at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

bool is_ascii(std::string_view text) noexcept {
  constexpr std::uint64_t kNoAscii = 0x8080808080808080U;
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t all = 0;
  for (; left >= 4 * kWord; left -= 4 * kWord, at += 4 * kWord) {
    all |= word_at(at) | word_at(at + kWord) | word_at(at + 2 * kWord) | word_at(at + 3 * kWord);
  }
  for (; left >= kWord; left -= kWord, at += kWord) all |= word_at(at);
  if (left > 0 && text.size() >= kWord) {
    all |= word_at(at + left - kWord);  // some once more
  } else {
    for (; left > 0; --left, ++at) all |= static_cast<unsigned char>(*at);
  }
  return (all & kNoAscii) == 0;
}

SymbolSpan span_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), static_cast<std::uint32_t>(text.size()),
          1};
}

SymbolSpan span_of(const std::vector<std::uint32_t>& symbols) noexcept {
  return {reinterpret_cast<const std::byte*>(symbols.data()),
          static_cast<std::uint32_t>(symbols.size()), 4};
}

void decode(std::string_view text, std::vector<std::uint32_t>& code_points) {
  code_points.clear();
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  for (const auto* end = at + text.size(); at != end;) {
    const DecodedCodePoint decoded = decode_or_escape(at, end);
    code_points.push_back(decoded.code_point);
    at += decoded.size;
  }
}

[[noreturn]] void refuse_size() {
  throw Error(ErrorKind::limit_exceeded, "edit distance: a string has 2 GiB or more");
}

inline void check_size(std::string_view text) {
  if (text.size() > kMostBytes) refuse_size();
}

// CodePointNumbers for the code points of one string; all other code points share the next number.
class CodePointNumbers {
 public:
  void set(const std::vector<std::uint32_t>& code_points) {
    slots_.assign(std::bit_ceil(2 * code_points.size() + 1), {kFree, 0});
    count_ = 0;
    for (const std::uint32_t code_point : code_points) {
      Slot& slot = slots_[find(code_point)];
      if (slot.code_point == kFree) slot = {code_point, count_++};
    }
  }

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }

  void replace(std::vector<std::uint32_t>& code_points) const {
    for (std::uint32_t& code_point : code_points) {
      const Slot& slot = slots_[find(code_point)];
      code_point = slot.code_point == kFree ? count_ : slot.number;
    }
  }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  struct Slot {
    std::uint32_t code_point;
    std::uint32_t number;
  };

  // The position of a code point, or the position where it would be inserted.
  [[nodiscard]] std::size_t find(std::uint32_t code_point) const noexcept {
    std::size_t at = code_point * std::size_t{0x9E3779B1} >> 8 & (slots_.size() - 1);
    while (slots_[at].code_point != kFree && slots_[at].code_point != code_point) {
      at = (at + 1) & (slots_.size() - 1);
    }
    return at;
  }

  std::vector<Slot> slots_;
  std::uint32_t count_ = 0;
};

// State shared by the comparisons of a string with others. ASCII is compared without conversion.
class Query {
 public:
  explicit Query(EditMeasure measure) : measure_(measure), of_ascii_(measure, kAscii) {}

  // The text must outlive the comparisons.
  void set(std::string_view text) {
    check_size(text);
    is_ascii_ = is_ascii(text);
    if (is_ascii_) {
      of_ascii_.set(span_of(text));
      return;
    }
    decode(text, symbols_);
    numbers_.set(symbols_);
    numbers_.replace(symbols_);
    of_others_.emplace(measure_, numbers_.count());
    of_others_->set(span_of(symbols_));
  }

  void distances(std::span<const std::string_view> others, std::uint32_t most,
                 std::span<std::uint32_t> distances) {
    std::array<SymbolSpan, kTextsAtOnce> spans;
    for (std::size_t i = 0; i < others.size();) {
      std::size_t count = 0;
      while (is_ascii_ && count < std::min(others.size() - i, kTextsAtOnce) &&
             is_ascii(others[i + count])) {
        check_size(others[i + count]);
        spans[count] = span_of(others[i + count]);
        ++count;
      }
      if (count > 0) {
        of_ascii_.distances(std::span(spans).first(count), most, distances.subspan(i, count));
        i += count;
      } else {
        distances[i] = distance(others[i], most);
        ++i;
      }
    }
  }

  // The distance of two strings; the left one is kept for later calls.
  std::uint32_t pair_distance(std::string_view left, std::string_view right, bool are_ascii,
                              std::uint32_t most) {
    if (!are_ascii) {
      set(left);
      return distance(right, most);
    }
    is_ascii_ = true;
    return of_ascii_.pair_distance(span_of(left), span_of(right), most);
  }

  std::uint32_t distance(std::string_view other, std::uint32_t most) {
    check_size(other);
    if (is_ascii_ && is_ascii(other)) return of_ascii_.distance(span_of(other), most);
    decode(other, others_);
    if (!is_ascii_) numbers_.replace(others_);
    return (is_ascii_ ? of_ascii_ : *of_others_).distance(span_of(others_), most);
  }

 private:
  EditMeasure measure_;
  bool is_ascii_ = true;
  EditPattern of_ascii_;
  std::optional<EditPattern> of_others_;
  CodePointNumbers numbers_;
  std::vector<std::uint32_t> symbols_;
  std::vector<std::uint32_t> others_;
};

// Tables are kept between calls, because building them takes longer than comparing short strings.
Query& query_of(EditMeasure measure) {
  thread_local std::array<Query, 4> queries = {Query(EditMeasure::levenshtein),
                                               Query(EditMeasure::indel), Query(EditMeasure::osa),
                                               Query(EditMeasure::damerau)};
  return queries[static_cast<std::size_t>(measure)];
}

// The ASCII symbols that occur in a string.
std::uint64_t marks_of(std::string_view text) noexcept {
  std::uint64_t marks = 0;
  for (const char c : text) marks |= std::uint64_t{1} << (static_cast<unsigned char>(c) % 64);
  return marks;
}

std::uint32_t few_edits_of(EditMeasure measure, std::string_view left, std::string_view right,
                           std::uint32_t most) {
  // An edit removes at most one symbol from a string and adds at most one. For unrelated short
  // strings, comparing the symbols therefore takes less time than searching for the edits.
  constexpr std::array<std::size_t, kMostFewEdits + 1> kShort = {0, 0, 8, 16};
  if (std::max(left.size(), right.size()) <= kShort[most] &&
      static_cast<std::uint32_t>(std::popcount(marks_of(left) ^ marks_of(right))) > 2 * most) {
    return most + 1;
  }
  return few_edits(measure, span_of(left), span_of(right), most);
}

std::uint32_t distance_of(EditMeasure measure, std::string_view left, std::string_view right,
                          std::uint32_t most) {
  check_size(left);
  check_size(right);
  const bool are_ascii = is_ascii(left) && is_ascii(right);
  if (are_ascii && most <= kMostFewEdits && measure != EditMeasure::damerau) {
    return few_edits_of(measure, left, right, most);
  }
  // Tables grow with the string from which they are built.
  if (left.size() > right.size()) std::swap(left, right);
  return query_of(measure).pair_distance(left, right, are_ascii, most);
}

std::vector<std::uint32_t> code_points_of(std::string_view text) {
  check_size(text);
  std::vector<std::uint32_t> code_points;
  code_points.reserve(text.size());
  decode(text, code_points);
  return code_points;
}

double jaro_of(const CodePoints& left, const CodePoints& right) {
  if (left.empty() && right.empty()) return 1;
  const MatchedLetters matches = matched_letters(left, right);
  if (matches.left.empty()) return 0;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < matches.left.size(); ++i) {
    moved += matches.left[i] != matches.right[i] ? 1U : 0U;
  }
  const auto matched = static_cast<double>(matches.left.size());
  const std::size_t swapped = moved / 2;
  const auto in_order = static_cast<double>(matches.left.size() - swapped);
  return (matched / static_cast<double>(left.size()) + matched / static_cast<double>(right.size()) +
          in_order / matched) /
         3;
}

// Number of code points, at most four, with which both strings begin.
std::size_t shared_prefix(std::string_view left, std::string_view right) {
  constexpr std::size_t kMost = 4;
  const auto* x = reinterpret_cast<const unsigned char*>(left.data());
  const auto* y = reinterpret_cast<const unsigned char*>(right.data());
  const auto* const x_end = x + left.size();
  const auto* const y_end = y + right.size();
  std::size_t shared = 0;
  while (shared < kMost && x != x_end && y != y_end) {
    const DecodedCodePoint a = decode_or_escape(x, x_end);
    const DecodedCodePoint b = decode_or_escape(y, y_end);
    if (a.code_point != b.code_point) break;
    ++shared;
    x += a.size;
    y += b.size;
  }
  return shared;
}

}  // namespace

std::uint32_t levenshtein(std::string_view left, std::string_view right, std::uint32_t most) {
  return distance_of(EditMeasure::levenshtein, left, right, most);
}

std::uint32_t indel(std::string_view left, std::string_view right, std::uint32_t most) {
  return distance_of(EditMeasure::indel, left, right, most);
}

std::uint32_t osa(std::string_view left, std::string_view right, std::uint32_t most) {
  return distance_of(EditMeasure::osa, left, right, most);
}

std::uint32_t damerau(std::string_view left, std::string_view right, std::uint32_t most) {
  return distance_of(EditMeasure::damerau, left, right, most);
}

struct EditQuery::State {
  State(EditMeasure measure, std::string_view text) : copy(text), query(measure) {
    query.set(copy);
  }

  std::string copy;
  Query query;
};

EditQuery::EditQuery(EditMeasure measure, std::string_view query)
    : state_(std::make_unique<State>(measure, query)) {}
EditQuery::EditQuery(EditQuery&&) noexcept = default;
EditQuery& EditQuery::operator=(EditQuery&&) noexcept = default;
EditQuery::~EditQuery() = default;

std::uint32_t EditQuery::distance(std::string_view other, std::uint32_t most) {
  return state_->query.distance(other, most);
}

void EditQuery::distances(std::span<const std::string_view> others,
                          std::span<std::uint32_t> distances, std::uint32_t most) {
  if (distances.size() != others.size()) {
    throw Error(ErrorKind::invalid_option, "edit distances: expected one per string");
  }
  state_->query.distances(others, most, distances);
}

double jaro(std::string_view left, std::string_view right) {
  const bool are_short = !left.empty() && !right.empty() && left.size() <= kShortJaro &&
                         right.size() <= kShortJaro && is_ascii(left) && is_ascii(right);
  if (are_short) return short_jaro(left, right);
  return jaro_of(code_points_of(left), code_points_of(right));
}

double jaro_winkler(std::string_view left, std::string_view right, double prefix_weight) {
  constexpr double kBoosted = 0.7;
  const double similarity = jaro(left, right);
  if (similarity <= kBoosted) return similarity;
  return similarity +
         static_cast<double>(shared_prefix(left, right)) * prefix_weight * (1 - similarity);
}

}  // namespace sosie
