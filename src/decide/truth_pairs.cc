// True pairs of records, from a file of ids or from a column that identifies entities.
#include "decide/truth_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "represent/fields.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using RecordOfId = std::unordered_map<std::string, std::uint32_t>;

RecordOfId records_of(const ItemIds& ids, std::uint32_t rows, std::uint32_t first) {
  RecordOfId found;
  found.reserve(rows);
  for (std::uint32_t row = 0; row < rows; ++row) found.emplace(ids.name_of(row), first + row);
  return found;
}

// Labels of the records by a column; equal texts have equal labels.
std::vector<std::uint32_t> labels_of(const RecordColumn& column,
                                     std::unordered_map<std::string, std::uint32_t>& labels) {
  std::vector<std::uint32_t> of_value(column.distinct(), kNoLabel);
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    const std::string_view text = column.text(value);
    if (is_missing_value(text)) continue;
    const auto next = static_cast<std::uint32_t>(labels.size());
    of_value[value] = labels.emplace(std::string(text), next).first->second;
  }
  std::vector<std::uint32_t> of_record;
  of_record.reserve(column.values.size());
  for (const std::uint32_t value : column.values) of_record.push_back(of_value[value]);
  return of_record;
}

}  // namespace

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
  // Within a single collection, the later record of a pair is on the right.
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

TruthPairs read_truth(TableReader& table, const std::string& path, const NamedRecords& records,
                      const std::atomic<bool>* cancel) {
  if (table.columns().size() < 2) {
    throw Error(ErrorKind::malformed_input, BadPlace{path}, "does not have two id columns",
                "a truth file has columns left and right, or ids in its first two columns");
  }
  const bool is_named = table.has_column("left") && table.has_column("right");
  const std::size_t left_column = is_named ? table.column("left") : 0;
  const std::size_t right_column = is_named ? table.column("right") : 1;
  const bool across = records.right != nullptr;
  const RecordOfId left = records_of(records.left, records.left_rows, 0);
  RecordOfId right;
  if (across) right = records_of(*records.right, records.right_rows, records.left_rows);
  const RecordOfId& others = across ? right : left;
  TruthPairs truth;
  std::vector<RecordPair> pairs;
  std::uint64_t rows = 0;
  while (table.next()) {
    if (++rows % 4096 == 0 && cancel != nullptr && *cancel) throw Error(ErrorKind::cancelled, "");
    const auto a = left.find(table.cells()[left_column]);
    const auto b = others.find(table.cells()[right_column]);
    if (a == left.end() || b == others.end()) {
      ++truth.unknown;
      continue;
    }
    if (a->second == b->second) {
      throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
                  fmt::format("'{}' is paired with itself", a->first),
                  "remove the line: a pair needs two different records");
    }
    pairs.push_back({std::min(a->second, b->second), std::max(a->second, b->second)});
  }
  if (pairs.empty() && truth.unknown > 0) {
    throw Error(ErrorKind::malformed_input, BadPlace{path},
                "contains the id of no record that was read",
                "use --id FIELD to name the field that its ids come from");
  }
  truth.pairs = TruePairs::of_pairs(std::move(pairs));
  return truth;
}

TruePairs truth_of_values(const RecordColumn& left, const RecordColumn* right) {
  std::unordered_map<std::string, std::uint32_t> labels;
  std::vector<std::uint32_t> of_left = labels_of(left, labels);
  if (right == nullptr) return TruePairs::of_labels(std::move(of_left));
  std::vector<std::uint32_t> of_right = labels_of(*right, labels);
  // Right records are numbered after the left ones.
  const std::vector<std::uint32_t> none(of_left.size(), kNoLabel);
  of_right.insert(of_right.begin(), none.begin(), none.end());
  return TruePairs::of_labels(std::move(of_left), std::move(of_right));
}

}  // namespace sosie
