#include "pipeline/families.h"

#include <gtest/gtest.h>

#include "candidates/generators.h"
#include "sketch/hash_families.h"
#include "sosie/options.h"
#include "verify/measures.h"

namespace sosie {
namespace {

TEST(Families, NameOnlyPartsThatExist) {
  for (const Family& family : families()) {
    const Measure* measure = measure_by_name(family.measure);
    ASSERT_NE(measure, nullptr) << family.measure;
    EXPECT_EQ(family.takes("lsh"), !family.sketch.empty());
    if (!family.sketch.empty()) {
      const HashFamily* sketch = hash_family_by_name(family.sketch);
      ASSERT_NE(sketch, nullptr) << family.sketch;
      EXPECT_EQ(sketch->distance, measure->distance);
    }
    for (const std::string_view method : family.methods) {
      EXPECT_TRUE(method.empty() || generator_by_method(method) != nullptr) << method;
    }
    EXPECT_EQ(find_family(family.kind, family.measure), &family);
  }
  EXPECT_EQ(find_family("vectors", "jaccard"), nullptr);
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
