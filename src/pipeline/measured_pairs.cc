#include "pipeline/measured_pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/keep_best.h"
#include "sosie/error.h"

namespace sosie {
namespace {

bool in_order(const MeasuredPair& a, const MeasuredPair& b) noexcept {
  return a.left != b.left ? a.left < b.left : a.right < b.right;
}

}  // namespace

PairSink::PairSink(const Options& options, BoundFacts facts, const ItemIds& left,
                   const ItemIds& right, TableWriter& out)
    : options_(options), facts_(std::move(facts)), left_(left), right_(right), out_(out) {}

void PairSink::add(std::span<const MeasuredPair> pairs) {
  while (!pairs.empty()) {
    std::size_t end = 1;
    while (end < pairs.size() && pairs[end].left == pairs[0].left) ++end;
    add_row(pairs.first(end));
    pairs = pairs.subspan(end);
  }
}

std::uint64_t PairSink::finish() {
  if (options_.top_pairs > 0) keep_nearest(kept_, options_.top_pairs);
  check_limit();
  for (const MeasuredPair& pair : kept_) write(pair);
  return written_;
}

void PairSink::add_row(std::span<const MeasuredPair> pairs) {
  row_.assign(pairs.begin(), pairs.end());
  if (options_.top > 0) keep_nearest(row_, options_.top);
  if (options_.top_pairs == 0 && options_.limit == 0) {
    for (const MeasuredPair& pair : row_) write(pair);
    return;
  }
  kept_.insert(kept_.end(), row_.begin(), row_.end());
  if (options_.top_pairs == 0) {
    check_limit();
  } else if (kept_.size() > 2 * options_.top_pairs + 4096) {
    keep_nearest(kept_, options_.top_pairs);
  }
}

void PairSink::check_limit() const {
  if (options_.limit == 0 || kept_.size() <= options_.limit) return;
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("more than {} pairs reach {} {}, which is --limit", options_.limit,
                          facts_.measure, facts_.bound),
              facts_.is_similarity ? "raise --threshold, or use --top or --top-pairs"
                                   : "lower --within, or use --top or --top-pairs");
}

// The k nearest, ties in input order, back in input order.
void PairSink::keep_nearest(std::vector<MeasuredPair>& pairs, std::uint64_t k) const {
  if (pairs.size() <= k) return;
  const auto nearer = [this](const MeasuredPair& a, const MeasuredPair& b) {
    if (a.value != b.value) return (a.value > b.value) == facts_.is_similarity;
    return in_order(a, b);
  };
  keep_best(pairs, k, nearer);
  std::sort(pairs.begin(), pairs.end(), in_order);
}

void PairSink::write(const MeasuredPair& pair) {
  const std::string left = left_.name_of(pair.left);
  const std::string right = right_.name_of(pair.right);
  out_.row({IdText{left, left_.is_integer(pair.left)}, IdText{right, right_.is_integer(pair.right)},
            Decimal{pair.value}});
  ++written_;
}

}  // namespace sosie
