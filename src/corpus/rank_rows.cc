// Ranks rows by the rules of --keep.
#include "corpus/rank_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>

#include "core/written_number.h"
#include "corpus/shown_text.h"
#include "data/format.h"

namespace sosie {
namespace {

using By = KeepRule::By;

// Negative if left is less. Numbers that are equal as long doubles are distinguished by their
// digits.
int compare_numbers(const RankValue& left, const RankValue& right) {
  if (left.number != right.number) return left.number < right.number ? -1 : 1;
  if (left.text.empty() && right.text.empty()) return 0;
  const auto digits = [](const RankValue& value) {
    return value.text.empty() ? written(value.number) : value.text;
  };
  return compare_written(digits(left), digits(right));
}

}  // namespace

int compare_values(const RankValue& left, const RankValue& right, bool greatest_first) {
  using Kind = RankValue::Kind;
  if (left.kind != right.kind) return left.kind > right.kind ? -1 : 1;
  if (left.kind == Kind::missing) return 0;
  const int order =
      left.kind == Kind::number ? compare_numbers(left, right) : left.text.compare(right.text);
  return greatest_first ? -order : order;
}

namespace {

class Ranking {
 public:
  Ranking(const Corpus& corpus, const Settings& settings) : corpus_(corpus), settings_(settings) {
    for (const KeepRule& rule : settings.keep) fields_ += rule.field.empty() ? 0U : 1U;
  }

  bool operator()(RowId left, RowId right) const {
    const ScannedBlock& left_block = corpus_.block_of(left);
    const ScannedBlock& right_block = corpus_.block_of(right);
    const std::size_t i = left - left_block.first_row;
    const std::size_t j = right - right_block.first_row;
    std::size_t field = 0;
    for (const KeepRule& rule : settings_.keep) {
      int order = 0;
      switch (rule.by) {
        case By::first:
          return left < right;
        case By::last:
          return left > right;
        case By::longest:
        case By::shortest: {
          const std::uint32_t a = left_block.text_bytes[i];
          const std::uint32_t b = right_block.text_bytes[j];
          order = a == b ? 0 : ((a > b) == (rule.by == By::longest) ? -1 : 1);
          break;
        }
        case By::greatest:
        case By::least:
          order =
              compare_values(left_block.rank_values[i * fields_ + field],
                             right_block.rank_values[j * fields_ + field], rule.by == By::greatest);
          ++field;
          break;
      }
      if (order != 0) return order < 0;
    }
    return left < right;
  }

