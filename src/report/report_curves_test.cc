// Tests of counts, groups and pairs for the page of --report, compared with the decisions.
#include "report/report_curves.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>

#include "decide/decide.h"
#include "join/sets/set_run_test.h"
#include "report/report_clusters.h"
#include "report/run_rows.h"

namespace sosie {
namespace {

// A run over several files with its decisions, and the source of its page.
struct Decided {
  Decided(const TestFiles& own, const TestFiles& against, const OptionTexts& given)
      : test(kDedup, own, against, given) {
    SetRun& run = *test.run;
    run.prepare();
    decisions.emplace(decide(run, nullptr));
    names.emplace(run.inputs, run.corpus, std::vector<std::string>(), run.pool);
    const auto value = [](RowNumber row, const Decision& decision) {
      return decision.is_same(row) ? 1 : decision.score.overlap().jaccard();
    };
    source.emplace(ReportSource{run.inputs, run.corpus, *decisions, *names, value, true});
    summary = run.summarize();
    decisions->count(summary, run.pool);
  }
  // Near-duplicates with their similarities, in ascending order.
  [[nodiscard]] std::vector<std::pair<double, RowNumber>> near() const {
    std::vector<std::pair<double, RowNumber>> edges;
    for_each_removed(*source, [&](RowNumber row, const Decision& decision) {
      if (!decision.identical) edges.emplace_back(source->value(row, decision), row);
    });
    std::sort(edges.begin(), edges.end());
    return edges;
  }
  [[nodiscard]] std::uint64_t removed() const {
    return summary.total.identical + summary.total.near;
  }

