// Tests that a run of records counts the pairs that it keeps.
#include "join/records/record_linker.h"

#include <gtest/gtest.h>

#include <string>

#include "core/mix64.h"
#include "corpus/items/value_numbers.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;

// Records in 20 blocks, each with a name and a block.
RecordTable table_of_blocks() {
  RecordTable table;
  table.left = 400;
  table.columns.resize(2);
  ValueNumbers names(table.columns[0]);
  ValueNumbers blocks(table.columns[1]);
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    names.add("name " + std::to_string(mix64(record / 2) % 1000));
    blocks.add("block " + std::to_string(record / 20));
  }
  return table;
}

LinkRules rules_of_blocks() {
  LinkRules rules;
  for (const char* name : {"name", "block"}) {
    LinkField& field = rules.fields.emplace_back();
    field.name = name;
    field.comparison = {FieldMeasure::jaro_winkler, {0.92, 0.8}};
  }
  rules.candidates.push_back({.kind = CandidateRule::Kind::equal, .fields = {1}});
  return rules;
}

TEST(RecordLinker, CountsTheBytesOfThePairsThatItKeeps) {
  const RecordTable table = table_of_blocks();
  const LinkRules rules = rules_of_blocks();
  ThreadPool pool(2, nullptr);
  Scratch scratch("/tmp");
  RecordLinker found(table, rules, kMemory, pool, scratch);
  found.find();
  RecordLinker linker(table, rules, kMemory, pool, scratch);
  linker.learn();
  const CandidateCounts& counts = linker.counts();
  EXPECT_EQ(counts.pairs, 20U * (20 * 19 / 2));
  EXPECT_TRUE(counts.kept.are_all);
  EXPECT_GE(counts.kept_bytes(), counts.pairs * sizeof(PatternPair));
  EXPECT_EQ(found.memory().left() - linker.memory().left(), counts.kept_bytes());
}

}  // namespace
}  // namespace sosie
