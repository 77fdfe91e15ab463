// Compares edit distances of a pair of strings, and of one string with many others, with distances
// from rapidfuzz-cpp, on one thread. bench/strings.py runs this program.
//
//   edit_kernels ROUNDS
//
// Strings consist of random lower-case letters; they are either unrelated, or near, with two
// letters replaced. The four ways are interleaved; the JSON output has each way's median over the
// rounds, in nanoseconds per pair.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <rapidfuzz/distance/Levenshtein.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/mix64.h"
#include "sosie/strings.h"

namespace sosie::bench {
namespace {

constexpr std::size_t kPairs = 256;
constexpr double kSecondsOfRound = 0.02;
constexpr std::array<std::size_t, 5> kLengths = {8, 16, 32, 64, 256};

struct Strings {
  std::vector<std::string> lefts;
  std::vector<std::string> rights;  // one for each left
  std::vector<std::string> many;    // all compared with the first left
};

char letter(std::uint64_t seed, std::uint64_t i) {
  return static_cast<char>('a' + random64(seed, i) % 26);
}

std::string random_string(std::uint64_t seed, std::size_t length) {
  std::string out(length, ' ');
  for (std::size_t i = 0; i < length; ++i) out[i] = letter(seed, i);
  return out;
}

std::string near_string(std::string string, std::uint64_t seed) {
  for (std::uint64_t i = 0; i < 2; ++i) {
    string[random64(seed, 2 * i) % string.size()] = letter(seed, 2 * i + 1);
  }
  return string;
}

Strings make_strings(std::size_t length, bool near) {
  Strings out;
  for (std::size_t i = 0; i < kPairs; ++i) {
    const std::uint64_t seed = length * 1000 + i;
    out.lefts.push_back(random_string(2 * seed, length));
    out.rights.push_back(near ? near_string(out.lefts.back(), seed)
                              : random_string(2 * seed + 1, length));
    out.many.push_back(near ? near_string(out.lefts.front(), seed) : out.rights.back());
  }
  return out;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Sums the distances that each of the four ways finds, so that the compiler cannot remove any of
// them and the results can be compared.
struct Way {
  const char* name;
  std::uint64_t (*sum)(const Strings& strings, std::uint32_t most);
};

std::uint64_t bounded(std::uint64_t distance, std::uint32_t most) {
  return std::min<std::uint64_t>(distance, std::uint64_t{most} + 1);
}

std::uint64_t pairs_by_sosie(const Strings& strings, std::uint32_t most) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kPairs; ++i) {
    sum += bounded(levenshtein(strings.lefts[i], strings.rights[i], most), most);
  }
  return sum;
}

std::uint64_t pairs_by_rapidfuzz(const Strings& strings, std::uint32_t most) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kPairs; ++i) {
    sum += bounded(
        rapidfuzz::levenshtein_distance(strings.lefts[i], strings.rights[i], {1, 1, 1}, most),
        most);
  }
  return sum;
}

std::uint64_t many_by_sosie(const Strings& strings, std::uint32_t most) {
  EditQuery query(EditMeasure::levenshtein, strings.lefts.front());
  const std::vector<std::string_view> others(strings.many.begin(), strings.many.end());
  std::array<std::uint32_t, kPairs> distances;
  query.distances(others, distances, most);
  std::uint64_t sum = 0;
  for (const std::uint32_t distance : distances) sum += bounded(distance, most);
  return sum;
}

std::uint64_t many_by_rapidfuzz(const Strings& strings, std::uint32_t most) {
  const rapidfuzz::CachedLevenshtein<char> query(strings.lefts.front());
  std::uint64_t sum = 0;
  for (const std::string& string : strings.many) sum += bounded(query.distance(string, most), most);
  return sum;
}

constexpr std::array<Way, 4> kWays = {{{"sosie_pair", pairs_by_sosie},
                                       {"rapidfuzz_pair", pairs_by_rapidfuzz},
                                       {"sosie_many", many_by_sosie},
                                       {"rapidfuzz_many", many_by_rapidfuzz}}};

double nanoseconds(const Way& way, const Strings& strings, std::uint32_t most) {
  static volatile std::uint64_t sink = 0;
  std::uint64_t times = 0;
  const double begin = cpu_seconds();
  double spent = 0;
  for (std::uint64_t step = 1; spent < kSecondsOfRound; step *= 2) {
    for (std::uint64_t i = 0; i < step; ++i) sink = sink + way.sum(strings, most);
    times += step;
    spent = cpu_seconds() - begin;
  }
  return 1e9 * spent / (static_cast<double>(times) * kPairs);
}

// A JSON object; empty if the four ways disagree.
std::string row(std::size_t length, bool near, std::uint32_t most, std::size_t rounds) {
  const Strings strings = make_strings(length, near);
  if (pairs_by_sosie(strings, most) != pairs_by_rapidfuzz(strings, most)) return {};
  if (many_by_sosie(strings, most) != many_by_rapidfuzz(strings, most)) return {};
  std::array<std::vector<double>, kWays.size()> taken;
  for (std::size_t round = 0; round <= rounds; ++round) {
    for (std::size_t way = 0; way < kWays.size(); ++way) {
      const double time = nanoseconds(kWays[way], strings, most);
      if (round > 0) taken[way].push_back(time);
    }
  }
  std::string out = fmt::format(R"({{"length": {}, "strings": "{}", "cut_off": {})", length,
                                near ? "near" : "unrelated",
                                most == kAnyDistance ? "null" : fmt::to_string(most));
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    std::sort(taken[way].begin(), taken[way].end());
    out += fmt::format(R"(, "{}": {:.1f})", kWays[way].name, taken[way][taken[way].size() / 2]);
  }
  return out + "}";
}

int run(std::size_t rounds) {
  std::vector<std::string> rows;
  for (const std::size_t length : kLengths) {
    for (const bool near : {false, true}) {
      for (const std::uint32_t most :
           {kAnyDistance, std::uint32_t{2}, static_cast<std::uint32_t>(length / 4 + 1)}) {
        rows.push_back(row(length, near, most, rounds));
        if (rows.back().empty()) {
          fmt::print(stderr, "edit_kernels: {} letters, at most {}: not the same distances\n",
                     length, most);
          return 1;
        }
      }
    }
  }
  fmt::print("[{}]\n", fmt::join(rows, ",\n "));
  return 0;
}

}  // namespace
}  // namespace sosie::bench

int main(int argc, char** argv) {
  const long rounds = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (rounds < 1) {
    std::fputs("edit_kernels ROUNDS\n", stderr);
    return 2;
  }
  return sosie::bench::run(static_cast<std::size_t>(rounds));
}
