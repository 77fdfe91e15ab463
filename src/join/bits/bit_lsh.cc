// Hashes bit strings by sampled positions, plans the bands and joins by them.
#include "join/bits/bit_lsh.h"

#include <algorithm>
#include <numeric>

#include "join/hashed_join.h"
#include "sketch/band_keys.h"
#include "sketch/sampled_positions.h"

namespace sosie {
namespace {

constexpr std::size_t kRowsATask = 4096;

}  // namespace

BitLsh::BitLsh(const BitColumn& column, const BitSettings& settings, ThreadPool& pool,
               const LshPlan& plan, std::unique_ptr<SketchedItems> known)
    : column_(column),
      settings_(settings),
      pool_(pool),
      plan_(plan),
      cascade_(plan.over),
      known_(std::move(known)) {}

BandNeeds needs_of_bands(const BitColumn& column, const LshPlan& plan, const BitSettings& settings,
                         const ThreadPool& pool, std::uint64_t besides) {
  return {.rows = column.rows,
          .bands = static_cast<std::uint64_t>(plan.bands),
          .besides = besides + column.data.size() * sizeof column.data[0],
          .memory_bytes = settings.run.memory_bytes,
          .threads = pool.size(),
          .all_bands = !plan.over.empty()};
}

void BitLsh::hash(Scratch& scratch, std::uint64_t besides) {
  scratch_ = &scratch;
  table_->rows = column_.rows;
  table_->sketch_words = column_.words;  // a string is its own sketch
  table_->sketches = column_.data.data();
  table_->most_different =
      std::min<std::uint64_t>(column_.bits, settings_.bound.bound.num / settings_.bound.bound.den);
  memory_share_ = memory_for_bands(needs_of_bands(column_, plan_, settings_, pool_, besides));
  const auto bands = static_cast<std::size_t>(plan_.bands);
  std::vector<std::uint32_t> rows(column_.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  if (memory_share_.bands_kept >= bands) hash({0, bands}, rows);
}

HashedItems BitLsh::hashes() const {
  table_->rows = column_.rows;
  std::vector<std::uint32_t> rows(column_.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  hash({0, static_cast<std::size_t>(plan_.bands)}, rows);
  HashedItems items{
      .identities = {}, .keys = std::move(table_->keys), .cells = {}, .near = {}, .sketches = {}};
  items.identities.reserve(rows.size());
  for (const std::uint32_t row : rows) items.identities.push_back(identity_of(column_, row));
  return items;
}

void BitLsh::hash(const BandRange& bands, std::span<const std::uint32_t> some) const {
  const auto band_rows = static_cast<std::size_t>(plan_.rows);
  table_->bands = bands.size();
  table_->keys.resize(table_->rows * table_->bands);
  std::vector<std::uint32_t> left;
  if (known_ != nullptr) {
    left = known_->load(bands, some, *table_, nullptr, pool_);
    some = left;
  }
  if (some.empty()) return;
  const std::size_t functions = bands.size() * band_rows;
  const auto positions =
      sampled_positions(bands.last * band_rows, column_.bits, settings_.run.seed);
  const std::size_t first = bands.first * band_rows;
  pool_.for_each(
      (some.size() + kRowsATask - 1) / kRowsATask, [&](unsigned /*worker*/, std::size_t i) {
        pool_.check_cancelled();
        std::vector<std::uint64_t> values(functions / 64 + 1);
        const std::size_t end = std::min(some.size(), (i + 1) * kRowsATask);
        for (std::size_t k = i * kRowsATask; k < end; ++k) {
          const std::uint64_t* row = column_.row(some[k]);
          std::fill(values.begin(), values.end(), 0);
          for (std::size_t f = 0; f < functions; ++f) {
            values[f / 64] |= bit_at(row, positions[first + f]) << (f % 64);
          }
          keys_of_bits(values, band_rows,
                       std::span(table_->keys).subspan(some[k] * table_->bands, table_->bands),
                       bands.first);
        }
      });
}

std::optional<double> BitLsh::measure(std::uint32_t left, std::uint32_t right) const {
  const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
  if (!settings_.measure->reaches(counts, settings_.bound.bound)) return std::nullopt;
  return settings_.measure->value(counts);
}

GroupedJoin BitLsh::join_of(std::span<const std::uint32_t> rows, std::size_t split) const {
  return {.bands = static_cast<std::size_t>(plan_.bands),
          .table = table_.get(),
          .rows = rows,
          .split = split,
          .memory_share = memory_share_,
          .cascade = plan_.over.empty() ? nullptr : &cascade_,
          .hash = [this](const BandRange& bands,
                         std::span<const std::uint32_t> some) { hash(bands, some); },
          .scratch = scratch_};
}

std::uint64_t BitLsh::join(std::span<const std::uint32_t> rows, std::size_t split,
                           const std::function<void(std::span<const ScoredPair>)>& each) const {
  return measure_in_groups(
      join_of(rows, split), pool_,
      [this](std::uint32_t left, std::uint32_t right) { return measure(left, right); }, each);
}

void BitLsh::join_part(std::span<const std::uint32_t> rows, const KeyRange& range,
                       const HashedJoin::Each& each) const {
  GroupedJoin join = join_of(rows, 0);
  join.range = range;
  measure_part(
      join, pool_, [this](std::uint32_t left, std::uint32_t right) { return measure(left, right); },
      each);
}

HashedRow BitLsh::hashed(std::uint32_t row) const {
  return hashed_row(
      *table_, static_cast<std::size_t>(plan_.bands), row,
      [this](const BandRange& bands, std::span<const std::uint32_t> some) { hash(bands, some); });
}

std::string_view bytes_of_row(const BitColumn& column, std::size_t row) {
  return {reinterpret_cast<const char*>(column.row(row)), column.words * sizeof(std::uint64_t)};
}

}  // namespace sosie
