#pragma once

#include <string>
#include <string_view>

namespace sosie {

// True for invisible characters and those that change the direction of writing: marks, embeddings,
// overrides and isolates of bidirectional text, soft hyphens, zero-width spaces, tags. U+200C and
// U+200D shape letters and do not count.
[[nodiscard]] bool is_hidden(char32_t c) noexcept;

// A character in a form safe for terminals. `bytes`: its bytes in the text. Control characters and
// invalid bytes are written as \x1b; hidden characters and those without width as \u202e.
[[nodiscard]] std::string terminal_character(std::string_view bytes, char32_t code_point);

// Appends all characters of a text in the form safe for terminals.
void append_terminal_text(std::string& out, std::string_view text);

}  // namespace sosie
