// Tests of the machine-readable summary (--stats), and of audits as text.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/summaries_test.h"
#include "report/summary.h"

namespace sosie {
namespace {

TEST(AuditText, TellsRecallOverallAndNearTheThreshold) {
  AuditFacts a = audited();
  const AuditWords words{"documents", "0.8"};
  EXPECT_EQ(audit_text(std::nullopt, words), "");
  EXPECT_EQ(
      audit_text(a, words),
      "audit       100 of 1,000 documents compared with all others: 2,000 true pairs\n"
      "            recall 0.9500, 95 % interval 0.9300 to 0.9700; 0.99 was requested: THIS RUN "
      "FINDS LESS\n"
      "            of those in [0.8, 0.85): 0.7500, 95 % interval 0.7000 to 0.8000\n"
      "            precision 0.7500: 3 of their 4 reported pairs are true\n");
  a.sampled = 1000;
  a.below_recall = false;
  a.slice = {};
  a.reported = 0;
  EXPECT_EQ(audit_text(a, {"vectors", "3", false}),
            "audit       all 1,000 vectors compared with each other: 1,000 true pairs\n"
            "            recall 0.9500, 95 % interval 0.9300 to 0.9700; 0.99 was requested\n"
            "            none of them in (0.85, 3]\n"
            "            the run reports no pairs of these rows\n");
  a.slice_end = 1.01;
  EXPECT_NE(audit_text(a, words).find("none of them in [0.8, 1]"), std::string::npos);
  EXPECT_NE(audit_text(a, {"documents", "0.8", true, false}).find("1,000 of 1,000"),
            std::string::npos);
  a.enough = false;
  EXPECT_NE(audit_text(a, words).find(
                "too few to estimate recall: 30 are needed; --audit=N draws more documents"),
            std::string::npos);
}

using Json = nlohmann::json;

TEST(SummaryJson, HasTheSameKeysForEveryKind) {
  const Json texts = Json::parse(summary_json(summary_of_texts()));
  const Json vectors = Json::parse(summary_json(summary_of_vectors()));
  for (const char* key : {"rows",         "kept",
                          "identical",    "near",
                          "empty",        "skipped",
                          "unmatched",    "ill_formed",
                          "blank_lines",  "headers",
                          "short",        "bytes",
                          "words",        "removed",
                          "groups",       "pairs",
                          "candidates",   "verified",
                          "measure",      "kind",
                          "method",       "expected_recall",
                          "seed",         "inputs",
                          "not_read",     "hidden_not_read",
                          "read_twice",   "links_not_read",
                          "damaged",      "seconds",
                          "threads",      "peak_memory_bytes",
                          "scratch_bytes"}) {
    EXPECT_TRUE(texts.contains(key) && vectors.contains(key)) << key;
  }
  EXPECT_EQ(texts["removed"], 4);
  EXPECT_EQ(texts["threshold"], "0.8");
  EXPECT_EQ(texts["shingle"], "words:5");
  EXPECT_EQ(vectors["within"], "3.5");
  EXPECT_FALSE(vectors.contains("threshold") || vectors.contains("shingle"));
  EXPECT_EQ(vectors["dimension"], 128);
  EXPECT_EQ(vectors["components"], "uint8");
}

TEST(SummaryJson, TellsBandsOfHashedRunsOnly) {
  RunSummary s = summary_of_texts();
  EXPECT_FALSE(Json::parse(summary_json(s)).contains("bands"));
  s.method = {
      .method = Method::lsh, .bands = 14, .rows = 8, .components = 128, .filter_agreements = 40};
  Json json = Json::parse(summary_json(s));
  EXPECT_EQ(json["bands"], 14);
  EXPECT_EQ(json["band_rows"], 8);
  EXPECT_EQ(json["components"], 128);
  EXPECT_EQ(json["filter_agreements"], 40);
  EXPECT_FALSE(json.contains("segment") || json.contains("probes") || json.contains("sketch_bits"));
  s = summary_of_vectors();
  s.method.segment = 2.5;
  s.method.probes = 1.5;
  s.method.sketch_bits = 256;
  s.method.most_different = 57;
  json = Json::parse(summary_json(s));
  EXPECT_EQ(json["components"], "uint8");
  EXPECT_EQ(json["segment"], 2.5);
  EXPECT_EQ(json["probes"], 1.5);
  EXPECT_EQ(json["sketch_bits"], 256);
  EXPECT_EQ(json["sketch_bits_that_may_differ"], 57);
  s.method = {.reused = "p.tsv"};
  json = Json::parse(summary_json(s));
  EXPECT_EQ(json["reused"], "p.tsv");
  EXPECT_FALSE(json.contains("expected_recall"));
}

TEST(SummaryJson, HasWhatTheRunHasInAddition) {
  RunSummary s = summary_of_texts();
  Json json = Json::parse(summary_json(s));
  for (const char* key : {"against", "largest_group", "templates", "filters", "unverified_extra",
                          "audit", "encodings", "rows_with_pairs"}) {
    EXPECT_FALSE(json.contains(key)) << key;
  }
  s.groups = 1;
  s.largest = {3, "\xff\"id", "line"};
  s.against = {.given = true, .rows = 5, .bytes = 50, .removed = 2};
  s.within = "0.2";
  s.unverified_extra = 9;
  s.templates = {{.rows = 300, .common = 0.5, .passage = "p", .candidates = 9}};
  s.join = JoinCounts{};
  s.join->length = 77;
  s.encodings = {{"a.csv", "latin-1"}};
  s.notes.passed_over = {"x.bin"};
  s.notes.links = {"l"};
  s.damaged = {{"d.gz", "ends early"}};
  s.inputs = {{.name = "a.csv", .rows = 10}, {.name = "b.csv"}};
  s.audit = audited();
  json = Json::parse(summary_json(s));
  EXPECT_EQ(json["largest_group"]["id"], "\uFFFD\"id");
  EXPECT_EQ(json["against"], Json::parse(R"({"rows": 5, "bytes": 50, "removed": 2})"));
  EXPECT_EQ(json["within"], "0.2");
  EXPECT_EQ(json["unverified_extra"], 9);
  EXPECT_EQ(json["templates"][0]["passage"], "p");
  EXPECT_EQ(json["filters"]["length"], 77);
  EXPECT_EQ(json["encodings"], Json::parse(R"([{"name": "a.csv", "encoding": "latin-1"}])"));
  EXPECT_EQ(json["not_read"][0], "x.bin");
  EXPECT_EQ(json["damaged"][0]["reason"], "ends early");
  EXPECT_EQ(json["inputs"][0]["rows"], 10);
  EXPECT_EQ(json["inputs"][1]["name"], "b.csv");
  EXPECT_EQ(json["audit"]["recall_high"], 0.97);
  EXPECT_EQ(json["audit"]["slice"]["found_pairs"], 150);
  EXPECT_EQ(json["audit"]["precision"], 0.75);
  s.audit->reported = 0;
  EXPECT_TRUE(Json::parse(summary_json(s))["audit"]["precision"].is_null());
  s.verb = kQuery;
  s.against.bad = 1;
  s.rows_with_pairs = 4;
  json = Json::parse(summary_json(s));
  EXPECT_EQ(json["against"], Json::parse(R"({"rows": 5, "bytes": 50, "bad": 1})"));
  EXPECT_EQ(json["rows_with_pairs"], 4);
}

TEST(RunReportOf, SaysWhatTheSummarySays) {
  RunSummary s = summary_of_vectors();
  s.pairs = 11;
  s.audit = audited();
  const RunReport report = report_of(s);
  EXPECT_EQ(report.rows, 10U);
  EXPECT_EQ(report.kept, 6U);
  EXPECT_EQ(report.removed, 4U);
  EXPECT_EQ(report.pairs, 11U);
  EXPECT_TRUE(report.audit_below_recall);
  EXPECT_EQ(report.value_name, "distance");
  EXPECT_EQ(report.summary, summary_text(s));
  EXPECT_EQ(report.stats, summary_json(s));
  s.audit->below_recall = false;
  EXPECT_FALSE(report_of(s).audit_below_recall);
  s.audit.reset();
  EXPECT_FALSE(report_of(s).audit_below_recall);
}

}  // namespace
}  // namespace sosie
