// Finds the most similar sets for each set without a threshold: counts along token lists, with a
// bound on unseen tokens. Records are sets of values.
#include "candidates/top_sets.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "candidates/order_tokens.h"

namespace sosie {
namespace {

constexpr std::uint32_t kNoPartner = ~std::uint32_t{0};  // in place of a count
constexpr std::uint32_t kNoSet = ~std::uint32_t{0};

constexpr std::size_t kValuesATask = 16;

}  // namespace

TopSets::TopSets(const TokenSets& sets, const Measure& measure, std::span<const Place> partners)
    : sets_(sets), measure_(measure) {
  const auto places = sets.places.begin() == sets.places.end()
                          ? Place{0}
                          : *std::max_element(sets.places.begin(), sets.places.end()) + 1;
  set_at_.assign(places, kNoSet);
  for (std::uint32_t set = 0; set < sets.size(); ++set) set_at_[sets.places[set]] = set;
  starts_.assign(std::size_t{sets.universe} + 1, 0);
  const auto for_each_token = [&](const auto& each) {
    for (const Place place : partners) {
      const std::uint32_t set = set_at_[place];
      for (const std::uint32_t token : sets[set]) each(set, token);
    }
  };
  for_each_token([&](std::uint32_t /*set*/, std::uint32_t token) { ++starts_[token + 1]; });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  lists_.resize(starts_.back());
  std::vector<std::uint64_t> ends(starts_.begin(), starts_.end() - 1);
  for_each_token([&](std::uint32_t set, std::uint32_t token) { lists_[ends[token]++] = set; });
}

void TopSets::find(Place place, std::uint64_t most, const RankOf& rank, Finder& finder,
                   const std::function<void(const VerifiedPair&)>& take) const {
  const std::uint32_t set = set_at_[place];
  finder.shared.resize(sets_.size());
  const std::size_t rest = count_along(set, most, rank, finder);
  verify(set, rest, most, finder);
  // Until here, the left place holds the rank of the right one.
  const auto is_better = [this](const VerifiedPair& a, const VerifiedPair& b) {
    if (measure_.is_above(a.overlap, b.overlap)) return true;
    if (measure_.is_above(b.overlap, a.overlap)) return false;
    return a.left < b.left;
  };
  for (VerifiedPair& pair : finder.best) pair.left = rank(sets_.places[pair.right]);
  const auto end = finder.best.begin() +
                   static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, finder.best.size()));
  if (end != finder.best.end()) {
    std::nth_element(finder.best.begin(), end, finder.best.end(), is_better);
  }
  for (auto pair = finder.best.begin(); pair != end; ++pair) {
    take({place, sets_.places[pair->right], pair->overlap});
  }
  for (const std::uint32_t other : finder.touched) finder.shared[other] = 0;
  finder.touched.clear();
}

// Returns the number of the set's tokens that were not read.
std::size_t TopSets::count_along(std::uint32_t set, std::uint64_t most, const RankOf& rank,
                                 Finder& finder) const {
  const TokenView tokens = sets_[set];
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto list = list_of(tokens[i]);
    // A check costs about as much as counting along a list of this many sets.
    const bool may_be_worth_it = 4 * list.size() >= finder.touched.size();
    if (may_be_worth_it && is_complete(set, tokens.size() - i, most, finder)) {
      return tokens.size() - i;
    }
    for (const std::uint32_t other : list) {
      std::uint32_t& shared = finder.shared[other];
      if (shared == kNoPartner) continue;
      if (shared++ > 0) continue;
      finder.touched.push_back(other);
      if (other == set || rank(sets_.places[other]) == kNoRow) shared = kNoPartner;
    }
  }
  return 0;
}

// True if sets that were not found, which share at most the last `rest` tokens, are less similar
// than `most` of the sets found. Keeps the latter with their known overlap, best first.
bool TopSets::is_complete(std::uint32_t set, std::size_t rest, std::uint64_t most,
                          Finder& finder) const {
  if (finder.touched.size() < most) return false;
  const auto size = static_cast<std::uint32_t>(sets_[set].size());
  finder.best.clear();
  for (const std::uint32_t other : finder.touched) {
    const std::uint32_t shared = finder.shared[other];
    if (shared == kNoPartner) continue;
    const auto united = size + static_cast<std::uint32_t>(sets_[other].size()) - shared;
    finder.best.push_back({0, other, {shared, united, size}});
  }
  if (finder.best.size() < most) return false;
  const auto last = finder.best.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::nth_element(finder.best.begin(), last, finder.best.end(),
                   [this](const VerifiedPair& a, const VerifiedPair& b) {
                     return measure_.is_above(a.overlap, b.overlap);
                   });
  const Overlap greatest{static_cast<std::uint32_t>(rest), size, size};
  return measure_.is_above(last->overlap, greatest);
}

// Keeps all sets that may be among the best, judging by their shared tokens.
void TopSets::verify(std::uint32_t set, std::size_t rest, std::uint64_t most,
                     Finder& finder) const {
  const auto size = static_cast<std::uint32_t>(sets_[set].size());
  std::optional<Overlap> least;  // overlap of the least similar set
  if (rest > 0) least = finder.best[most - 1].overlap;
  finder.best.clear();
  for (const std::uint32_t other : finder.touched) {
    const std::uint32_t shared = finder.shared[other];
    if (shared == kNoPartner) continue;
    ++finder.met;
    const auto other_size = static_cast<std::uint32_t>(sets_[other].size());
    if (!least) {
      ++finder.verified;
      finder.best.push_back({0, other, {shared, size + other_size - shared, size}});
      continue;
    }
    const std::uint32_t most_shared =
        std::min({shared + static_cast<std::uint32_t>(rest), size, other_size});
    const Overlap greatest{most_shared, size + other_size - most_shared, size};
    if (measure_.is_above(*least, greatest)) continue;
    ++finder.verified;
    finder.best.push_back({0, other, overlap_of(set, other)});
  }
}

Overlap TopSets::overlap_of(std::uint32_t left, std::uint32_t right) const {
  const TokenView a = sets_[left];
  const TokenView b = sets_[right];
  std::uint32_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    shared += a[i] == b[j] ? 1U : 0U;
    const bool moves_left = a[i] <= b[j];
    j += b[j] <= a[i] ? 1U : 0U;
    i += moves_left ? 1U : 0U;
  }
  const auto size = static_cast<std::uint32_t>(a.size());
  return {shared, size + static_cast<std::uint32_t>(b.size()) - shared, size};
}

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
  const std::size_t wanted = std::size_t{most} + 1;  // a record may find itself
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
