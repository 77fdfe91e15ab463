#include "verify/measures.h"

#include <gtest/gtest.h>

#include <set>

#include "candidates/generators.h"
#include "data/kinds.h"
#include "sketch/hash_families.h"

namespace sosie {
namespace {

TEST(MeasureTable, RowsAreUniqueForAKindAndTheirUsualParametersAreTaken) {
  for (const Kind& kind : kItemKinds) {
    std::set<std::string_view> names;
    for (const MeasureRow& row : measure_table()) {
      if (!has_any(row.kinds, kind.bit)) continue;
      EXPECT_TRUE(names.insert(row.name).second) << row.name;
      EXPECT_EQ(row.parameters.empty(), row.usual.empty()) << row.name;
      const std::string_view usual = row.usual.substr(0, row.usual.find(' '));
      const std::string typed =
          std::string(row.name) + (usual.empty() ? "" : ":") + std::string(usual);
      EXPECT_TRUE(typed_measure(typed, kind.bit)) << typed;
    }
    if (kind.bit == kRecordItems) {
      EXPECT_TRUE(names.empty());  // their fields have measures of their own
      continue;
    }
    EXPECT_TRUE(names.contains(default_measure(kind.bit)));
  }
}

// Everything that is hashed has a family, which is used only by lsh.
TEST(MeasureTable, WhatIsHashedHasAFamily) {
  for (const MeasureRow& row : measure_table()) {
    EXPECT_EQ(usual_hash_family(row.hashed_as) != nullptr, row.has_method(Method::lsh)) << row.name;
    for (const Generator& generator : generators()) {
      EXPECT_TRUE(row.has_method(generator.method) || generator.uses_bands);
    }
  }
}

TEST(MeasureTable, AMeasureIsForItsKindsOnly) {
  EXPECT_FALSE(typed_measure("jaccard", kVectorItems));
  EXPECT_FALSE(bit_measure("cosine"));
  EXPECT_FALSE(vector_measure("dice"));
  EXPECT_FALSE(set_measure("hamming"));
  EXPECT_FALSE(set_measure("dice", kBagItems));
  EXPECT_EQ(vector_measure("minkowski:2")->name, "euclidean");
  EXPECT_EQ(vector_measure("minkowski:1.0")->name, "manhattan");
  EXPECT_EQ(vector_measure("minkowski:3")->parameter, 3);
}

TEST(HashFamilies, CollideLessWithDistance) {
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
