#pragma once

#include <span>
#include <string_view>

namespace sosie::docs {

// A function of the Python package, or the constructor of its Index: what the table of options does
// not say of it.
struct PythonVerb {
  std::string_view name;
  std::string_view arguments;        // in front of the keywords, a line each
  std::string_view argument_texts;   // what they are, "name: text", a line each
  std::string_view result;           // a type
  std::string_view summary;          // first line of the docstring
  std::string_view text;             // what follows it, a paragraph
  std::string_view returns;          // columns with their Arrow types, or what the array holds
  std::string_view source;           // book section or paper
  std::string_view example;          // of doctest
  std::string_view options_of = {};  // the verb whose options it takes, if not its own
  std::span<const std::string_view> only = {};  // of these, if not all
};

[[nodiscard]] std::span<const PythonVerb> python_verb_table() noexcept;

}  // namespace sosie::docs
