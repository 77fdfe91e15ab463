// Tells the encoding of a text from its first bytes, by libuchardet.
#include "io/detect_encoding.h"

#include <uchardet/uchardet.h>

#include <array>
#include <memory>

#include "core/utf8.h"

namespace sosie {
namespace {

// True if `head` is UTF-8 but for a last character that is cut off.
bool is_utf8(std::string_view head) {
  const std::size_t at = find_ill_formed(head);
  return at == std::string_view::npos || (head.size() >= 64 && at + 3 >= head.size());
}

// Zeros at odd places are the upper halves of little-endian units.
std::string zeros_every_other(std::string_view head) {
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  const std::size_t many = head.size() / 5;
  if (zeros[1] > many && zeros[0] * 20 < zeros[1]) return "utf-16le";
  if (zeros[0] > many && zeros[1] * 20 < zeros[0]) return "utf-16be";
  return {};
}

}  // namespace

std::string detect_encoding(std::string_view head) {
  std::string units = zeros_every_other(head);
  if (!units.empty()) return units;
  if (is_utf8(head)) return "utf-8";
  const std::unique_ptr<uchardet, decltype(&uchardet_delete)> detector(uchardet_new(),
                                                                       uchardet_delete);
  if (uchardet_handle_data(detector.get(), head.data(), head.size()) != 0) return "utf-8";
  uchardet_data_end(detector.get());
  const std::string found = uchardet_get_charset(detector.get());
  return found.empty() ? "utf-8" : found;
}

}  // namespace sosie
