// Prefix filter over the survivors of hot buckets, for items that come in batches.
#include "candidates/hot_bucket_filter.h"

#include <algorithm>

namespace sosie {
namespace {

constexpr std::size_t kSample = 1024;                       // sets to learn from
constexpr std::size_t kMostSampled = std::size_t{1} << 20;  // shingles of them
constexpr std::uint64_t kBytesOfSampled = 64;               // at most, while they are sorted out
constexpr std::size_t kShare = 256;                         // sets read at a time

}  // namespace

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

void HotBucketFilter::prepare(unsigned worker, Place item) {
  read_prefix(worker, item, prefixes_[item - batch_begin_]);
}

void HotBucketFilter::list_earlier(unsigned worker, Place item, std::vector<Place>& out) {
  const std::size_t before = out.size();
  earlier_.list(prefixes_[item - batch_begin_], out);
  workers_[worker].listed += out.size() - before;
}

void HotBucketFilter::list_latest(Place item, std::vector<Place>& out) {
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

// Members that came since the order was learned may share shingles that it does not know. It is
// learned again when that has cost as much as to read all sets again, and then twice as much.
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

}  // namespace sosie
