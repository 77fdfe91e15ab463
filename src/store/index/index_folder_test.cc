// Tests that an index on disk finds the items that were added, and that no flipped bit makes it
// find anything else.
#include "store/index/index_folder.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/mix64.h"
#include "sosie/error.h"
#include "store/index/index_on_disk_test.h"
#include "store/index/merge_runs.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T number = 0;
  if (at <= bytes.size() && bytes.size() - at >= sizeof number) {
    std::memcpy(&number, bytes.data() + at, sizeof number);
  }
  return number;
}

// Writes the correct checksum of [begin, end) after it, or at another place.
void repair(std::string& bytes, std::size_t begin, std::size_t end, std::uint64_t seed,
            std::size_t place) {
  if (begin > end || place > bytes.size() || end > bytes.size() || bytes.size() - place < 8) return;
  const std::uint64_t checksum = XXH3_64bits_withSeed(bytes.data() + begin, end - begin, seed);
  std::memcpy(bytes.data() + place, &checksum, sizeof checksum);
}

constexpr std::size_t kTrailer = 28;

// Sizes of the blocks of a run according to its footer: groups of signatures, items, keys.
std::vector<std::uint64_t> block_sizes(const std::string& bytes, std::size_t footer) {
  std::vector<std::uint64_t> sizes;
  std::size_t at = footer + 12;
  const auto bands = number_at<std::uint32_t>(bytes, footer + 4);
  for (std::uint32_t list = 0; list <= bands + 1 && at < bytes.size(); ++list) {
    if (list > 0) at += 8;  // entries
    const auto count = number_at<std::uint64_t>(bytes, at);
    if (count > bytes.size()) break;
    const std::size_t firsts = at + 8;
    at = firsts + count * (list == 0 ? 4 : 8);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t size = number_at<std::uint32_t>(bytes, at + 4 * i);
      if (list == 0) {
        const FilterGroups groups(number_at<std::uint32_t>(bytes, firsts + 4 * i),
                                  number_at<std::uint32_t>(bytes, footer + 8));
        if (groups.bytes() > size) return sizes;
        for (std::uint64_t j = 0; j < groups.groups(); ++j) sizes.push_back(groups.bytes_of(j));
        size -= groups.bytes();
      }
      sizes.push_back(size);
    }
    at += 4 * count;
  }
  return sizes;
}

void repair_run(std::string& bytes) {
  const std::size_t trailer = bytes.size() - kTrailer;
  const auto length = number_at<std::uint64_t>(bytes, trailer);
  if (length > trailer) return;
  const std::size_t footer = trailer - length;
  std::size_t at = 12;
  for (const std::uint64_t size : block_sizes(bytes, footer)) {
    if (size < 8 || size > footer - at) break;
    repair(bytes, at, at + size - 8, at, at + size - 8);
    at += size;
  }
  repair(bytes, footer, trailer, footer, trailer + 8);
}

void repair_log(std::string& bytes) {
  for (std::size_t at = 1536; at + 16 <= bytes.size();) {
    const auto length = number_at<std::uint64_t>(bytes, at);
    if (length > bytes.size() - at - 16) return;
    repair(bytes, at + 16, at + 16 + length, at, at + 8);
    at += 16 + length;
  }
}

// Changes of its files.
class ChangedIndex : public IndexOnDisk {
 protected:
  // True if the index is safe when a file has these bytes: opening or reading it fails or gives
  // `plain`, and check() does not consider it intact.
  [[nodiscard]] bool is_safe(const fs::path& path, const std::string& bytes,
                             const std::map<std::string, std::uint64_t>& plain) const {
    put(path, bytes);
    try {
      if (contents_of(IndexFolder(folder()), 10) != plain) return false;
    } catch (const Error&) {
    }
    try {
      IndexFolder(folder()).check();
    } catch (const Error&) {
      return true;
    }
    return false;
  }

