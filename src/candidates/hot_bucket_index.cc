// Growing prefix index: a hash table for unknown tokens, lists for known ones.
#include "candidates/hot_bucket_index.h"

#include <algorithm>

#include "candidates/prefix_length.h"

namespace sosie {
namespace {

constexpr std::size_t kLeastSlots = 1024;

}  // namespace

void HotBucketIndex::start(std::uint32_t known_shingles) {
  postings_ = {};
  links_ = {};
  slots_.assign(kLeastSlots, kNone);
  known_.assign(known_shingles, {});
  position_lists_ = 0;
}

std::size_t HotBucketIndex::slot_of(std::uint32_t token) const noexcept {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15ULL;
  return token * kMultiplier >> 32 & (slots_.size() - 1);
}

void HotBucketIndex::double_slots() {
  slots_.assign(2 * slots_.size(), kNone);
  for (std::uint32_t i = 0; i < postings_.size(); ++i) {
    std::uint32_t& last = slots_[slot_of(postings_[i].token)];
    postings_[i].previous = last;
    last = i;
  }
}

void HotBucketIndex::add(Place item, const RarePrefix& prefix) {
  for (std::uint32_t i = 0; i < prefix.unknown; ++i) {
    if (postings_.size() == slots_.size()) double_slots();
    std::uint32_t& last = slots_[slot_of(prefix.tokens[i])];
    postings_.push_back({prefix.tokens[i], item, last});
    last = static_cast<std::uint32_t>(postings_.size() - 1);
  }
  for (auto i = prefix.unknown; i < prefix.tokens.size(); ++i) {
    add_known(prefix.tokens[i], i, item);
  }
}

void HotBucketIndex::add_known(std::uint32_t rank, std::uint32_t position, Place item) {
  std::vector<PositionList>& lists = known_[rank];
  auto at = std::lower_bound(
      lists.begin(), lists.end(), position,
      [](const PositionList& list, std::uint32_t wanted) { return list.position < wanted; });
  if (at == lists.end() || at->position != position) {
    at = lists.insert(at, {position, kNone});
    ++position_lists_;
  }
  links_.push_back({item, at->last});
  at->last = static_cast<std::uint32_t>(links_.size() - 1);
}

void HotBucketIndex::list(const RarePrefix& prefix, std::vector<Place>& out) const {
  for (std::uint32_t i = 0; i < prefix.unknown; ++i) {
    const std::uint32_t token = prefix.tokens[i];
    for (std::uint32_t at = slots_[slot_of(token)]; at != kNone; at = postings_[at].previous) {
      if (postings_[at].token == token) out.push_back(postings_[at].item);
    }
  }
  for (auto i = prefix.unknown; i < prefix.tokens.size(); ++i) {
    const std::int64_t last = last_position(*measure_, prefix.set_size, i, threshold_);
    if (last < 0) return;
    for (const PositionList& list : known_[prefix.tokens[i]]) {
      if (list.position > last) break;
      for (std::uint32_t at = list.last; at != kNone; at = links_[at].previous) {
        out.push_back(links_[at].item);
      }
    }
  }
}

std::uint64_t HotBucketIndex::bytes() const noexcept {
  return postings_.size() * sizeof(Posting) + slots_.size() * sizeof(std::uint32_t) +
         links_.size() * sizeof(Link) + known_.size() * sizeof(std::vector<PositionList>) +
         2 * position_lists_ * sizeof(PositionList);
}

}  // namespace sosie
