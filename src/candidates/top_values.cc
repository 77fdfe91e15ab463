// The most similar records to each record, looked up value by value.
#include "candidates/top_values.h"

#include <algorithm>
#include <utility>

#include "candidates/order_tokens.h"

namespace sosie {
namespace {

constexpr std::size_t kValuesATask = 16;

}  // namespace

TopValues::TopValues(const HashedSets& sets, std::vector<std::uint32_t> keys, std::uint32_t split,
                     const Measure& measure, ThreadPool& pool)
    : NearestPartners(keys.size()),
      sets_(order_tokens(sets, pool)),
      blocks_(std::move(keys), split, 0, /*keeps_keys=*/true),
      split_(split),
      measure_(measure) {
  std::vector<Place> lefts;
  std::vector<Place> rights;
  for (std::uint32_t key = 1; key < blocks_.keys(); ++key) {
    const bool is_left = split_ > 0 && blocks_.block(key).front() < split_;
    (is_left ? lefts : rights).push_back(key - 1);
  }
  to_right_.emplace(sets_, measure_, rights);
  if (split_ > 0) to_left_.emplace(sets_, measure_, lefts);
}

void TopValues::find(std::span<const std::uint32_t> records, std::uint32_t most, ThreadPool& pool) {
  std::vector<std::uint32_t> order;
  order.reserve(records.size());
  for (const std::uint32_t record : records) {
    nearest_[record].clear();
    if (blocks_.key_of(record) != 0) order.push_back(record);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(blocks_.key_of(a), a) < std::pair(blocks_.key_of(b), b);
  });
  std::vector<std::size_t> starts;  // first record of each value
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool goes_on = i > 0 && blocks_.key_of(order[i - 1]) == blocks_.key_of(order[i]);
    if (!goes_on) starts.push_back(i);
  }
  const std::size_t count = starts.size();
  starts.push_back(order.size());
  std::vector<Buffers> buffers(pool.size());
  pool.for_each((count + kValuesATask - 1) / kValuesATask, [&](unsigned worker, std::size_t task) {
    pool.check_cancelled();
    const std::size_t end = std::min(count, (task + 1) * kValuesATask);
    for (std::size_t i = task * kValuesATask; i < end; ++i) {
      find_together(std::span(order).subspan(starts[i], starts[i + 1] - starts[i]), most,
                    buffers[worker]);
    }
  });
}

void TopValues::find_together(std::span<const std::uint32_t> records, std::uint32_t most,
                              Buffers& buffers) {
  const std::uint32_t key = blocks_.key_of(records.front());
  const bool is_left = split_ > 0 && records.front() < split_;
  const std::size_t wanted = std::size_t{most} + 1;  // a record may be among them itself
  std::vector<std::uint32_t>& partners = buffers.partners;
  partners.clear();
  const auto add = [&](std::uint32_t of) {
    const auto block = blocks_.block(of);
    const std::size_t more = wanted - std::min(wanted, partners.size());
    const auto some = block.first(std::min(more, block.size()));
    partners.insert(partners.end(), some.begin(), some.end());
  };
  if (split_ == 0) add(key);
  buffers.best.clear();
  const TopSets& among = split_ == 0 || is_left ? *to_right_ : *to_left_;
  among.find(
      key - 1, wanted, [](Place partner) { return RowId{partner}; }, buffers.finder,
      [&](const VerifiedPair& pair) { buffers.best.push_back(pair); });
  std::sort(buffers.best.begin(), buffers.best.end(),
            [&](const VerifiedPair& a, const VerifiedPair& b) {
              if (measure_.is_above(a.overlap, b.overlap)) return true;
              if (measure_.is_above(b.overlap, a.overlap)) return false;
              return a.right < b.right;
            });
  for (const VerifiedPair& pair : buffers.best) add(pair.right + 1);
  for (const std::uint32_t record : records) {
    std::vector<std::uint32_t>& nearest = nearest_[record];
    nearest.reserve(std::min<std::size_t>(most, partners.size()));
    for (const std::uint32_t partner : partners) {
      if (nearest.size() == most) break;
      if (partner != record) nearest.push_back(partner);
    }
  }
}

}  // namespace sosie
