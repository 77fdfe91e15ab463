// Hamming neighbours through equal blocks of bits, and the predicted number of pairs that share a
// block.
#include "candidates/multi_index.h"

#include <algorithm>
#include <vector>

#include "candidates/equal_pairs.h"
#include "core/mix64.h"

namespace sosie {
namespace {

constexpr std::size_t kCodeWordBits = 64;
constexpr std::size_t kCodesATask = 4096;
constexpr std::size_t kSampledCodes = std::size_t{1} << 14;
constexpr std::uint64_t kCodeSampleSeed = 1;

// This many bits of the rows, starting at `begin`; at most 64 bits of a block are used.
struct Block {
  std::size_t begin;
  std::size_t size;

  [[nodiscard]] std::uint64_t value_of(const BitColumn& column, std::size_t row) const noexcept {
    const std::uint64_t* words = column.row(row);
    const std::size_t word = begin / kCodeWordBits;
    const std::size_t shift = begin % kCodeWordBits;
    std::uint64_t value = words[word] >> shift;
    if (shift != 0 && word + 1 < column.words) value |= words[word + 1] << (kCodeWordBits - shift);
    return size == kCodeWordBits ? value : value & ((std::uint64_t{1} << size) - 1);
  }
};

std::vector<Block> blocks_of(const BitColumn& column, std::size_t radius) {
  const std::size_t bits = column.bits;
  const std::size_t count = block_count(column, radius);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = bits * i / count;
    blocks.push_back({begin, std::min(bits * (i + 1) / count - begin, kCodeWordBits)});
  }
  return blocks;
}

}  // namespace

std::size_t block_count(const BitColumn& column, std::size_t radius) noexcept {
  return std::min(radius + 1, column.bits);
}

BandedRows multi_index(const BitColumn& column, std::size_t radius, const BandRange& blocks,
                       ThreadPool& pool) {
  const std::vector<Block> all = blocks_of(column, radius);
  BandedRows out;
  out.rows = column.rows;
  out.bands = blocks.size();
  out.keys.resize(out.rows * out.bands);
  out.sketch_words = column.words;
  out.sketches = column.data.data();
  out.most_different = std::min(radius, column.bits);
  pool.for_each(
      (out.rows + kCodesATask - 1) / kCodesATask, [&](unsigned /*worker*/, std::size_t i) {
        const std::size_t end = std::min(out.rows, (i + 1) * kCodesATask);
        for (std::size_t row = i * kCodesATask; row < end; ++row) {
          for (std::size_t band = 0; band < out.bands; ++band) {
            const std::uint64_t value = all[blocks.first + band].value_of(column, row);
            out.keys[row * out.bands + band] = static_cast<std::uint32_t>(mix64(value) >> 32);
          }
        }
      });
  return out;
}

double expected_block_pairs(const BitColumn& column, std::size_t radius, double most) {
  if (column.rows == 0) return 0;
  std::vector<std::size_t> rows(std::min(column.rows, kSampledCodes));
  // One row from each of this many ranges, so that no row is drawn twice; all rows if there are
  // few.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t begin = column.rows * i / rows.size();
    const std::size_t end = column.rows * (i + 1) / rows.size();
    rows[i] = begin + random64(kCodeSampleSeed, i) % (end - begin);
  }
  const auto scale = static_cast<double>(column.rows) / static_cast<double>(rows.size());
  std::vector<std::uint64_t> values(rows.size());
  double pairs = 0;
  for (const Block& block : blocks_of(column, radius)) {
    for (std::size_t i = 0; i < rows.size(); ++i) values[i] = block.value_of(column, rows[i]);
    pairs += equal_pairs(values) * scale * scale;
    if (pairs > most) break;
  }
  return pairs;
}

}  // namespace sosie
