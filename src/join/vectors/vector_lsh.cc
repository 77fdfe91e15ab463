// Plans the hashing of vectors, joins rows by its bands, and forecasts hashing and exact joins from
// a sample of pairs.
#include "join/vectors/vector_lsh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/mix64.h"
#include "core/rational.h"
#include "core/real_functions.h"
#include "corpus/items/vector_items.h"
#include "join/hashed_join.h"
#include "join/vectors/vector_bands.h"
#include "sketch/collision_laws.h"
#include "sketch/cross_polytopes.h"
#include "sketch/fast_rotations.h"
#include "sketch/hash_families.h"

namespace sosie {
namespace {

// Bytes per row in a band: its key, or a byte and a word for each function.
std::uint64_t key_bytes_of(const LshPlan& plan) noexcept {
  return plan.cells > 1 ? 5 * static_cast<std::uint64_t>(plan.rows) : sizeof(std::uint32_t);
}

std::uint64_t grouped_bytes_of(const LshPlan& plan) noexcept {
  return plan.cells > 1
             ? BandedJoin::probed_row_bytes(static_cast<std::size_t>(plan.sketch_bits) / 64)
             : BandedJoin::kGroupedRowBytes;
}

constexpr std::size_t kForecastLefts = 64;
constexpr std::size_t kForecastRights = 4096;
constexpr double kLeastPartners = 1024;
constexpr double kNoPair = std::numeric_limits<double>::quiet_NaN();  // a row drawn with itself

// Measured constants (see plan/banding_cost.cc): nanoseconds per component for a product in 8-bit
// and in 16-bit integers, for a projection in doubles, and for measuring a pair; then the fixed
// cost of measuring a pair.
constexpr double kByteProductNs = 0.004;
constexpr double kProductNs = 0.0105;
constexpr double kProjectionNs = 0.08;
constexpr double kMeasureNs = 0.15;
constexpr double kVectorPairNs = 100;
constexpr double kFilteredNs = 20;  // for rows that come one after another
constexpr double kRotatedNs = 0.1;

// From this number of components on, rotations are faster than products.
constexpr std::size_t kLeastRotated = 256;

// Without rows, only unrelated pairs are assumed: at a right angle, or this many bounds apart.
constexpr double kUnrelatedDegrees = 90;
constexpr double kUnrelatedBounds = 4;

bool is_by_angle(const VectorMeasure& measure) noexcept {
  return measure.euclidean_factor == nullptr;
}

class Forecaster {
 public:
  Forecaster(const VectorSubset& rows, const JoinSides& sides, const VectorSettings& settings,
             ThreadPool& pool)
      : column_(*rows.column),
        squares_(rows.squares),
        sides_(sides),
        settings_(settings),
        measure_(*settings.measure),
        pool_(pool) {}

  [[nodiscard]] LshForecast run(const std::optional<LshPlan>& taken) const {
    LshForecast forecast;
    LshTask& task = forecast.task;
    const HashFamily* family = taken ? taken->family : chosen_family();
    task = family != nullptr ? task_of(*family) : unhashed_task();
    const bool hashed = measure_.is_similarity && family != nullptr;
    forecast.sample =
        column_.rows == 0 ? std::vector<double>{unrelated(task)} : sampled(measure_, hashed);
    if (family != nullptr) {
      if (taken) task.probes.cells = taken->cells;
      plan_lsh(forecast, *family, lefts(), taken);
    }
    const double near = family != nullptr || !measure_.is_similarity
                            ? part_within(forecast.sample, task.bound)
                            : 1 - part_below(forecast.sample, task.bound);
    const double every_pair = task.pairs_an_item * lefts();
    const double product = kByteProductNs * static_cast<double>(column_.dimension);
    if (measure_.can_filter) {
      forecast.exact_ns =
          every_pair * (product + std::max(near, passing_part()) * task.costs.measure);
    }
    forecast.brute_ns =
        every_pair * (kFilteredNs + kMeasureNs * static_cast<double>(column_.dimension));
    forecast.expected_pairs = every_pair * near;
    return forecast;
  }

 private:
  // The requested family or, by default, the family of the measure, evaluated by rotations if that
  // is faster; null if there is none.
  [[nodiscard]] const HashFamily* chosen_family() const noexcept {
    const LshSettings& lsh = settings_.lsh;
    if (lsh.family == nullptr) return nullptr;
    const HashFamily* wide = hash_family_by_name(lsh.family->wide);
    const bool rotates = !lsh.is_named && wide != nullptr && column_.dimension >= kLeastRotated;
    return rotates ? wide : lsh.family;
  }

  [[nodiscard]] double lefts() const noexcept {
    return column_.rows == 0 ? 2 * kAssumedPartners : static_cast<double>(sides_.left.size());
  }

  [[nodiscard]] LshTask unhashed_task() const {
    LshTask task;
    task.measure = measure_.name;
    task.bound = settings_.bound.bound.value();
    const auto written = parse_signed_rational(settings_.bound.facts.bound);
    if (written && written->negative) task.bound = -task.bound;
    task.pairs_an_item = column_.rows == 0 ? kAssumedPartners : sides_.partners();
    task.costs.measure = kVectorPairNs + kMeasureNs * static_cast<double>(column_.dimension);
    return task;
  }

