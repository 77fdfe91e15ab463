// Error messages as a terminal may show them.
#include <fmt/format.h>

#include "corpus/shown_text.h"
#include "sosie/error.h"

namespace sosie {

std::string shown_error(const Error& error) {
  constexpr std::size_t kColumns = 2000;  // an id may be of any length
  std::string text = shown_text(error.what(), kColumns) + "\n";
  if (!error.hint().empty()) text += fmt::format("  {}\n", shown_text(error.hint(), kColumns));
  return text;
}

}  // namespace sosie
