// Tests of joins with a checkpoint: when resumed, they give the same pairs as a whole run; foreign
// pairs are rejected.
#include "join/saved_join.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "join/item_lookup.h"
#include "join/items_test.h"
#include "join/own_path_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Items are numbers; numbers that differ by at most 2 are pairs.
class Numbers final : public InMemoryJoiner {
 public:
  explicit Numbers(std::vector<int> all) : numbers(std::move(all)) {}

  std::vector<int> numbers;
  std::set<std::pair<RowId, RowId>> hidden = {};  // pairs that find() does not find
  double added = 0;                               // to all values
  bool is_hashed = false;
  std::size_t least_rows = 1;
  mutable std::size_t finds = 0;
  std::size_t most_finds = ~std::size_t{0};  // before the run is stopped

  [[nodiscard]] std::optional<double> measure(RowId left, RowId right) const override {
    const double apart = std::abs(numbers[left] - numbers[right]);
    return apart <= 2 ? std::optional(apart + added) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t find(std::span<const RowId> rows, std::size_t split,
                                   const EachPairs& each) const override {
    if (finds++ == most_finds) throw Error(ErrorKind::cancelled, "stopped");
    std::uint64_t measured = 0;
    for (RowId i = 0; i < (split == 0 ? rows.size() : split); ++i) {
      for (RowId j = split == 0 ? i + 1 : static_cast<RowId>(split); j < rows.size(); ++j) {
        ++measured;
        const auto value = measure(rows[i], rows[j]);
        if (!value || hidden.contains(std::minmax(rows[i], rows[j]))) continue;
        const ScoredPair pair{i, j, *value};
        each({&pair, 1});
      }
    }
    return measured;
  }
  [[nodiscard]] std::uint64_t find_truth(std::span<const RowId> rows, std::size_t split,
                                         const EachPairs& each) const override {
    return find(rows, split, each);
  }
  [[nodiscard]] double value(RowId left, RowId right) const override {
    return measure(left, right).value_or(99);
  }
  [[nodiscard]] bool hashes() const override { return is_hashed; }
  [[nodiscard]] std::size_t least_saved_rows() const override { return least_rows; }

  // Saved joins do not call this function.
  [[nodiscard]] const Settings& settings() const override { return settings_; }
  [[nodiscard]] const ItemBound& bound() const override { return bound_; }
  [[nodiscard]] bool is_nearest() const override { return false; }
  [[nodiscard]] bool is_brute() const override { return false; }
  void read(ThreadPool& /*pool*/, const RunHooks& /*hooks*/, ItemPlaces& /*places*/,
            MissingFields /*missing*/) override {}
  [[nodiscard]] const JoinSides& sides() const override { return sides_; }
  [[nodiscard]] std::span<const RowId> left_out() const override { return {}; }
  [[nodiscard]] const ItemIds& own_ids() const override { return ids_; }
  [[nodiscard]] const ItemIds& other_ids() const override { return ids_; }
  [[nodiscard]] std::string_view bytes_of(std::size_t /*row*/) const override { return {}; }
  void prepare(const JoinNeeds& /*needs*/) override {}
  [[nodiscard]] std::uint64_t sort_bytes() const override { return 0; }
  [[nodiscard]] JoinFacts facts() const override { return {}; }
  [[nodiscard]] std::vector<ExplainedLine> describe(RowId /*left*/,
                                                    RowId /*right*/) const override {
    return {};
  }
  [[nodiscard]] std::optional<PairForecast> forecast() override { return {}; }
  std::uint64_t find_all(const SortedPairs<ScoredPair>::Prune& /*prune*/,
                         const EachPairs& /*each*/) override {
    return 0;
  }
  std::uint64_t find_nearest(std::uint64_t /*most*/, const EachPairs& /*each*/) override {
    return 0;
  }
  [[nodiscard]] std::unique_ptr<ItemLookup> lookup(ThreadPool& /*pool*/,
                                                   const RunHooks& /*hooks*/) const override {
    return {};
  }

 private:
  Settings settings_;
  ItemBound bound_;
  JoinSides sides_;
  ItemIds ids_;
};

Numbers random_numbers(std::uint64_t seed, std::size_t count) {
  std::vector<int> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<int>(random64(seed, i) % (2 * count + 1));
  }
  return Numbers(std::move(numbers));
}

std::vector<RowId> listed_rows(std::size_t count) {  // each once, in no order
  std::vector<RowId> rows(count);
  for (std::size_t i = 0; i < count; ++i) rows[i] = static_cast<RowId>(i * 7919 % count);
  return rows;
}