  // False if everything in the index can be read.
  [[nodiscard]] bool is_refused() const {
    try {
      const IndexFolder index(folder());
      (void)contents_of(index, 10);
      index.check();
      return false;
    } catch (const Error&) {
      return true;
    }
  }

  // Places in a file at which flipping the lowest or another bit is not detected.
  [[nodiscard]] std::vector<std::size_t> unsafe_places(const fs::path& path) const {
    const auto plain = contents_of(IndexFolder(folder()), 10);
    const std::string bytes = bytes_of(path);
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
      if (!is_safe(path, changed, plain)) places.push_back(at);
    }
    put(path, bytes);
    return places;
  }
};

std::vector<std::uint64_t> numbers_from(const IndexFolder& index, std::uint64_t first) {
  std::vector<std::uint64_t> numbers;
  index.for_each([&](const IndexItem& item) { numbers.push_back(item.number); }, first);
  return numbers;
}

TEST_F(IndexOnDisk, HandsOverTheItemsFromANumberOn) {
  constexpr std::uint64_t kRuns = 1400;
  constexpr std::uint64_t kAll = 1420;
  build(kRuns, kAll - kRuns);
  IndexWriter writer(folder(), {std::uint64_t{1} << 30});
  IndexBuffer buffer;
  for (std::uint64_t number = 3; number < kAll; number += 7) {
    EXPECT_TRUE(writer.remove(*writer.folder().find_name(id_of(number), buffer)));
  }
  writer.commit(kAll);
  const IndexFolder index(folder());
  ASSERT_GT(index.runs().front()->item_blocks(), 4U);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t first = kAll; first-- > 0;) {
    if (first % 7 != 3) expected.insert(expected.begin(), first);
    ASSERT_EQ(numbers_from(index, first), expected) << first;
  }
  EXPECT_TRUE(numbers_from(index, kAll).empty());
}

TEST_F(IndexOnDisk, FindsItemsOfRunsAndLog) {
  build(30, 10);
  const IndexFolder index(folder());
  EXPECT_EQ(numbers_found(index, 33),
            (std::vector<std::uint64_t>{1, 5, 9, 13, 17, 21, 25, 29, 33, 37}));
  IndexBuffer buffer;
  EXPECT_EQ(index.item(*index.find_name("id 12", buffer), buffer).number, 12U);
  EXPECT_FALSE(index.find_name("id 40", buffer));
  index.check();
}

// A service keeps its buffers while runs are freed and new ones created, often at the same address.
TEST_F(IndexOnDisk, ABufferIsOfNoRunThatHasComeInPlaceOfAnother) {
  build(30, 0);
  const std::string other = (root_ / "other").string();
  fs::rename(folder(), other);
  {
    IndexWriter writer(folder(), manifest(), {std::uint64_t{1} << 30});
    add(writer, 30, 60);
    writer.commit(60);
  }
  IndexBuffer buffer;
  for (int round = 0; round < 40; ++round) {
    const IndexFolder index(round % 2 == 0 ? other : folder());
    const std::uint64_t first = round % 2 == 0 ? 0 : 30;
    EXPECT_EQ(index.item({0, 0}, buffer).number, first);
    EXPECT_EQ(index.filter({0, 0}, buffer), filter_of(first));
  }
}

TEST_F(IndexOnDisk, KnowsWhereItsItemsAre) {
  build(30, 10);
  const IndexFolder index(folder());
  EXPECT_EQ(index.items(), 40U);
  EXPECT_EQ(index.next_number(), 40U);
  EXPECT_EQ(index.runs().size(), 1U);
  EXPECT_EQ(index.log_items().size(), 10U);
}

