// Any bytes are decompressed or rejected, and compressed bytes decompress to the original. A
// compressed file gives the same bytes when read by position as when read in order, up to any
// damage. The first byte of the input selects the compression, and whether the rest is a compressed
// file or changes the bytes of a long one, which is then read from inside its members.
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.h"
#include "io/compression.h"
#include "io/packed_file.h"
#include "sosie/error.h"

namespace {

using namespace sosie;
using fuzz::require;

constexpr std::size_t kMostBytes = std::size_t{1} << 24;  // bombs are truncated

// The bytes obtained by reading a compressed file in order.
struct Unpacked {
  std::string bytes;
  bool is_whole = true;
  bool is_cut = false;  // by us
};

Unpacked unpack_all(Compression compression, std::string_view packed) {
  struct TooLarge {};
  Unpacked out;
  const auto source = [&](char* to, std::size_t size) {
    const std::size_t count = packed.copy(to, size);
    packed.remove_prefix(count);
    return count;
  };
  try {
    unpack(compression, source, "input", [&](std::string_view bytes) {
      out.bytes += bytes;
      if (out.bytes.size() > kMostBytes) throw TooLarge{};
    });
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input);
    out.is_whole = false;
  } catch (const TooLarge&) {
    out.is_cut = true;
  }
  return out;
}

// Reads a range; returns false if the file is damaged before its end.
bool read(const File& file, std::uint64_t offset, std::size_t size, const Unpacked& whole) {
  std::string bytes(size, '\0');
  try {
    bytes.resize(file.read_some(offset, bytes.data(), size));
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input);
    return false;
  }
  if (whole.is_cut && offset + bytes.size() > whole.bytes.size()) return true;
  require(offset <= whole.bytes.size());
  require(whole.bytes.compare(offset, whole.is_whole ? size : bytes.size(), bytes) == 0);
  return true;
}

void check_places(Compression compression, const std::string& packed, std::mt19937& random) {
  const Unpacked whole = unpack_all(compression, packed);
  Scratch scratch("/tmp");
  const auto shelf = std::make_shared<PackedShelf>(scratch);
  const File file = File::unpacking(fuzz::file_of(packed), compression, shelf, nullptr);
  if (random() % 2 == 0) file.packed()->keep_chosen();
  const auto place = [&] { return random() % (whole.bytes.size() + 1); };
  const auto read_some_places = [&] {
    for (int i = 0; i < 6; ++i) {
      require(read(file, place(), random() % 5000, whole) || !whole.is_whole);
    }
  };
  read_some_places();
  if (whole.is_whole && !whole.is_cut) {
    RowBits blocks(whole.bytes.size() / kKeptBlockBytes + 1);
    for (int i = 0; i < 8; ++i) blocks.set(place() / kKeptBlockBytes);
    file.packed()->keep(blocks, {});
    read_some_places();
  }
  require(scratch.peak_bytes() <= whole.bytes.size() + packed.size());
  if (whole.is_cut) return;
  try {
    require(file.size() == whole.bytes.size() && whole.is_whole);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input && !whole.is_whole);
  }
}

// Compressed once: a single member long enough to have access points inside, and several members.
const std::string& long_file(Compression compression, bool in_members) {
  static const auto files = [] {
    std::mt19937 random(1);
    std::string text;
    while (text.size() < std::size_t{5} << 20) text += std::to_string(random() % 4000) + " ";
    const std::string_view all = text;
    std::array<std::string, 4> made;
    for (const unsigned i : {0U, 1U}) {
      const auto packs = i == 0 ? Compression::gzip : Compression::zstd;
      made.at(2 * i) = pack(packs, all);
      for (std::size_t at = 0; at < all.size(); at += 900'001) {
        made.at(2 * i + 1) += pack(packs, all.substr(at, 900'001));
      }
    }
    return made;
  }();
  return files.at((compression == Compression::gzip ? 0 : 2) + (in_members ? 1 : 0));
}

// `changes`: four bytes each, three for the place and one for its new value.
void check_long_file(Compression compression, bool in_members, std::string_view changes,
                     std::mt19937& random) {
  std::string packed = long_file(compression, in_members);
  for (; changes.size() >= 4; changes.remove_prefix(4)) {
    std::uint32_t change = 0;
    std::memcpy(&change, changes.data(), sizeof change);
    packed[(change >> 8U) % packed.size()] = static_cast<char>(change & 0xFFU);
  }
  check_places(compression, packed, random);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto compression = data[0] % 2 == 0 ? Compression::gzip : Compression::zstd;
  std::mt19937 random(data[0]);
  if (data[0] >= 0xF0) {
    check_long_file(compression, (data[0] & 2U) != 0, bytes, random);
    return 0;
  }
  check_places(compression, bytes, random);
  require(unpack_all(compression, pack(compression, bytes)).bytes == bytes);
  return 0;
}
