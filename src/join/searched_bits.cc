// Searches bit strings in sketch blocks, within a bound or for the nearest.
#include "join/searched_bits.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "join/nearest_rows.h"
#include "kernels/near_sketches.h"

namespace sosie {
namespace {

using kernels::kSketchBlock;

constexpr std::size_t kRowsATask = 32;
constexpr std::size_t kWordsATask = std::size_t{1} << 17;   // words of strings a task takes
constexpr std::size_t kWordsAtOnce = std::size_t{1} << 13;  // that stay in the second cache

}  // namespace

// A row, and what is known of it.
struct SearchedBits::Asked {
  std::uint32_t row;
  const std::uint64_t* words;
  NearestRows nearest;
};

SearchedBits::SearchedBits(const BitColumn& data, const BitSettings& settings)
    : data_(data),
      settings_(settings),
      block_count_((data.rows + kSketchBlock - 1) / kSketchBlock),
      blocks_(block_count_ * kSketchBlock * data.words) {
  for (std::size_t row = 0; row < data.rows; ++row) {
    std::uint64_t* out =
        blocks_.data() + row / kSketchBlock * kSketchBlock * data.words + row % kSketchBlock;
    for (std::size_t w = 0; w < data.words; ++w) out[w * kSketchBlock] = data.row(row)[w];
  }
}

std::uint64_t SearchedBits::find(const BitColumn& asked, std::uint64_t most, ThreadPool& pool,
                                 std::vector<std::vector<ScoredPair>>& found) const {
  if (most == 0) most = std::numeric_limits<std::uint64_t>::max();
  found.assign(asked.rows, {});
  if (asked.rows == 0 || data_.rows == 0) return 0;
  const bool is_similarity = settings_.measure->is_similarity;
  const std::size_t block_words = kSketchBlock * data_.words;
  const std::size_t part = std::max<std::size_t>(1, kWordsATask / block_words);
  const std::size_t chunk = std::max<std::size_t>(1, kWordsAtOnce / block_words);
  const std::size_t parts = (block_count_ + part - 1) / part;
  const std::size_t groups = (asked.rows + kRowsATask - 1) / kRowsATask;
  std::vector<std::vector<Asked>> tasks(groups * parts);
  pool.for_each(tasks.size(), [&](unsigned /*worker*/, std::size_t i) {
    pool.check_cancelled();
    const std::size_t first = i / parts * kRowsATask;
    for (std::size_t row = first; row < std::min(asked.rows, first + kRowsATask); ++row) {
      tasks[i].push_back(
          {static_cast<std::uint32_t>(row), asked.row(row), NearestRows(most, is_similarity)});
    }
    const std::size_t end = std::min(block_count_, (i % parts + 1) * part);
    for (std::size_t begin = i % parts * part; begin < end; begin += chunk) {
      for (Asked& one : tasks[i]) search({begin, std::min(end, begin + chunk)}, one);
    }
  });
  for (const std::vector<Asked>& rows : tasks) {
    for (const Asked& one : rows) {
      const auto& pairs = one.nearest.pairs();
      found[one.row].insert(found[one.row].end(), pairs.begin(), pairs.end());
    }
  }
  pool.for_each(found.size(), [&](unsigned /*worker*/, std::size_t i) {
    std::sort(found[i].begin(), found[i].end(), [&](const ScoredPair& a, const ScoredPair& b) {
      return IsNearer{is_similarity}(a, b);
    });
    if (found[i].size() > most) found[i].resize(most);
  });
  return std::uint64_t{asked.rows} * data_.rows;
}

std::uint64_t SearchedBits::limit(const Asked& asked) const {
  std::uint64_t most = data_.bits;
  if (!settings_.nearest) {
    most = std::min<std::uint64_t>(most, settings_.bound.bound.num / settings_.bound.bound.den);
  }
  // Ties with the farthest are decided by order: the first ones stay.
  if (!asked.nearest.is_full()) return most + 1;
  return std::min(most + 1, static_cast<std::uint64_t>(asked.nearest.farthest()));
}

void SearchedBits::search(const Blocks& blocks, Asked& asked) const {
  if (settings_.measure->is_similarity) {
    const std::size_t end = std::min(data_.rows, blocks.end * kSketchBlock);
    for (std::size_t i = blocks.begin * kSketchBlock; i < end; ++i) measure(i, asked);
    return;
  }
  const std::size_t count = blocks.end - blocks.begin;
  std::vector<std::uint8_t> near(count);
  kernels::near_sketches(asked.words, blocks_.data() + blocks.begin * kSketchBlock * data_.words,
                         count, data_.words, limit(asked), near.data());
  for (std::size_t i = 0; i < count; ++i) {
    for (unsigned bits = near[i]; bits != 0; bits &= bits - 1) {
      const std::size_t string =
          (blocks.begin + i) * kSketchBlock + static_cast<std::size_t>(std::countr_zero(bits));
      if (string < data_.rows) measure(string, asked);
    }
  }
}

void SearchedBits::measure(std::size_t string, Asked& asked) const {
  const BitCounts counts = count_bits(asked.words, data_.row(string), data_.words);
  if (settings_.measure->is_of_sets && counts.united == 0) return;
  if (!settings_.nearest && !settings_.measure->reaches(counts, settings_.bound.bound)) return;
  asked.nearest.add(
      {asked.row, static_cast<std::uint32_t>(string), settings_.measure->value(counts)});
}

}  // namespace sosie
