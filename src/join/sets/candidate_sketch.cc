// Recomputes the keys and signatures of two documents and decides whether lsh makes them a
// candidate pair.
#include "join/sets/candidate_sketch.h"

#include "sketch/band_keys.h"

namespace sosie {

CandidateSketcher::CandidateSketcher(const BandingPlan& plan, std::uint64_t seed, SketchKind kind)
    : plan_(plan),
      hasher_(plan.components, seed, kind),
      signature_(static_cast<std::size_t>(plan.components)) {}

void CandidateSketcher::sketch(std::span<const std::uint64_t> shingles, CandidateSketch& out) {
  out.keys.resize(static_cast<std::size_t>(plan_.bands));
  out.filter.resize(signature_.size());
  hasher_.sketch(shingles, signature_);
  band_keys(signature_, plan_.rows, out.keys);
  filter_signature(signature_, out.filter);
}

SketchAgreement agreement_of(const CandidateSketch& left, const CandidateSketch& right) noexcept {
  SketchAgreement agreement;
  for (std::size_t i = 0; i < left.keys.size(); ++i) {
    agreement.bands += left.keys[i] == right.keys[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < left.filter.size(); ++i) {
    agreement.components += left.filter[i] == right.filter[i] ? 1 : 0;
  }
  return agreement;
}

}  // namespace sosie
