#pragma once

#include "data/kinds.h"
#include "data/run_summary.h"

// Summaries of runs, for tests.
namespace sosie {

inline RunSummary summary_of_texts() {
  RunSummary s;
  s.verb = kDedup;
  s.kind = kTextItems;
  s.measure = "jaccard";
  s.threshold = "0.8";
  s.shingle = "words:5";
  s.tokens = "unicode";
  s.seed = 7;
  s.method.method = Method::brute;
  s.total = {
      .name = {}, .bytes = 3000, .words = 1234, .rows = 10, .kept = 6, .identical = 3, .near = 1};
  return s;
}

inline RunSummary summary_of_vectors() {
  RunSummary s = summary_of_texts();
  s.kind = kVectorItems;
  s.dimension = 128;
  s.components = "uint8";
  s.measure = "euclidean";
  s.threshold = "3.5";
  s.is_similarity = false;
  s.method = {.method = Method::lsh, .line = "lsh: by hyperplanes", .expected_recall = 0.98765};
  return s;
}

inline AuditFacts audited() {
  AuditFacts a;
  a.sampled = 100;
  a.documents = 1000;
  a.all = {2000, 1900, 0.95, 0.93, 0.97};
  a.slice = {200, 150, 0.75, 0.7, 0.8};
  a.slice_end = 0.85;
  a.reported = 4;
  a.reported_true = 3;
  a.asked = 0.99;
  a.enough = true;
  a.below_recall = true;
  return a;
}

}  // namespace sosie
