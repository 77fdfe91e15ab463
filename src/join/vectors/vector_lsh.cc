// Plans the hashing of vectors, and joins rows by its bands.
#include "join/vectors/vector_lsh.h"

#include <algorithm>
#include <numeric>

#include "corpus/items/vector_items.h"
#include "join/hashed_join.h"

namespace sosie {
namespace {

// Bytes of a row in a band: its key, or a byte and a word for each function.
std::uint64_t key_bytes_of(const LshPlan& plan) noexcept {
  return plan.cells > 1 ? 5 * static_cast<std::uint64_t>(plan.rows) : sizeof(std::uint32_t);
}

std::uint64_t grouped_bytes_of(const LshPlan& plan) noexcept {
  return plan.cells > 1
             ? BandedJoin::probed_row_bytes(static_cast<std::size_t>(plan.sketch_bits) / 64)
             : BandedJoin::kGroupedRowBytes;
}

}  // namespace

VectorLsh::VectorLsh(const VectorSubset& rows, const VectorSettings& settings, ThreadPool& pool,
                     const LshPlan& plan, std::unique_ptr<SketchedItems> known)
    : column_(*rows.column),
      squares_(rows.squares),
      settings_(settings),
      pool_(pool),
      plan_(plan),
      cascade_(plan.over),
      known_(std::move(known)) {}

BandNeeds needs_of_bands(const VectorColumn& column, const LshPlan& plan,
                         const VectorSettings& settings, const ThreadPool& pool,
                         std::uint64_t besides) {
  const auto sketch_bytes = static_cast<std::uint64_t>(plan.sketch_bits) / 8;
  return {.rows = column.rows,
          .bands = static_cast<std::uint64_t>(plan.bands),
          .besides = besides + memory_bytes(column) + column.rows * (sizeof(double) + sketch_bytes),
          .memory_bytes = settings.run.memory_bytes,
          .threads = pool.size(),
          .key_bytes = key_bytes_of(plan),
          .grouped_bytes = grouped_bytes_of(plan),
          .all_bands = !plan.over.empty()};
}

void VectorLsh::hash(Scratch& scratch, std::uint64_t besides) {
  scratch_ = &scratch;
  memory_share_ = memory_for_bands(needs_of_bands(column_, plan_, settings_, pool_, besides));
  const auto bands = static_cast<std::size_t>(plan_.bands);
  bands_ = std::make_unique<VectorBands>(
      column_, VectorHashing{plan_.family, plan_, settings_.run.seed}, pool_, known_.get());
  std::vector<std::uint32_t> rows(column_.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  bands_->hash({0, memory_share_.bands_kept >= bands ? bands : 0}, rows, true);
}

HashedItems hashes_of(const VectorColumn& column, const RowRange& rows,
                      const VectorHashing& hashing, ThreadPool& pool) {
  std::vector<std::uint32_t> all(rows.size());
  std::iota(all.begin(), all.end(), rows.begin);
  const VectorColumn some = take_rows(column, all);
  std::iota(all.begin(), all.end(), 0U);
  VectorBands bands(some, hashing, pool);
  bands.hash({0, static_cast<std::size_t>(hashing.plan.bands)}, all, true);
  HashedItems items = std::move(bands).take();
  items.identities.reserve(some.rows);
  for (std::size_t row = 0; row < some.rows; ++row) {
    items.identities.push_back(identity_of(some, row));
  }
  return items;
}

HashedRow VectorLsh::hashed(std::uint32_t row) const {
  return hashed_row(bands_->table(), static_cast<std::size_t>(plan_.bands), row,
                    [this](const BandRange& bands, std::span<const std::uint32_t> some) {
                      bands_->hash(bands, some, false);
                    });
}

std::optional<double> VectorLsh::measure(std::uint32_t left, std::uint32_t right) const {
  VectorSums both = sums_between(*settings_.measure, column_, left, column_, right);
  both.left_square = squares_[left];
  both.right_square = squares_[right];
  if (!settings_.measure->reaches(both, settings_.bound.bound, has_integer_sums(column_))) {
    return std::nullopt;
  }
  return settings_.measure->value(both);
}

std::uint64_t VectorLsh::join(std::span<const std::uint32_t> rows, std::size_t split,
                              const std::function<void(std::span<const ScoredPair>)>& each) const {
  return measure_in_groups(
      {.bands = static_cast<std::size_t>(plan_.bands),
       .table = &bands_->table(),
       .rows = rows,
       .split = split,
       .memory_share = memory_share_,
       .cascade = plan_.over.empty() ? nullptr : &cascade_,
       .hash = [this](const BandRange& bands,
                      std::span<const std::uint32_t> some) { bands_->hash(bands, some, false); },
       .scratch = scratch_},
      pool_, [this](std::uint32_t left, std::uint32_t right) { return measure(left, right); },
      each);
}

}  // namespace sosie