  TestSetRun test;
  std::optional<Decisions> decisions;
  std::optional<RowNames> names;
  std::optional<ReportSource> source;
  RunSummary summary;
};

TestFiles random_files(std::uint64_t seed, std::size_t files, std::size_t rows) {
  const std::vector<std::string> texts = random_texts(seed, files * rows, 6);
  TestFiles made;
  for (std::size_t i = 0; i < files; ++i) {
    const auto first = texts.begin() + static_cast<std::ptrdiff_t>(i * rows);
    const std::vector<std::string> some(first, first + static_cast<std::ptrdiff_t>(rows));
    made.push_back(file_of_texts(fmt::format("f{}.jsonl", i), static_cast<char>('a' + i), some)[0]);
  }
  return made;
}

// Removed rows by their input and the input of their survivors, in total and for each file.
RC_GTEST_PROP(ReportFlow, CountsEachRemovedRowOnce, ()) {
  const auto files = *rc::gen::inRange<std::size_t>(1, 5);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  TestFiles others;
  if (*rc::gen::arbitrary<bool>()) others = {{"other.jsonl", random_files(seed, 1, 10)[0].second}};
  Decided run(random_files(seed, files, 12), others, {{"threshold", "0.6"}, {"id", "row"}});
  std::map<std::pair<std::string, std::string>, std::uint64_t> expected;
  const auto name = [&](RowNumber row) {
    const std::string file = run.test.run->inputs.list[run.test.run->corpus.locator(row).file].name;
    return file == "other.jsonl" ? file + " (against)" : file;
  };
  for_each_removed(*run.source, [&](RowNumber row, const Decision& decision) {
    ++expected[{name(row), name(decision.survivor)}];
  });
  const ReportFlow flow = report_flow(*run.source, run.summary);
  const std::size_t n = flow.inputs.size();
  RC_ASSERT(n == files + others.size());
  RC_ASSERT(flow.removed.size() == n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::pair key{flow.inputs[i].name, flow.inputs[j].name};
      RC_ASSERT(flow.removed[i * n + j] == expected[key]);
    }
  }
  for (std::size_t i = 0; i < files; ++i) RC_ASSERT(flow.inputs[i].rows == 12U);
  if (!others.empty()) {
    RC_ASSERT(flow.inputs[files].rows == 10U);
    RC_ASSERT(flow.inputs[files].bytes == others[0].second.size());
  }
}

TEST(ReportFlow, ShowsTheTwentyInputsWithMostRemovedRowsAndTheOthersAsOne) {
  TestFiles files;
  for (int i = 0; i < 25; ++i) {
    // All but five files have a row that is removed because of a row in the first file.
    const std::string row = i % 5 == 4 ? fmt::format("u{}", i) : "same words";
    files.emplace_back(fmt::format("f{:02}.jsonl", i), "{\"text\": \"" + row + "\"}\n");
  }
  Decided run(files, {}, {{"threshold", "0.6"}});
  const ReportFlow flow = report_flow(*run.source, run.summary);
  ASSERT_EQ(flow.inputs.size(), 21U);
  EXPECT_EQ(flow.inputs[0].name, "f00.jsonl");
  EXPECT_EQ(flow.inputs[4].name, "f05.jsonl") << "in input order";
  EXPECT_EQ(flow.inputs[20].name, "5 others");
  EXPECT_EQ(flow.inputs[20].rows, 5U);
  EXPECT_EQ(flow.inputs[20].kept, 5U);
  EXPECT_EQ(std::accumulate(flow.removed.begin(), flow.removed.end(), std::uint64_t{0}), 19U);
  EXPECT_EQ(flow.removed[1 * 21], 1U);
}

RC_GTEST_PROP(ReportFacts, CountGroupsAndSimilarities, ()) {
  Decided run(random_files(*rc::gen::arbitrary<std::uint64_t>(), 2, 40), {},
              {{"threshold", "0.5"}, {"id", "row"}});
  std::uint64_t groups = 0;
  std::uint64_t rows = 0;
  std::uint64_t last = 1;
  for (const ReportSizes& sizes : report_sizes(*run.source)) {
    RC_ASSERT(sizes.first == last + 1);
    RC_ASSERT(sizes.last == (last == 1 ? 2 : 2 * last));
    RC_ASSERT(sizes.rows >= sizes.groups * sizes.first);
    RC_ASSERT(sizes.rows <= sizes.groups * sizes.last);
    groups += sizes.groups;
    rows += sizes.rows;
    last = sizes.last;
  }
  RC_ASSERT(groups == run.summary.groups);
  RC_ASSERT(rows == groups + run.removed());

  const auto near = run.near();
  const SimilarityBins bins = similarity_bins(*run.source, {0, 1});
  SimilarityBins expected{};
  for (const auto& [value, row] : near) {
    const Overlap overlap = run.decisions->of(row).score.overlap();
    ++expected[overlap.shared * 100 / overlap.united];  // 100 only if the sets are equal
  }
  RC_ASSERT(bins == expected);

  const std::vector<ReportEdge> weakest = weakest_edges(*run.source);
  RC_ASSERT(weakest.size() == std::min<std::size_t>(30, near.size()));
  for (std::size_t i = 0; i < weakest.size(); ++i) {
    RC_ASSERT(weakest[i].value == near[i].first);
    RC_ASSERT(weakest[i].row == near[i].second);
  }
}

RC_GTEST_PROP(ReportClusters, AreTheLargestGroups, ()) {
  Decided run(random_files(*rc::gen::arbitrary<std::uint64_t>(), 2, 60), {},
              {{"threshold", "0.6"}, {"id", "row"}});
  const Decisions& decisions = *run.decisions;
  std::vector<RowNumber> survivors;
  for (RowNumber row = 0; row < run.test.run->corpus.rows; ++row) {
    if (decisions.group_rows(row) >= 2) survivors.push_back(row);
  }
  std::stable_sort(survivors.begin(), survivors.end(), [&](RowNumber a, RowNumber b) {
    return decisions.group_rows(a) > decisions.group_rows(b);
  });
  const auto clusters =
      report_clusters(*run.source, [](RowNumber row) { return "line " + std::to_string(row); },
                      {{survivors.empty() ? 0 : survivors[0], {77, 5}}});
  RC_ASSERT(clusters.size() == std::min<std::size_t>(20, survivors.size()));
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const RowNumber survivor = survivors[i];
    RC_ASSERT(clusters[i].survivor.id == std::to_string(survivor));
    RC_ASSERT(clusters[i].survivor.file == (survivor < 60 ? "f0.jsonl" : "f1.jsonl"));
    RC_ASSERT(clusters[i].survivor.row == survivor % 60);
    RC_ASSERT(clusters[i].line == "line " + std::to_string(survivor));
    RC_ASSERT(clusters[i].rows == decisions.group_rows(survivor));
    RC_ASSERT(clusters[i].component.has_value() == (i == 0));
    std::uint64_t identical = 0;
    std::optional<std::pair<double, RowNumber>> weakest;
    for_each_removed(*run.source, [&](RowNumber row, const Decision& decision) {
      if (decision.survivor != survivor) return;
      identical += decision.identical ? 1 : 0;
      const std::pair edge{run.source->value(row, decision), row};
      if (!decision.identical && (!weakest || edge < *weakest)) weakest = edge;
    });
    RC_ASSERT(clusters[i].identical == identical);
    RC_ASSERT(clusters[i].weakest.has_value() == weakest.has_value());
    if (!weakest) continue;
    RC_ASSERT(clusters[i].weakest->similarity == weakest->first);
    RC_ASSERT(clusters[i].weakest->removed.id == std::to_string(weakest->second));
  }
}

