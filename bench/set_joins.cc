// The exact join beside plain AllPairs and PPJoin, on sets that anyone can make again: CPU seconds
// of one thread, index building included, rounds interleaved. bench/set_joins.py builds and runs
// it.
//
//   set_joins ROUNDS NAME THRESHOLD [FILE]    NAME: quest, uniform, zipf, or file (one set a line)

#include <algorithm>
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
#include "made_sets.h"
#include "plain_joins.h"
#include "verify/measures.h"

namespace sosie::bench {
namespace {

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
  const HashedSets hashed = collapsed(*path != 0 ? from_file(path) : made_sets(name));
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
