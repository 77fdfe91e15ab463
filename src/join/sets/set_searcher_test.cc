// Tests looking up sets, compared with measuring every stored set.
#include "join/sets/set_searcher.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>

#include "join/sets/set_run_test.h"
#include "join/sets/sketched_text_test.h"
#include "verify/measures.h"

namespace sosie {
namespace {

// Positions of the sets found, and the numbers of shared elements.
using Hits = std::vector<std::pair<Place, std::uint32_t>>;

Hits hits_of(const std::vector<IndexedSets::Hit>& found) {
  Hits hits;
  for (const IndexedSets::Hit& each : found) hits.emplace_back(each.position, each.overlap.shared);
  return hits;
}

// Sets are added, removed and moved together, as in a long-lived index; removed sets are never
// found.
RC_GTEST_PROP(IndexedSets, FindWhatIsThereAfterAnyChanges, ()) {
  const Measure measure = *set_measure("jaccard");
  const Rational threshold{1, 2};
  const std::vector<std::string> texts = random_texts(*rc::gen::arbitrary<std::uint64_t>(), 40);
  IndexedSets index(kTestPlan, measure, threshold);
  std::vector<std::optional<std::size_t>> model;  // text by position
  for (std::size_t step = 0; step < texts.size(); ++step) {
    const SketchedText text(texts[step]);
    const auto from = static_cast<Place>(*rc::gen::inRange<std::size_t>(0, model.size() + 1));
    std::vector<IndexedSets::Hit> found;
    IndexedSets::Finder finder;
    index.find(text.view(), from, false, finder, found);
    Hits expected;
    std::uint64_t listed = 0;
    for (Place position = from; position < model.size(); ++position) {
      if (!model[position]) continue;
      const std::string& other = texts[*model[position]];
      if (texts[step].empty() || other.empty()) continue;
      const SketchAgreement agreement = agreement_of(text.sketch, SketchedText(other).sketch);
      listed += agreement.bands > 0 ? 1 : 0;
      if (!agreement.accepted_by(kTestPlan) || !are_similar(texts[step], other, threshold))
        continue;
      expected.emplace_back(position, overlap_of(texts[step], other).shared);
    }
    Hits hits = hits_of(found);
    std::sort(hits.begin(), hits.end());
    RC_ASSERT(hits == expected);
    RC_ASSERT(finder.listed == listed);
    std::vector<IndexedSets::Hit> one;
    index.find(text.view(), from, true, finder, one);
    RC_ASSERT(one.size() == std::min<std::size_t>(1, expected.size()));

    index.add(text.view());
    model.emplace_back(step);
    if (*rc::gen::inRange(0, 3) == 0) {
      const auto gone = static_cast<Place>(*rc::gen::inRange<std::size_t>(0, model.size()));
      RC_ASSERT(index.take_out(gone) == model[gone].has_value());
      model[gone].reset();
      RC_ASSERT(!index.is_there(gone));
    }
    if (*rc::gen::inRange(0, 8) == 0) {
      index.compact();
      std::erase(model, std::nullopt);
      RC_ASSERT(index.gaps() == 0U);
    }
    RC_ASSERT(index.size() == model.size());
    RC_ASSERT(index.gaps() ==
              static_cast<Place>(std::count(model.begin(), model.end(), std::nullopt)));
  }
}

RC_GTEST_PROP(SetSearcher, FindTheSimilarRowsBestFirst, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::vector<std::string> data = random_texts(seed, *rc::gen::inRange<std::size_t>(1, 50));
  const std::vector<std::string> asked = random_texts(seed, 60);  // rows of DATA, and others
  const Rational threshold = *rc::gen::element(Rational{1, 3}, Rational{2, 3}, Rational{1, 1});
  const std::string method = *rc::gen::element<std::string>("exact", "brute", "lsh");
  OptionTexts given = {
      {"method", method},
      {"threshold", std::to_string(threshold.num) + "/" + std::to_string(threshold.den)}};
  if (method == "lsh") given.emplace_back("bands", "6x2");
  const TextRun test(kQuery, {data}, given);
  Settings settings = test.run->settings;
  Scratch scratch("/tmp");
  ThreadPool pool(1, nullptr);
  const SetSearcher searched(test.options, settings, scratch, pool, test.hooks);
  RC_ASSERT(searched.choice().finds_every_pair() == (method != "lsh"));
  const BandingPlan plan = searched.choice().banding;
  SetSearcher::Finder finder;
  for (const std::string& text : asked) {
    const SketchedText sketched(text, plan);
    struct Row {
      Overlap overlap;
      Place number;
    };
    std::vector<Row> rows;
    for (Place number = 0; number < data.size(); ++number) {
      if (!are_similar(text, data[number], threshold)) continue;
      if (method == "lsh" && !agreement_of(sketched.sketch, SketchedText(data[number], plan).sketch)
                                  .accepted_by(plan)) {
        continue;
      }
      rows.push_back({overlap_of(text, data[number]), number});
    }
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      return settings.measure->is_above(a.overlap, b.overlap);
    });
    for (const std::uint64_t most : {0U, 1U, 3U}) {
      std::vector<IndexedSets::Hit> found;
      searched.find(sketched.view(), most, finder, found);
      Hits expected;
      for (const Row& row : rows) {
        if (most > 0 && expected.size() == most) break;
        expected.emplace_back(row.number, row.overlap.shared);
      }
      RC_ASSERT(hits_of(found) == expected);
    }
  }
}

}  // namespace
}  // namespace sosie
