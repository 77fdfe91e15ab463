// Reads a forged sketch file of texts, vectors or bit strings whose checksums are all correct.
// Either it is rejected, or a run that uses it counts its rows. The checksums of the mutated bytes
// are corrected first; otherwise, the code after the checks would never be reached.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "fuzz/in_place_mutator.h"
#include "fuzz/small_run.h"

namespace {

using namespace sosie;
using fuzz::require;
using fuzz::SmallRun;

constexpr std::size_t kMark = 8;
constexpr std::size_t kTrailer = 32;
constexpr std::size_t kEntry = 40;  // entry of a block in the table

std::uint64_t number_at(const std::string& bytes, std::size_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void put_number(std::string& bytes, std::size_t at, std::uint64_t number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

// Blocks, table, contents (docs/formats/sketches.md), as far as they exist.
void repair(std::string& bytes) {
  if (bytes.size() < kMark + kTrailer) return;
  const std::size_t end = bytes.size() - kTrailer;
  const std::uint64_t contents = number_at(bytes, end);
  const std::uint64_t blocks = number_at(bytes, end + 8);
  if (contents > end - kMark || blocks > contents / kEntry) return;
  std::uint64_t offset = kMark;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::size_t entry = end - (blocks - i) * kEntry;
    const std::uint64_t size = number_at(bytes, entry + 16);
    if (size > end - offset) break;
    put_number(bytes, entry + 24, XXH3_64bits_withSeed(bytes.data() + offset, size, i));
    offset += size;
  }
  put_number(bytes, end + 16, XXH3_64bits(bytes.data() + end - contents, contents));
}

// Writes the rows from which the seeds for vectors and bit strings were made; every second row is
// similar to the previous one.
void write_items() {
  std::string vectors;
  std::string bits;
  for (int row = 0; row < fuzz::kSmallRows; ++row) {
    std::string components;
    for (int i = 0; i < 6; ++i) {
      components +=
          fmt::format("{}{}", i == 0 ? "" : ", ", (row / 2 * 7 + i * i * 5) % 23 - row % 2);
    }
    vectors += fmt::format("{{\"id\": {}, \"text\": [{}]}}\n", row, components);
    bits += fmt::format("{{\"id\": {}, \"text\": \"{:016x}\"}}\n", row,
                        (static_cast<std::uint64_t>(row / 2 + 1) * 0x9E3779B97F4A7C15) ^
                            static_cast<std::uint64_t>(row % 2));
  }
  SmallRun::write("vectors.jsonl", vectors);
  SmallRun::write("bits.jsonl", bits);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return sosie::fuzz::mutate_in_place(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SmallRun run;
  const SmallRun::Inside inside(run.folder());
  static const bool has_items = (write_items(), true);
  require(has_items);
  std::string bytes(reinterpret_cast<const char*>(data), size);
  repair(bytes);
  SmallRun::write("x.sketches", bytes);
  SmallRun::runs([] {
    Options options = SmallRun::options();
    options.reuse = {"x.sketches"};
    const RunReport report = dedup(options);
    require(report.kept + report.removed <= report.rows && report.rows <= fuzz::kSmallRows);
  });
  return 0;
}
