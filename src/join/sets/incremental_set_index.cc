// Exact look-ups among sets that arrive one by one.
#include "join/sets/incremental_set_index.h"

#include <algorithm>

namespace sosie {
namespace {

constexpr std::size_t kMostNewest = 64;  // sets that are compared one by one

}  // namespace

SetView IncrementalSetIndex::set_at(std::size_t position) const noexcept {
  return SetView(sets_.hashes)
      .subspan(sets_.starts[position], sets_.starts[position + 1] - sets_.starts[position]);
}

void IncrementalSetIndex::add(SetView set) {
  sets_.hashes.insert(sets_.hashes.end(), set.begin(), set.end());
  sets_.starts.push_back(sets_.hashes.size());
  if (sets_.size() - indexed_ >= kMostNewest) index_newest();
}

void IncrementalSetIndex::index_newest() {
  std::size_t first = indexed_;
  while (!ranges_.empty() && ranges_.back().lookup.size() < 2 * (sets_.size() - first)) {
    first = ranges_.back().first;
    ranges_.pop_back();
  }
  HashedSets range;
  for (std::size_t position = first; position < sets_.size(); ++position) {
    const SetView set = set_at(position);
    range.hashes.insert(range.hashes.end(), set.begin(), set.end());
    range.starts.push_back(range.hashes.size());
  }
  ranges_.push_back(
      {static_cast<Place>(first), SetLookup(std::move(range), measure_, threshold_), {}});
  indexed_ = sets_.size();
}

std::optional<SimilarSet> IncrementalSetIndex::first_of(Range& range, SetView set) {
  hits_.clear();
  range.lookup.find(set, range.finder, hits_);
  const auto first = std::min_element(hits_.begin(), hits_.end(), [](const auto& a, const auto& b) {
    return a.position < b.position;
  });
  if (first == hits_.end()) return {};
  return SimilarSet{range.first + first->position, first->overlap};
}

std::optional<SimilarSet> IncrementalSetIndex::first_similar(SetView set) {
  if (set.empty()) return {};
  for (Range& range : ranges_) {
    const std::uint64_t listed = range.finder.candidates;
    const std::uint64_t verified = range.finder.verified;
    const std::optional<SimilarSet> found = first_of(range, set);
    listed_ += range.finder.candidates - listed;
    verified_ += range.finder.verified - verified;
    if (found) return found;
  }
  for (std::size_t position = indexed_; position < sets_.size(); ++position) {
    const SetView other = set_at(position);
    ++listed_;
    if (other.empty() || !measure_.sizes_can_reach(set.size(), other.size(), threshold_)) continue;
    ++verified_;
    const Overlap overlap = measure_.overlap(set, other);
    if (measure_.reaches(overlap, threshold_)) {
      return SimilarSet{static_cast<Place>(position), overlap};
    }
  }
  return {};
}

}  // namespace sosie
