// Measures how far two answers agree.
#include "decide/link_confidence.h"

#include <algorithm>
#include <utility>

namespace sosie {
namespace {

double part_of(double common, double a, double b) { return a + b == 0 ? 1 : 2 * common / (a + b); }

double pairs_of(std::uint64_t records) {
  return static_cast<double>(records) * static_cast<double>(records - 1) / 2;
}

// All pairs within each run of equal neighbours in a sorted list.
template <typename Value>
double equal_pairs(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  double pairs = 0;
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && values[end] == values[begin]) ++end;
    pairs += pairs_of(end - begin);
  }
  return pairs;
}

}  // namespace

double agreement_of(std::span<const RecordPair> a, std::span<const RecordPair> b) {
  std::size_t common = 0;
  auto at = b.begin();
  for (const RecordPair& pair : a) {
    while (at != b.end() && *at < pair) ++at;
    common += at != b.end() && *at == pair ? 1 : 0;
  }
  return part_of(static_cast<double>(common), static_cast<double>(a.size()),
                 static_cast<double>(b.size()));
}

double agreement_of_groups(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  std::vector<std::uint32_t> of_a(a.begin(), a.end());
  std::vector<std::uint32_t> of_b(b.begin(), b.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> both;
  both.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) both.emplace_back(a[i], b[i]);
  return part_of(equal_pairs(both), equal_pairs(of_a), equal_pairs(of_b));
}

}  // namespace sosie