 private:
  const Corpus& corpus_;
  const Settings& settings_;
  std::size_t fields_ = 0;
};

bool looks_like_number(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return false;
  text = text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
  if (text.front() == '+') text.remove_prefix(1);
  const std::size_t comma = text.rfind(',');
  if (comma == std::string_view::npos) return written_number(text).has_value();
  const std::size_t point = text.rfind('.');
  const bool is_decimal =
      text.find(',') == comma && (point == std::string_view::npos || point < comma);
  std::string plain(text);
  std::erase(plain, is_decimal ? '.' : ',');  // separates thousands
  std::replace(plain.begin(), plain.end(), ',', '.');
  return written_number(plain).has_value();
}

// Removes up to `most` digits from the front of a text and returns their number.
std::size_t take_digits(std::string_view& text, std::size_t most) {
  std::size_t count = 0;
  while (count < std::min(most, text.size()) && text[count] >= '0' && text[count] <= '9') ++count;
  text.remove_prefix(count);
  return count;
}

bool take_one_of(std::string_view& text, std::string_view characters) {
  const bool is_one = !text.empty() && characters.find(text.front()) != std::string_view::npos;
  if (is_one) text.remove_prefix(1);
  return is_one;
}

constexpr std::size_t kYearDigits = 4;
constexpr std::string_view kDateSeparators = "./-";
constexpr std::string_view kBehindDate = " T";

// "31.12.2024", "1/2/2024 10:30".
bool begins_with_day(std::string_view text) {
  return take_digits(text, 2) > 0 && take_one_of(text, kDateSeparators) &&
         take_digits(text, 2) > 0 && take_one_of(text, kDateSeparators) &&
         take_digits(text, kYearDigits) == kYearDigits &&
         (text.empty() || take_one_of(text, kBehindDate));
}

// "2024-1-31", "2024-01-31 9:30".
bool has_short_part(std::string_view text) {
  if (take_digits(text, kYearDigits) != kYearDigits || !take_one_of(text, kDateSeparators)) {
    return false;
  }
  const std::size_t month = take_digits(text, 2);
  if (month == 0 || !take_one_of(text, kDateSeparators)) return false;
  const std::size_t day = take_digits(text, 2);
  const bool has_time = take_one_of(text, kBehindDate);
  if (day == 0 || (!has_time && !text.empty())) return false;
  const std::size_t hour = take_digits(text, 2);
  return month == 1 || day == 1 || (hour == 1 && take_one_of(text, ":"));
}

bool is_unordered_date(std::string_view text) {
  return begins_with_day(text) || has_short_part(text);
}

}  // namespace

std::string rank_note(const std::string& number_like, std::string_view option) {
  if (number_like.empty()) return {};
  const std::string shown = shown_text(number_like, 40);
  if (is_unordered_date(number_like)) {
    return fmt::format(
        "{} compares '{}' as text, from its first digit: dates are ordered correctly only if the "
        "year comes first and the other parts have two digits (2024-01-31)",
        option, shown);
  }
  return fmt::format(
      "{} compares '{}' as text and ranks it after all numbers; a number may contain a decimal "
      "point, but no commas, spaces or quotes",
      option, shown);
}

std::string number_like_text(std::span<const RankValue> values) {
  for (const RankValue& value : values) {
    if (value.kind != RankValue::Kind::text) continue;
    if (looks_like_number(value.text) || is_unordered_date(value.text)) return value.text;
  }
  return {};
}

RankValue rank_value_of(const FieldValue& value, const std::string& field) {
  using Kind = FieldValue::Kind;
  const std::string_view text = value.text;
  const bool is_boolean = value.kind == Kind::other && (text == "true" || text == "false");
  if (value.kind == Kind::missing) return {};
  if (value.kind == Kind::number) {
    return {RankValue::Kind::number, value.number,
            has_few_digits(text) ? std::string() : std::string(text)};
  }
  if (is_written_infinity(text)) return {RankValue::Kind::number, *written_number(text), {}};
  if (value.kind == Kind::text || is_boolean) return {RankValue::Kind::text, 0, std::string(text)};
  throw RowError(fmt::format("field '{}' is {}; rows can be ranked by numbers or texts only", field,
                             text.starts_with('[')   ? "a list"
                             : text.starts_with('{') ? "an object"
                                                     : "of another type"));
}

std::vector<RankValue> rank_values_of(const Record& record, std::span<const std::string> fields) {
  std::vector<RankValue> ranks;
  const std::size_t first = record.others.size() - fields.size();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    ranks.push_back(rank_value_of(record.others[first + i], fields[i]));
  }
  return ranks;
}

std::vector<RowId> rank_rows(const Corpus& corpus, const Settings& settings) {
  const auto takes_part = [&](const ScannedBlock& block, std::size_t i) {
    const std::vector<std::uint64_t>& starts = block.sets.starts;
    return !corpus.keeps_partners_only || starts[i] < starts[i + 1];
  };
  std::vector<RowId> order;
  if (!corpus.keeps_partners_only) order.reserve(corpus.rows);
  for (const ScannedBlock& block : corpus.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (block.state(i) == RowState::normal && takes_part(block, i)) {
        order.push_back(row_id(block.first_row + i));
      }
    }
  }
  const auto own = std::lower_bound(order.begin(), order.end(), corpus.first_own_row);
  const By first = settings.keep.front().by;
  if (corpus.in_rank_order) return order;
  if (first == By::last) {
    std::reverse(own, order.end());
  } else if (first != By::first) {
    std::sort(own, order.end(), Ranking(corpus, settings));
  }
  return order;
}

bool ranks_before(const Corpus& corpus, const Settings& settings, RowId left, RowId right) {
  return Ranking(corpus, settings)(left, right);
}

}  // namespace sosie
