// Tests the nearest records by a measure of sets against comparing all records.
#include "candidates/top_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/mix64.h"
#include "verify/measures.h"

namespace sosie {
namespace {

struct Values {
  HashedSets sets;                  // set i is that of value i + 1
  std::vector<std::uint32_t> keys;  // value of each record; 0: none
  std::uint32_t split = 0;
};

double jaccard(const HashedSets& sets, std::uint32_t a, std::uint32_t b) {
  const auto set = [&](std::uint32_t i) {
    return std::vector(sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[i]),
                       sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[i + 1]));
  };
  const auto left = set(a);
  const auto right = set(b);
  std::vector<std::uint64_t> shared;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(shared));
  const auto all = static_cast<double>(left.size() + right.size() - shared.size());
  return all == 0 ? 0 : static_cast<double>(shared.size()) / all;
}

// Similarities of the nearest records of another collection, or of all others, falling.
std::vector<double> nearest(const Values& values, std::uint32_t record, std::size_t most) {
  std::vector<double> found;
  for (std::uint32_t other = 0; other < values.keys.size(); ++other) {
    const bool is_partner =
        values.split == 0 ? other != record : (other < values.split) != (record < values.split);
    if (!is_partner || values.keys[other] == 0 || values.keys[record] == 0) continue;
    const double similarity = jaccard(values.sets, values.keys[record] - 1, values.keys[other] - 1);
    if (similarity > 0) found.push_back(similarity);
  }
  std::sort(found.rbegin(), found.rend());
  found.resize(std::min(found.size(), most));
  return found;
}

RC_GTEST_PROP(TopValues, AreTheMostSimilarRecords, ()) {
  constexpr std::uint32_t kRecords = 14;
  const bool across = *rc::gen::arbitrary<bool>();
  Values values;
  values.split = across ? 6 : 0;
  std::vector<std::vector<std::uint32_t>> taken(2);  // values of each collection
  for (std::uint32_t record = 0; record < kRecords; ++record) {
    std::vector<std::uint32_t>& known = taken[across && record >= values.split ? 1 : 0];
    const auto kind = *rc::gen::inRange(0, 6);
    if (kind == 0) {
      values.keys.push_back(0);
    } else if (kind == 1 && !known.empty()) {
      values.keys.push_back(*rc::gen::elementOf(known));
    } else {
      auto set = *rc::gen::nonEmpty(
          rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 30)));
      for (std::uint64_t& element : set) element = mix64(element);
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      values.sets.hashes.insert(values.sets.hashes.end(), set.begin(), set.end());
      values.sets.starts.push_back(values.sets.hashes.size());
      values.keys.push_back(static_cast<std::uint32_t>(values.sets.size()));
      known.push_back(values.keys.back());
    }
  }
  ThreadPool pool(2, nullptr);
  const Measure measure = *set_measure("jaccard");
  TopValues top(values.sets, values.keys, values.split, measure, pool);
  std::vector<std::uint32_t> all(kRecords);
  std::iota(all.begin(), all.end(), 0U);
  const std::uint32_t most = *rc::gen::inRange(1U, 5U);
  top.find(all, most, pool);
  for (const std::uint32_t record : all) {
    std::vector<double> found;
    for (const std::uint32_t partner : top.of(record)) {
      RC_ASSERT(partner != record);
      found.push_back(jaccard(values.sets, values.keys[record] - 1, values.keys[partner] - 1));
    }
    RC_ASSERT(found == nearest(values, record, most));
  }
}

}  // namespace
}  // namespace sosie
