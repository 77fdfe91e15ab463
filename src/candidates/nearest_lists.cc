// The nearest records of each record, found along lists of tokens with a bound on what is left.
#include "candidates/nearest_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "candidates/token_order.h"
#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 16;
constexpr std::uint32_t kNoSet = std::numeric_limits<std::uint32_t>::max();
// Room for rounding where a bound is compared with a cosine.
constexpr double kRounding = 1e-9;

}  // namespace

NearestLists::NearestLists(const HashedSets& sets, std::uint32_t split, ElementWeight weight,
                           ThreadPool& pool)
    : sets_(order_tokens(sets, pool)),
      split_(split),
      set_of_(sets.size(), kNoSet),
      nearest_(sets.size()) {
  for (std::uint32_t set = 0; set < sets_.size(); ++set) set_of_[sets_.places[set]] = set;
  make_lists();
  weigh(weight);
}

// Lists hold left sets in front of right ones, so that either side can be looked for.
void NearestLists::make_lists() {
  starts_.assign(std::size_t{sets_.universe} + 1, 0);
  for (const std::uint32_t token : sets_.tokens) ++starts_[token + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  lists_.resize(starts_.back());
  std::vector<std::uint64_t> ends(starts_.begin(), starts_.end() - 1);
  const auto add_side = [&](bool right) {
    for (std::uint32_t set = 0; set < sets_.size(); ++set) {
      if ((sets_.places[set] >= split_) != right) continue;
      for (const std::uint32_t token : sets_[set]) lists_[ends[token]++] = set;
    }
  };
  add_side(false);
  splits_ = ends;
  add_side(true);
}

void NearestLists::weigh(ElementWeight weight) {
  squares_.assign(sets_.universe, 1);
  if (weight == ElementWeight::rare) {
    double all = 0;
    for (std::uint32_t set = 0; set < sets_.size(); ++set) all += sets_[set].empty() ? 0 : 1;
    for (std::uint32_t token = 0; token < sets_.universe; ++token) {
      const auto frequency = static_cast<double>(starts_[token + 1] - starts_[token]);
      const double idf = logarithm(1 + all / frequency);
      squares_[token] = idf * idf;
    }
  }
  lengths_.reserve(sets_.size());
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    double sum = 0;
    for (const std::uint32_t token : sets_[set]) sum += squares_[token];
    lengths_.push_back(std::sqrt(sum));
  }
}

std::span<const std::uint32_t> NearestLists::list_of(std::uint32_t token, bool of_right) const {
  const std::uint64_t begin = of_right ? splits_[token] : starts_[token];
  const std::uint64_t end = of_right ? starts_[token + 1] : splits_[token];
  return std::span(lists_).subspan(begin, end - begin);
}

void NearestLists::find(std::span<const std::uint32_t> records, std::uint32_t most,
                        ThreadPool& pool) {
  std::vector<Finder> finders(pool.size());
  const std::size_t tasks = (records.size() + kRecordsATask - 1) / kRecordsATask;
  pool.for_each(tasks, [&](unsigned worker, std::size_t task) {
    pool.check_cancelled();
    const std::size_t begin = task * kRecordsATask;
    const auto some = records.subspan(begin, std::min(kRecordsATask, records.size() - begin));
    for (const std::uint32_t record : some) find_one(record, most, finders[worker]);
  });
}

void NearestLists::find_one(std::uint32_t record, std::uint32_t most, Finder& finder) {
  nearest_[record].clear();
  const std::uint32_t set = set_of_[record];
  if (set == kNoSet || sets_[set].empty()) return;
  finder.shared.resize(sets_.size());
  finder.sets.clear();
  const std::size_t seen = count_along(set, most, finder);
  keep_best(set, seen, most, finder);
  for (const std::uint32_t other : finder.sets) finder.shared[other] = 0;
  nearest_[record].reserve(finder.met.size());
  for (const Met& met : finder.met) nearest_[record].push_back(sets_.places[met.set]);
}

