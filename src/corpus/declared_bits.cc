// Checks the sizes that fingerprint files declare in their headers.
#include "corpus/declared_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/line_end.h"
#include "options/items_as_file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

struct DeclaredBits {
  std::uint64_t bits = 0;         // 0: not in the header
  std::size_t digits_of_row = 0;  // in the first row; 0: there is none near the header
};

DeclaredBits bits_in_header(std::string_view head) {
  constexpr std::string_view kName = "#num_bits=";
  DeclaredBits found;
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view line = without_line_end(head.substr(0, end + 1));
    if (!line.empty() && !line.starts_with('#')) {
      found.digits_of_row = std::min(line.find('\t'), line.size());
      break;
    }
    if (line.starts_with(kName)) {
      std::from_chars(line.data() + kName.size(), line.data() + line.size(), found.bits);
    }
    head.remove_prefix(end + 1);
  }
  return found;
}

DeclaredBits declared_bits(const InputFile& input, const File& file) {
  constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{1} << 16;
  if (const ItemsAsFile* items = index_items_of(input)) return {items->whole().declared_bits, 0};
  if (!input.format->declares_bits) return {};
  std::string head;
  head.resize(std::min(kMostHeaderBytes, file.known_size()));
  head.resize(file.read_some(0, head.data(), head.size()));
  return bits_in_header(head);
}

}  // namespace

std::uint64_t check_declared_bits(std::span<const InputFile> list, std::span<const File> files) {
  std::uint64_t first_bits = 0;
  std::string_view first_name;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const DeclaredBits own = declared_bits(list[i], files[i]);
    if (own.bits == 0) continue;
    const std::uint64_t digits = (own.bits + 7) / 8 * 2;
    if (own.digits_of_row != 0 && own.digits_of_row != digits) {
      throw Error(ErrorKind::malformed_input, BadPlace{list[i].name},
                  fmt::format("#num_bits={} takes {} hexadecimal digits, the first row has {}",
                              own.bits, digits, own.digits_of_row));
    }
    if (first_bits != 0 && own.bits != first_bits) {
      throw Error(ErrorKind::malformed_input, BadPlace{list[i].name},
                  fmt::format("#num_bits is {}, but {} in {}", own.bits, first_bits, first_name),
                  "fingerprints of different kinds cannot be compared");
    }
    first_bits = own.bits;
    first_name = list[i].name;
  }
  return first_bits;
}

}  // namespace sosie
