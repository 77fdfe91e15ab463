#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/banding_plan.h"
#include "sketch/minhash.h"

namespace sosie {

// The keys and signature of a document under lsh, recomputed from its shingles. This implements the
// rule by which the run (Matcher) selects candidate pairs a second time, for --audit and explain.
struct CandidateSketch {
  std::vector<std::uint64_t> keys;   // one per band
  std::vector<std::uint8_t> filter;  // one per component
};

// Computes sketches. Not thread-safe.
class CandidateSketcher {
 public:
  CandidateSketcher(const BandingPlan& plan, std::uint64_t seed, SketchKind kind);

  // `shingles`: at least one; duplicates are allowed.
  void sketch(std::span<const std::uint64_t> shingles, CandidateSketch& out);

 private:
  BandingPlan plan_;
  MinHasher hasher_;
  std::vector<std::uint32_t> signature_;
};

// Agreement of two sketches with the same plan.
struct SketchAgreement {
  int bands = 0;       // with equal keys
  int components = 0;  // with equal filters

  [[nodiscard]] bool accepted_by(const BandingPlan& plan) const noexcept {
    return bands > 0 && components >= plan.filter_agreements;
  }
};
[[nodiscard]] SketchAgreement agreement_of(const CandidateSketch& left,
                                           const CandidateSketch& right) noexcept;

}  // namespace sosie
