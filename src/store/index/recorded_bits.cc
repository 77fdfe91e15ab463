// The number of bits that fingerprints of an index were declared to have.
#include "store/index/recorded_bits.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kBitsOption = "num-bits";

}  // namespace

std::uint64_t recorded_bits(const SketchContents& contents) {
  std::uint64_t bits = 0;
  for (const auto& [name, value] : contents.options) {
    if (name == kBitsOption) std::from_chars(value.data(), value.data() + value.size(), bits);
  }
  return bits;
}

void record_bits(std::uint64_t bits, SketchContents& contents) {
  if (bits == 0 || recorded_bits(contents) != 0) return;
  contents.options.emplace_back(kBitsOption, std::to_string(bits));
}

void expect_recorded_bits(std::uint64_t declared, std::string_view what,
                          const IndexManifest& manifest, const std::string& path) {
  constexpr std::string_view kWhy = "fingerprints of different kinds cannot be compared";
  if (declared == 0) return;
  const std::uint64_t bits = recorded_bits(manifest.contents);
  if (bits != 0 && declared != bits) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("#num_bits of {} is {}, but {} in {}", what, declared, bits, path),
                std::string(kWhy));
  }
  const std::uint64_t dimension = manifest.contents.dimension;
  if (dimension != 0 && (declared + 7) / 8 * 8 != dimension) {  // a file without rows
    throw Error(ErrorKind::malformed_input,
                fmt::format("#num_bits of {} is {}, but the items of {} have {} bits", what,
                            declared, path, dimension),
                std::string(kWhy));
  }
}

}  // namespace sosie
