#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Characters that turn the direction of writing or have no look of their own: marks, embeddings,
// overrides and isolates of bidirectional text, soft hyphens, zero-width spaces, tags. U+200C and
// U+200D shape letters and are not among them.
[[nodiscard]] bool is_hidden(char32_t c) noexcept;

// One character as a terminal may show it; `bytes` are its bytes in the text. Control characters
// and bytes that are no UTF-8 are written out (\x1b), and so is what is hidden or takes no room
// (\u202e).
[[nodiscard]] std::string terminal_character(std::string_view bytes, char32_t code_point);

// All characters of a text, each as a terminal may show it.
void append_terminal_text(std::string& out, std::string_view text);

}  // namespace sosie
