// Plans the hashing of vectors, and joins rows by its bands.
#include "join/vector_lsh.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "core/hash64.h"
#include "core/real_functions.h"
#include "corpus/vector_items.h"
#include "join/hashed_pairs.h"
#include "sketch/collision_laws.h"
#include "sketch/cross_polytope_probes.h"
#include "sketch/fast_rotations.h"
#include "sketch/hash_families.h"

namespace sosie {
namespace {

constexpr int kSketchBits = 256;
constexpr int kRotatedSketchBits = 512;  // there are enough functions
constexpr std::size_t kSampledLefts = 64;
constexpr std::size_t kSampledRights = 4096;
constexpr double kLeastPartners = 1024;

// Compiled in, see plan/banding_cost.cc: nanoseconds a component of one product in 8-bit and in
// 16-bit integers, of one projection in doubles, of one measured pair, and what the last costs
// besides.
constexpr double kByteProductNs = 0.004;
constexpr double kProductNs = 0.0105;
constexpr double kProjectionNs = 0.08;
constexpr double kMeasureNs = 0.15;
constexpr double kPairNs = 100;
constexpr double kRotatedNs = 0.1;

// Components from which on rotations are quicker than products.
constexpr std::size_t kLeastRotated = 256;

// The family that was named, else the one of the measure, evaluated by rotations where that is
// quicker.
const HashFamily& family_for(const LshSettings& settings, std::size_t dimension) noexcept {
  const HashFamily* wide = hash_family_by_name(settings.family->wide);
  const bool rotates = !settings.is_named && wide != nullptr && dimension >= kLeastRotated;
  return rotates ? *wide : *settings.family;
}

// Bytes of a row in a band: its key, or a byte and a word for each function.
std::uint64_t key_bytes_of(const LshPlan& plan) noexcept {
  return plan.cells > 1 ? 5 * static_cast<std::uint64_t>(plan.rows) : sizeof(std::uint32_t);
}

std::uint64_t grouped_bytes_of(const LshPlan& plan) noexcept {
  return plan.cells > 1
             ? BandedJoin::probed_row_bytes(static_cast<std::size_t>(plan.sketch_bits) / 64)
             : BandedJoin::kGroupedRowBytes;
}

double part_within(std::span<const double> distances, double bound) noexcept {
  const auto near = std::count_if(distances.begin(), distances.end(),
                                  [&](double distance) { return distance <= bound; });
  return static_cast<double>(near) / std::max(1.0, static_cast<double>(distances.size()));
}

}  // namespace

bool is_worth_planning(const JoinSides& sides) noexcept {
  return sides.partners() >= kLeastPartners;
}

VectorLsh::VectorLsh(const VectorSubset& rows, const JoinSides& sides,
                     const VectorSettings& settings, ThreadPool& pool)
    : column_(*rows.column),
      squares_(rows.squares),
      sides_(sides),
      settings_(settings),
      pool_(pool) {
  const std::vector<double> sample = sampled_distances(*settings.measure);
  const HashFamily& family = family_for(settings.lsh, column_.dimension);
  LshTask task = task_of(family, sample);
  task.probes = {settings.lsh.probes, near_one_collision, near_both_collision};
  plan_ = choose_lsh(task);
  plan_.family = &family;
  const double near = part_within(sample, task.bound);
  exact_cost_ = task.pairs_an_item * (kByteProductNs * static_cast<double>(column_.dimension) +
                                      std::max(near, passing_part()) * task.costs.measure);
  expected_pairs_ = task.pairs_an_item * near * static_cast<double>(sides.left.size());
}

// An exact join measures what is near enough by the Euclidean distance, of which other measures
// may leave little.
double VectorLsh::passing_part() const {
  const VectorMeasure& measure = *settings_.measure;
  if (measure.euclidean_factor == nullptr) return 0;
  const auto euclidean = euclidean_measure({});
  const double within = settings_.bound.bound.value() * measure.euclidean_factor(column_.dimension);
  return part_within(sampled_distances(*euclidean), within);
}

LshTask VectorLsh::task_of(const HashFamily& family, std::span<const double> sample) const {
  const VectorMeasure& measure = *settings_.measure;
  const bool by_angle = measure.euclidean_factor == nullptr;
  const auto dimension = static_cast<double>(column_.dimension);
  LshTask task;
  task.measure = measure.name;
  task.collision = family.collision_probability;
  task.bound = settings_.bound.bound.value();
  if (measure.is_similarity) task.bound = arc_cosine_degrees(task.bound);
  if (by_angle) task.bound = std::min(180.0, task.bound + rounding_degrees(column_.dimension));
  task.in_segments = !by_angle;
  task.sketch_bits = kSketchBits;
  task.recall = settings_.lsh.recall;
  task.pairs_an_item = sides_.partners();
  task.sample = sample;
  task.costs.function = dimension * (by_angle ? kProductNs : kProjectionNs);
  if (family.form == FunctionForm::rotations) {
    const std::size_t width = rotation_width(column_.dimension);
    task.costs.function = kRotatedNs * std::countr_zero(width);
    task.costs.at_once = static_cast<int>(width);
    task.sketch_bits = kRotatedSketchBits;
  }
  if (family.form == FunctionForm::polytopes) {
    task.sketch_collision = hyperplane_collision;
    task.costs.bit = task.costs.function;
    task.costs.function = dimension * kProjectionNs * static_cast<double>(kPolytopeDimension);
  }
  task.costs.measure = kPairNs + kMeasureNs * dimension;
  task.fixed = settings_.lsh.fixed;
  return task;
}

// In the unit of the family.
std::vector<double> VectorLsh::sampled_distances(const VectorMeasure& measure) const {
  if (sides_.is_nothing()) return {};
  const RowRange rights = sides_.right.value_or(sides_.left);
  std::vector<double> distances(kSampledLefts * kSampledRights, -1);
  const auto drawn_from = [](const RowRange& rows, std::uint64_t number) {
    return rows.begin + static_cast<RowId>(number % rows.size());
  };
  pool_.for_each(kSampledLefts, [&](unsigned /*worker*/, std::size_t i) {
    const RowId left = drawn_from(sides_.left, random64(settings_.run.seed, i));
    for (std::size_t k = 0; k < kSampledRights; ++k) {
      const std::size_t drawn = i * kSampledRights + k;
      const RowId right = drawn_from(rights, random64(~settings_.run.seed, drawn));
      if (right == left) continue;
      const double value = measure.value(sums(measure, left, right));
      distances[drawn] = measure.is_similarity ? arc_cosine_degrees(value) : value;
    }
  });
  std::erase(distances, -1);
  return distances;
}

void VectorLsh::hash(Scratch& scratch, std::uint64_t besides) {
  scratch_ = &scratch;
  const auto sketch_bytes = static_cast<std::uint64_t>(plan_.sketch_bits) / 8;
  besides += memory_bytes(column_) + column_.rows * (sizeof squares_[0] + sketch_bytes);
  const auto bands = static_cast<std::size_t>(plan_.bands);
  room_ = room_for_bands({.rows = column_.rows,
                          .bands = bands,
                          .besides = besides,
                          .memory_bytes = settings_.run.memory_bytes,
                          .threads = pool_.size(),
                          .key_bytes = key_bytes_of(plan_),
                          .grouped_bytes = grouped_bytes_of(plan_)});
  bands_ = std::make_unique<VectorBands>(
      column_, VectorHashing{plan_.family, plan_, settings_.run.seed}, pool_);
  std::vector<std::uint32_t> rows(column_.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  bands_->hash({0, room_.bands_kept >= bands ? bands : 0}, rows, true);
}

VectorSums VectorLsh::sums(const VectorMeasure& measure, std::uint32_t left,
                           std::uint32_t right) const {
  VectorSums sums = sums_between(measure, column_, left, column_, right);
  sums.left_square = squares_[left];
  sums.right_square = squares_[right];
  return sums;
}

std::optional<double> VectorLsh::measure(std::uint32_t left, std::uint32_t right) const {
  const VectorSums both = sums(*settings_.measure, left, right);
  if (!settings_.measure->reaches(both, settings_.bound.bound, has_integer_sums(column_))) {
    return std::nullopt;
  }
  return settings_.measure->value(both);
}

std::uint64_t VectorLsh::join(
    std::span<const std::uint32_t> rows, std::size_t split,
    const std::function<void(std::span<const MeasuredPair>)>& each) const {
  return measure_in_groups(
      {.bands = static_cast<std::size_t>(plan_.bands),
       .table = &bands_->table(),
       .rows = rows,
       .split = split,
       .room = room_,
       .hash = [this](const BandRange& bands,
                      std::span<const std::uint32_t> some) { bands_->hash(bands, some, false); },
       .scratch = scratch_},
      pool_, [this](std::uint32_t left, std::uint32_t right) { return measure(left, right); },
      each);
}

}  // namespace sosie
