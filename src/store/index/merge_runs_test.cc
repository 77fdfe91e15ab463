// Tests merging runs while the index changes.
#include "store/index/merge_runs.h"

#include <algorithm>
#include <iterator>

#include "store/index/index_on_disk_test.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

TEST_F(IndexOnDisk, AMergeBesideChangesTakesNothingAndBringsNothingBack) {
  build(10, 0);
  IndexWriter writer(folder(), merging_later());
  add_run(writer);
  add_run(writer);
  EXPECT_EQ(writer.folder().runs().size(), 3U);
  remove(writer, {3, 12});
  add(writer, 30, 35);
  writer.commit(35);
  const auto merge = writer.begin_merge();
  ASSERT_TRUE(merge);
  remove(writer, {0, 5, 11, 29, 31});
  add(writer, 35, 37);
  writer.commit(37);
  add_run(writer);
  remove(writer, {6, 34, 40});
  add(writer, 47, 49);
  writer.commit(49);
  const auto before = contents_of(IndexFolder(folder()), 60);
  merge->run(nullptr);
  writer.end_merge(*merge);
  EXPECT_EQ(writer.folder().runs().size(), 2U);
  EXPECT_EQ(writer.folder().runs().front()->items(), 28U);
  EXPECT_EQ(writer.folder().items(), 39U);
  EXPECT_EQ(contents_of(writer.folder(), 60), before);
  EXPECT_EQ(contents_of(IndexFolder(folder()), 60), before);
  remove(writer, {7, 48});
  writer.commit(49);
  EXPECT_EQ(IndexFolder(folder()).items(), 37U);
  IndexFolder(folder()).check();
}

TEST_F(IndexOnDisk, AMergeOfRunsThatAreNoMoreHasNoEffect) {
  build(10, 0);
  IndexWriter writer(folder(), merging_later());
  add_run(writer);
  const auto merge = writer.begin_merge();
  ASSERT_TRUE(merge);
  remove(writer, {1, 13});
  writer.commit(20);
  merge->run(nullptr);
  writer.compact();
  const auto before = contents_of(writer.folder(), 25);
  writer.end_merge(*merge);
  EXPECT_EQ(contents_of(IndexFolder(folder()), 25), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 3);
  EXPECT_FALSE(writer.begin_merge());
}

TEST_F(IndexOnDisk, AMergeOfRemovedItemsLeavesNoRun) {
  build(10, 0);
  IndexWriter writer(folder(), merging_later());
  for (int i = 0; i < 5; ++i) add_run(writer);
  for (std::uint64_t number = 0; number < 60; ++number) remove(writer, {number});
  writer.commit(60);
  const auto merge = writer.begin_merge();
  ASSERT_TRUE(merge);  // there are too many runs
  merge->run(nullptr);
  writer.end_merge(*merge);
  EXPECT_EQ(IndexFolder(folder()).runs().size(), 3U);
  EXPECT_EQ(IndexFolder(folder()).items(), 0U);
  EXPECT_EQ(IndexFolder(folder()).next_number(), 60U);
}

}  // namespace
}  // namespace sosie
