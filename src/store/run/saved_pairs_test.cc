#include "store/run/saved_pairs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

namespace sosie {
namespace {

class SavedPairsTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  static void save(SavedPairs& saved, std::uint64_t key, std::uint32_t pairs,
                   std::uint64_t measured) {
    saved.begin(key);
    for (std::uint32_t i = 0; i < pairs; ++i) saved.add({i, i + 1, i / 4.0});
    saved.finish(measured);
  }

  // Counts the pairs of a join, which must be in order; -1 if the join is missing.
  static std::int64_t count(const SavedPairs& saved, std::uint64_t key, bool check = true) {
    std::int64_t pairs = 0;
    const auto measured = saved.load(
        key, [&](std::span<const SavedPair>) { return check; },
        [&](std::span<const SavedPair> some) {
          for (const SavedPair& pair : some) {
            EXPECT_EQ(pair.left, pairs);
            EXPECT_EQ(pair.value, static_cast<double>(pairs) / 4);
            ++pairs;
          }
        });
    return measured ? pairs : -1;
  }

  // A record of a join as it may occur in a file.
  static std::string record(std::uint64_t key, std::uint32_t part, bool is_last,
                            const std::string& pairs) {
    std::string bytes(21, '\0');
    std::memcpy(bytes.data(), &key, sizeof key);
    std::memcpy(bytes.data() + 16, &part, sizeof part);
    bytes[20] = is_last ? 1 : 0;
    return bytes + pairs;
  }

  std::string path_ = "/tmp/saved_pairs_test." + std::to_string(::getpid());
};

TEST_F(SavedPairsTest, GivesBackWholeJoinsToTheNextRun) {
  {
    SavedPairs saved(path_, 1);
    save(saved, 7, 200'000, 12345);
    save(saved, 8, 0, 3);
    saved.begin(9);  // then it is killed
    for (std::uint32_t i = 0; i < 70'000; ++i) saved.add({i, i + 1, i / 4.0});
  }
  const SavedPairs saved(path_, 1);
  EXPECT_EQ(saved.joins(), 2U);
  EXPECT_EQ(count(saved, 7), 200'000);
  EXPECT_EQ(count(saved, 8), 0);
  EXPECT_EQ(count(saved, 9), -1);
  EXPECT_EQ(count(saved, 7, false), -1);
  const auto none = [](std::span<const SavedPair>) { return true; };
  EXPECT_EQ(saved.load(7, none, [](std::span<const SavedPair>) {}), 12345U);
}

TEST_F(SavedPairsTest, FinishesAJoinThatWasKilledInTheMiddle) {
  {
    SavedPairs saved(path_, 1);
    saved.begin(7);
    for (std::uint32_t i = 0; i < 70'000; ++i) saved.add({i, i + 1, i / 4.0});
  }
  {
    SavedPairs saved(path_, 1);
    save(saved, 7, 150'000, 1);
  }
  EXPECT_EQ(count(SavedPairs(path_, 1), 7), 150'000);
}

TEST_F(SavedPairsTest, ForgetsJoinsOfOtherItems) {
  {
    SavedPairs saved(path_, 1);
    save(saved, 7, 10, 1);
  }
  EXPECT_EQ(SavedPairs(path_, 2).joins(), 0U);
  EXPECT_EQ(SavedPairs(path_, 1).joins(), 0U);
}

TEST_F(SavedPairsTest, TakesNoRecordThatCannotBe) {
  const SavedPair pair{1, 2, 0.5};
  const std::string good(reinterpret_cast<const char*>(&pair), sizeof pair);
  {
    SavedPairs saved(path_, 1);
    save(saved, 1, 10, 1);
  }
  {
    Journal journal(path_, SavedPairs::kMark, 1 << 20);
    journal.append("short");
    journal.append(record(2, 1, true, good));                          // no first part
    journal.append(record(3, 0, true, good.substr(1)));                // half a pair
    journal.append(record(4, 0, true, good + good));                   // twice
    journal.append(record(5, 0, false, good));                         // no end
    journal.append(record(6, 0, true, good) + std::string(16, '\0'));  // out of order
    journal.append(record(1, 7, true, good));                          // a part after the last one
  }
  const SavedPairs saved(path_, 1);
  for (const std::uint64_t key : {1U, 2U, 3U, 4U, 5U, 6U}) EXPECT_EQ(count(saved, key), -1) << key;
}

}  // namespace
}  // namespace sosie
