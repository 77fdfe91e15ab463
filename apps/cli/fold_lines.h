#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sosie::cli {

// Folds lines that are wider than a terminal's `columns` between words. What goes on stands under
// the text behind a label ("rows        274 read, ..."), under the text of a note, else where the
// line began. Tables and pictures, in which blanks stand together, stay as they are up to a
// sentence behind them.
[[nodiscard]] std::string fold_lines(std::string_view text, std::size_t columns);

// Width of the terminal behind a descriptor; 0 if it is not a terminal, or unknown.
[[nodiscard]] std::size_t columns_of_terminal(int descriptor) noexcept;

}  // namespace sosie::cli
