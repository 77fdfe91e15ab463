// Hashes bit strings by sampled positions, plans the bands and joins by them.
#include "join/bit_lsh.h"

#include <algorithm>
#include <numeric>

#include "core/hash64.h"
#include "join/hashed_pairs.h"
#include "sketch/bit_samples.h"
#include "sketch/function_keys.h"

namespace sosie {
namespace {

constexpr std::size_t kSampledPairs = std::size_t{1} << 17;
constexpr std::size_t kRowsATask = 4096;
constexpr std::size_t kLeastRows = 4096;  // fewer are compared without thinking of hashes

// Compiled in, see plan/banding_cost.cc: nanoseconds to take a bit, and to measure a pair.
constexpr double kBitNs = 1.5;
constexpr double kPairNs = 60;

}  // namespace

BitLsh::BitLsh(const BitColumn& column, const JoinSides& sides, const BitSettings& settings,
               ThreadPool& pool)
    : column_(column), settings_(settings), pool_(pool) {
  const std::vector<double> sample = sampled_distances(sides);
  LshTask task;
  task.measure = settings.measure->name;
  task.collision = settings.lsh.family->collision_probability;
  if (column.bits > 0) {
    const double part = settings.bound.bound.value() / static_cast<double>(column.bits);
    task.bound = std::min(1.0, part);
  }
  task.recall = settings.lsh.recall;
  task.pairs_an_item = sides.partners();
  task.sample = sample;
  task.costs = {kBitNs, kPairNs};
  task.fixed = settings.lsh.fixed;
  plan_ = choose_lsh(task);
  plan_.family = settings.lsh.family;
}

// Distances as parts of the positions.
std::vector<double> BitLsh::sampled_distances(const JoinSides& sides) const {
  if (sides.is_nothing()) return {};
  const RowRange rights = sides.right.value_or(sides.left);
  std::vector<double> distances;
  for (std::size_t i = 0; i < kSampledPairs; ++i) {
    const std::size_t left = sides.left.begin + random64(settings_.run.seed, i) % sides.left.size();
    const std::size_t right = rights.begin + random64(~settings_.run.seed, i) % rights.size();
    if (left == right) continue;
    const BitCounts counts = count_bits(column_.row(left), column_.row(right), column_.words);
    distances.push_back(static_cast<double>(counts.different()) /
                        static_cast<double>(column_.bits));
  }
  return distances;
}

void BitLsh::hash(Scratch& scratch, std::uint64_t besides) {
  scratch_ = &scratch;
  table_->rows = column_.rows;
  table_->sketch_words = column_.words;  // a string is its own sketch
  table_->sketches = column_.data.data();
  table_->most_different =
      std::min<std::uint64_t>(column_.bits, settings_.bound.bound.num / settings_.bound.bound.den);
  const auto bands = static_cast<std::size_t>(plan_.bands);
  besides += column_.data.size() * sizeof column_.data[0];
  room_ = room_for_bands({.rows = column_.rows,
                          .bands = bands,
                          .besides = besides,
                          .memory_bytes = settings_.run.memory_bytes,
                          .threads = pool_.size()});
  std::vector<std::uint32_t> rows(column_.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  if (room_.bands_kept >= bands) hash({0, bands}, rows);
}

void BitLsh::hash(const BandRange& bands, std::span<const std::uint32_t> some) const {
  const auto band_rows = static_cast<std::size_t>(plan_.rows);
  table_->bands = bands.size();
  table_->keys.resize(table_->rows * table_->bands);
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

std::uint64_t BitLsh::join(std::span<const std::uint32_t> rows, std::size_t split,
                           const std::function<void(std::span<const MeasuredPair>)>& each) const {
  return measure_in_groups(
      {.bands = static_cast<std::size_t>(plan_.bands),
       .table = table_.get(),
       .rows = rows,
       .split = split,
       .room = room_,
       .hash = [this](const BandRange& bands,
                      std::span<const std::uint32_t> some) { hash(bands, some); },
       .scratch = scratch_},
      pool_, [this](std::uint32_t left, std::uint32_t right) { return measure(left, right); },
      each);
}

std::optional<BitLsh> useful_lsh(const BitJoinTask& task, const BitSettings& settings,
                                 ThreadPool& pool) {
  if (settings.lsh.family == nullptr) return std::nullopt;
  const BitColumn& column = *task.column;
  if (settings.lsh.required) return BitLsh(column, task.sides, settings, pool);
  // Beyond half of the places most strings are near, and no construction tells them apart.
  const bool few = column.rows < kLeastRows;
  if (few || 2 * settings.bound.bound.value() >= static_cast<double>(column.bits)) {
    return std::nullopt;
  }
  BitLsh lsh(column, task.sides, settings, pool);
  if (lsh.plan().cost * static_cast<double>(column.rows) >= cost_of_join(task)) return std::nullopt;
  return lsh;
}

std::string_view bytes_of_row(const BitColumn& column, std::size_t row) {
  return {reinterpret_cast<const char*>(column.row(row)), column.words * sizeof(std::uint64_t)};
}

}  // namespace sosie
