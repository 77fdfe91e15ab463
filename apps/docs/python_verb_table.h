#pragma once

#include <span>
#include <string_view>

namespace sosie::docs {

// A function of the Python package, or the constructor of its Index: the facts that are missing
// from the option table.
struct PythonVerb {
  std::string_view name;
  std::string_view arguments;        // in front of the keywords, a line each
  std::string_view argument_texts;   // their descriptions, "name: text", a line each
  std::string_view result;           // a type
  std::string_view summary;          // first line of the docstring
  std::string_view text;             // paragraph behind the summary
  std::string_view returns;          // columns with their Arrow types, or what the array holds
  std::string_view source;           // book section or paper
  std::string_view example;          // example for doctest
  std::string_view options_of = {};  // the verb whose options it takes, if not its own
  std::span<const std::string_view> only = {};  // only these options, if not all
};

[[nodiscard]] std::span<const PythonVerb> python_verb_table() noexcept;

}  // namespace sosie::docs
