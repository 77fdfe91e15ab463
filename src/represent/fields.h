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
  std::string date_format = {};  // %Y %m %d and other characters, as in strptime; empty: YYYYMMDD
                                 // or YYYY-MM-DD
};

// True for a value that stands for none: NA, N/A, NULL, none, unknown, -, in any case, and blanks
// alone.
[[nodiscard]] bool is_missing_value(std::string_view text) noexcept;

// Number that a text is, blanks at either end apart: digits with an optional sign, decimal point
// and exponent, commas between thousands, and a sign of a currency in front. Nothing for other
// texts, NaN and infinities.
[[nodiscard]] std::optional<double> number_of(std::string_view text) noexcept;

// True for a format by which day_of() reads days: %Y once, %m and %d at most once, no other %.
[[nodiscard]] bool is_day_format(std::string_view format) noexcept;

// YYYYMMDD of a text that is a day by this format; nothing for others and for days that no calendar
// has.
[[nodiscard]] std::optional<std::string> day_of(std::string_view text, std::string_view format);

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
