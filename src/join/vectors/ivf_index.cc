// Lists of vectors around centers; searches as many lists as the recall requires.
#include "join/vectors/ivf_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

#include "corpus/items/vector_items.h"
#include "join/vectors/vector_sides.h"
#include "kernels/dot_product.h"
#include "kernels/products_reaching.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;
using kernels::panels_of;

constexpr std::size_t kLeastListedRows = 4096;  // a pass over fewer is as fast
constexpr double kListsARoot = 3;               // lists for each square root of a vector
constexpr std::size_t kRowsAList = 32;          // that centers are made of
constexpr int kRounds = 6;
constexpr int kCenterBits = 18;  // 2^32 vectors have fewer centers
constexpr std::size_t kRowsAPiece = 256;
constexpr std::size_t kTrials = 1000;  // that measure the recall
// The mean of the trials, minus this many standard errors, must reach the recall.
constexpr double kErrors = 1.645;
// Numbers of nearest vectors for which recall is measured; a request uses the next higher number.
constexpr std::array<std::uint64_t, 2> kTops = {10, IvfIndex::kMostListed};

// Selects this many rows, spread evenly.
std::vector<std::uint32_t> spread_rows(std::size_t count, std::size_t rows) {
  std::vector<std::uint32_t> some(count);
  for (std::size_t i = 0; i < count; ++i) some[i] = static_cast<std::uint32_t>(rows * i / count);
  return some;
}

template <typename Each>
void for_each_row(std::size_t rows, ThreadPool& pool, const Each& each) {
  pool.for_each((rows + kRowsAPiece - 1) / kRowsAPiece, [&](unsigned /*worker*/, std::size_t task) {
    pool.check_cancelled();
    const std::size_t end = std::min(rows, (task + 1) * kRowsAPiece);
    for (std::size_t row = task * kRowsAPiece; row < end; ++row) each(row);
  });
}

std::int8_t rounded_mean(std::int64_t sum, std::int64_t count) {
  return static_cast<std::int8_t>((2 * sum + (sum < 0 ? -count : count)) / (2 * count));
}

}  // namespace

// k-means on rows that are spread evenly.
IvfIndex::Centers::Centers(const VectorColumn& data, bool by_angle, ThreadPool& pool)
    : dimension_(data.dimension) {
  const std::vector<double> squares = squared_lengths(data, pool);
  scale_ = byte_scale_of(
      {.left = all_of(data, squares), .right = std::nullopt, .of_length_one = by_angle});
  const auto count =
      static_cast<std::size_t>(kListsARoot * std::sqrt(static_cast<double>(data.rows)));
  const auto sample = spread_rows(std::min(data.rows, count * kRowsAList), data.rows);
  Bytes rows(sample.size() * dimension_);
  for_each_row(sample.size(), pool,
               [&](std::size_t i) { put_bytes(data, sample[i], rows.data() + i * dimension_); });
  Bytes first;
  for (const std::uint32_t row : spread_rows(count, sample.size())) {
    const std::int8_t* begin = rows.data() + row * dimension_;
    first.insert(first.end(), begin, begin + dimension_);
  }
  set(std::move(first));
  std::vector<std::uint32_t> nearest(sample.size());
  for (int round = 0; round < kRounds; ++round) {
    for_each_row(nearest.size(), pool, [&](std::size_t i) {
      nearest[i] = nearest_to(rows.data() + i * dimension_, 1).front();
    });
    move_to_means(rows, nearest);
  }
}

void IvfIndex::Centers::put_bytes(const VectorColumn& column, std::size_t row,
                                  std::int8_t* out) const {
  const double length = scale_.of_length_one ? std::sqrt(squared_length(column, row)) : 1.0;
  const double factor = scale_.scale / length;
  std::visit(
      [&](const auto& components) {
        const auto* in = components.data() + row * dimension_;
        for (std::size_t i = 0; i < dimension_; ++i) {
          const double moved = static_cast<double>(in[i]) * factor - scale_.mean[i];
          out[i] = static_cast<std::int8_t>(ByteScale::rounded(moved));
        }
      },
      column.components);
}

