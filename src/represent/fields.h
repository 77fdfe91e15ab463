#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/padded_bytes.h"
#include "represent/strings.h"

namespace sosie {

// Part of a field's value that is compared.
//   none    the value in NFC, without blanks at either end.
//   fold    this with full case folding, each run of white space one blank.
//   alnum   of this only letters, marks and numbers.
//   words   of this letters, marks and numbers, and one blank for what is between them.
//   digits  the digits 0 to 9 alone.
enum class FieldClean : std::uint8_t { none, fold, alnum, words, digits };

// Meaning of a field's values: a text, a decimal number, which is written as short as can be, or a
// day of the calendar, which becomes YYYYMMDD.
enum class FieldType : std::uint8_t { text, number, date };

// Form in which the values of a field are compared.
struct FieldForm {
  FieldClean clean = FieldClean::fold;
  FieldType type = FieldType::text;
  std::string date_format = {};  // formats of day_of(); empty: YYYYMMDD or YYYY-MM-DD
  char decimal = '.';            // sign before the decimals of numbers: this or ','
};

// True for a value that stands for none: NA, N/A, NULL, none, unknown, -, in any case, and blanks
// alone.
[[nodiscard]] bool is_missing_value(std::string_view text) noexcept;

// Number that a text is, blanks at either end apart: digits with an optional sign, decimals behind
// `decimal` ('.' or ','), an exponent, the other one of these signs between thousands, and a sign
// of a currency in front or behind. Nothing for other texts, NaN and infinities.
[[nodiscard]] std::optional<double> number_of(std::string_view text, char decimal = '.') noexcept;

// True for formats by which day_of() reads days, with '|' between them. Each has a year once, a
// month and a day of it at most once, and no other %: %Y four digits, %y two (31 to 99 are of the
// 20th century), %m, %d, %b the English name of a month or its first three letters. A blank stands
// for what is no letter or digit, other characters for themselves.
[[nodiscard]] bool is_day_format(std::string_view formats) noexcept;

// YYYYMMDD of a text that is a day by one of these formats, the first that fits, with or without a
// time of the day behind it; nothing for others and for days that no calendar has.
[[nodiscard]] std::optional<std::string> day_of(std::string_view text, std::string_view formats);

// Turns values of one field into the form that is compared. Belongs to one thread.
class FieldCleaner {
 public:
  explicit FieldCleaner(FieldForm form);

  // The value in its form; empty for a missing one, and for one that is no number or day.
  [[nodiscard]] std::string clean(std::string_view text);
  [[nodiscard]] const FieldForm& form() const noexcept { return form_; }

 private:
  FieldForm form_;
  StringReader reader_;
  PaddedBytes padded_;
};

}  // namespace sosie
