#include "options/families.h"

#include <gtest/gtest.h>

#include <optional>

#include "candidates/generators.h"
#include "core/find_by_name.h"
#include "sketch/hash_families.h"
#include "sosie/options.h"
#include "verify/bit_measures.h"
#include "verify/measures.h"
#include "verify/vector_measures.h"

namespace sosie {
namespace {

// The distance that a measure's sketch must be sensitive to; nothing when there is no such measure.
std::optional<std::string_view> distance_of(const Family& family) {
  if (family.kind == "vectors") {
    if (find_by_name(vector_measures(), family.measure) == nullptr) return std::nullopt;
    return family.measure == "cosine" ? "angle" : family.measure;
  }
  if (family.kind == "bits") {
    if (bit_measure_by_name(family.measure) == nullptr) return std::nullopt;
    return family.measure;
  }
  const Measure* measure = measure_by_name(family.measure);
  if (measure == nullptr) return std::nullopt;
  return measure->distance;
}

TEST(Families, NameOnlyPartsThatExist) {
  for (const Family& family : families()) {
    const auto distance = distance_of(family);
    ASSERT_TRUE(distance.has_value()) << family.kind << " " << family.measure;
    EXPECT_EQ(family.takes("lsh"), !family.sketch.empty());
    if (!family.sketch.empty()) {
      const HashFamily* sketch = hash_family_by_name(family.sketch);
      ASSERT_NE(sketch, nullptr) << family.sketch;
      EXPECT_EQ(sketch->distance, *distance);
    }
    for (const std::string_view method : family.methods) {
      EXPECT_TRUE(method.empty() || generator_by_method(method) != nullptr) << method;
    }
    EXPECT_EQ(find_family(family.kind, family.measure), &family);
  }
  EXPECT_EQ(find_family("vectors", "jaccard"), nullptr);
}

TEST(Families, HaveARowForEveryMeasure) {
  for (const VectorMeasure& measure : vector_measures()) {
    EXPECT_NE(find_family("vectors", measure.name), nullptr) << measure.name;
  }
  for (const BitMeasure& measure : bit_measures()) {
    EXPECT_NE(find_family("bits", measure.name), nullptr) << measure.name;
  }
}

// What --method takes is auto and the methods of the table.
TEST(Families, EveryMethodIsAChoiceOfTheOption) {
  std::string choices = "auto";
  for (const Generator& generator : generators()) choices += "|" + std::string(generator.method);
  EXPECT_EQ(find_option("method")->choices, choices);
}

TEST(Families, CollideLessWithDistance) {
  for (const HashFamily& family : hash_families()) {
    EXPECT_DOUBLE_EQ(family.collision_probability(0), 1);
    double last = 1;
    for (int i = 1; i <= 10; ++i) {
      const double p = family.collision_probability(i / 10.0);
      EXPECT_LE(p, last);
      last = p;
    }
  }
}

}  // namespace
}  // namespace sosie
