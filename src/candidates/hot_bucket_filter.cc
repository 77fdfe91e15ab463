// Prefix filter over the survivors in hot buckets, for items that arrive in batches, and the
// templates of such buckets.
#include "candidates/hot_bucket_filter.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kLeastSlots = 1024;

constexpr std::size_t kSample = 1024;                       // sets to learn from
constexpr std::size_t kMostSampled = std::size_t{1} << 20;  // shingles of these sets
constexpr std::uint64_t kBytesOfSampled = 64;               // maximum, while they are being sorted
constexpr std::size_t kShare = 256;                         // sets read at a time
constexpr std::uint64_t kMembersPerListed = 2;  // members scanned in the time of one listed item

}  // namespace

void RarityOrder::learn(std::vector<std::uint64_t> hashes) {
  std::sort(hashes.begin(), hashes.end());
  std::vector<std::pair<std::uint32_t, std::uint64_t>> shared;  // count and shingle
  for (std::size_t begin = 0; begin < hashes.size();) {
    std::size_t end = begin + 1;
    while (end < hashes.size() && hashes[end] == hashes[begin]) ++end;
    if (end - begin > 1)
      shared.emplace_back(static_cast<std::uint32_t>(end - begin), hashes[begin]);
    begin = end;
  }
  std::sort(shared.begin(), shared.end());
  known_ = static_cast<std::uint32_t>(shared.size());
  slots_.assign(std::bit_ceil(2 * shared.size() + 1), {});
  for (std::uint32_t rank = 0; rank < known_; ++rank) {
    std::size_t at = shared[rank].second & (slots_.size() - 1);
    while (slots_[at].rank != kUnknown) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = {shared[rank].second, rank};
  }
}

std::uint32_t RarityOrder::rank_of(std::uint64_t hash) const noexcept {
  std::size_t at = hash & (slots_.size() - 1);
  while (slots_[at].rank != kUnknown && slots_[at].hash != hash) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at].rank;
}

void RarityOrder::prefix_of(SetView set, const Measure& measure, const Rational& threshold,
                            std::vector<std::uint32_t>& ranks, RarePrefix& out) const {
  const auto length = static_cast<std::size_t>(prefix_length(measure, set.size(), threshold));
  out.set_size = static_cast<std::uint32_t>(set.size());
  out.tokens.clear();
  ranks.clear();
  for (const std::uint64_t hash : set) {
    if (out.tokens.size() == length) break;
    const std::uint32_t rank = rank_of(hash);
    if (rank == kUnknown) {
      out.tokens.push_back(static_cast<std::uint32_t>(hash >> 32));
    } else {
      ranks.push_back(rank);
    }
  }
  out.unknown = static_cast<std::uint32_t>(out.tokens.size());
  const std::size_t rest = length - out.tokens.size();
  if (rest == 0) return;
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(rest);
  std::partial_sort(ranks.begin(), end, ranks.end());
  out.tokens.insert(out.tokens.end(), ranks.begin(), end);
}

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
    at = lists.insert(at, {position, kNone, 0});
    ++position_lists_;
  }
  links_.push_back({item, at->last});
  at->last = static_cast<std::uint32_t>(links_.size() - 1);
  ++at->items;
}

