#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sosie::cli {

// Folds lines that are wider than a terminal's `columns` between words. Continuation lines are
// indented to the text after a label ("rows        274 read, ..."), to the text of a note, or
// otherwise like the line itself (by two columns if it is not indented). Tables and pictures, which
// contain runs of spaces, are left unchanged up to any sentence that follows them.
[[nodiscard]] std::string fold_lines(std::string_view text, std::size_t columns);

// Width of the terminal behind a descriptor; 0 if it is not a terminal, or if the width is unknown.
[[nodiscard]] std::size_t columns_of_terminal(int descriptor) noexcept;

}  // namespace sosie::cli
