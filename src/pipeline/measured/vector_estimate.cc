#include <vector>

#include "core/hash64.h"
#include "pipeline/measured/vector_items.h"
#include "pipeline/measured/vector_join.h"

namespace sosie {
namespace {

constexpr std::size_t kSampledRows = 128;

// Pairs a left row is found in on average, as some rows drawn with the seed have it. A row's pair
// with itself counts.
double sampled_pairs_a_row(const VectorJoinTask& task, std::uint64_t seed, ThreadPool& pool) {
  std::vector<std::uint32_t> rows(kSampledRows);
  for (std::size_t i = 0; i < kSampledRows; ++i) {
    rows[i] = static_cast<std::uint32_t>(random64(seed, i) % task.left->rows);
  }
  const VectorColumn sample = take_rows(*task.left, rows);
  VectorJoinTask counting = task;
  counting.left = &sample;
  counting.right = task.right == nullptr ? task.left : task.right;
  counting.only_count = true;
  const auto counts = join_vectors(counting, pool, {}, [](auto) {});
  return static_cast<double>(counts.found) / static_cast<double>(sample.rows);
}

}  // namespace

void bound_memory(VectorJoinTask& task, const Settings& settings, ThreadPool& pool) {
  task.sort_bytes = settings.memory_bytes / 8;
  if (task.left->rows <= kSampledRows) return;
  task.pairs_a_row = sampled_pairs_a_row(task, settings.seed, pool);
}

}  // namespace sosie
