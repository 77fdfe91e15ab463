// Pairs below the threshold: from the sample, or assumed for an unknown collection.
#include "plan/false_pairs.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sosie {
namespace {

constexpr std::size_t kBins = 64;

// Number of documents that the planner assumes in every collection, besides the sample: the first
// 32 MiB cannot show how many partners there are in the whole collection. It plans for
// kAssumedDocuments, half a gigabyte of web pages; smaller collections take only seconds with any
// plan.
constexpr double kAssumedDocuments = 200'000;
// Assumes that one document in 500 comes from the same template, which contributes a shared part up
// to J = 1/2. Sites whose pages share more show this in the sample. It keeps r from being so low
// that the buckets of a template contain half of its pages.
constexpr double kTemplateShare = 1.0 / 500;
constexpr std::size_t kLastTemplateBin = kBins / 2;
// Texts with a common origin, spread evenly over [1/2, 1). Measured for words:5, at J in [0.5,
// 0.8): about 0.3 per document for web pages, 6 for package descriptions, 27 for copyright files,
// 170 for licence texts.
constexpr double kAssumedRelatives = 2.5;

double assumed_partners(std::size_t bin) noexcept {
  if (bin == 0) return kAssumedDocuments;
  if (bin < kLastTemplateBin) return kAssumedDocuments * kTemplateShare / (kLastTemplateBin - 1);
  return kAssumedRelatives / (kBins - kLastTemplateBin);
}

// The bins [i/64, (i+1)/64) below the threshold; for the bin that contains it, the part below.
std::vector<FalsePairs> bins_below(double threshold,
                                   const std::function<double(std::size_t)>& per_document) {
  std::vector<FalsePairs> result;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const double low = static_cast<double>(bin) / kBins;
    const double high = std::min(threshold, static_cast<double>(bin + 1) / kBins);
    const double pairs = per_document(bin) * (high - low) * kBins;
    if (low < high && pairs > 0) result.push_back({low + (high - low) / 2, pairs});
  }
  return result;
}

}  // namespace

std::vector<FalsePairs> sampled_false_pairs(const SampleFacts& sample, double threshold) {
  const auto drawn = static_cast<double>(std::accumulate(
      sample.pairs_by_similarity.begin(), sample.pairs_by_similarity.end(), std::uint64_t{0}));
  if (drawn == 0 || sample.documents < 2) return {};
  const double pairs_per_document = static_cast<double>(sample.documents - 1) / 2;
  return bins_below(threshold, [&](std::size_t bin) {
    return static_cast<double>(sample.pairs_by_similarity[bin]) / drawn * pairs_per_document;
  });
}

std::vector<FalsePairs> assumed_false_pairs(double threshold) {
  return bins_below(threshold, [](std::size_t bin) { return assumed_partners(bin) / 2; });
}

}  // namespace sosie
