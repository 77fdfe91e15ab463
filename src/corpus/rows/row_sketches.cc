// Short minhash signatures of sampled rows, for the planner.
#include "corpus/rows/row_sketches.h"

#include <numeric>

#include "kernels/agreement.h"
#include "sketch/band_keys.h"

namespace sosie {

RowSketches::RowSketches(const Settings& settings)
    : hasher_(kComponents, settings.seed, settings.sketch), signature_(kComponents) {}

void RowSketches::add(std::span<const std::uint64_t> shingles) {
  hasher_.sketch(shingles, signature_);
  filters_.resize(filters_.size() + kComponents);
  filter_signature(signature_, std::span(filters_).last(kComponents));
}

std::span<const std::uint32_t> RowSketches::similarities(std::size_t i, std::size_t first) {
  others_.resize(size() - first);
  std::iota(others_.begin(), others_.end(), static_cast<std::uint32_t>(first));
  agreements_.resize(others_.size());
  kernels::agreements(&filters_[i * kComponents], filters_.data(), kComponents, others_.data(),
                      others_.size(), agreements_.data());
  for (std::uint32_t& agree : agreements_) agree = agree * 64 / kComponents;
  return agreements_;
}

}  // namespace sosie