void IvfIndex::Centers::set(Bytes centers) {
  bytes_ = std::move(centers);
  squares_.resize(bytes_.size() / dimension_);
  for (std::size_t i = 0; i < squares_.size(); ++i) {
    const std::int8_t* center = bytes_.data() + i * dimension_;
    squares_[i] = static_cast<std::int64_t>(kernels::dot_product(center, center, dimension_));
  }
}

// A center to which no row is nearest stays where it is.
void IvfIndex::Centers::move_to_means(const Bytes& rows,
                                      const std::vector<std::uint32_t>& nearest) {
  std::vector<std::int64_t> sums(bytes_.size());
  std::vector<std::int64_t> counts(count());
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    ++counts[nearest[i]];
    std::int64_t* sum = sums.data() + nearest[i] * dimension_;
    for (std::size_t j = 0; j < dimension_; ++j) sum[j] += rows[i * dimension_ + j];
  }
  Bytes means = bytes_;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::int64_t count = counts[i / dimension_];
    if (count > 0) means[i] = rounded_mean(sums[i], count);
  }
  set(std::move(means));
}

std::vector<std::uint32_t> IvfIndex::Centers::nearest(const VectorColumn& column, std::size_t row,
                                                      std::size_t most) const {
  Bytes bytes(dimension_);
  put_bytes(column, row, bytes.data());
  return nearest_to(bytes.data(), most);
}

// |x - c|^2 minus |x|^2, which is the same for all centers.
std::vector<std::uint32_t> IvfIndex::Centers::nearest_to(const std::int8_t* bytes,
                                                         std::size_t most) const {
  std::vector<std::int64_t> products(count());
  kernels::dot_products(bytes, bytes_.data(), count(), dimension_, products.data());
  // The lowest bits hold the number of a center: squares of 2^17 bytes leave enough bits.
  std::vector<std::int64_t>& keys = products;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = ((squares_[i] - 2 * products[i]) << kCenterBits) + static_cast<std::int64_t>(i);
  }
  const auto center = [](std::int64_t key) {
    return static_cast<std::uint32_t>(key & ((std::int64_t{1} << kCenterBits) - 1));
  };
  if (most == 1) return {center(*std::min_element(keys.begin(), keys.end()))};
  most = std::min(most, keys.size());
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(most);
  if (end != keys.end()) std::nth_element(keys.begin(), end, keys.end());
  std::sort(keys.begin(), end);
  std::vector<std::uint32_t> nearest(most);
  std::transform(keys.begin(), end, nearest.begin(), center);
  return nearest;
}

IvfIndex::Lists IvfIndex::lists_of(const VectorColumn& data, const VectorSettings& settings,
                                   ThreadPool& pool) {
  Lists lists;
  if (!settings.list_recall || settings.brute || data.rows < kLeastListedRows) return lists;
  lists.centers = Centers(data, settings.measure->euclidean_factor == nullptr, pool);
  std::vector<std::uint32_t> list_of(data.rows);
  for_each_row(data.rows, pool, [&](std::size_t row) {
    list_of[row] = lists.centers.nearest(data, row, 1).front();
  });
  lists.starts.assign(lists.centers.count() + 1, 0);
  for (const std::uint32_t list : list_of) ++lists.starts[list + 1];
  std::partial_sum(lists.starts.begin(), lists.starts.end(), lists.starts.begin());
  std::vector<std::size_t> next(lists.starts.begin(), lists.starts.end() - 1);
  lists.order.resize(data.rows);
  for (std::size_t row = 0; row < list_of.size(); ++row) {
    lists.order[next[list_of[row]]++] = static_cast<std::uint32_t>(row);
  }
  return lists;
}

IvfIndex::IvfIndex(const VectorColumn& data, VectorSettings settings, ThreadPool& pool)
    : data_(data),
      settings_(std::move(settings)),
      lists_(lists_of(data, settings_, pool)),
      searched_(data, settings_, pool, lists_.order) {
  if (lists_.centers.count() == 0) return;
  const auto ranks = trial_ranks(pool);
  for (const std::uint64_t top : kTops) probings_.push_back(enough_lists(ranks, top));
}

