// Prefix index of sets for exact look-ups of other sets, one set at a time.
#include "candidates/set_lookup.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "candidates/prefix_length.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Keeps the rarest elements, unordered. Any order of elements is suitable if all sets use the same
// one.
void take_rarest(std::size_t most, std::vector<std::pair<std::uint32_t, std::uint32_t>>& order) {
  if (order.size() <= most) return;
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(order.begin(), end, order.end());
  order.erase(end, order.end());
}

// Every element flips a bit: two sets differ in at least as many elements as their signatures
// differ in bits.
std::uint64_t parity_signature(SetView set) noexcept {
  std::uint64_t signature = 0;
  for (const std::uint64_t element : set) signature ^= std::uint64_t{1} << (element >> 58);
  return signature;
}

}  // namespace

std::size_t SetLookup::Elements::slot_of(std::uint64_t element) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = element & mask;
  while (slots_[slot] != kNone && elements_[slots_[slot]] != element) slot = (slot + 1) & mask;
  return slot;
}

std::uint32_t SetLookup::Elements::find(std::uint64_t element) const noexcept {
  return slots_.empty() ? kNone : slots_[slot_of(element)];
}

std::uint32_t SetLookup::Elements::add(std::uint64_t element) {
  if (2 * elements_.size() >= slots_.size()) grow();
  std::uint32_t& number = slots_[slot_of(element)];
  if (number != kNone) return number;
  if (elements_.size() + 1 >= kNone) {
    throw Error(ErrorKind::limit_exceeded, "more than 4,294,967,294 different elements");
  }
  number = size();
  elements_.push_back(element);
  return number;
}

void SetLookup::Elements::grow() {
  constexpr std::size_t kFewSlots = 64;
  slots_.assign(std::max(kFewSlots, 2 * slots_.size()), kNone);
  for (std::uint32_t number = 0; number < size(); ++number) {
    slots_[slot_of(elements_[number])] = number;
  }
}

SetLookup::SetLookup(HashedSets sets, const Measure& measure, const Rational& threshold)
    : sets_(std::move(sets)), measure_(measure), threshold_(threshold) {
  count_elements();
  index_prefixes();
  signatures_.reserve(size());
  for (Place position = 0; position < size(); ++position) {
    signatures_.push_back(parity_signature(set_at(position)));
  }
}

SetView SetLookup::set_at(Place position) const noexcept {
  return SetView(sets_.hashes)
      .subspan(sets_.starts[position], sets_.starts[position + 1] - sets_.starts[position]);
}

void SetLookup::count_elements() {
  for (const std::uint64_t element : sets_.hashes) {
    const std::uint32_t number = elements_.add(element);
    if (number == counts_.size()) counts_.push_back(0);
    ++counts_[number];
  }
}

void SetLookup::index_prefixes() {
  std::vector<std::uint32_t> prefixes;  // one after another
  std::vector<std::uint32_t> lengths;   // by position
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  starts_.assign(std::size_t{elements_.size()} + 1, 0);
  for (Place position = 0; position < size(); ++position) {
    const SetView set = set_at(position);
    order.clear();
    for (const std::uint64_t element : set) {
      const std::uint32_t number = elements_.find(element);
      order.emplace_back(counts_[number], number);
    }
    take_rarest(prefix_length(measure_, set.size(), threshold_), order);
    for (const auto& [count, number] : order) {
      prefixes.push_back(number);
      ++starts_[number + 1];
    }
    lengths.push_back(static_cast<std::uint32_t>(order.size()));
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  postings_.resize(prefixes.size());
  const std::uint32_t* at = prefixes.data();
  for (Place position = 0; position < size(); ++position) {
    for (std::uint32_t i = 0; i < lengths[position]; ++i) postings_[next[*at++]++] = position;
  }
}

void SetLookup::find(SetView set, Finder& finder, Hits& out) const {
  if (set.empty() || size() == 0) return;
  finder.order.clear();
  for (const std::uint64_t element : set) {
    const std::uint32_t number = elements_.find(element);
    if (number != Elements::kNone) finder.order.emplace_back(counts_[number], number);
  }
  const std::uint64_t prefix = prefix_length(measure_, set.size(), threshold_);
  const std::uint64_t unknown = set.size() - finder.order.size();
  if (prefix <= unknown) return;
  take_rarest(prefix - unknown, finder.order);
  finder.signature = parity_signature(set);
  finder.last_lookup.resize(size());
  if (++finder.lookups == 0) {  // all numbers have been used
    std::fill(finder.last_lookup.begin(), finder.last_lookup.end(), 0);
    finder.lookups = 1;
  }
  for (const auto& [count, number] : finder.order) {
    for (std::uint64_t i = starts_[number]; i < starts_[number + 1]; ++i) {
      const Place position = postings_[i];
      if (finder.last_lookup[position] == finder.lookups) continue;
      finder.last_lookup[position] = finder.lookups;
      verify(set, position, finder, out);
    }
  }
}

void SetLookup::verify(SetView set, Place position, Finder& finder, Hits& out) const {
  ++finder.candidates;
  const SetView other = set_at(position);
  if (!measure_.sizes_can_reach(set.size(), other.size(), threshold_)) return;
  const auto differing =
      static_cast<std::uint64_t>(std::popcount(finder.signature ^ signatures_[position]));
  if (differing > measure_.largest_difference(set.size(), other.size(), threshold_)) return;
  ++finder.verified;
  const Overlap overlap = measure_.overlap(set, other);
  const bool reaches = measure_.is_ordered() ? measure_.left_reaches(overlap, threshold_)
                                             : measure_.reaches(overlap, threshold_);
  if (reaches) out.push_back({position, overlap});
}

}  // namespace sosie
