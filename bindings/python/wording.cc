// Rewords the library's messages in Python's terms.
#include "wording.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cctype>

#include "sosie/options.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

bool is_of_name(char c) noexcept {
  return c == '-' || std::islower(static_cast<unsigned char>(c)) != 0 ||
         std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The option written at `at`, after its hyphens; empty if the table does not contain it.
std::string_view option_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kHyphens = "--";
  const bool begins = at == 0 || !(is_of_name(text[at - 1]) || text[at - 1] == '_');
  if (!begins || !text.substr(at).starts_with(kHyphens)) return {};
  std::string_view name = text.substr(at + kHyphens.size());
  const auto* end = std::find_if_not(name.begin(), name.end(), is_of_name);
  name = name.substr(0, static_cast<std::size_t>(end - name.begin()));
  return find_option(name) == nullptr ? std::string_view{} : name;
}

// The word after an equals sign, which Python puts in quotes; empty if there is none.
std::string_view word_at(std::string_view text) {
  if (text.size() < 2 || text[0] != '=' || std::islower(static_cast<unsigned char>(text[1])) == 0) {
    return {};
  }
  text.remove_prefix(1);
  const auto* end = std::find_if_not(text.begin(), text.end(), is_of_name);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

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
  std::string out;
  bool is_command = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view name = is_command ? std::string_view{} : option_at(text, at);
    if (name.empty()) {
      is_command = is_command != (text[at] == '`');
      out += text[at++];
    } else {
      out += keyword_of(name);
      at += 2 + name.size();
      if (const std::string_view word = word_at(text.substr(at)); !word.empty()) {
        out += "='" + std::string(word) + "'";
        at += 1 + word.size();
      }
    }
  }
  return out;
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
