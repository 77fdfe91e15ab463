#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/banding_plan.h"
#include "sketch/minhash.h"

namespace sosie {

// Keys and signature of a document under lsh, made again from its shingles: the rule by which the
// run (Matcher) takes two documents for a candidate pair, stated apart for --audit and explain.
struct CandidateSketch {
  std::vector<std::uint64_t> keys;   // one a band
  std::vector<std::uint8_t> filter;  // one a component
};

// Makes sketches; belongs to one thread.
class CandidateSketcher {
 public:
  CandidateSketcher(const BandingPlan& plan, std::uint64_t seed, SketchKind kind);

  // `shingles`: at least one, repetitions allowed.
  void sketch(std::span<const std::uint64_t> shingles, CandidateSketch& out);

 private:
  BandingPlan plan_;
  MinHasher hasher_;
  std::vector<std::uint32_t> signature_;
};

// In how much two sketches of one plan agree.
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
