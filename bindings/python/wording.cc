// Rewords the library's messages in Python's terms.
#include "wording.h"

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cctype>

#include "sosie/reworded.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

// 0.8, 4/5; or a text in quotes.
std::string shown_value(const std::string& value) {
  const bool is_number = std::all_of(value.begin(), value.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '/';
  });
  return is_number ? value : nb::repr(nb::str(value.c_str(), value.size())).c_str();
}

}  // namespace

std::string keyword_of(std::string_view option) {
  std::string keyword(option);
  std::replace(keyword.begin(), keyword.end(), '-', '_');
  return keyword;
}

std::string in_keywords(std::string_view text) {
  return reworded(text, [](std::string_view option, std::string_view value) {
    return keyword_of(option) + (value.empty() ? "" : fmt::format("='{}'", value));
  });
}

std::string message_of(const Error& error) {
  const std::string reason = in_keywords(error.reason());
  if (!error.option().empty()) {
    const std::string value = error.value().empty() ? "" : "=" + shown_value(error.value());
    return keyword_of(error.option()) + value + ": " + reason;
  }
  return error.place().empty() ? reason : error.place() + ": " + reason;
}

}  // namespace sosie::python
