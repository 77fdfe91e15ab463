// Any bytes unpack or are refused; what was packed unpacks to itself. The first byte says how.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "io/compression.h"
#include "sosie/error.h"

namespace {

using namespace sosie;

constexpr std::size_t kMostBytes = std::size_t{1} << 24;  // bombs are cut short

struct TooLarge {};

std::string unpack_all(Compression compression, std::string_view packed) {
  std::string out;
  const auto source = [&](char* to, std::size_t size) {
    const std::size_t count = packed.copy(to, size);
    packed.remove_prefix(count);
    return count;
  };
  unpack(compression, source, "input", [&](std::string_view bytes) {
    out += bytes;
    if (out.size() > kMostBytes) throw TooLarge{};
  });
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto compression = data[0] % 2 == 0 ? Compression::gzip : Compression::zstd;
  try {
    (void)unpack_all(compression, bytes);
  } catch (const Error&) {
  } catch (const TooLarge&) {
  }
  if (unpack_all(compression, pack(compression, bytes)) != bytes) std::abort();
  return 0;
}