  [[nodiscard]] LshTask task_of(const HashFamily& family) const;
  [[nodiscard]] double unrelated(const LshTask& task) const noexcept {
    if (is_by_angle(measure_)) return kUnrelatedDegrees;
    return kUnrelatedBounds * (task.bound > 0 ? task.bound : 1);
  }
  [[nodiscard]] std::vector<double> sampled(const VectorMeasure& measure, bool as_angles) const;
  [[nodiscard]] double passing_part() const;
  static double part_below(const std::vector<double>& values, double bound) noexcept {
    const auto below =
        std::count_if(values.begin(), values.end(), [&](double value) { return value < bound; });
    return static_cast<double>(below) / std::max(1.0, static_cast<double>(values.size()));
  }

  const VectorColumn& column_;
  std::span<const double> squares_;  // by row
  JoinSides sides_;
  const VectorSettings& settings_;
  const VectorMeasure& measure_;
  ThreadPool& pool_;
};

// An exact join measures pairs that are close enough in Euclidean distance; other
// measures may accept few of them.
double Forecaster::passing_part() const {
  if (is_by_angle(measure_) || column_.rows == 0) return 0;
  const auto euclidean = euclidean_measure({});
  const double within =
      settings_.bound.bound.value() * measure_.euclidean_factor(column_.dimension);
  return part_within(sampled(*euclidean, false), within);
}

LshTask Forecaster::task_of(const HashFamily& family) const {
  const bool by_angle = is_by_angle(measure_);
  const auto dimension = static_cast<double>(column_.dimension);
  LshTask task = unhashed_task();
  task.collision = family.collision_probability;
  if (measure_.is_similarity) task.bound = arc_cosine_degrees(task.bound);
  if (by_angle) task.bound = std::min(180.0, task.bound + rounding_degrees(column_.dimension));
  task.in_segments = is_in_segments(family);
  task.sketch_bits = sketch_bits_of(family);
  task.recall = settings_.lsh.recall;
  task.probes = {settings_.lsh.probes, near_one_collision, near_both_collision};
  task.costs.function = dimension * (by_angle ? kProductNs : kProjectionNs);
  if (family.form == FunctionForm::rotations) {
    const std::size_t width = rotation_width(column_.dimension);
    task.costs.function = kRotatedNs * std::countr_zero(width);
    task.costs.at_once = static_cast<int>(width);
  }
  if (family.form == FunctionForm::polytopes) {
    task.sketch_collision = hyperplane_collision_law;
    task.costs.bit = task.costs.function;
    task.costs.function = dimension * kProjectionNs * static_cast<double>(kPolytopeDimension);
  }
  task.fixed = settings_.lsh.fixed;
  return task;
}

// Values of the measure; `as_angles`: cosines are converted to degrees.
std::vector<double> Forecaster::sampled(const VectorMeasure& measure, bool as_angles) const {
  if (sides_.is_nothing()) return {};
  const RowRange rights = sides_.right.value_or(sides_.left);
  std::vector<double> values(kForecastLefts * kForecastRights, kNoPair);
  const auto drawn_from = [](const RowRange& rows, std::uint64_t number) {
    return rows.begin + static_cast<RowId>(number % rows.size());
  };
  pool_.for_each(kForecastLefts, [&](unsigned /*worker*/, std::size_t i) {
    const RowId left = drawn_from(sides_.left, random64(settings_.run.seed, i));
    for (std::size_t k = 0; k < kForecastRights; ++k) {
      const std::size_t drawn = i * kForecastRights + k;
      const RowId right = drawn_from(rights, random64(~settings_.run.seed, drawn));
      if (right == left) continue;
      VectorSums sums = sums_between(measure, column_, left, column_, right);
      sums.left_square = squares_[left];
      sums.right_square = squares_[right];
      const double value = measure.value(sums);
      values[drawn] = as_angles ? arc_cosine_degrees(value) : value;
    }
  });
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values;
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

GroupedJoin VectorLsh::join_of(std::span<const std::uint32_t> rows, std::size_t split) const {
  return {.bands = static_cast<std::size_t>(plan_.bands),
          .table = &bands_->table(),
          .rows = rows,
          .split = split,
          .memory_share = memory_share_,
          .cascade = plan_.over.empty() ? nullptr : &cascade_,
          .hash = [this](const BandRange& bands,
                         std::span<const std::uint32_t> some) { bands_->hash(bands, some, false); },
          .scratch = scratch_};
}

std::uint64_t VectorLsh::join(std::span<const std::uint32_t> rows, std::size_t split,
                              const std::function<void(std::span<const ScoredPair>)>& each) const {
  return measure_in_groups(
      join_of(rows, split), pool_,
      [this](std::uint32_t left, std::uint32_t right) { return measure(left, right); }, each);
}

void VectorLsh::join_part(std::span<const std::uint32_t> rows, const KeyRange& range,
                          const HashedJoin::Each& each) const {
  GroupedJoin join = join_of(rows, 0);
  join.range = range;
  measure_part(
      join, pool_, [this](std::uint32_t left, std::uint32_t right) { return measure(left, right); },
      each);
}

bool is_worth_planning(const JoinSides& sides) noexcept {
  return sides.partners() >= kLeastPartners;
}

LshForecast forecast_vectors(const VectorSubset& rows, const JoinSides& sides,
                             const VectorSettings& settings, ThreadPool& pool,
                             const std::optional<LshPlan>& taken) {
  return Forecaster(rows, sides, settings, pool).run(taken);
}

}  // namespace sosie
