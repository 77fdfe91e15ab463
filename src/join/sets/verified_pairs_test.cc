// Tests of pairs found in buckets, compared with the rule for candidates and the definition of
// similarity; also with overlaps known from a checkpoint, and with buckets that very many rows
// share.
#include "join/sets/verified_pairs.h"

#include <gtest/gtest.h>

#include <mutex>
#include <numeric>

#include "join/own_path_test.h"
#include "join/sets/matcher.h"
#include "join/sets/set_run_test.h"
#include "join/sets/sketched_text_test.h"
#include "sosie/error.h"

namespace sosie {
namespace {

struct Found {
  std::vector<SavedOverlap> pairs;  // by (left, right)

  friend bool operator==(const Found& a, const Found& b) {
    return std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end(),
                      [](const auto& x, const auto& y) {
                        return x.left == y.left && x.right == y.right && x.overlap == y.overlap;
                      });
  }
};

Found verified_found_in(SetRun& run, const PairScope& scope) {
  Found found;
  std::mutex mutex;
  verified_pairs(
      run, scope,
      [&](std::span<const VerifiedPair> some) {
        const std::lock_guard lock(mutex);
        for (const VerifiedPair& pair : some) {
          found.pairs.push_back({pair.left, pair.right, pair.overlap});
        }
      },
      [](std::size_t) {});
  std::sort(found.pairs.begin(), found.pairs.end(), [](const auto& a, const auto& b) {
    return std::pair(a.left, a.right) < std::pair(b.left, b.right);
  });
  return found;
}

// All pairs of items that reach the threshold and, with lsh, are candidates.
Found expected_in(const SetRun& run, const std::vector<std::string>& text_of_row) {
  const BandingPlan& plan = run.choice.banding;
  std::vector<SketchedText> items;
  for (const RowId row : run.items.rows) items.emplace_back(text_of_row[row], plan);
  const Measure& measure = *run.settings.measure;
  Found found;
  for (Place i = 0; i < items.size(); ++i) {
    for (Place j = i + 1; j < items.size(); ++j) {
      const Overlap overlap = measure.overlap(items[i].set, items[j].set);
      if (!measure.reaches(overlap, run.settings.threshold)) continue;
      const bool listed =
          run.choice.brute || agreement_of(items[i].sketch, items[j].sketch).accepted_by(plan);
      if (listed) found.pairs.push_back({i, j, overlap});
    }
  }
  return found;
}

void expect_all_scopes(const TestTexts& texts, const OptionTexts& given) {
  TextRun test(kPairs, texts, given);
  test.run->prepare();
  std::vector<std::string> rows = texts.against;
  rows.insert(rows.end(), texts.own.begin(), texts.own.end());
  const Place fixed = test.run->items.fixed;
  const Found all = expected_in(*test.run, rows);
  for (const PairScope& scope : {PairScope{}, PairScope{.right_begin = fixed},
                                 PairScope{.left_end = fixed, .right_begin = fixed}}) {
    Found expected = all;
    std::erase_if(expected.pairs, [&](const SavedOverlap& pair) {
      return pair.left >= scope.left_end || pair.right < scope.right_begin;
    });
    EXPECT_EQ(expected.pairs.empty(), scope.left_end == 0);
    EXPECT_TRUE(verified_found_in(*test.run, scope) == expected) << expected.pairs.size();
  }
}

TEST(VerifiedPairs, AreTheSimilarCandidatesInScope) {
  TestTexts texts{random_texts(12, 300)};
  for (const std::size_t others : {0U, 40U, 700U}) {  // fewer and more than the run's own
    if (others > 0) texts.against = random_texts(12 + others, others);
    expect_all_scopes(texts, {{"method", "brute"}, {"threshold", "0.6"}});
    expect_all_scopes(texts, {{"method", "lsh"}, {"bands", "8x2"}, {"threshold", "0.6"}});
  }
}

// Texts that share a passage, and therefore buckets; each has words of its own.
std::vector<std::string> texts_of_template(std::uint64_t seed, std::size_t rows) {
  std::vector<std::string> texts(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t word = 0; word < 24; ++word) {
      texts[i] += {'q', static_cast<char>('a' + word), ' '};
    }
    for (std::size_t word = 0; word < 4; ++word) {
      const std::uint64_t drawn = random64(seed, i / 2 * 4 + word + (i % 2 == 0 && word == 0));
      texts[i] +=
          {static_cast<char>('a' + drawn % 16), static_cast<char>('a' + drawn / 16 % 26), ' '};
    }
    texts[i].pop_back();
  }
  return texts;
}

