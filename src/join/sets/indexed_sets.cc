// Sets and sketches of an index in memory, by position, with gaps where sets were removed.
#include "join/sets/indexed_sets.h"

#include <algorithm>

#include "kernels/agreement.h"

namespace sosie {

SketchedSet sketched_set(const ScannedBlock& block, std::size_t i,
                         std::vector<std::uint64_t>& keys) {
  const std::size_t rows = block.rows();
  const std::size_t bytes = block.filters.size() / rows;
  keys.resize(block.band_keys.size() / rows);
  for (std::size_t band = 0; band < keys.size(); ++band) {
    keys[band] = block.band_keys[band * rows + i];
  }
  const std::uint64_t begin = block.sets.starts[i];
  return {SetView(block.sets.hashes).subspan(begin, block.sets.starts[i + 1] - begin), keys,
          std::span(block.filters).subspan(i * bytes, bytes)};
}

void IndexedSets::add(const SketchedSet& set) {
  const Place position = size();
  if (!set.set.empty()) {
    for (const std::uint64_t key : set.keys) keys_.add(key, position);
  }
  sets_.hashes.insert(sets_.hashes.end(), set.set.begin(), set.set.end());
  sets_.starts.push_back(sets_.hashes.size());
  filters_.insert(filters_.end(), set.filter.begin(), set.filter.end());
  is_there_.push_back(true);
}

void IndexedSets::list(const SketchedSet& set, Place from, Finder& finder) const {
  std::vector<Place>& candidates = finder.candidates;
  candidates.clear();
  for (const std::uint64_t key : set.keys) {
    keys_.for_each(key, [&](Place position) {
      if (position >= from && is_there_[position]) candidates.push_back(position);
    });
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
}

void IndexedSets::prune(const SketchedSet& set, Finder& finder) const {
  std::vector<Place>& candidates = finder.candidates;
  finder.agreements.resize(candidates.size());
  kernels::agreements(set.filter.data(), filters_.data(), set.filter.size(), candidates.data(),
                      candidates.size(), finder.agreements.data());
  const auto least = static_cast<std::uint32_t>(plan_.filter_agreements);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (finder.agreements[i] >= least) candidates[kept++] = candidates[i];
  }
  candidates.resize(kept);
}

void IndexedSets::find(const SketchedSet& set, Place from, bool one, Finder& finder,
                       std::vector<Hit>& out) const {
  if (set.set.empty()) return;
  list(set, from, finder);
  finder.listed += finder.candidates.size();
  prune(set, finder);
  for (const Place position : finder.candidates) {
    const std::uint64_t begin = sets_.starts[position];
    const SetView other(sets_.hashes.data() + begin, sets_.starts[position + 1] - begin);
    if (!measure_.sizes_can_reach(set.set.size(), other.size(), threshold_)) continue;
    ++finder.verified;
    const Overlap overlap = measure_.overlap(set.set, other);
    if (!measure_.reaches(overlap, threshold_)) continue;
    out.push_back({position, overlap});
    if (one) return;
  }
}

bool IndexedSets::take_out(Place position) {
  if (!is_there_[position]) return false;
  is_there_[position] = false;
  ++gaps_;
  return true;
}

void IndexedSets::compact() {
  std::vector<Place> new_position(size(), kNoPlace);
  const auto filter_bytes = static_cast<std::size_t>(plan_.components);
  HashedSets sets;
  std::vector<std::uint8_t> filters;
  for (Place position = 0; position < size(); ++position) {
    if (!is_there_[position]) continue;
    new_position[position] = static_cast<Place>(sets.size());
    const auto set =
        std::span(sets_.hashes)
            .subspan(sets_.starts[position], sets_.starts[position + 1] - sets_.starts[position]);
    sets.hashes.insert(sets.hashes.end(), set.begin(), set.end());
    sets.starts.push_back(sets.hashes.size());
    const auto filter = std::span(filters_).subspan(position * filter_bytes, filter_bytes);
    filters.insert(filters.end(), filter.begin(), filter.end());
  }
  keys_.renumber(new_position);
  sets_ = std::move(sets);
  filters_ = std::move(filters);
  is_there_.assign(size(), true);
  gaps_ = 0;
}

}  // namespace sosie