class SavedRuns {
 public:
  // The pairs found by one run that uses the file.
  ValuedPairs run(const Numbers& numbers, std::span<const RowId> rows, std::size_t split) {
    SavedPairs saved(file_.path, 1);
    joins_before = saved.joins();
    SavedJoin join(numbers, saved, pool_, scratch_, 1000);
    ValuedPairs pairs;
    measured = join.find(rows, split, add_to(pairs));
    return pairs;
  }
  [[nodiscard]] bool refuses(const Numbers& numbers, std::span<const RowId> rows,
                             std::size_t split) {
    try {
      (void)run(numbers, rows, split);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::malformed_input;
    }
    return false;
  }

  std::size_t joins_before = 0;
  std::uint64_t measured = 0;

 private:
  OwnPath file_{"saved-joins"};
  ThreadPool pool_{2, nullptr};
  Scratch scratch_{"/tmp"};
};

ValuedPairs found_by(const Numbers& numbers, std::span<const RowId> rows, std::size_t split) {
  ValuedPairs pairs;
  (void)numbers.find(rows, split, add_to(pairs));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

RC_GTEST_PROP(SavedJoins, GiveWhatAWholeRunGivesWhereverTheyWereStopped, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(2, 140);
  Numbers numbers = random_numbers(*rc::gen::arbitrary<std::uint64_t>(), count);
  numbers.least_rows = *rc::gen::element<std::size_t>(1, 10, 1000);
  numbers.is_hashed = *rc::gen::arbitrary<bool>();
  const std::vector<RowId> rows = listed_rows(count);
  const auto split = *rc::gen::arbitrary<bool>() ? 0 : *rc::gen::inRange<std::size_t>(1, count);
  const ValuedPairs expected = found_by(numbers, rows, split);
  SavedRuns saved;
  numbers.finds = 0;
  numbers.most_finds = *rc::gen::inRange<std::size_t>(0, 140);
  try {
    RC_ASSERT(saved.run(numbers, rows, split) == expected);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::cancelled);
  }
  numbers.most_finds = ~std::size_t{0};
  RC_ASSERT(saved.run(numbers, rows, split) == expected);
  const std::uint64_t measured = saved.measured;
  // All parts are now complete, so only the sampled rows of the parts, or of the first part, are
  // searched again.
  const std::size_t lefts = split == 0 ? count : split;
  const std::size_t parts = numbers.is_hashed ? 8 : 64;
  const std::size_t step = std::max(numbers.least_rows, (lefts + parts - 1) / parts);
  numbers.finds = 0;
  RC_ASSERT(saved.run(numbers, rows, split) == expected);
  RC_ASSERT(saved.measured == measured);
  RC_ASSERT(saved.joins_before == (lefts + step - 1) / step);
  RC_ASSERT(numbers.finds == (numbers.is_hashed ? 1 : saved.joins_before));
}

// Parts have at most 8 left rows, so all of their rows are joined again.
TEST(SavedJoins, AreRefusedUnlessTheItemsHaveTheirVeryPairs) {
  constexpr std::size_t kCount = 20;
  const Numbers numbers = random_numbers(3, kCount);
  const std::vector<RowId> rows = listed_rows(kCount);
  for (const std::size_t split : {0U, 12U}) {
    const ValuedPairs pairs = found_by(numbers, rows, split);
    ASSERT_GT(pairs.size(), 4U);
    SavedRuns whole;
    (void)whole.run(numbers, rows, split);
    for (const auto& [left, right, value] : pairs) {
      Numbers fewer(numbers.numbers);
      fewer.hidden = {std::minmax(rows[left], rows[right])};
      EXPECT_TRUE(whole.refuses(fewer, rows, split)) << "a pair more than is found";
      SavedRuns saved;
      (void)saved.run(fewer, rows, split);
      EXPECT_TRUE(saved.refuses(numbers, rows, split)) << "a pair less than is found";
    }
    Numbers moved(numbers.numbers);
    moved.added = 0.5;
    EXPECT_TRUE(whole.refuses(moved, rows, split)) << "other values";
    EXPECT_EQ(whole.run(numbers, rows, split), pairs);
  }
}

TEST(SavedJoins, OfOtherRowsAreJoinedAnew) {
  const Numbers numbers = random_numbers(4, 40);
  SavedRuns saved;
  std::vector<RowId> rows = listed_rows(40);
  const ValuedPairs pairs = saved.run(numbers, rows, 0);
  const std::size_t joins = 40;  // one per row
  EXPECT_EQ(saved.run(numbers, rows, 11), found_by(numbers, rows, 11));
  EXPECT_EQ(saved.joins_before, joins);
  std::swap(rows[3], rows[30]);
  EXPECT_EQ(saved.run(numbers, rows, 0), found_by(numbers, rows, 0));
  EXPECT_EQ(saved.joins_before, joins + 11);
  std::swap(rows[3], rows[30]);
  EXPECT_EQ(saved.run(numbers, rows, 0), pairs);
  EXPECT_EQ(saved.joins_before, joins + 11 + 40);
}

}  // namespace
}  // namespace sosie
