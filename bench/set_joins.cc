// Compares the exact join with plain AllPairs and PPJoin, on one thread. bench/set_joins.py runs
// this program.
//
//   set_joins FILE THRESHOLD
//
// FILE holds one set per line, with elements separated by spaces. For each line of stdin that
// contains sosie, allpairs or ppjoin, that join is run, and a line of JSON gives its CPU seconds,
// including building the index, after the elements have been numbered rarest first
// (`ordering_seconds`, only for sosie; this is done once for all joins).

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <mutex>
#include <string>
#include <vector>

#include "bench/plain_joins.h"
#include "candidates/order_tokens.h"
#include "candidates/prefix_join.h"
#include "core/mix64.h"
#include "verify/measures.h"

namespace sosie::bench {
namespace {

HashedSets read_sets(const char* path) {
  HashedSets sets;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      if (end > at)
        sets.hashes.push_back(mix64(std::hash<std::string>{}(line.substr(at, end - at))));
      at = end + 1;
    }
    const auto begin = sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts.back());
    std::sort(begin, sets.hashes.end());
    sets.hashes.erase(std::unique(begin, sets.hashes.end()), sets.hashes.end());
    sets.starts.push_back(sets.hashes.size());
  }
  return sets;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A single number for all pairs of lines, in any order; set_search_peer.py computes it, too.
class Checksum {
 public:
  explicit Checksum(std::uint64_t sets) : sets_(sets) {}
  void add(std::uint64_t left, std::uint64_t right) {
    const std::uint64_t pair = left * sets_ + right;
    sum_ += pair * pair;
  }
  [[nodiscard]] std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sets_;
  std::uint64_t sum_ = 0;
};

class Joins {
 public:
  Joins(const char* path, Rational threshold) : hashed_(read_sets(path)), threshold_(threshold) {}

  // A line of JSON.
  std::string answer(const std::string& join) {
    if (join == "sosie") return sosie();
    if (join == "allpairs" || join == "ppjoin") return plain(join == "ppjoin");
    return R"({"failed": "no such join"})";
  }

 private:
  std::string sosie() {
    const double begin = cpu_seconds();
    sets_ = order_tokens(hashed_, pool_);
    const double ordered = cpu_seconds();
    JoinCounts counts;
    std::mutex mutex;
    std::vector<VerifiedPair> pairs;
    const auto take = [&](std::span<const VerifiedPair> some) {
      const std::lock_guard lock(mutex);
      pairs.insert(pairs.end(), some.begin(), some.end());
    };
    const Measure jaccard = *set_measure("jaccard");
    prefix_join(
        sets_, {&jaccard, threshold_}, pool_, take, [](std::size_t) {}, counts);
    const double end = cpu_seconds();
    Checksum checksum(sets_.size());
    for (const VerifiedPair& pair : pairs) checksum.add(pair.left, pair.right);
    return fmt::format(
        R"({{"cpu_seconds": {}, "ordering_seconds": {}, "pairs": {}, "checksum": {}, )"
        R"("sets": {}, "elements": {}}})",
        end - ordered, ordered - begin, pairs.size(), checksum.value(), sets_.size(),
        sets_.tokens.size());
  }

  std::string plain(bool positional) {
    if (sets_.size() == 0) sets_ = order_tokens(hashed_, pool_);
    const double begin = cpu_seconds();
    PlainJoin join(sets_, threshold_);
    const auto pairs = join.run(positional);
    const double end = cpu_seconds();
    Checksum checksum(sets_.size());
    for (const auto& [one, other] : pairs) {
      const auto [left, right] = std::minmax(sets_.places[one], sets_.places[other]);
      checksum.add(left, right);
    }
    return fmt::format(R"({{"cpu_seconds": {}, "postings_seen": {}, "pairs": {}, "checksum": {}}})",
                       end - begin, join.postings_seen(), pairs.size(), checksum.value());
  }

  HashedSets hashed_;
  Rational threshold_;
  ThreadPool pool_{1, nullptr};
  TokenSets sets_;
};

int run(const char* path, const char* threshold) {
  Joins joins(path, *parse_rational(threshold));
  for (std::string join; std::getline(std::cin, join);) {
    std::cout << joins.answer(join) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace sosie::bench

int main(int argc, char** argv) {
  if (argc != 3 || !sosie::parse_rational(argv[2])) {
    std::fputs("set_joins FILE THRESHOLD\n", stderr);
    return 2;
  }
  return sosie::bench::run(argv[1], argv[2]);
}
