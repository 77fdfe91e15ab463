// Table of the elements of a small collection, in which the rows of a large one are looked up.
#include "candidates/partner_elements.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "candidates/prefix_length.h"

namespace sosie {
namespace {

// Minimum number of elements that a set of this size shares with any of its partners.
std::uint64_t least_shared_of(const PartnerTask& task, std::uint64_t size, bool is_left) noexcept {
  const Measure& measure = *task.measure;
  if (size == 0) return 1;
  if (!measure.is_ordered()) {
    return size + 1 - prefix_length(measure, size, task.threshold);
  }
  return is_left ? least_shared_of_left(measure, size, task.threshold) : 1;
}

}  // namespace

PartnerElements::PartnerElements(const HashedSets& sets, const PartnerTask& task) : task_(task) {
  constexpr std::size_t kFewSlots = 64;
  const std::size_t slots = std::bit_ceil(std::max(kFewSlots, 2 * sets.hashes.size()));
  elements_.resize(slots);
  slots_.resize(slots);
  bits_.resize(std::bit_ceil(sets.hashes.size() / 4 + 1));  // words of 64
  bit_mask_ = bits_.size() - 1;
  std::vector<std::uint32_t> counts(slots);  // by slot: number of sets with the element
  for (const std::uint64_t element : sets.hashes) {
    const std::size_t slot = slot_of(element);
    elements_[slot] = element;
    slots_[slot] = Slot::known;
    ++counts[slot];
    bits_[element >> 6 & bit_mask_] |= std::uint64_t{1} << (element & 63);
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    add_prefix(SetView(sets.hashes).subspan(sets.starts[i], sets.starts[i + 1] - sets.starts[i]),
               counts);
  }
}

void PartnerElements::add_prefix(SetView set, std::vector<std::uint32_t>& counts) {
  std::vector<std::pair<std::uint32_t, std::size_t>> order;
  order.reserve(set.size());
  for (const std::uint64_t element : set) {
    const std::size_t slot = slot_of(element);
    order.emplace_back(counts[slot], slot);
  }
  std::sort(order.begin(), order.end());
  const std::uint64_t least = least_shared_of(task_, set.size(), task_.known_on_left);
  for (std::size_t i = 0; i + least <= set.size(); ++i) slots_[order[i].second] = Slot::rare;
}

std::size_t PartnerElements::slot_of(std::uint64_t element) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = element & mask;
  while (slots_[slot] != Slot::free && elements_[slot] != element) slot = (slot + 1) & mask;
  return slot;
}

bool PartnerElements::holds_any(std::span<const std::uint64_t> elements) const noexcept {
  return std::any_of(elements.begin(), elements.end(),
                     [this](std::uint64_t element) { return kind_of(element) != Slot::free; });
}

bool PartnerElements::may_be_similar(SetView set) const noexcept {
  std::uint64_t known = 0;
  bool has_rare = false;
  for (const std::uint64_t element : set) {
    const Slot slot = kind_of(element);
    known += slot != Slot::free ? 1U : 0U;
    has_rare = has_rare || slot == Slot::rare;
  }
  return has_rare && known >= least_shared_of(task_, set.size(), !task_.known_on_left);
}

}  // namespace sosie