// For some vectors: the rank, by distance of its center, of the list that contains each of their
// nearest vectors, nearest first. Their own lists do not count.
std::vector<std::vector<std::size_t>> IvfIndex::trial_ranks(ThreadPool& pool) const {
  std::vector<std::size_t> list_of(data_.rows);
  for (std::size_t list = 0; list + 1 < lists_.starts.size(); ++list) {
    for (std::size_t i = lists_.starts[list]; i < lists_.starts[list + 1]; ++i) {
      list_of[lists_.order[i]] = list;
    }
  }
  const std::vector<std::uint32_t> rows = spread_rows(kTrials, data_.rows);
  std::vector<std::vector<ScoredPair>> nearest;
  searched_.find(take_rows(data_, rows), kTops.back() + 1, pool, nearest);
  std::vector<std::vector<std::size_t>> ranks(kTrials);
  for_each_row(kTrials, pool, [&](std::size_t i) {
    std::vector<std::size_t> rank_of(lists_.centers.count());
    std::size_t rank = 0;
    for (const auto list : lists_.centers.nearest(data_, rows[i], rank_of.size())) {
      rank_of[list] = rank++;
    }
    for (const ScoredPair& pair : nearest[i]) {
      if (pair.right != rows[i]) ranks[i].push_back(rank_of[list_of[pair.right]]);
    }
  });
  return ranks;
}

IvfIndex::Probing IvfIndex::enough_lists(const std::vector<std::vector<std::size_t>>& ranks,
                                         std::uint64_t top) const {
  const std::size_t most = lists_.centers.count();
  std::vector<std::vector<std::size_t>> trials_at(most);  // by rank, a trial for each vector there
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (std::size_t j = 0; j < std::min<std::size_t>(top, ranks[i].size()); ++j) {
      trials_at[ranks[i][j]].push_back(i);
    }
  }
  const auto count = static_cast<double>(ranks.size());
  std::vector<double> shares(ranks.size());
  for (std::size_t rank = 0; rank < most; ++rank) {
    for (const std::size_t i : trials_at[rank]) {
      shares[i] += 1 / static_cast<double>(std::min<std::size_t>(top, ranks[i].size()));
    }
    const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / count;
    double squares = 0;
    for (const double share : shares) squares += (share - mean) * (share - mean);
    const double error = std::sqrt(squares / (count - 1) / count);
    if (mean - kErrors * error >= *settings_.list_recall) return {rank + 1, most, mean};
  }
  return {most, most, 1};
}

std::optional<IvfIndex::Probing> IvfIndex::probing(std::uint64_t most) const {
  if (probings_.empty() || most == 0) return std::nullopt;
  const auto at = std::lower_bound(kTops.begin(), kTops.end(), most);
  if (at == kTops.end()) return std::nullopt;
  const Probing& probing = probings_[static_cast<std::size_t>(at - kTops.begin())];
  if (probing.lists == probing.of) return std::nullopt;
  return probing;
}

// A panel at the border of two lists belongs to both. The panels of the first list are processed
// one by one, because their results set limits for the others.
void IvfIndex::add_panels(std::span<const std::uint32_t> lists,
                          std::vector<PanelStretch>& stretches) const {
  std::vector<PanelStretch> taken;
  for (const std::uint32_t number : lists) {
    const std::size_t end = lists_.starts[number + 1];
    if (lists_.starts[number] == end) continue;
    PanelStretch list{lists_.starts[number] / kPanelVectors, panels_of(end)};
    for (const PanelStretch& other : taken) {
      if (other.begin <= list.begin) list.begin = std::max(list.begin, other.end);
      if (other.end >= list.end) list.end = std::min(list.end, other.begin);
    }
    if (list.begin >= list.end) continue;
    taken.push_back(list);
    if (taken.size() == 1) {
      for (; list.begin < list.end; ++list.begin) {
        stretches.push_back({list.begin, list.begin + 1});
      }
    } else {
      stretches.push_back(list);
    }
  }
}

std::uint64_t IvfIndex::find(const VectorColumn& asked, std::uint64_t most, ThreadPool& pool,
                             std::vector<std::vector<ScoredPair>>& found) const {
  const auto probing = this->probing(most);
  if (!probing) return searched_.find(asked, most, pool, found);
  return searched_.find_in(
      [&](std::size_t row, std::vector<PanelStretch>& stretches) {
        add_panels(lists_.centers.nearest(asked, row, probing->lists), stretches);
      },
      asked, most, pool, found);
}

}  // namespace sosie