bool HotBucketIndex::lists_at_least(std::uint64_t items, const RarePrefix& prefix) const noexcept {
  std::uint64_t count = 0;
  for (auto i = prefix.unknown; i < prefix.tokens.size(); ++i) {
    const std::int64_t last = last_position(*measure_, prefix.set_size, i, threshold_);
    if (last < 0) break;
    for (const PositionList& list : known_[prefix.tokens[i]]) {
      if (list.position > last || count >= items) break;
      count += list.items;
    }
  }
  return count >= items;
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

HotBucketFilter::HotBucketFilter(const HotBucketRule& rule, SetOfItem set_of, ThreadPool& pool)
    : rule_(rule),
      set_of_(std::move(set_of)),
      pool_(pool),
      earlier_(*rule.measure, rule.threshold),
      latest_(*rule.measure, rule.threshold),
      workers_(pool.size()),
      patience_(rule.listed_per_set) {}

void HotBucketFilter::begin_batch(Place begin, Place end) {
  batch_begin_ = begin;
  prefixes_.resize(std::max<std::size_t>(prefixes_.size(), end - begin));
}

void HotBucketFilter::read_prefix(unsigned worker, Place item, RarePrefix& out) {
  const ShingleSet set = set_of_(worker, item);
  order_.prefix_of(set.hashes(), *rule_.measure, rule_.threshold, workers_[worker].ranks, out);
}

bool HotBucketFilter::prepare(unsigned worker, Place item, std::uint64_t in_buckets) {
  RarePrefix& prefix = prefixes_[item - batch_begin_];
  read_prefix(worker, item, prefix);
  const std::uint64_t most = in_buckets / kMembersPerListed;
  if (!earlier_.lists_at_least(most, prefix)) return true;
  workers_[worker].listed += most;
  return false;
}

void HotBucketFilter::list_earlier(unsigned worker, Place item, std::vector<Place>& out) {
  const std::size_t before = out.size();
  earlier_.list(prefixes_[item - batch_begin_], out);
  workers_[worker].listed += out.size() - before;
}

void HotBucketFilter::list_latest(Place item, std::vector<Place>& out) const {
  latest_.list(prefixes_[item - batch_begin_], out);
}

void HotBucketFilter::add(Place item) {
  latest_.add(item, prefixes_[item - batch_begin_]);
  added_.push_back(item);
}

void HotBucketFilter::end_batch(std::span<const Place> newcomers) {
  for (const Place item : added_) earlier_.add(item, prefixes_[item - batch_begin_]);
  const bool is_first = members_.empty();
  members_.insert(members_.end(), added_.begin(), added_.end());
  members_.insert(members_.end(), newcomers.begin(), newcomers.end());
  added_.clear();
  if (members_.empty()) return;
  if (is_first || order_is_stale()) {
    learn();
  } else {
    index(newcomers);
    latest_.start(order_.known());
  }
  if (bytes() > rule_.most_bytes) close();
}

std::uint64_t HotBucketFilter::bytes() const noexcept {
  std::uint64_t bytes = order_.bytes() + earlier_.bytes() + latest_.bytes();
  for (const RarePrefix& prefix : prefixes_) {
    bytes += sizeof(prefix) + prefix.tokens.capacity() * sizeof(std::uint32_t);
  }
  return bytes + members_.size() * sizeof(Place);
}

void HotBucketFilter::close() {
  open_ = false;
  earlier_.start(0);
  latest_.start(0);
  members_ = {};
  prefixes_ = {};
}

void HotBucketFilter::list_all(unsigned worker, Place item, std::vector<Place>& out) {
  RarePrefix& prefix = workers_[worker].prefix;
  read_prefix(worker, item, prefix);
  earlier_.list(prefix, out);
}

// Members added after the order was learned may contain shingles that it does not know. The order
// is learned again once this has cost as much as rereading all sets, and the next time after twice
// that cost.
bool HotBucketFilter::order_is_stale() {
  std::uint64_t listed = 0;
  for (const Worker& worker : workers_) listed += worker.listed;
  if (listed < patience_ * members_.size()) return false;
  patience_ *= 2;
  return true;
}

void HotBucketFilter::learn() {
  std::vector<std::uint64_t> hashes;
  const std::size_t samples = std::min(kSample, members_.size());
  const std::uint64_t most =
      std::min<std::uint64_t>(kMostSampled, rule_.most_bytes / kBytesOfSampled);
  for (std::size_t i = 0; i < samples && hashes.size() < most; ++i) {
    const ShingleSet set = set_of_(0, members_[i * members_.size() / samples]);
    hashes.insert(hashes.end(), set.hashes().begin(), set.hashes().end());
  }
  order_.learn(std::move(hashes));
  earlier_.start(order_.known());
  latest_.start(order_.known());
  for (Worker& worker : workers_) worker.listed = 0;
  index(members_);
}

void HotBucketFilter::index(std::span<const Place> items) {
  std::vector<RarePrefix> prefixes(std::min(kShare, items.size()));
  for (std::size_t begin = 0; begin < items.size(); begin += kShare) {
    const std::size_t count = std::min(kShare, items.size() - begin);
    pool_.for_each(count, [&](unsigned worker, std::size_t i) {
      read_prefix(worker, items[begin + i], prefixes[i]);
    });
    for (std::size_t i = 0; i < count; ++i) earlier_.add(items[begin + i], prefixes[i]);
    if (bytes() > rule_.most_bytes) return;
  }
}

TemplateBuckets find_templates(const Buckets& buckets, std::size_t items, std::size_t most) {
  std::vector<std::uint32_t> large;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    if (buckets[i].size() > most) large.push_back(static_cast<std::uint32_t>(i));
  }
  TemplateBuckets templates;
  if (large.empty()) return templates;
  std::stable_sort(large.begin(), large.end(), [&](std::uint32_t a, std::uint32_t b) {
    return buckets[a].size() > buckets[b].size();
  });
  templates.of_item.resize(items);
  for (const std::uint32_t bucket : large) {
    std::uint8_t number = templates.of_item[buckets[bucket].front()];
    if (number == 0) {
      if (templates.largest.size() == kMostTemplates) continue;
      templates.largest.push_back(bucket);
      number = static_cast<std::uint8_t>(templates.largest.size());
    }
    for (const Place item : buckets[bucket]) {
      if (templates.of_item[item] == 0) templates.of_item[item] = number;
    }
  }
  return templates;
}

}  // namespace sosie