TEST(ReportPairs, ShowTheFractionAndBothTexts) {
  Decided run({file_of_texts("f.jsonl", 'r', {"aa bb cc", "aa bb dd", "zz"})[0]}, {},
              {{"threshold", "0.5"}});
  const auto pairs = nearest_pairs(compared_sets(*run.test.run), *run.source);
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_EQ(pairs[0].similarity, 0.5);
  EXPECT_EQ(pairs[0].shared, 2U);
  EXPECT_EQ(pairs[0].united, 4U);
  EXPECT_EQ(pairs[0].removed.row.id, "r1");
  EXPECT_EQ(pairs[0].kept.row.id, "r0");
  EXPECT_EQ(pairs[0].removed.parts.back().text, "dd");
  EXPECT_EQ(pairs[0].kept.parts.back().text, "cc");
}

TEST(ReportCurves, AreOfThisRunAndOfOthers) {
  Decided hashed({file_of_texts("f.jsonl", 'r', {"aa bb cc dd", "aa bb cc"})[0]}, {},
                 {{"threshold", "0.5"}, {"method", "lsh"}, {"bands", "20x2"}});
  SimilarityBins bins{};
  bins[75] = 10;
  const auto curves =
      report_curves(hashed.test.run->choice, hashed.test.run->settings.threshold.value(), bins);
  ASSERT_GT(curves.size(), 1U);
  EXPECT_EQ(curves[0].name, "this run");
  EXPECT_NE(curves[0].banding.find("20"), std::string::npos);
  EXPECT_EQ(curves[0].probabilities.front(), 0);
  EXPECT_EQ(curves[0].probabilities.back(), 1);
  for (const ReportCurve& curve : curves) {
    ASSERT_EQ(curve.probabilities.size(), 201U);
    EXPECT_TRUE(std::is_sorted(curve.probabilities.begin(), curve.probabilities.end()));
    // Ten pairs of similarity 0.755.
    EXPECT_GE(curve.expected, 10 * curve.probabilities[151] - 1e-9);
    EXPECT_LE(curve.expected, 10 * curve.probabilities[152]);
  }
  Decided exact({file_of_texts("f.jsonl", 'r', {"aa"})[0]}, {}, {{"method", "brute"}});
  const auto all =
      report_curves(exact.test.run->choice, exact.test.run->settings.threshold.value(), bins);
  EXPECT_EQ(all[0].banding, "");
  EXPECT_EQ(all[0].at_threshold, "100 %");
  EXPECT_EQ(all[0].probabilities[50], 1);
}

TEST(BucketComponents, CountTheRowsThatHangTogether) {
  Decided run({file_of_texts("f.jsonl", 'r',
                             {"aa bb cc dd", "aa bb cc", "aa bb cc", "zz yy", "aa dd xx ee"})[0]},
              {}, {{"threshold", "0.7"}, {"method", "lsh"}, {"bands", "60x1"}});
  BucketComponents components;
  add_bucket_components(*run.test.run, *run.decisions, {}, components);
  ASSERT_EQ(components.size(), 1U);
  EXPECT_EQ(components.at(0).rows, 4U) << "the last one shares a bucket, and is not similar";
  EXPECT_EQ(components.at(0).survivors, 2U);
  const std::vector<RowNumber> names = {100, 101, 102, 103, 104};
  BucketComponents renamed;
  add_bucket_components(*run.test.run, *run.decisions, names, renamed);
  EXPECT_TRUE(renamed.contains(100));
  const auto line = telling_lines(compared_sets(*run.test.run));
  EXPECT_EQ(line(3), "zz yy");
}

std::string fields_of(const std::string& path, const std::string& content, RowNumber row,
                      const OptionTexts& given = {}) {
  TestSetRun test(kDedup, {{path, content}}, {}, given);
  test.run->prepare();
  std::string out;
  for (const ReportField& field : row_fields(test.run->inputs, test.run->corpus, row)) {
    out += field.name + "=" + field.value + ";";
  }
  return out;
}

TEST(RowFields, AreAllButTheIdAsTheyStandThere) {
  const std::string json =
      "{\"id\": 1, \"text\": \"a\\u0041\", \"n\": 2.50, \"none\": null, \"empty\": \"\"}\n";
  EXPECT_EQ(fields_of("in.jsonl", json, 0), "text=aA;n=2.50;");
  EXPECT_EQ(fields_of("in.jsonl", json, 0, {{"id", "text"}}), "id=1;n=2.50;");
  EXPECT_EQ(fields_of("in.csv", "id,text,b\n1,\"x,y\",\n2,z,w\n", 1), "text=z;b=w;");
  EXPECT_EQ(fields_of("in.csv", "id,text,b\n1,\"x,y\",\n2,z,w\n", 0), "text=x,y;");
  EXPECT_EQ(fields_of("in.txt", "a line\n", 0), "=a line\n;");
}

}  // namespace
}  // namespace sosie
