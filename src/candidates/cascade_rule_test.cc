// Compares the rule of cascades with its definition.

#include "candidates/cascade_rule.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/mix64.h"

namespace sosie {
namespace {

using StepKind = ConstructionStep::Kind;
using Keys = std::vector<std::uint32_t>;

// Combines functions step by step, as the definition says.
bool by_definition(const Construction& over, const Keys& left, const Keys& right) {
  std::vector<bool> agree;
  for (std::size_t i = 0; i < left.size(); ++i) agree.push_back(left[i] == right[i]);
  for (const ConstructionStep& step : over) {
    std::vector<bool> next;
    for (auto at = agree.begin(); at != agree.end(); at += step.count) {
      const auto end = at + step.count;
      next.push_back(step.kind == StepKind::all_agree ? std::find(at, end, false) == end
                                                      : std::find(at, end, true) != end);
    }
    agree = next;
  }
  return agree.front();
}

Keys drawn_keys(std::size_t count, std::uint64_t seed, std::uint64_t values) {
  Keys keys;
  for (std::size_t i = 0; i < count; ++i) {
    keys.push_back(static_cast<std::uint32_t>(random64(seed, i) % values));
  }
  return keys;
}

RC_GTEST_PROP(CascadeRule, FindsWhatItsDefinitionFinds, ()) {
  Construction over;
  const int steps = *rc::gen::inRange(0, 5);
  for (int i = 0; i < steps; ++i) {
    over.push_back({*rc::gen::element(StepKind::all_agree, StepKind::any_agrees),
                    static_cast<std::uint32_t>(*rc::gen::inRange(1, 5))});
  }
  const CascadeRule rule(over);
  const auto cover = rule.cover();
  RC_ASSERT(std::is_sorted(cover.begin(), cover.end()));
  for (std::uint64_t pair = 0; pair < 20; ++pair) {
    const std::uint64_t values = 1 + pair % 4;
    const Keys left = drawn_keys(rule.bands(), 2 * pair, values);
    const Keys right = drawn_keys(rule.bands(), 2 * pair + 1, values);
    const bool found = rule.finds(left.data(), right.data());
    RC_ASSERT(found == by_definition(over, left, right));
    const bool meet = std::any_of(cover.begin(), cover.end(),
                                  [&](std::uint32_t i) { return left[i] == right[i]; });
    RC_ASSERT(meet || !found);
  }
}

TEST(CascadeRule, CoversAllOfAnOrAndOneOfAnAnd) {
  const CascadeRule rule(
      {{StepKind::any_agrees, 3}, {StepKind::all_agree, 2}, {StepKind::any_agrees, 2}});
  EXPECT_EQ(rule.bands(), 12U);
  EXPECT_EQ(Keys(rule.cover().begin(), rule.cover().end()), (Keys{0, 1, 2, 6, 7, 8}));
}

}  // namespace
}  // namespace sosie