// Returns how many of the set's tokens were counted.
std::size_t NearestLists::count_along(std::uint32_t set, std::uint32_t most, Finder& finder) const {
  const bool to_right = split_ == 0 || sets_.places[set] < split_;
  const TokenView tokens = sets_[set];
  double left = 0;               // squares of the tokens that remain
  std::uint64_t left_steps = 0;  // lengths of their lists
  for (const std::uint32_t token : tokens) {
    left += squares_[token];
    left_steps += list_of(token, to_right).size();
  }
  std::uint64_t steps = 0;  // since the last look at the best
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto list = list_of(tokens[i], to_right);
    // To look costs some steps for each set that was met.
    if (finder.sets.size() >= most && steps + list.size() >= 2 * finder.sets.size()) {
      const double bound = std::sqrt(std::max(left, 0.0)) / lengths_[set] + kRounding;
      const double least = kth_best(set, most, finder);
      // Sets that may still be among the best would be compared in full.
      if (least > bound &&
          survivors(set, least - bound, finder) * 2 * tokens.size() <= left_steps) {
        return i;
      }
      steps = 0;
    }
    const double square = squares_[tokens[i]];
    for (const std::uint32_t other : list) {
      if (finder.shared[other] == 0) finder.sets.push_back(other);
      finder.shared[other] += square;
    }
    steps += list.size();
    left_steps -= list.size();
    left -= square;
  }
  return tokens.size();
}

// The K-th best cosine by what is known to be shared, the set itself left out.
double NearestLists::kth_best(std::uint32_t set, std::uint32_t most, Finder& finder) const {
  finder.met.clear();
  for (const std::uint32_t other : finder.sets) {
    if (other != set) finder.met.push_back({other, finder.shared[other] / lengths_[other]});
  }
  if (finder.met.size() < most) return 0;
  const auto kth = finder.met.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::nth_element(finder.met.begin(), kth, finder.met.end(),
                   [](const Met& a, const Met& b) { return a.cosine > b.cosine; });
  return kth->cosine / lengths_[set];
}

// Number of met sets whose cosine is known to reach `least`.
std::uint64_t NearestLists::survivors(std::uint32_t set, double least, const Finder& finder) const {
  return static_cast<std::uint64_t>(
      std::count_if(finder.met.begin(), finder.met.end(),
                    [&](const Met& met) { return met.cosine >= least * lengths_[set]; }));
}

// Leaves the best in finder.met, best first.
void NearestLists::keep_best(std::uint32_t set, std::size_t seen, std::uint32_t most,
                             Finder& finder) const {
  const TokenView tokens = sets_[set];
  double left = 0;
  for (const std::uint32_t token : tokens.subspan(seen)) left += squares_[token];
  const double least = kth_best(set, most, finder);
  const double rest = std::sqrt(left) / lengths_[set] + kRounding;
  std::erase_if(finder.met,
                [&](const Met& met) { return met.cosine / lengths_[set] + rest < least; });
  for (Met& met : finder.met) met.cosine = cosine_of(set, met.set);  // in one order of sums
  const auto is_better = [this](const Met& a, const Met& b) {
    if (a.cosine != b.cosine) return a.cosine > b.cosine;
    return sets_.places[a.set] < sets_.places[b.set];
  };
  const std::size_t count = std::min<std::size_t>(most, finder.met.size());
  std::partial_sort(finder.met.begin(), finder.met.begin() + static_cast<std::ptrdiff_t>(count),
                    finder.met.end(), is_better);
  finder.met.resize(count);
}

double NearestLists::cosine_of(std::uint32_t left, std::uint32_t right) const {
  const TokenView a = sets_[left];
  const TokenView b = sets_[right];
  double shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) shared += squares_[a[i]];
    const bool moves_left = a[i] <= b[j];
    j += b[j] <= a[i] ? 1U : 0U;
    i += moves_left ? 1U : 0U;
  }
  return shared / (lengths_[left] * lengths_[right]);
}

PartnerLists lists_of(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                      std::size_t records) {
  std::vector<std::uint64_t> starts(records + 1);
  for (const auto& pair : pairs) ++starts[pair.first + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> all(pairs.size());
  std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
  for (const auto& pair : pairs) all[next[pair.first]++] = pair.second;
  PartnerLists lists;
  lists.starts.reserve(records + 1);
  lists.partners.reserve(all.size());
  for (std::size_t record = 0; record < records; ++record) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(starts[record]);
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(starts[record + 1]);
    std::sort(begin, end);
    lists.partners.insert(lists.partners.end(), begin, std::unique(begin, end));
    lists.starts.push_back(lists.partners.size());
  }
  return lists;
}

PartnerLists NearestLists::pairs() const {
  std::size_t count = 0;
  for (const auto& nearest : nearest_) count += nearest.size();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  pairs.reserve(count);
  for (std::uint32_t record = 0; record < nearest_.size(); ++record) {
    for (const std::uint32_t partner : nearest_[record]) {
      pairs.emplace_back(std::min(record, partner), std::max(record, partner));
    }
  }
  return lists_of(pairs, nearest_.size());
}

}  // namespace sosie
