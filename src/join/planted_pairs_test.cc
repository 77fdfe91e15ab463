// T-4.4 for families of vectors and bit strings: of pairs planted at a given distance, as many
// become candidates as the S-curve predicts. The keys are the ones that runs join by. MinHash is
// tested with banding (Banding.T4_4_...).
#include <gtest/gtest.h>

#include <cmath>

#include "core/mix64.h"
#include "join/bits/bit_lsh.h"
#include "join/vectors/vector_lsh.h"
#include "sketch/cross_polytopes.h"
#include "sketch/hash_families.h"
#include "sketch/vectors_at_angle_test.h"
#include "verify/measures.h"

namespace sosie {
namespace {

constexpr std::uint64_t kSeeds = 40;
constexpr std::size_t kPlantedPairs = 64;  // by one seed, at one distance
constexpr std::size_t kDimension = 64;
// The functions of a rotation, and sign normals, are nearly independent.
constexpr double kSlack = 0.01;

struct Planted {
  std::string_view family;
  int bands;
  int rows;
  std::vector<double> distances;  // in the unit of the family: degrees, segments, parts of the bits
  double cells = 1;               // more: multi-probe
};

// Every family of vectors: a new family is tested in the same way as others with its distance. The
// distances are where the S-curve rises, and at both ends.
std::vector<Planted> planted_by_every_family() {
  std::vector<Planted> all;
  for (const HashFamily& family : hash_families()) {
    if (family.form == FunctionForm::minhash || family.form == FunctionForm::bit_samples ||
        family.form == FunctionForm::squares) {
      continue;
    }
    if (family.form == FunctionForm::polytopes) {
      all.push_back({family.name, 4, 1, {10, 30, 45, 70}});
      all.push_back({family.name, 3, 2, {10, 30, 45, 70}, 2});
    } else if (family.distance == "angle") {
      all.push_back({family.name, 6, 5, {8, 30, 50, 80}});
    } else {
      all.push_back({family.name, 5, 2, {.2, .6, 1.2, 3}});
    }
  }
  return all;
}

double length_of(const Vector& x, bool by_sum) {
  double length = 0;
  for (const double component : x) length += by_sum ? std::fabs(component) : component * component;
  return by_sum ? length : std::sqrt(length);
}

// Two vectors at this distance in the family, with a random location and direction.
std::vector<Vector> pair_at(const HashFamily& family, double distance, std::uint64_t seed) {
  if (family.distance == "angle") return vectors_at_angle(distance, kDimension, seed);
  Vector from(kDimension);
  Vector step(kDimension);
  for (std::size_t k = 0; k < kDimension; ++k) {
    from[k] = 5 * standard_normal(seed + 1000, k);
    step[k] = standard_normal(seed + 2000, k);
  }
  const double length = length_of(step, family.distance == "manhattan");
  Vector to(kDimension);
  for (std::size_t k = 0; k < kDimension; ++k) to[k] = from[k] + step[k] * distance / length;
  return {from, to};
}

// Rows 2i and 2i + 1 form a pair.
VectorColumn planted_vectors(const HashFamily& family, double distance, std::uint64_t seed) {
  std::vector<double> components;
  for (std::size_t i = 0; i < kPlantedPairs; ++i) {
    for (const Vector& x : pair_at(family, distance, 1'000'000 * seed + 5000 * i)) {
      components.insert(components.end(), x.begin(), x.end());
    }
  }
  return {2 * kPlantedPairs, kDimension, std::move(components)};
}

BitColumn planted_bits(std::size_t bits, double distance, std::uint64_t seed) {
  BitColumn column{2 * kPlantedPairs, bits, bits / 64, {}};
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < kPlantedPairs; ++i) {
    const std::size_t left = column.data.size();
    for (std::size_t w = 0; w < column.words; ++w) column.data.push_back(random64(seed, next++));
    std::vector<std::size_t> places(bits);
    for (std::size_t k = 0; k < bits; ++k) places[k] = k;
    for (std::size_t w = 0; w < column.words; ++w) column.data.push_back(column.data[left + w]);
    const auto flips = static_cast<std::size_t>(std::lround(distance * static_cast<double>(bits)));
    for (std::size_t k = 0; k < flips; ++k) {
      std::swap(places[k], places[k + random64(seed, next++) % (bits - k)]);
      const std::size_t at = left + column.words + places[k] / 64;
      column.data[at] ^= std::uint64_t{1} << (places[k] % 64);
    }
  }
  return column;
}

// True if, in every function of a band, the nearest vertex of one row is near the other row.
bool is_near(const HashedItems& items, std::size_t own, std::size_t other, std::size_t rows) {
  for (std::size_t f = 0; f < rows; ++f) {
    if ((items.near[other + f] >> items.cells[own + f] & 1) == 0) return false;
  }
  return true;
}

// Share of the pairs that share a bucket.
double candidate_rate(const HashedItems& items, const LshPlan& plan) {
  const auto bands = static_cast<std::size_t>(plan.bands);
  const auto rows = static_cast<std::size_t>(plan.rows);
  double met = 0;
  for (std::size_t i = 0; i < kPlantedPairs; ++i) {
    bool meet = false;
    for (std::size_t band = 0; band < bands; ++band) {
      const std::size_t left = 2 * i * bands + band;
      const std::size_t right = left + bands;
      meet = meet || (items.cells.empty() ? items.keys[left] == items.keys[right]
                                          : is_near(items, left * rows, right * rows, rows) ||
                                                is_near(items, right * rows, left * rows, rows));
    }
    met += meet ? 1 : 0;
  }
  return met / kPlantedPairs;
}

// Compares the mean rate over several seeds with the law. All pairs of a seed use the same
// functions, so the error is estimated from the variation between seeds.
void expect_rate(const std::vector<double>& rates, double law, const std::string& about) {
  double sum = 0;
  double squares = 0;
  for (const double rate : rates) {
    sum += rate;
    squares += rate * rate;
  }
  const auto count = static_cast<double>(rates.size());
  const double mean = sum / count;
  const double among_seeds = std::sqrt(std::max(0.0, squares / count - mean * mean) / count);
  const double of_pairs = std::sqrt(law * (1 - law) / (count * kPlantedPairs));
  EXPECT_NEAR(mean, law, 4 * std::max(among_seeds, of_pairs) + kSlack) << about;
}

LshTask task_of(const HashFamily& family, double cells) {
  LshTask task;
  task.collision = family.collision_probability;
  task.in_segments = is_in_segments(family);
  task.probes = {cells, near_one_collision, near_both_collision};
  return task;
}

LshPlan plan_of(const HashFamily& family, const Planted& planted) {
  LshPlan plan;
  plan.bands = planted.bands;
  plan.rows = planted.rows;
  plan.segment = is_in_segments(family) ? 1 : 0;
  plan.cells = planted.cells;
  plan.family = &family;
  return plan;
}

TEST(PlantedPairs, T4_4_VectorsOfEveryFamilyMeetAsTheSCurveSays) {
  ThreadPool pool(2, nullptr);
  for (const Planted& planted : planted_by_every_family()) {
    const HashFamily& family = *hash_family_by_name(planted.family);
    const LshPlan plan = plan_of(family, planted);
    const LshTask task = task_of(family, planted.cells);
    for (const double distance : planted.distances) {
      std::vector<double> rates;
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const VectorColumn column = planted_vectors(family, distance, seed);
        const auto rows = static_cast<RowId>(column.rows);
        rates.push_back(
            candidate_rate(hashes_of(column, {0, rows}, {&family, plan, seed}, pool), plan));
      }
      expect_rate(rates, candidate_at(task, plan, distance),
                  std::string(family.name) + " at " + std::to_string(distance));
    }
  }
}

// Positions are drawn with replacement, so the law is exact for any number of bits.
TEST(PlantedPairs, T4_4_BitStringsMeetAsTheSCurveSays) {
  ThreadPool pool(2, nullptr);
  const HashFamily& family = *hash_family_by_name("bit-sampling");
  const auto measure = std::make_shared<BitMeasure>(*bit_measure("hamming"));
  BitSettings settings;
  settings.made_measure = measure;
  settings.measure = measure.get();
  for (const std::size_t bits : {64U, 256U}) {
    const Planted planted{"bit-sampling", 8, 10, {1.0 / 16, 1.0 / 8, 3.0 / 16, 5.0 / 16}};
    const LshPlan plan = plan_of(family, planted);
    for (const double distance : planted.distances) {
      std::vector<double> rates;
      for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        settings.run.seed = seed;
        const BitColumn column = planted_bits(bits, distance, seed);
        rates.push_back(candidate_rate(BitLsh(column, settings, pool, plan).hashes(), plan));
      }
      expect_rate(rates, candidate_at(task_of(family, 1), plan, distance),
                  std::to_string(bits) + " bits at " + std::to_string(distance));
    }
  }
}

}  // namespace
}  // namespace sosie