TEST(VerifiedPairs, OfVeryManyRowsOfATemplateAreFoundByTheirOwnWords) {
  TestTexts texts{texts_of_template(1, 2600)};
  const OptionTexts given = {{"method", "lsh"}, {"bands", "2x4"}, {"threshold", "0.85"}};
  expect_all_scopes(texts, given);
  texts.against = texts_of_template(1, 2300);
  expect_all_scopes(texts, given);
}

TEST(HotBuckets, AreFilteredByTheSetsOfTheItems) {
  const std::vector<std::string> texts = texts_of_template(3, 300);
  TextRun test(kPairs, {texts}, {{"method", "lsh"}, {"bands", "16x2"}, {"threshold", "0.85"}});
  test.run->prepare();
  HotBucketRule rule = hot_bucket_rule(test.run->settings);
  EXPECT_EQ(rule.measure->name, "jaccard");
  EXPECT_EQ(rule.threshold, (Rational{17, 20}));
  EXPECT_EQ(rule.most_bytes, MemoryBudget{test.run->settings.memory_bytes}.hot_buckets());
  HotBucketFilter filter(rule, sets_of(*test.run->matcher), test.run->pool);
  const HotBucketSteps steps = hot_bucket_steps(filter);
  EXPECT_EQ(steps.most_survivors, rule.most_survivors);
  // Star clustering asks in this way: buckets become hot during a batch; in the next batch, items
  // come one by one.
  const Place half = test.run->items.size() / 2;
  const Place all = test.run->items.size();
  steps.begin_batch(0, half);
  std::vector<Place> newcomers(half);
  std::iota(newcomers.begin(), newcomers.end(), Place{0});
  EXPECT_TRUE(steps.end_batch(newcomers));
  steps.begin_batch(half, all);
  const Found similar = expected_in(*test.run, texts);
  std::size_t seen = 0;
  for (Place item = half; item < all; ++item) {
    EXPECT_TRUE(steps.prepare(0, item, 1'000'000));
    std::vector<Place> candidates;
    steps.list_earlier(0, item, candidates);
    steps.list_latest(item, candidates);
    for (const SavedOverlap& pair : similar.pairs) {
      if (pair.right != item) continue;
      ++seen;
      EXPECT_TRUE(std::find(candidates.begin(), candidates.end(), pair.left) != candidates.end());
    }
    steps.add(item);
  }
  EXPECT_GT(seen, 50U);
}

class RepeatedComparisons : public testing::Test {
 protected:
  // The pairs of a run that looks overlaps up in the file, and adds to it.
  Found pairs(std::uint64_t about = 1) {
    TextRun test(kPairs, {texts_}, given_);
    test.run->prepare();
    SavedOverlaps saved(file_.path, about);
    OverlapCache known(saved, static_cast<RowId>(texts_.size()));
    test.run->matcher->ask(known);
    Found found = verified_found_in(*test.run, {});
    saved.flush();
    return found;
  }
  // Writes the file's overlaps for all pairs of rows.
  void write(const std::function<Overlap(const std::string&, const std::string&)>& overlap) {
    SavedOverlaps saved(file_.path, 2);
    for (RowId i = 0; i < texts_.size(); ++i) {
      for (RowId j = i + 1; j < texts_.size(); ++j) {
        saved.add(i, j, overlap(texts_[i], texts_[j]));
      }
    }
    saved.flush();
  }
  [[nodiscard]] bool refuses() {
    try {
      (void)pairs(2);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::malformed_input;
    }
    return false;
  }
  static Overlap right_overlap(const std::string& left, const std::string& right) {
    return are_similar(left, right, {3, 5}) ? overlap_of(left, right) : Overlap{};
  }

