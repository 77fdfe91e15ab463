// Estimates the number of pairs that a join of vectors finds, from sampled rows.
#include <algorithm>
#include <vector>

#include "core/mix64.h"
#include "join/vectors/vector_join.h"

namespace sosie {
namespace {

// Rows drawn: so many, or fewer if these have pairs enough to tell.
constexpr std::size_t kEstimatedRows = 128;
constexpr std::size_t kFirstRows = 8;
constexpr std::uint64_t kEnoughPairs = std::uint64_t{1} << 20;

// At most `most` rows drawn with the seed, each once.
std::vector<std::uint32_t> sampled_row_numbers(std::size_t rows, std::uint64_t seed,
                                               std::size_t most) {
  std::vector<std::uint32_t> drawn(most);
  for (std::size_t i = 0; i < most; ++i) {
    drawn[i] = static_cast<std::uint32_t>(random64(seed, i) % rows);
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  return drawn;
}

struct SampledPairs {
  std::uint64_t rows = 0;
  std::uint64_t found = 0;  // pairs of these rows with all rows
};

SampledPairs sample_pairs(const VectorJoinTask& task, std::uint64_t seed, std::size_t most,
                          ThreadPool& pool) {
  std::vector<std::uint32_t> drawn = sampled_row_numbers(task.left.size(), seed, most);
  for (std::uint32_t& row : drawn) row = static_cast<std::uint32_t>(task.left.row(row));
  VectorJoinTask counting = task;
  counting.left = some_of(*task.left.column, task.left.squares, drawn);
  counting.right = task.right.value_or(task.left);
  counting.only_count = true;
  return {drawn.size(), join_vectors(counting, pool, {}, [](auto) {}).found};
}

}  // namespace

void estimate_pairs(VectorJoinTask& task, std::uint64_t seed, ThreadPool& pool) {
  if (task.left.size() <= kEstimatedRows) return;
  SampledPairs sampled = sample_pairs(task, seed, kFirstRows, pool);
  if (sampled.found < kEnoughPairs) {
    sampled = sample_pairs(task, seed, kEstimatedRows, pool);
  }
  task.pairs_a_row = static_cast<double>(sampled.found) / static_cast<double>(sampled.rows);
  // Within one collection each row was found with itself, and a pair of two drawn ones twice.
  const std::uint64_t others = sampled.found - std::min(sampled.found, sampled.rows);
  task.least_pairs = task.right ? sampled.found : others / 2;
}

}  // namespace sosie
