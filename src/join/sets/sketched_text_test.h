#pragma once

#include <string>
#include <vector>

#include "corpus/rows/shingled_text.h"
#include "data/padded_bytes.h"
#include "join/sets/candidate_sketch.h"
#include "join/sets/indexed_sets.h"

namespace sosie {

inline constexpr BandingPlan kTestPlan{
    .components = 64, .bands = 6, .rows = 2, .filter_agreements = 8};

// A text with its sketches and its set.
struct SketchedText {
  explicit SketchedText(const std::string& text, const BandingPlan& plan = kTestPlan) {
    PaddedBytes bytes;
    bytes.assign(text);
    const ShingledText shingled = shingle_text(bytes.view(), {.size = 1});
    set = shingled.set;
    if (set.empty()) {
      sketch.filter.resize(static_cast<std::size_t>(plan.components));
    } else {
      CandidateSketcher(plan, 1, SketchKind::permfill).sketch(shingled.in_order, sketch);
    }
  }
  [[nodiscard]] SketchedSet view() const { return {set, sketch.keys, sketch.filter}; }

  std::vector<std::uint64_t> set;
  CandidateSketch sketch;
};

}  // namespace sosie