TEST_F(IndexOnDisk, MemoryAndThreadsMakeTheSameRun) {
  constexpr std::uint64_t kMany = 20'000;  // more than the log can hold
  const auto files_of = [&](const std::string& path, std::uint64_t memory, unsigned threads = 1) {
    IndexWriter::Limits limits{memory};
    limits.threads = threads;
    IndexWriter writer(path, manifest(), limits);
    add(writer, 0, kMany);
    writer.commit(kMany);
    EXPECT_EQ(writer.folder().runs().size(), 1U);
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(path)) {
      files[entry.path().filename()] = bytes_of(entry.path());
    }
    return files;
  };
  const auto files = files_of(folder(), std::uint64_t{1} << 30);
  EXPECT_EQ(files.size(), 3U);
  EXPECT_TRUE(files == files_of(folder() + "-2", 200'000));  // 390 keys per band at a time
  EXPECT_TRUE(files == files_of(folder() + "-3", 200'000, 3));
  EXPECT_TRUE(files == files_of(folder() + "-4", std::uint64_t{1} << 30, 3));
}

TEST_F(IndexOnDisk, KeepsNoChangeThatWasNotCommitted) {
  build(30, 10);
  {
    IndexWriter writer(folder(), {std::uint64_t{1} << 30});
    add(writer, 40, 20'000);  // more than the log can hold
  }
  EXPECT_EQ(IndexFolder(folder()).items(), 40U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 3);
}

TEST_F(IndexOnDisk, SaysTheSameBehindMerges) {
  build(100, 0);
  IndexWriter writer(folder(), {std::uint64_t{1} << 20});
  add(writer, 100, 9'000);
  writer.commit(9'000);
  remove(writer, {3, 99, 100, 8'999});
  writer.commit(9'000);
  EXPECT_LE(writer.folder().runs().size(), 4U);
  const auto before = contents_of(writer.folder(), 12);
  writer.compact();
  EXPECT_EQ(writer.folder().items(), 8'996U);
  EXPECT_EQ(contents_of(writer.folder(), 12), before);
  writer.folder().check();
}

TEST_F(ChangedIndex, EveryFlippedBitIsFoundAndChangesNoAnswer) {
  build(6, 3);
  for (const auto& entry : fs::directory_iterator(folder())) {
    EXPECT_EQ(unsafe_places(entry.path()), std::vector<std::size_t>{}) << entry.path();
  }
}

TEST_F(IndexOnDisk, ATailOfTheLogThatNobodyWasToldOfIsLeftOut) {
  build(6, 3);
  const fs::path log = IndexFolder(folder()).log().path();
  put(log, bytes_of(log) + std::string(700, 'x'));
  const IndexFolder index(folder());
  EXPECT_EQ(index.items(), 9U);
  EXPECT_EQ(index.log().torn_bytes(), 700U);
  index.check();
}

TEST_F(IndexOnDisk, ATailOfTheLogIsCutOffByTheNextWriter) {
  build(6, 3);
  const fs::path log = IndexFolder(folder()).log().path();
  put(log, bytes_of(log) + std::string(5, '\0'));
  IndexWriter writer(folder(), {std::uint64_t{1} << 30});
  add(writer, 9, 11);
  writer.commit(11);
  EXPECT_EQ(IndexFolder(folder()).items(), 11U);
  EXPECT_EQ(IndexFolder(folder()).log().torn_bytes(), 0U);
}

TEST(Merges, LeaveFewRunsEachMuchLargerThanTheNext) {
  using Items = std::vector<std::uint64_t>;
  EXPECT_EQ(first_to_merge(Items{}), 0U);
  EXPECT_EQ(first_to_merge(Items{10}), 0U);
  EXPECT_EQ(first_to_merge(Items{40, 10}), 1U);
  EXPECT_EQ(first_to_merge(Items{39, 10}), 0U);
  EXPECT_EQ(first_to_merge(Items{1000, 39, 10}), 1U);
  EXPECT_EQ(first_to_merge(Items{100'000, 10'000, 1'000, 100, 10}), 3U);
}

// If checksums are forged as well, the result is an error or an index with other contents.
TEST_F(ChangedIndex, HostileFilesAreRefusedOrRead) {
  build(6, 3);
  const fs::path manifest = fs::path(folder()) / "MANIFEST";
  const fs::path run = fs::path(folder()) / "run-00000001";
  const fs::path log = IndexFolder(folder()).log().path();
  const std::array plain = {bytes_of(manifest), bytes_of(run), bytes_of(log)};
  int refused = 0;
  constexpr int kTries = 3'000;
  for (std::uint64_t i = 0; i < kTries; ++i) {
    std::array bytes = plain;
    std::string& changed = bytes[i % 3];
    for (std::uint64_t j = 0; j <= i % 4; ++j) {
      changed[random64(i, 2 * j) % changed.size()] = static_cast<char>(random64(i, 2 * j + 1));
    }
    repair_run(bytes[1]);
    repair_log(bytes[2]);
    const std::size_t place = bytes[1].size() - kTrailer + 8;
    const std::size_t at = bytes[0].find(plain[1].substr(place, 8));
    if (at != std::string::npos) bytes[0].replace(at, 8, bytes[1].substr(place, 8));
    repair(bytes[0], 0, bytes[0].size() - 8, 0, bytes[0].size() - 8);
    put(manifest, bytes[0]);
    put(run, bytes[1]);
    put(log, bytes[2]);
    refused += is_refused() ? 1 : 0;
  }
  EXPECT_GT(refused, kTries / 4);
  EXPECT_LT(refused, kTries);
}

std::string golden_index(const std::string& version) {
  return SOSIE_SOURCE_DIR "/tests/golden/index-" + version;
}

// Hash, elements and filter signature of each item, by name.
std::map<std::string, std::string> items_of(const IndexFolder& index) {
  std::map<std::string, std::string> items;
  IndexBuffer buffer;
  index.for_each([&](const IndexItem& item) {
    std::string& said = items[item.name()];
    said = std::to_string(item.hash.high) + std::string(item.elements);
    if (item.size > 0) said += index.filter(*index.find_name(item.name(), buffer), buffer);
  });
  return items;
}

// Files of every version must remain readable. Later versions are version 1, compacted.
TEST(GoldenIndex, OfEachVersionIsRead) {
  for (const char* version : {"1", "2", "3"}) {
    const IndexFolder index(golden_index(version));
    index.check();
    EXPECT_EQ(index.items(), 11U) << version;
    EXPECT_EQ(index.next_number(), 13U) << version;
    EXPECT_EQ(index.manifest().contents.plan.shingle, "words:2") << version;
    IndexBuffer buffer;
    EXPECT_TRUE(index.find_name("c3", buffer)) << version;
    EXPECT_TRUE(index.find_name("late", buffer)) << version;
    EXPECT_FALSE(index.find_name("c5", buffer)) << version;
  }
}

TEST_F(IndexOnDisk, ARunOfAnEarlierVersionBecomesOneOfTheLast) {
  const auto version_of = [](const IndexFolder& index) {
    return bytes_of(index.runs().front()->path()).substr(10, 1);
  };
  const auto items = items_of(IndexFolder(golden_index("3")));
  for (const std::string version : {"1", "2"}) {
    const IndexFolder earlier(golden_index(version));
    EXPECT_EQ(version_of(earlier), version);
    EXPECT_EQ(items_of(earlier), items);
    fs::remove_all(folder());
    fs::copy(earlier.path(), folder());
    IndexWriter writer(folder(), {std::uint64_t{1} << 30});
    writer.compact();
    EXPECT_EQ(version_of(writer.folder()), "3");
    EXPECT_EQ(items_of(writer.folder()), items);
    IndexBuffer buffer;
    EXPECT_TRUE(writer.remove(*writer.folder().find_name("c3", buffer)));
    writer.compact();
    const IndexFolder index(folder());
    index.check();
    auto without = items;
    without.erase("c3");
    EXPECT_EQ(items_of(index), without);
  }
}

}  // namespace
}  // namespace sosie
