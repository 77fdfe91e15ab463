#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/mix64.h"

// Collections of sets, generated identically everywhere, for measuring joins of sets.
namespace sosie::bench {

using Baskets = std::vector<std::set<std::uint64_t>>;

// Random numbers that are the same on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t end) { return random64(seed_, at_++) % end; }
  double unit() { return static_cast<double>(random64(seed_, at_++) >> 11) * 0x1p-53; }
  std::uint64_t poisson(double mean) {
    const double end = std::exp(-mean);
    std::uint64_t count = 0;
    for (double product = unit(); product > end; product *= unit()) ++count;
    return count;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t at_ = 0;
};

// Baskets in the style of IBM Quest's t10i4d100k (Agrawal and Srikant 1994): 100,000 transactions
// with an average of 10 out of 1,000 items, made from 2,000 patterns of 4 items, some of which are
// dropped at random.
inline Baskets quest() {
  Draw draw(1);
  std::vector<std::vector<std::uint64_t>> patterns(2000);
  std::vector<double> weights;
  double total = 0;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    const std::uint64_t size = std::max<std::uint64_t>(1, draw.poisson(4));
    for (std::uint64_t i = 0; i < size; ++i) {
      const bool again = p > 0 && draw.below(2) == 0;
      patterns[p].push_back(again ? patterns[p - 1][draw.below(patterns[p - 1].size())]
                                  : draw.below(1000));
    }
    weights.push_back(total += -std::log(1 - draw.unit()));
  }
  Baskets baskets(100'000);
  for (auto& basket : baskets) {
    const std::uint64_t size = std::max<std::uint64_t>(1, draw.poisson(10));
    while (basket.size() < size) {
      const auto at = std::lower_bound(weights.begin(), weights.end(), draw.unit() * total);
      const auto& pattern = patterns[static_cast<std::size_t>(at - weights.begin())];
      for (const std::uint64_t item : pattern) {
        if (draw.below(4) != 0) basket.insert(item);
      }
    }
  }
  return baskets;
}

inline Baskets uniform() {
  Draw draw(2);
  Baskets baskets(200'000);
  for (auto& basket : baskets) {
    for (std::uint64_t size = 2 + draw.below(19); size > 0; --size) basket.insert(draw.below(5000));
  }
  return baskets;
}

// Items with a probability of about 1 / rank.
inline Baskets zipf() {
  Draw draw(3);
  Baskets baskets(200'000);
  for (auto& basket : baskets) {
    for (std::uint64_t size = 5 + draw.below(40); size > 0; --size) {
      basket.insert(static_cast<std::uint64_t>(std::exp(draw.unit() * std::log(200'000.0))));
    }
  }
  return baskets;
}

// The collection quest, uniform or zipf; empty for any other name.
inline Baskets made_sets(const std::string& name) {
  if (name == "quest") return quest();
  if (name == "uniform") return uniform();
  if (name == "zipf") return zipf();
  return {};
}

}  // namespace sosie::bench
