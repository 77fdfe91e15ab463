// Tests of the hashed join of vectors, compared with the keys and sketches of each vector.
#include "join/vectors/vector_lsh.h"

#include <gtest/gtest.h>

#include "corpus/items/sketched_items.h"
#include "join/pairs_by_hashes_test.h"
#include "join/vectors/vectors_test.h"
#include "sketch/hash_families.h"

namespace sosie {
namespace {

struct FamilyCase {
  const char* family;
  const char* measure;
  Rational bound;
  double segment = 0;
  double cells = 1;  // more: multi-probe
};

constexpr FamilyCase kFamilies[] = {{"hyperplane", "cosine", {9, 10}},
                                    {"hyperplane-signs", "angle", {25, 1}},
                                    {"hyperplane-rotation", "cosine", {9, 10}},
                                    {"cross-polytope", "cosine", {4, 5}},
                                    {"cross-polytope", "cosine", {4, 5}, 0, 2},
                                    {"gaussian-segments", "euclidean", {9, 1}, 20},
                                    {"cauchy-segments", "manhattan", {20, 1}, 60}};

VectorSettings settings_of(const FamilyCase& family) {
  VectorSettings settings;
  settings.measure = vector_measure(family.measure);
  settings.bound = {{family.measure, "", settings.measure->is_similarity}, family.bound};
  settings.run.memory_bytes = std::uint64_t{1} << 27;
  settings.run.seed = 5;
  return settings;
}

LshPlan plan_of(const FamilyCase& family, int bands) {
  LshPlan plan;
  plan.bands = bands;
  plan.rows = family.cells > 1 ? 2 : 3;
  plan.segment = family.segment;
  plan.cells = family.cells;
  plan.sketch_bits = 128;
  plan.most_different = 45;
  plan.family = hash_family_by_name(family.family);
  return plan;
}

class VectorLshOf : public testing::TestWithParam<FamilyCase> {};

TEST_P(VectorLshOf, FindsThePairsThatShareAKeyAndReachTheBound) {
  constexpr RowId kRows = 250;
  const TestVectors vectors = random_vectors(4, kRows, 24, ComponentType::int8);
  const VectorSettings settings = settings_of(GetParam());
  const LshPlan plan = plan_of(GetParam(), 4);
  ThreadPool pool(2, nullptr);
  Scratch scratch("/tmp");
  VectorLsh lsh(vectors.all(), settings, pool, plan);
  lsh.hash(scratch, 0);
  const TestSides sides{vectors.all(), std::nullopt};
  const ValuedPairs near = pairs_within(sides, *settings.measure, settings.bound.bound);
  for_some_lists(kRows, [&](std::span<const RowId> rows, std::size_t split) {
    const ValuedPairs expected = pairs_by_hashes(lsh, rows, split, 45);
    EXPECT_EQ(joined_by(lsh, rows, split), expected);
    if (rows.size() < kRows) return;
    EXPECT_GT(expected.size(), near.size() / 3);
    EXPECT_TRUE(std::includes(near.begin(), near.end(), expected.begin(), expected.end()));
  });
}

// Keys depend neither on which bands and rows are hashed together nor on the threads.
TEST_P(VectorLshOf, HashesARowTheSameWayInAnyCompany) {
  constexpr RowId kRows = 90;
  const TestVectors vectors = random_vectors(6, kRows, 33, ComponentType::float32);
  const LshPlan plan = plan_of(GetParam(), 5);
  const VectorHashing hashing{plan.family, plan, 7};
  ThreadPool alone(1, nullptr);
  ThreadPool pool(3, nullptr);
  const HashedItems whole = hashes_of(vectors.column, {0, kRows}, hashing, alone);
  ASSERT_EQ(whole.size(), kRows);
  const std::size_t functions = whole.cells.empty() ? 0 : 2;
  EXPECT_EQ(whole.cells.size(), functions * 5 * kRows);
  EXPECT_EQ(whole.keys.size(), functions > 0 ? 0 : 5 * kRows);
  EXPECT_EQ(whole.sketches.size(), 2 * kRows);
  for (RowId i = 0; i < kRows; ++i) EXPECT_EQ(whole.identities[i], identity_of(vectors.column, i));

  VectorBands bands(vectors.column, hashing, pool);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = kRows; row-- > 0;) {
    if (row % 3 > 0) rows.push_back(row);
  }
  for (const BandRange& some : {BandRange{0, 1}, BandRange{3, 5}, BandRange{1, 2}}) {
    bands.hash(some, rows, some.first == 0);
    const BandedRows& table = bands.table();
    ASSERT_EQ(table.bands, some.size());
    for (const std::uint32_t row : rows) {
      EXPECT_TRUE(
          std::equal(table.sketch_of(row), table.sketch_of(row) + 2, &whole.sketches[2 * row]));
      for (std::size_t band = 0; band < some.size(); ++band) {
        const std::size_t at = 5 * row + some.first + band;
        if (functions == 0) {
          ASSERT_EQ(table.keys_of(row)[band], whole.keys[at]);
          continue;
        }
        for (std::size_t f = 0; f < functions; ++f) {
          ASSERT_EQ(table.cells_of(row, band)[f], whole.cells[functions * at + f]);
          ASSERT_EQ(table.near_of(row, band)[f], whole.near[functions * at + f]);
        }
      }
    }
  }
}

TEST_P(VectorLshOf, GivesEqualVectorsEqualHashesWhateverTheirType) {
  const TestVectors integers = random_vectors(8, 40, 10, ComponentType::uint8);
  const auto& components = std::get<std::vector<std::uint8_t>>(integers.column.components);
  const VectorColumn floats{40, 10, std::vector<float>(components.begin(), components.end())};
  const LshPlan plan = plan_of(GetParam(), 3);
  ThreadPool pool(2, nullptr);
  const HashedItems a = hashes_of(integers.column, {0, 40}, {plan.family, plan, 1}, pool);
  const HashedItems b = hashes_of(floats, {0, 40}, {plan.family, plan, 1}, pool);
  EXPECT_EQ(a.identities, b.identities);
  EXPECT_EQ(a.keys, b.keys);
  EXPECT_EQ(a.cells, b.cells);
  EXPECT_EQ(a.sketches, b.sketches);
  const HashedItems other = hashes_of(floats, {0, 40}, {plan.family, plan, 2}, pool);
  EXPECT_TRUE(other.keys != b.keys || other.cells != b.cells) << "another seed";
}

TEST_P(VectorLshOf, FindsTheSamePairsInAnyMemory) {
  constexpr RowId kRows = 6000;
  const TestVectors vectors = random_vectors(10, kRows, 12, ComponentType::int8);
  const VectorSettings settings = settings_of(GetParam());
  const LshPlan plan = plan_of(GetParam(), 12);
  ThreadPool pool(2, nullptr);
  Scratch scratch("/tmp");
  std::vector<RowId> rows(1500);
  for (RowId i = 0; i < rows.size(); ++i) rows[i] = 4 * i;
  const auto joined_besides = [&](std::uint64_t bytes) {
    VectorLsh lsh(vectors.all(), settings, pool, plan);
    lsh.hash(scratch, bytes);
    return joined_by(lsh, rows, 500);
  };
  const ValuedPairs pairs = joined_besides(0);
  EXPECT_GT(pairs.size(), 100U);
  // Uses up memory until only five bands fit.
  const BandNeeds needs = needs_of_bands(vectors.column, plan, settings, pool, 0);
  const std::uint64_t wanted =
      needs.besides + (std::uint64_t{2} << 20) +
      kRows * (BandedJoin::kRowBytes + needs.grouped_bytes + 5 * needs.key_bytes);
  const std::uint64_t taken = settings.run.memory_bytes - wanted;
  const auto memory = memory_for_bands(needs_of_bands(vectors.column, plan, settings, pool, taken));
  EXPECT_EQ(memory.bands_kept, 5U);
  EXPECT_EQ(joined_besides(taken), pairs);
}

void PrintTo(const FamilyCase& each, std::ostream* out) { *out << each.family; }

INSTANTIATE_TEST_SUITE_P(Families, VectorLshOf, testing::ValuesIn(kFamilies), [](const auto& each) {
  std::string name = each.param.family;
  std::replace(name.begin(), name.end(), '-', '_');
  return name + (each.param.cells > 1 ? "_probed" : "");
});

}  // namespace
}  // namespace sosie
