// The true pairs of record linkage, given as pairs or as labels.
#include "decide/true_pairs.h"

#include <algorithm>
#include <tuple>

namespace sosie {

TruePairs TruePairs::of_pairs(std::vector<RecordPair> pairs) {
  TruePairs truth;
  truth.pairs_ = std::move(pairs);
  std::sort(truth.pairs_.begin(), truth.pairs_.end());
  truth.pairs_.erase(std::unique(truth.pairs_.begin(), truth.pairs_.end()), truth.pairs_.end());
  truth.count_ = truth.pairs_.size();
  return truth;
}

TruePairs TruePairs::of_labels(std::vector<std::uint32_t> labels) {
  TruePairs truth;
  truth.left_ = std::move(labels);
  truth.list_labels();
  return truth;
}

TruePairs TruePairs::of_labels(std::vector<std::uint32_t> left, std::vector<std::uint32_t> right) {
  TruePairs truth;
  truth.left_ = std::move(left);
  truth.right_ = std::move(right);
  truth.across_ = true;
  truth.list_labels();
  return truth;
}

void TruePairs::list_labels() {
  has_labels_ = true;
  const std::vector<std::uint32_t>& labels = right_labels();
  for (std::uint32_t record = 0; record < labels.size(); ++record) {
    if (labels[record] != kNoLabel) by_label_.push_back(record);
  }
  std::sort(by_label_.begin(), by_label_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(labels[a], a) < std::tie(labels[b], b);
  });
  for (std::uint32_t record = 0; record < left_.size(); ++record) {
    count_ += partners_of(record).size();
  }
}

std::span<const std::uint32_t> TruePairs::partners_of(std::uint32_t left) const {
  const std::uint32_t label = left_[left];
  if (label == kNoLabel) return {};
  const std::vector<std::uint32_t>& labels = right_labels();
  const auto begin =
      std::partition_point(by_label_.begin(), by_label_.end(),
                           [&](std::uint32_t record) { return labels[record] < label; });
  const auto end = std::partition_point(
      begin, by_label_.end(), [&](std::uint32_t record) { return labels[record] == label; });
  // In one collection a pair has its later record on the right.
  const auto first = across_ ? begin : std::upper_bound(begin, end, left);
  return {first, end};
}

bool TruePairs::contains(const RecordPair& pair) const {
  if (!has_labels_) return std::binary_search(pairs_.begin(), pairs_.end(), pair);
  return left_[pair.left] != kNoLabel && left_[pair.left] == right_labels()[pair.right];
}

void TruePairs::each(const std::function<bool(const RecordPair&)>& see) const {
  for (const RecordPair& pair : pairs_) {
    if (!see(pair)) return;
  }
  for (std::uint32_t left = 0; left < left_.size(); ++left) {
    for (const std::uint32_t right : partners_of(left)) {
      if (!see({left, right})) return;
    }
  }
}

}  // namespace sosie
