#pragma once

#include <string>

// The documents generated from the tables of options and formats, each as the complete text of its
// file.
namespace sosie::docs {

[[nodiscard]] std::string man_page();         // roff, man macros
[[nodiscard]] std::string bash_completion();  // needs nothing but bash 4
[[nodiscard]] std::string zsh_completion();   // for a folder of $fpath, as _sosie
[[nodiscard]] std::string fish_completion();
[[nodiscard]] std::string reference();  // Markdown
// bindings/python/sosie/_verbs.py: a function for each verb, with a keyword for each of its
// options.
[[nodiscard]] std::string python_verbs();
// docs/formats.md with an up-to-date table of formats.
[[nodiscard]] std::string formats_page(const std::string& old);

}  // namespace sosie::docs
