#include "corpus/items/item_places.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>
#include <vector>

#include "corpus/rank_rows.h"
#include "options/formats.h"

namespace sosie {
namespace {

// Two files of lines that contain no bytes.
Inputs two_files() {
  Inputs inputs;
  for (const char* name : {"a.txt", "b.txt"}) {
    InputFile file;
    file.name = name;
    file.format = format_by_name("txt");
    inputs.list.push_back(file);
    inputs.files.push_back(File::in_memory(name, 0));
  }
  return inputs;
}

struct Placed {
  RowLocator place;
  RowState state;
};

std::vector<Placed> rows_of(const Corpus& corpus) {
  std::vector<Placed> rows;
  for (std::size_t block = 0; block < corpus.facts.size(); ++block) {
    corpus.for_each_row(block, [&](RowId row, const RowLocator& place, RowState state) {
      EXPECT_EQ(row, rows.size());
      rows.push_back({place, state});
    });
  }
  return rows;
}

// Stretches of rows of the same length, so long, short and single rows follow each other.
RC_GTEST_PROP(ItemPlaces, AreTheRowsThatWereAdded, ()) {
  const Inputs inputs = two_files();
  Corpus corpus;
  PlaceWriter writer(inputs, corpus);
  std::vector<Placed> expected;
  for (std::uint32_t file = 0; file < 2; ++file) {
    writer.begin_file(file);
    std::uint64_t offset = 0;
    for (int stretch = *rc::gen::inRange(0, 6); stretch > 0; --stretch) {
      const auto rows = *rc::gen::element(1, 2, 7, 5000, 70000);
      const auto length = *rc::gen::inRange(1U, 4U);
      const bool has_bad = *rc::gen::inRange(0, 3) == 0;
      for (int i = 0; i < rows; ++i, offset += length) {
        const RowLocator place{offset, length, file};
        const bool bad = has_bad && i % 5 == 3;
        expected.push_back({place, bad ? RowState::skipped : RowState::normal});
        if (bad) {
          writer.add_bad({place, offset, "why"}, true);
        } else {
          writer.add(place);
        }
      }
    }
  }
  const std::vector<Placed> found = rows_of(corpus);
  RC_ASSERT(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const RowLocator& place = expected[i].place;
    RC_ASSERT(found[i].place.offset == place.offset && found[i].place.length == place.length &&
              found[i].place.file == place.file && found[i].state == expected[i].state);
    if (i % 997 != 0) continue;
    const RowLocator again = corpus.locator(static_cast<RowId>(i));
    RC_ASSERT(again.offset == place.offset && again.file == place.file);
    RC_ASSERT(corpus.state(static_cast<RowId>(i)) == expected[i].state);
  }
}

TEST(ItemPlaces, OfRowsOfOneLengthTakeNoMemory) {
  const Inputs inputs = two_files();
  Corpus corpus;
  PlaceWriter writer(inputs, corpus);
  writer.begin_file(0);
  for (std::uint64_t row = 0; row < 1000000; ++row) writer.add({17 * row, 17, 0});
  writer.add({17000000, 16, 0});  // the last line has no line end
  std::size_t kept = 0;
  for (const ScannedBlock& block : corpus.blocks) {
    kept += block.locators.size() + block.states.size();
  }
  EXPECT_LE(kept, 1U);
  EXPECT_EQ(corpus.rows, 1000001U);
  EXPECT_EQ(corpus.locator(1000000).offset, 17000000U);
}

TEST(ItemPlaces, SayWhichRowsTakeNoPart) {
  Inputs inputs = two_files();
  inputs.first_own_file = 1;
  Corpus corpus;
  PlaceWriter writer(inputs, corpus);
  writer.begin_file(0);
  writer.add({0, 4, 0});
  writer.begin_file(1);
  writer.add_bad({{0, 4, 1}, 2, "why"}, false);
  writer.add({4, 4, 1});
  writer.add_bad({{8, 4, 1}, 8, "why not"}, true);
  writer.add_blank_line();
  EXPECT_EQ(corpus.first_own_row, 1U);
  Settings settings;
  settings.keep = {KeepRule{}};
  EXPECT_EQ(rank_rows(corpus, settings), (std::vector<RowId>{0, 2}));
  EXPECT_EQ(corpus.state(1), RowState::unmatched);
  EXPECT_EQ(corpus.state(3), RowState::skipped);
  const BlockFacts& facts = corpus.facts.back();
  EXPECT_EQ(facts.rows, 3U);
  EXPECT_EQ(facts.skipped, 1U);
  EXPECT_EQ(facts.unmatched, 1U);
  EXPECT_EQ(facts.blank_lines, 1U);
  std::vector<std::string> reasons;
  corpus.for_each_bad_row([&](const BadRow& bad) { reasons.push_back(bad.reason); });
  EXPECT_EQ(reasons, (std::vector<std::string>{"why", "why not"}));
}

}  // namespace
}  // namespace sosie
