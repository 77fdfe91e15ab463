// Candidate pairs of records whose keys are equal or close in sorted order, and the union of the
// pairs found by several rules.
#include "candidates/keyed_blocks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace sosie {
namespace {

constexpr std::uint32_t kUnplaced = std::numeric_limits<std::uint32_t>::max();

}  // namespace

KeyedBlocks::KeyedBlocks(std::vector<std::uint32_t> keys, std::uint32_t split, std::uint32_t most,
                         bool keeps_keys)
    : keys_(std::move(keys)), split_(split), most_(most) {
  if (!keeps_keys) forget_keys_without_pairs();
  const std::uint32_t greatest = keys_.empty() ? 0 : *std::max_element(keys_.begin(), keys_.end());
  starts_.assign(std::size_t{greatest} + 2, 0);
  for (const std::uint32_t key : keys_) {
    if (key != 0) ++starts_[key + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  members_.resize(starts_.back());
  std::vector<std::uint32_t> ends(starts_.begin(), starts_.end() - 1);
  for (std::uint32_t record = 0; record < keys_.size(); ++record) {
    if (keys_[record] != 0) members_[ends[keys_[record]]++] = record;
  }
  if (split_ == 0 || keeps_keys) return;
  keys_.resize(split_);
  keys_.shrink_to_fit();
}

void KeyedBlocks::forget_keys_without_pairs() {
  enum Seen : std::uint8_t { none, one, pair };  // one: one record, or left records only
  const std::uint32_t greatest = keys_.empty() ? 0 : *std::max_element(keys_.begin(), keys_.end());
  std::vector<std::uint8_t> seen(std::size_t{greatest} + 1, none);
  for (std::uint32_t record = 0; record < keys_.size(); ++record) {
    std::uint8_t& state = seen[keys_[record]];
    if (split_ != 0) {
      state = record < split_ ? one : (state == none ? none : pair);
    } else {
      state = state == none ? one : pair;
    }
  }
  std::vector<std::uint32_t> number_of(seen.size());
  std::uint32_t count = 0;
  for (std::uint32_t key = 1; key < seen.size(); ++key) {
    if (seen[key] == pair) number_of[key] = ++count;
  }
  for (std::uint32_t& key : keys_) key = number_of[key];
}

std::size_t KeyedBlocks::left_ones(std::uint32_t key) const noexcept {
  const auto all = block(key);
  return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), split_) - all.begin());
}

std::uint64_t KeyedBlocks::pairs_of(std::uint32_t key) const noexcept {
  const std::uint64_t size = block(key).size();
  if (split_ == 0) return size == 0 ? 0 : size * (size - 1) / 2;
  const std::uint64_t left = left_ones(key);
  return left * (size - left);
}

void KeyedBlocks::append(std::uint32_t record, std::vector<std::uint32_t>& partners) const {
  if (keys_[record] != 0 && !is_large(keys_[record])) append_from(keys_[record], record, partners);
}

void KeyedBlocks::append_from(std::uint32_t key, std::uint32_t record,
                              std::vector<std::uint32_t>& partners) const {
  const auto all = block(key);
  const std::uint32_t first = split_ == 0 ? record + 1 : split_;
  partners.insert(partners.end(), std::lower_bound(all.begin(), all.end(), first), all.end());
}

SortedWindow::SortedWindow(std::vector<std::uint32_t> order, std::uint32_t records,
                           std::uint32_t split, std::uint32_t window)
    : order_(std::move(order)), place_of_(records, kUnplaced), split_(split), window_(window) {
  for (std::uint32_t place = 0; place < order_.size(); ++place) place_of_[order_[place]] = place;
}

void SortedWindow::append(std::uint32_t record, std::vector<std::uint32_t>& partners) const {
  const std::uint32_t place = place_of_[record];
  if (place == kUnplaced) return;
  const std::size_t begin = place > window_ ? place - window_ : 0;
  const std::size_t end = std::min<std::size_t>(order_.size(), std::size_t{place} + window_ + 1);
  const std::uint32_t first = split_ == 0 ? record + 1 : split_;
  for (std::size_t i = begin; i < end; ++i) {
    if (order_[i] >= first) partners.push_back(order_[i]);
  }
}

std::uint32_t rules_in(std::span<const CandidatePartner> partners, std::uint32_t partner) noexcept {
  const auto at = std::lower_bound(
      partners.begin(), partners.end(), partner,
      [](const CandidatePartner& other, std::uint32_t of) { return other.partner < of; });
  return at == partners.end() || at->partner != partner ? 0 : at->rules;
}

std::span<const CandidatePartner> CandidateUnion::of(std::uint32_t record, Buffers& buffers) const {
  std::vector<CandidatePartner>& found = buffers.found;
  found.clear();
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    buffers.partners.clear();
    rules_[rule](record, buffers.partners);
    for (const std::uint32_t partner : buffers.partners) found.push_back({partner, 1U << rule});
  }
  std::sort(found.begin(), found.end(), [](const CandidatePartner& a, const CandidatePartner& b) {
    return a.partner < b.partner;
  });
  std::size_t count = 0;
  for (const CandidatePartner& next : found) {
    if (count > 0 && found[count - 1].partner == next.partner) {
      found[count - 1].rules |= next.rules;
    } else {
      found[count++] = next;
    }
  }
  found.resize(count);
  return found;
}

}  // namespace sosie
