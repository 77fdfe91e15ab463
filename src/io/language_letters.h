#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// A letter beyond ASCII, in lower case, and the logarithm of its part in all such letters of a
// language, in hundredths.
struct LetterOften {
  char16_t letter;
  std::int16_t logarithm;
};

// Letters of one language. language_letters.cc is generated:
//   tools/make_language_letters.py > src/io/language_letters.cc
struct LanguageLetters {
  std::span<const LetterOften> letters;
};

// Languages that are written in Latin script.
[[nodiscard]] std::span<const LanguageLetters> language_letters() noexcept;

}  // namespace sosie