  OptionTexts given_ = {
      {"method", "lsh"}, {"bands", "8x2"}, {"threshold", "0.6"}, {"keep", "last"}};
  std::vector<std::string> texts_ = random_texts(14, 80);
  OwnPath file_{"known-overlaps"};
};

TEST_F(RepeatedComparisons, GiveTheSamePairs) {
  const Found first = pairs();
  TextRun test(kPairs, {texts_}, given_);
  test.run->prepare();
  EXPECT_TRUE(first == expected_in(*test.run, texts_));
  EXPECT_GT(first.pairs.size(), 20U);
  EXPECT_TRUE(pairs() == first);
  write(right_overlap);
  EXPECT_TRUE(pairs(2) == first);
}

TEST_F(RepeatedComparisons, ThatAreMadeUpAreRefused) {
  write([](const std::string& left, const std::string& right) {
    Overlap overlap = right_overlap(left, right);
    if (overlap.shared > 0 && overlap.shared < overlap.united) ++overlap.united;
    return overlap;
  });
  EXPECT_TRUE(refuses()) << "another size";
  write([](const std::string&, const std::string&) { return Overlap{}; });
  EXPECT_TRUE(refuses()) << "pairs are denied";
  write([](const std::string&, const std::string&) { return Overlap{1, 1, 1}; });
  EXPECT_TRUE(refuses()) << "all are equal";
}

TEST(Matchers, FindTheFirstSimilarCandidateAndCountWhatTheyLookAt) {
  const std::vector<std::string> texts = random_texts(9, 120);
  for (const std::string method : {"brute", "lsh"}) {
    OptionTexts given = {{"method", method}, {"threshold", "0.5"}};
    if (method == "lsh") given.emplace_back("bands", "8x2");
    TextRun test(kPairs, {texts}, given);
    test.run->prepare();
    Matcher& matcher = *test.run->matcher;
    const Items& items = test.run->items;
    const int least = test.run->choice.banding.filter_agreements;
    EXPECT_TRUE(method == "brute" || least > 0);
    std::vector<SketchedText> sketches;
    for (const RowId row : items.rows) sketches.emplace_back(texts[row], test.run->choice.banding);
    std::uint64_t listed = 0;
    for (Place item = 0; item < items.size(); ++item) {
      std::vector<Place> candidates(item);
      std::iota(candidates.begin(), candidates.end(), Place{0});
      listed += candidates.size();
      matcher.prune(0, item, candidates);
      if (method == "lsh") {
        std::vector<Place> agreeing;
        for (Place other = 0; other < item; ++other) {
          const int components =
              agreement_of(sketches[item].sketch, sketches[other].sketch).components;
          if (components >= least) agreeing.push_back(other);
        }
        EXPECT_EQ(candidates, agreeing);
      }
      std::vector<VerifiedPair> all;
      matcher.all_matches(0, item, candidates, all);
      const auto first = matcher.first_match(0, item, candidates);
      ASSERT_EQ(first.has_value(), !all.empty());
      if (first) {
        EXPECT_EQ(first->survivor, all.front().right);
        EXPECT_EQ(first->overlap, all.front().overlap);
      }
      for (const VerifiedPair& pair : all) {
        EXPECT_EQ(pair.left, item);
        EXPECT_EQ(pair.overlap, overlap_of(texts[items.rows[item]], texts[items.rows[pair.right]]));
      }
      std::size_t similar = 0;
      for (Place other = 0; other < item; ++other) {
        similar += are_similar(texts[items.rows[item]], texts[items.rows[other]], {1, 2}) ? 1 : 0;
      }
      EXPECT_LE(all.size(), similar);
      EXPECT_TRUE(method == "lsh" || all.size() == similar);
    }
    EXPECT_EQ(matcher.candidate_count(), listed);
    EXPECT_GT(matcher.verified_count(), 0U);
    EXPECT_LT(matcher.verified_count(), listed) << "some are pruned";
  }
}

}  // namespace
}  // namespace sosie
