#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// A lower-case letter outside ASCII, and the logarithm, in hundredths, of its share of all such
// letters in a language.
struct LetterOften {
  char16_t letter;
  std::int16_t logarithm;
};

// Letters of a language. language_letters.cc is generated:
//   tools/make_language_letters.py > src/io/language_letters.cc
struct LanguageLetters {
  std::span<const LetterOften> letters;
};

// Languages written in Latin script.
[[nodiscard]] std::span<const LanguageLetters> language_letters() noexcept;

}  // namespace sosie
