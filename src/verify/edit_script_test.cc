// Tests that edit scripts turn one string into another with the fewest edits.
#include "verify/edit_script.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <string>

namespace sosie {
namespace {

constexpr EditMeasure kScriptMeasures[] = {EditMeasure::levenshtein, EditMeasure::indel,
                                           EditMeasure::osa, EditMeasure::damerau};

std::span<const char32_t> letters(const std::u32string& text) { return {text.data(), text.size()}; }

std::uint32_t edits_of(const std::vector<EditStep>& steps) {
  return std::accumulate(
      steps.begin(), steps.end(), 0U,
      [](std::uint32_t sum, const EditStep& step) { return sum + step.edits(); });
}

std::vector<EditStep> script(EditMeasure measure, const std::u32string& left,
                             const std::u32string& right) {
  return edit_script(measure, letters(left), letters(right)).value();
}

TEST(EditScript, TellsReplacedLettersFromSwappedOnes) {
  const auto steps = script(EditMeasure::osa, U"abcd", U"xbdc");
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].kind, EditStep::Kind::replace);
  EXPECT_EQ(steps[1].kind, EditStep::Kind::keep);
  EXPECT_EQ(steps[2].kind, EditStep::Kind::swap);
  EXPECT_EQ(steps[2].left, 2U);
  EXPECT_EQ(edits_of(steps), 2U);
}

// The pair that violates the triangle inequality for osa.
TEST(EditScript, EditsBetweenSwappedLettersInDamerauOnly) {
  EXPECT_EQ(edits_of(script(EditMeasure::damerau, U"ca", U"abc")), 2U);
  EXPECT_EQ(edits_of(script(EditMeasure::osa, U"ca", U"abc")), 3U);
}

TEST(EditScript, IsNothingButKeptLettersOfEqualStrings) {
  const auto steps = script(EditMeasure::levenshtein, U"same", U"same");
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].kind, EditStep::Kind::keep);
  EXPECT_TRUE(script(EditMeasure::levenshtein, U"", U"").empty());
}

TEST(EditScript, IsNotMadeOfVeryLongParts) {
  const std::u32string as(3000, U'a');
  const std::u32string bs(3000, U'b');
  EXPECT_FALSE(edit_script(EditMeasure::levenshtein, letters(as), letters(bs)).has_value());
  EXPECT_TRUE(edit_script(EditMeasure::levenshtein, letters(as + U"x"), letters(as + U"y")));
}

// Turns the left string into the right one, step by step.
std::u32string applied(const std::vector<EditStep>& steps, const std::u32string& left,
                       const std::u32string& right) {
  std::u32string made;
  std::uint32_t at = 0;
  for (const EditStep& step : steps) {
    RC_ASSERT(step.left == at);
    RC_ASSERT(step.right == made.size());
    if (step.kind == EditStep::Kind::keep) {
      made += left.substr(step.left, step.left_end - step.left);
    } else {
      made += right.substr(step.right, step.right_end - step.right);
    }
    if (step.kind == EditStep::Kind::swap) {
      RC_ASSERT(left[step.left] == right[step.right_end - 1]);
      RC_ASSERT(left[step.left_end - 1] == right[step.right]);
    }
    at = step.left_end;
  }
  RC_ASSERT(at == left.size());
  return made;
}

RC_GTEST_PROP(EditScript, MakesTheRightStringInAsManyEditsAsTheDistance, ()) {
  const auto letter = rc::gen::element<char32_t>('a', 'b', 'c');
  const auto left = *rc::gen::container<std::u32string>(letter);
  const auto right = *rc::gen::container<std::u32string>(letter);
  const auto span_of = [](const std::u32string& text) {
    return SymbolSpan{reinterpret_cast<const std::byte*>(text.data()),
                      static_cast<std::uint32_t>(text.size()), 4};
  };
  for (const EditMeasure measure : kScriptMeasures) {
    EditPattern pattern(measure, 128);
    pattern.set(span_of(left));
    const auto steps = script(measure, left, right);
    RC_ASSERT(edits_of(steps) == pattern.distance(span_of(right), ~0U));
    RC_ASSERT(applied(steps, left, right) == right);
  }
}

}  // namespace
}  // namespace sosie
