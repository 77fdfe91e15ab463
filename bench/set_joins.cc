// The exact join beside plain AllPairs and PPJoin, on sets that anyone can make again: CPU seconds
// of one thread, index building included, rounds interleaved. bench/set_joins.py builds and runs
// it.
//
//   set_joins ROUNDS NAME THRESHOLD [FILE]    NAME: quest, uniform, zipf, or file (one set a line)

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "candidates/prefix_index.h"
#include "candidates/token_order.h"
#include "core/hash64.h"
#include "plain_joins.h"
#include "verify/measures.h"

namespace sosie::bench {
namespace {

using Baskets = std::vector<std::set<std::uint64_t>>;

// Random numbers that are the same everywhere.
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

// Baskets in the manner of IBM Quest's t10i4d100k (Agrawal and Srikant 1994): 100,000 transactions
// of 10 items on average out of 1,000, made of 2,000 patterns of 4, which lose items at random.
Baskets quest() {
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

Baskets uniform() {
  Draw draw(2);
  Baskets baskets(200'000);
  for (auto& basket : baskets) {
    for (std::uint64_t size = 2 + draw.below(19); size > 0; --size) basket.insert(draw.below(5000));
  }
  return baskets;
}

// Items of probability about 1 / rank.
Baskets zipf() {
  Draw draw(3);
  Baskets baskets(200'000);
  for (auto& basket : baskets) {
    for (std::uint64_t size = 5 + draw.below(40); size > 0; --size) {
      basket.insert(static_cast<std::uint64_t>(std::exp(draw.unit() * std::log(200'000.0))));
    }
  }
  return baskets;
}

Baskets from_file(const char* path) {
  Baskets baskets;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    baskets.emplace_back();
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      if (end > at) baskets.back().insert(std::hash<std::string>{}(line.substr(at, end - at)));
      at = end + 1;
    }
  }
  return baskets;
}

// Identical sets once, as every method here would have them.
HashedSets collapsed(const Baskets& baskets) {
  HashedSets sets;
  const std::set<std::set<std::uint64_t>> once(baskets.begin(), baskets.end());
  for (const auto& basket : once) {
    if (basket.empty()) continue;
    std::vector<std::uint64_t> hashes;
    for (const std::uint64_t item : basket) hashes.push_back(mix64(item + 1));
    std::sort(hashes.begin(), hashes.end());
    sets.hashes.insert(sets.hashes.end(), hashes.begin(), hashes.end());
    sets.starts.push_back(sets.hashes.size());
  }
  return sets;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int run(int rounds, const std::string& name, const char* threshold, const char* path) {
  const HashedSets hashed = collapsed(name == "quest"     ? quest()
                                      : name == "uniform" ? uniform()
                                      : name == "zipf"    ? zipf()
                                                          : from_file(path));
  ThreadPool pool(1, nullptr);
  const TokenSets sets = order_tokens(hashed, pool);
  const Rational t = *parse_rational(threshold);
  std::vector<double> ours;
  std::vector<double> all_pairs;
  std::vector<double> ppjoin;
  std::uint64_t found = 0;
  std::uint64_t seen = 0;
  for (int round = 0; round <= rounds; ++round) {  // the first one is discarded
    double at = cpu_seconds();
    const auto lap = [&](std::vector<double>& times) {
      const double now = cpu_seconds();
      if (round > 0) times.push_back(now - at);
      at = now;
    };
    JoinCounts counts;
    const PrefixJoin join{measure_by_name("jaccard"), t};
    found = prefix_join(
                sets, join, pool, [](std::size_t) {}, counts)
                .size();
    lap(ours);
    PlainJoin plain{sets, t.num, t.den};
    const std::uint64_t by_all_pairs = plain.run(false);
    lap(all_pairs);
    seen = plain.postings_seen;
    const std::uint64_t by_ppjoin = plain.run(true);
    lap(ppjoin);
    if (by_all_pairs != found || by_ppjoin != found) {
      std::fprintf(stderr, "%s %s: %zu, %zu and %zu pairs\n", name.c_str(), threshold,
                   static_cast<std::size_t>(found), static_cast<std::size_t>(by_all_pairs),
                   static_cast<std::size_t>(by_ppjoin));
      return 1;
    }
  }
  const double best = std::min(median(all_pairs), median(ppjoin));
  std::printf("| %s | %u | %.1f | %s | %zu | %.3f | %.3f | %.3f | %.0f | %.1f |\n", name.c_str(),
              sets.size(), static_cast<double>(sets.tokens.size()) / sets.size(), threshold,
              static_cast<std::size_t>(found), median(ours), median(all_pairs), median(ppjoin),
              1e9 * median(all_pairs) / static_cast<double>(std::max<std::uint64_t>(1, seen)),
              best / median(ours));
  return 0;
}

}  // namespace
}  // namespace sosie::bench

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  return sosie::bench::run(std::atoi(argv[1]), argv[2], argv[3], argc > 4 ? argv[4] : "");
}
