// Look-ups of sets in an index on disk find what a run over files would, no more.
#include "join/sets/index_lookup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/mix64.h"
#include "sketch/band_keys.h"
#include "store/index/index_on_disk_test.h"

namespace sosie {
namespace {

constexpr int kComponents = 64;
constexpr int kRowsOfBand = 40;

// A set with all that a look-up needs; it has the key of a single band.
struct Sketch {
  explicit Sketch(std::vector<std::uint64_t> elements, const Settings& settings)
      : set(std::move(elements)), keys(1), filter(kComponents) {
    std::vector<std::uint32_t> signature(kComponents);
    MinHasher(kComponents, settings.seed, settings.sketch).sketch(set, signature);
    band_keys(signature, kRowsOfBand, keys);
    filter_signature(signature, filter);
  }
  [[nodiscard]] SketchedSet view() const { return {set, keys, filter}; }
  [[nodiscard]] std::string item(std::uint64_t number) const {
    IndexItem item;
    item.number = number;
    item.is_kept = true;
    item.size = static_cast<std::uint32_t>(set.size());
    item.hash = {number, number};
    item.filter = {reinterpret_cast<const char*>(filter.data()), filter.size()};
    item.elements = {reinterpret_cast<const char*>(set.data()), set.size() * 8};
    return pack_item(item);
  }

  std::vector<std::uint64_t> set;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> filter;
};

std::vector<std::uint64_t> some_set(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> set;
  for (std::uint64_t i = first; i < first + count; ++i) set.push_back(mix64(i));
  std::sort(set.begin(), set.end());
  return set;
}

// Runs store the upper 32 bits of keys; they may be equal by chance.
TEST_F(IndexOnDisk, ASimilarItemWithoutACommonKeyIsNotFound) {
  Options options;
  set_option(options, "kind", "sets");
  set_option(options, "threshold", "0.5");
  options.inputs = {"unread.sets"};
  Settings settings = resolve(options);
  settings.method = Method::lsh;
  const Sketch asked(some_set(0, 100), settings);
  const Sketch near(some_set(10, 100), settings);
  ASSERT_NE(asked.keys, near.keys);
  IndexManifest made;
  made.contents.plan.banding = {kComponents, 1, kRowsOfBand, 0};
  IndexWriter writer(folder(), made, {std::uint64_t{1} << 30});
  const std::vector<std::uint64_t> by_chance{asked.keys[0] ^ 1};
  writer.add(near.item(0), by_chance);
  writer.add(asked.item(1), asked.keys);
  writer.commit(2);
  const IndexView view(writer.folder());
  const IndexLookup lookup(view, settings, nullptr);
  IndexLookup::Finder finder;
  std::vector<IndexHit> hits;
  lookup.find(asked.view(), finder, hits);
  EXPECT_EQ(finder.candidates.size(), 2U);
  EXPECT_EQ(finder.verified, 2U);
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits.front().number, 1U);
}

}  // namespace
}  // namespace sosie
