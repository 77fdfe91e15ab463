#pragma once

#include <string>
#include <string_view>

namespace sosie {

// True for characters that are invisible or change the direction of writing: marks, embeddings,
// overrides and isolates of bidirectional text, soft hyphens, zero-width spaces, tags. U+200C and
// U+200D are excluded because they shape letters.
[[nodiscard]] bool is_hidden(char32_t c) noexcept;

// A character in a form that is safe to print on a terminal. `bytes`: its bytes in the text.
// Control characters and invalid bytes appear as \x1b; hidden characters and characters without
// width as \u202e.
[[nodiscard]] std::string terminal_character(std::string_view bytes, char32_t code_point);

// Appends all characters of a text in a form that is safe to print on a terminal.
void append_terminal_text(std::string& out, std::string_view text);

}  // namespace sosie
