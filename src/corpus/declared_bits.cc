// Checks the sizes that fingerprint files declare in their headers.
#include "corpus/declared_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/line_end.h"
#include "sosie/error.h"

namespace sosie {
namespace {

struct DeclaredBits {
  std::uint64_t bits = 0;         // 0: not in the header
  std::size_t digits_of_row = 0;  // in the first row; 0: there is none near the header
};

DeclaredBits declared_bits(std::string_view head) {
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

}  // namespace

void check_declared_bits(std::span<const InputFile> list, std::span<const File> files) {
  constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{1} << 16;
  std::uint64_t first_bits = 0;
  std::string_view first_name;
  std::string head;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!list[i].format->declares_bits) continue;
    head.resize(std::min(kMostHeaderBytes, files[i].known_size()));
    head.resize(files[i].read_some(0, head.data(), head.size()));
    const DeclaredBits own = declared_bits(head);
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
}

}  // namespace sosie
