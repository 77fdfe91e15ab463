#include "io/nth_best.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/mix64.h"

namespace sosie {
namespace {

struct Scored {
  std::uint64_t key;
  std::uint64_t score;
};

struct IsBetter {
  bool operator()(const Scored& a, const Scored& b) const noexcept {
    return a.score != b.score ? a.score > b.score : a.key < b.key;
  }
};

RC_GTEST_PROP(NthBest, IsThatOfSorting, ()) {
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 40'000);
  const auto scores = *rc::gen::element<std::uint64_t>(1, 3, 1000, ~std::uint64_t{0});
  const auto rank = *rc::gen::inRange<std::uint64_t>(0, count);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  std::vector<Scored> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back({i, random64(seed, i) % scores});
  Scratch scratch("/tmp");
  SortedRecords<Scored> records(scratch, 1);
  records.add(all);
  records.finish();
  const Scored found = NthBest<Scored, IsBetter>(records, {}, 1).find(rank);
  std::sort(all.begin(), all.end(), IsBetter{});
  RC_ASSERT(found.key == all[rank].key);
}

}  // namespace
}  // namespace sosie
