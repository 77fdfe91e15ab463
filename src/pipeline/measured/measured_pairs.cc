#include "pipeline/measured/measured_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/keep_best.h"
#include "sosie/error.h"

namespace sosie {
namespace {

bool in_order(const MeasuredPair& a, const MeasuredPair& b) noexcept {
  return a.left != b.left ? a.left < b.left : a.right < b.right;
}

}  // namespace

PairSink::PairSink(const Options& options, BoundFacts facts, PairSides sides, TableWriter* out)
    : options_(options), facts_(std::move(facts)), sides_(std::move(sides)), out_(out) {}

void PairSink::add(std::span<const MeasuredPair> pairs) {
  while (!pairs.empty()) {
    std::size_t end = 1;
    while (end < pairs.size() && pairs[end].left == pairs[0].left) ++end;
    add_row(pairs.first(end));
    pairs = pairs.subspan(end);
  }
}

PairCounts PairSink::finish() {
  if (options_.top_pairs > 0) {
    keep_nearest(kept_, options_.top_pairs);
    sort(kept_, PairOrder::input);
  }
  check_pair_limit(options_, facts_, kept_.size());
  for (const MeasuredPair& pair : kept_) write(pair);
  return written_;
}

void PairSink::add_row(std::span<const MeasuredPair> pairs) {
  row_.assign(pairs.begin(), pairs.end());
  if (options_.top > 0) keep_nearest(row_, options_.top);
  sort(row_, sides_.order);
  if (options_.top_pairs == 0 && options_.limit == 0) {
    for (const MeasuredPair& pair : row_) write(pair);
    return;
  }
  kept_.insert(kept_.end(), row_.begin(), row_.end());
  if (options_.top_pairs == 0) {
    check_pair_limit(options_, facts_, kept_.size());
  } else if (kept_.size() > 2 * options_.top_pairs + 4096) {
    keep_nearest(kept_, options_.top_pairs);
  }
}

// The k nearest, ties in input order; in no order.
void PairSink::keep_nearest(std::vector<MeasuredPair>& pairs, std::uint64_t k) const {
  keep_best(pairs, k, [this](const MeasuredPair& a, const MeasuredPair& b) {
    return is_nearer(a, b, facts_.is_similarity);
  });
}

void PairSink::sort(std::vector<MeasuredPair>& pairs, PairOrder order) const {
  if (order == PairOrder::input) {
    std::sort(pairs.begin(), pairs.end(), in_order);
    return;
  }
  std::sort(pairs.begin(), pairs.end(), [this](const MeasuredPair& a, const MeasuredPair& b) {
    return is_nearer(a, b, facts_.is_similarity);
  });
}

void PairSink::write(const MeasuredPair& pair) {
  if (sides_.found != nullptr) {
    sides_.found->left.push_back(pair.left);
    sides_.found->right.push_back(pair.right);
    sides_.found->similarity.push_back(pair.value);
  }
  if (sides_.written) sides_.written(pair);
  if (out_ != nullptr) {
    const std::string left = sides_.left.name_of(pair.left);
    const std::string right = sides_.right.name_of(pair.right);
    out_->row({IdText{left, sides_.left.is_integer(pair.left)},
               IdText{right, sides_.right.is_integer(pair.right)}, Decimal{pair.value}});
  }
  ++written_.pairs;
  if (last_left_ != pair.left) ++written_.lefts;
  last_left_ = pair.left;
}

void check_pair_limit(const Options& options, const BoundFacts& facts, std::uint64_t pairs) {
  if (options.limit == 0 || pairs <= options.limit) return;
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("more than {} pairs reach {} {}, which is --limit", options.limit,
                          facts.measure, facts.bound),
              facts.is_similarity ? "raise --threshold, or use --top or --top-pairs"
                                  : "lower --within, or use --top or --top-pairs");
}

bool is_nearer(const MeasuredPair& a, const MeasuredPair& b, bool is_similarity) noexcept {
  if (a.value != b.value) return (a.value > b.value) == is_similarity;
  return in_order(a, b);
}

}  // namespace sosie
