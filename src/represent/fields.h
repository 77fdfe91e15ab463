#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/padded_bytes.h"
#include "represent/strings.h"

namespace sosie {

// Part of a field's value that is compared.
//   none    the value in NFC, without leading and trailing spaces.
//   fold    none with full case folding, and each run of white space as one space.
//   alnum   only the letters, marks and numbers of fold.
//   words   letters, marks and numbers of fold, with one space for everything between them.
//   digits  only the digits 0 to 9.
enum class FieldClean : std::uint8_t { none, fold, alnum, words, digits };

// Meaning of a field's values: a text, a decimal number, which is written as short as possible, or
// a date, which becomes YYYYMMDD.
enum class FieldType : std::uint8_t { text, number, date };

// Form in which the values of a field are compared.
struct FieldForm {
  FieldClean clean = FieldClean::fold;
  FieldType type = FieldType::text;
  std::string date_format = {};  // formats of day_of(); empty: YYYYMMDD or YYYY-MM-DD
  char decimal = '.';            // decimal point of numbers: this or ','
};

// True for a text that stands for a missing value: NA, N/A, NULL, none, unknown, -, in any case, or
// nothing but white space.
[[nodiscard]] bool is_missing_value(std::string_view text) noexcept;

// The number in a text: digits with an optional sign, decimals after `decimal` ('.' or ','), an
// exponent, the other of these characters between thousands, and a currency sign before or after;
// surrounding spaces are ignored. Returns nullopt for other texts, NaN and infinities.
[[nodiscard]] std::optional<double> number_of(std::string_view text, char decimal = '.') noexcept;

// True if these are formats for day_of(), separated by '|'. Each must contain the year once, the
// month and the day at most once, and no other %: %Y is a year of four digits, %y of two (31 to 99
// are in the 20th century); %m and %d are numbers; %b is the English name of a month or its first
// three letters. A space matches anything that is not a letter or digit; other characters match
// themselves.
[[nodiscard]] bool is_day_format(std::string_view formats) noexcept;

// The date in a text as YYYYMMDD, according to the first of these formats that matches; a time of
// day may follow it. Returns nullopt for other texts and for dates that do not exist.
[[nodiscard]] std::optional<std::string> day_of(std::string_view text, std::string_view formats);

// Converts values of a field into the form that is compared. Not thread-safe.
class FieldCleaner {
 public:
  explicit FieldCleaner(FieldForm form);

  // The value in the form that is compared; empty if it is missing, or if it is not a number or
  // date although it should be.
  [[nodiscard]] std::string clean(std::string_view text);
  [[nodiscard]] const FieldForm& form() const noexcept { return form_; }

 private:
  FieldForm form_;
  StringReader reader_;
  PaddedBytes padded_;
};

}  // namespace sosie
