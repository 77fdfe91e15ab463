// Tests of the audit of vectors, bit strings and strings, on items whose pairs are counted one by
// one.
#include "decide/item_audit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "decide/estimate_recall.h"
#include "join/items_test.h"

namespace sosie {
namespace {

using Audit = ItemAudit;

// Numbers as items, with the distances between them.
struct Numbers {
  std::vector<int> items;
  RowRange own;
  RowRange partners;
  double within = 2;
  bool is_similarity = false;  // if true: 1 - distance / 10
  bool loses = false;          // the run does not find pairs with 3

  [[nodiscard]] double value(std::size_t a, std::size_t b) const {
    const double apart = std::abs(items[a] - items[b]);
    return is_similarity ? 1 - apart / 10 : apart;
  }
  [[nodiscard]] bool reaches(std::size_t a, std::size_t b) const {
    return std::abs(items[a] - items[b]) <= within;
  }
  [[nodiscard]] bool is_found(std::size_t a, std::size_t b) const {
    return items[a] == items[b] || !loses || (items[a] != 3 && items[b] != 3);
  }
};

class NumbersAudit {
 public:
  NumbersAudit(const Numbers& numbers, std::uint64_t drawn) : numbers_(numbers) {
    options_.audit = drawn;
    hooks_.on_progress = [this](const Progress& progress) { stage = progress.stage; };
    const auto between = [&numbers](bool all) {
      return [&numbers, all](std::span<const std::uint32_t> lefts,
                             std::span<const std::uint32_t> rights, const EachPairs& each) {
        for (std::uint32_t i = 0; i < lefts.size(); ++i) {
          for (std::uint32_t j = 0; j < rights.size(); ++j) {
            const std::size_t a = lefts[i];
            const std::size_t b = rights[j];
            if (!numbers.reaches(a, b) || !(all || numbers.is_found(a, b))) continue;
            const ValuedPair pair{i, j, numbers.value(a, b)};
            each({&pair, 1});
          }
        }
      };
    };
    const Rational bound = numbers.is_similarity ? Rational{8, 10} : Rational{2, 1};
    audit.emplace(AuditedRun{
        .options = options_,
        .settings = settings_,
        .hooks = hooks_,
        .pool = pool_,
        .facts = {"numbers", "2", numbers.is_similarity},
        .bound = bound,
        .own = numbers.own,
        .partners = numbers.partners,
        .bytes_of =
            [&](std::size_t row) {
              return std::string_view(reinterpret_cast<const char*>(&numbers.items[row]),
                                      sizeof(int));
            },
        .truth = between(true),
        .found = numbers.loses ? PairsBetween(between(false)) : PairsBetween(),
        .measure = [&](std::uint32_t a, std::uint32_t b) -> std::optional<double> {
          return numbers.reaches(a, b) ? std::optional(numbers.value(a, b)) : std::nullopt;
        }});
  }

  std::string stage;
  std::optional<Audit> audit;

 private:
  const Numbers& numbers_;
  Options options_;
  Settings settings_;
  RunHooks hooks_;
  ThreadPool pool_{1, nullptr};
};

Numbers random_numbers() {
  Numbers numbers;
  const auto rows = *rc::gen::inRange<RowId>(1, 60);
  for (RowId row = 0; row < rows; ++row) numbers.items.push_back(*rc::gen::inRange(0, 9));
  const auto others = *rc::gen::inRange<RowId>(0, rows);
  numbers.own = {others, rows};
  numbers.partners =
      *rc::gen::element(RowRange{0, rows}, RowRange{0, others}, RowRange{others, rows});
  numbers.is_similarity = *rc::gen::arbitrary<bool>();
  numbers.loses = *rc::gen::arbitrary<bool>();
  return numbers;
}

RC_GTEST_PROP(AuditOfItems, CountsThePairsOfDrawnRowsByTheDefinition, ()) {
  const Numbers numbers = random_numbers();
  const auto drawn = *rc::gen::inRange<std::uint64_t>(1, 80);
  const std::vector<std::uint32_t> sample = draw_numbers(
      numbers.own.begin, numbers.own.end, [](std::uint32_t) { return true; }, drawn, 1);
  const std::set<std::uint32_t> is_sampled(sample.begin(), sample.end());
  NumbersAudit run(numbers, drawn);

  PairTally all;
  PairTally slice;
  std::uint64_t reported = 0;
  std::uint64_t reported_true = 0;
  for (std::uint32_t a = 0; a < numbers.items.size(); ++a) {
    for (std::uint32_t b = 0; b < numbers.items.size(); ++b) {
      if (a == b) continue;
      if (a < b && (a + b) % 3 == 0) {  // some pairs are reported, true or not
        run.audit->add_reported(a, b);
        const std::uint64_t ends = is_sampled.count(a) + is_sampled.count(b);
        reported += ends;
        reported_true += numbers.reaches(a, b) ? ends : 0;
      }
      const bool partner = b >= numbers.partners.begin && b < numbers.partners.end;
      if (!is_sampled.contains(a) || !partner || !numbers.reaches(a, b)) continue;
      const bool found = numbers.is_found(a, b);
      ++all.true_pairs;
      all.found_pairs += found ? 1 : 0;
      const double value = numbers.value(a, b);
      if (numbers.is_similarity ? value >= 0.85 : value <= 1.9) continue;
      ++slice.true_pairs;
      slice.found_pairs += found ? 1 : 0;
    }
  }

  const AuditFacts facts = run.audit->measure();
  RC_ASSERT(facts.sampled == sample.size());
  RC_ASSERT(facts.documents == numbers.own.size());
  RC_ASSERT(facts.asked == 0.99);
  RC_ASSERT(facts.all.true_pairs == all.true_pairs);
  RC_ASSERT(facts.all.found_pairs == all.found_pairs);
  RC_ASSERT(facts.slice.true_pairs == slice.true_pairs);
  RC_ASSERT(facts.slice.found_pairs == slice.found_pairs);
  RC_ASSERT(facts.reported == reported);
  RC_ASSERT(facts.reported_true == reported_true);
  RC_ASSERT(facts.enough == (all.true_pairs >= 30));
  RC_ASSERT(run.stage == (numbers.partners.size() == 0 ? "" : "auditing"));
}

TEST(AuditOfItems, LooksAtManyPartnersSomeAtATime) {
  constexpr RowId kRows = 70'000;  // more than are compared at once
  Numbers numbers;
  for (RowId row = 0; row < kRows; ++row) numbers.items.push_back(static_cast<int>(row));
  numbers.items[kRows - 1] = 0;
  numbers.own = {kRows - 3, kRows};
  numbers.partners = {0, kRows};
  numbers.within = 0;
  NumbersAudit run(numbers, 3);
  EXPECT_EQ(run.audit->measure().all.true_pairs, 1U) << "of the first and the last";
}

}  // namespace
}  // namespace sosie
