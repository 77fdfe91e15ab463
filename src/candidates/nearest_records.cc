// Finds the nearest records of each record through token lists, with a bound on the remaining
// score.
#include "candidates/nearest_records.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "candidates/order_tokens.h"
#include "core/real_functions.h"
#include "kernels/products_above.h"

namespace sosie {
namespace {

constexpr std::size_t kSearchesATask = 16;
constexpr std::size_t kBlock = 2048;  // classes examined together
constexpr std::uint32_t kNoClass = std::numeric_limits<std::uint32_t>::max();
// Tolerance for rounding when a bound is compared with a cosine.
constexpr double kRounding = 1e-5;

// Number of sets that contain each token.
std::vector<std::uint32_t> frequencies(const TokenSets& sets) {
  std::vector<std::uint32_t> found(sets.universe);
  for (const std::uint32_t token : sets.tokens) ++found[token];
  return found;
}

}  // namespace

// The best classes in a sequence. If shares are equal, the lower class is better.
class NearestRecords::BestShares {
 public:
  // Stores the best in `top`. Shares up to `above` are excluded.
  BestShares(std::vector<Met>& top, std::size_t most, double above)
      : top_(top), most_(most), least_(std::nextafter(above, kEndless)) {
    top_.clear();
  }

  // Classes with lower shares are not among the best.
  [[nodiscard]] double least() const noexcept { return least_; }
  void add(const Met& met) {
    if (met.share < least_) return;
    top_.push_back(met);
    if (top_.size() > kSpare * most_) drop_worse();
  }
  // Keeps only the best, unordered. Nothing may be added after this.
  void finish() {
    if (top_.size() > most_) drop_worse();
  }

 private:
  static constexpr double kEndless = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kSpare = 4;  // keeps this many times the best before discarding

  void drop_worse() {
    const auto last = top_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
    std::nth_element(top_.begin(), last, top_.end(), IsBetter());
    least_ = last->share;
    top_.resize(most_);
  }

  std::vector<Met>& top_;
  std::size_t most_;
  double least_;
};

NearestRecords::NearestRecords(const HashedSets& sets, std::uint32_t split,
                               const NearestSearch& search, ThreadPool& pool)
    : NearestPartners(sets.size()),
      sets_(order_tokens(sets, pool)),
      split_(split),
      class_of_(sets.size(), kNoClass) {
  make_classes();
  list_members();
  weigh(search.weight);
  is_pruned_ = search.pruned > 0 && most_steps() > search.cheap_steps;
  prune(is_pruned_ ? search.pruned : 0);
  make_lists();
}

// Groups equal sets by sorting: their rarest tokens distinguish most of them.
void NearestRecords::make_classes() {
  std::vector<std::uint32_t> order(sets_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto tokens_before = [this](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(sets_[a].begin(), sets_[a].end(), sets_[b].begin(),
                                        sets_[b].end());
  };
  std::sort(order.begin(), order.end(), tokens_before);
  for (const std::uint32_t set : order) {
    if (sets_[set].empty()) continue;
    const bool fresh = class_sets_.empty() || tokens_before(class_sets_.back(), set);
    if (fresh) class_sets_.push_back(set);
    class_of_[sets_.places[set]] = static_cast<std::uint32_t>(class_sets_.size() - 1);
  }
}

void NearestRecords::list_members() {
  member_starts_.assign(class_sets_.size() + 1, 0);
  for (const std::uint32_t group : class_of_) {
    if (group != kNoClass) ++member_starts_[group + 1];
  }
  std::partial_sum(member_starts_.begin(), member_starts_.end(), member_starts_.begin());
  members_.resize(member_starts_.back());
  member_splits_.assign(member_starts_.begin(), member_starts_.end() - 1);
  std::vector<std::uint32_t> ends = member_splits_;
  for (std::uint32_t record = 0; record < class_of_.size(); ++record) {
    const std::uint32_t group = class_of_[record];
    if (group == kNoClass) continue;
    members_[ends[group]++] = record;
    if (record < split_) member_splits_[group] = ends[group];
  }
}

// In each list, classes with left records precede classes with right records, so that either side
// can be searched; a class with both appears in both places.
void NearestRecords::make_lists() {
  const auto classes = static_cast<std::uint32_t>(class_sets_.size());
  const auto for_each_entry = [&](bool of_right, const auto& take) {
    for (std::uint32_t group = 0; group < classes; ++group) {
      if (members_of(group, of_right).empty()) continue;
      for (const std::uint32_t token : searched(group)) take(token, group);
    }
  };
  starts_.assign(std::size_t{sets_.universe} + 1, 0);
  for (const bool of_right : {false, true}) {
    for_each_entry(of_right, [&](std::uint32_t token, std::uint32_t) { ++starts_[token + 1]; });
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  lists_.resize(starts_.back());
  std::vector<std::uint64_t> ends(starts_.begin(), starts_.end() - 1);
  const auto append = [&](std::uint32_t token, std::uint32_t group) {
    lists_[ends[token]++] = group;
  };
  for_each_entry(/*of_right=*/false, append);
  splits_ = ends;
  for_each_entry(/*of_right=*/true, append);
}

void NearestRecords::weigh(ElementWeight weight) {
  squares_.assign(sets_.universe, 1);
  if (weight == ElementWeight::rare) {
    const std::vector<std::uint32_t> frequency = frequencies(sets_);
    const auto all = static_cast<double>(members_.size());
    for (std::uint32_t token = 0; token < sets_.universe; ++token) {
      const double idf = logarithm(1 + all / static_cast<double>(frequency[token]));
      squares_[token] = idf * idf;
    }
  }
  lengths_.reserve(class_sets_.size());
  for (const std::uint32_t set : class_sets_) {
    double sum = 0;
    for (const std::uint32_t token : sets_[set]) sum += squares_[token];
    lengths_.push_back(std::sqrt(sum));
    inverse_lengths_.push_back(static_cast<float>(1 / lengths_.back()));
  }
}

std::uint64_t NearestRecords::most_steps() const {
  std::vector<std::uint32_t> left(sets_.universe);
  std::vector<std::uint32_t> right(sets_.universe);
  for (std::uint32_t group = 0; group < class_sets_.size(); ++group) {
    const std::uint32_t in_left = members_of(group, /*of_right=*/false).empty() ? 0 : 1;
    const std::uint32_t in_right = members_of(group, /*of_right=*/true).empty() ? 0 : 1;
    for (const std::uint32_t token : sets_[class_sets_[group]]) {
      left[token] += in_left;
      right[token] += in_right;
    }
  }
  std::uint64_t steps = 0;
  for (std::uint32_t token = 0; token < sets_.universe; ++token) {
    const std::uint64_t others = split_ == 0 ? right[token] : 2 * std::uint64_t{left[token]};
    steps += others * right[token];
  }
  return steps;
}

// The elements of a set are sorted by weight, with the lightest last.
void NearestRecords::prune(double share) {
  searched_.reserve(class_sets_.size());
  for (std::size_t group = 0; group < class_sets_.size(); ++group) {
    const TokenView tokens = sets_[class_sets_[group]];
    std::size_t kept = tokens.size();
    double spare = share * lengths_[group] * lengths_[group];
    while (kept > 1 && squares_[tokens[kept - 1]] <= spare) spare -= squares_[tokens[--kept]];
    searched_.push_back(static_cast<std::uint32_t>(kept));
  }
}

std::span<const std::uint32_t> NearestRecords::list_of(std::uint32_t token, bool of_right) const {
  const std::uint64_t begin = of_right ? splits_[token] : starts_[token];
  const std::uint64_t end = of_right ? starts_[token + 1] : splits_[token];
  return std::span(lists_).subspan(begin, end - begin);
}

std::span<const std::uint32_t> NearestRecords::members_of(std::uint32_t group,
                                                          bool of_right) const {
  const std::uint32_t begin = of_right ? member_splits_[group] : member_starts_[group];
  const std::uint32_t end = of_right ? member_starts_[group + 1] : member_splits_[group];
  return std::span(members_).subspan(begin, end - begin);
}

// Records in the same class and on the same side have the same neighbours except themselves, so a
// single search serves all of them.
std::vector<NearestRecords::Search> NearestRecords::searches_for(
    std::span<const std::uint32_t> records) const {
  std::vector<Search> searches;
  searches.reserve(records.size());
  for (const std::uint32_t record : records) {
    const bool to_right = split_ == 0 || record < split_;
    if (class_of_[record] != kNoClass) searches.push_back({class_of_[record], to_right, record});
  }
  std::sort(searches.begin(), searches.end(), [](const Search& a, const Search& b) {
    return std::tie(a.group, a.to_right, a.record) < std::tie(b.group, b.to_right, b.record);
  });
  return searches;
}

void NearestRecords::find(std::span<const std::uint32_t> records, std::uint32_t most,
                          ThreadPool& pool) {
  for (const std::uint32_t record : records) nearest_[record].clear();
  const std::vector<Search> searches = searches_for(records);
  std::vector<std::size_t> starts;  // first search for each class
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const bool goes_on = i > 0 && searches[i - 1].group == searches[i].group &&
                         searches[i - 1].to_right == searches[i].to_right;
    if (!goes_on) starts.push_back(i);
  }
  const std::size_t count = starts.size();
  starts.push_back(searches.size());
  std::vector<Finder> finders(pool.size());
  const std::size_t tasks = (count + kSearchesATask - 1) / kSearchesATask;
  pool.for_each(tasks, [&](unsigned worker, std::size_t task) {
    pool.check_cancelled();
    const std::size_t end = std::min(count, (task + 1) * kSearchesATask);
    for (std::size_t i = task * kSearchesATask; i < end; ++i) {
      find_together(std::span(searches).subspan(starts[i], starts[i + 1] - starts[i]), most,
                    finders[worker]);
    }
  });
  for (const Finder& finder : finders) steps_ += finder.steps;
}

void NearestRecords::find_together(std::span<const Search> searches, std::uint32_t most,
                                   Finder& finder) {
  const Search& search = searches.front();
  // Within a single collection, a record also finds itself.
  const std::uint32_t itself = split_ == 0 ? 1 : 0;
  const std::uint32_t looked_for = (is_pruned_ ? 2 * most : most) + itself;
  finder.shared.resize(class_sets_.size());
  finder.classes.resize(class_sets_.size() + 1);
  finder.found.resize(kBlock + kernels::kSpareIndexes);
  finder.count = 0;
  const std::size_t seen = count_along(search, looked_for, finder);
  drop_farther(search, seen, looked_for, finder);
  keep_best(search, most + itself, finder);
  for (std::size_t i = 0; i < finder.count; ++i) finder.shared[finder.classes[i]] = 0;
  for (const Search& of : searches) {
    std::vector<std::uint32_t>& nearest = nearest_[of.record];
    nearest.reserve(std::min<std::size_t>(most, finder.best.size()));
    for (const Neighbour& neighbour : finder.best) {
      if (nearest.size() == most) break;
      if (neighbour.record != of.record) nearest.push_back(neighbour.record);
    }
  }
}

// Returns how many of the class's searched tokens were counted.
std::size_t NearestRecords::count_along(const Search& search, std::uint32_t most,
                                        Finder& finder) const {
  const TokenView tokens = searched(search.group);
  double left = 0;               // squares of the tokens that remain
  std::uint64_t left_steps = 0;  // lengths of their lists
  for (const std::uint32_t token : tokens) {
    left += squares_[token];
    left_steps += list_of(token, search.to_right).size();
  }
  const double length = lengths_[search.group];
  std::uint64_t steps = 0;  // since the best were last checked
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto list = list_of(tokens[i], search.to_right);
    // The check costs several steps per class found, and is useless before half of the set has been
    // counted: a share cannot exceed the counted weight, and the bound cannot be below the rest.
    const bool may_end = 2 * left <= length * length;
    if (may_end && steps + list.size() >= 2 * finder.count) {
      const double bound = std::sqrt(std::max(left, 0.0)) + kRounding * length;
      find_best_met(most, bound, finder);
      const double least = kth_share(finder.top, search.to_right, most);
      // Otherwise, too many classes that may be among the best would have to be compared in full.
      if (least > bound && survivors(least - bound, finder) * 2 * tokens.size() <= left_steps) {
        return i;
      }
      steps = 0;
    }
    const double square = squares_[tokens[i]];
    const auto weight = static_cast<float>(square);
    float* const shared = finder.shared.data();
    std::uint32_t* const classes = finder.classes.data();
    std::size_t count = finder.count;
    for (const std::uint32_t other : list) {
      classes[count] = other;
      count += shared[other] == 0 ? 1 : 0;
      shared[other] += weight;
    }
    finder.count = count;
    steps += list.size();
    finder.steps += list.size();
    left_steps -= list.size();
    left -= square;
  }
  return tokens.size();
}

// Calls take(class) for the classes found whose share reaches least(), and possibly for others. If
// many classes were found, scans all classes in order, which is faster.
template <typename Least, typename Take>
void NearestRecords::take_above(const Least& least, Finder& finder, const Take& take) const {
  constexpr std::size_t kMany = 16;  // one class in so many
  if (finder.count * kMany < finder.shared.size()) {
    for (std::size_t i = 0; i < finder.count; ++i) {
      const std::uint32_t other = finder.classes[i];
      if (share_of(other, finder) >= least()) take(other);
    }
    return;
  }
  for (std::size_t begin = 0; begin < finder.shared.size(); begin += kBlock) {
    const std::size_t found = kernels::products_above(
        finder.shared.data() + begin, inverse_lengths_.data() + begin,
        std::min(kBlock, finder.shared.size() - begin),
        static_cast<float>(std::max(0.0, least() * (1 - kRounding))), finder.found.data());
    for (std::size_t i = 0; i < found; ++i) {
      take(static_cast<std::uint32_t>(begin) + finder.found[i]);
    }
  }
}

// Stores in finder.top the K best classes found whose share exceeds `above`.
void NearestRecords::find_best_met(std::uint32_t most, double above, Finder& finder) const {
  constexpr std::size_t kFirst = 4;  // times K: classes with the rarest elements in common
  const auto add = [&](BestShares& best, std::uint32_t other) {
    best.add({other, share_of(other, finder)});
  };
  if (finder.count > 2 * kFirst * most) {
    // Computes the bound from some classes that are probably among the best.
    BestShares some(finder.top, most, above);
    for (std::size_t i = 0; i < kFirst * most; ++i) add(some, finder.classes[i]);
    some.finish();
    if (finder.top.size() == most) above = std::max(above, std::nextafter(some.least(), 0.0));
  }
  BestShares best(finder.top, most, above);
  take_above([&] { return best.least(); }, finder, [&](std::uint32_t other) { add(best, other); });
  best.finish();
}

// A lower bound for a record's K-th best share, given at least the K best classes; 0 if there are
// fewer records. Each class has at least one record, so the K-th record is in the K best classes.
double NearestRecords::kth_share(std::vector<Met>& top, bool of_right, std::uint32_t most) const {
  std::sort(top.begin(), top.end(), IsBetter());
  std::uint64_t records = 0;
  for (const Met& met : top) {
    records += members_of(met.group, of_right).size();
    if (records >= most) return met.share;
  }
  return 0;
}

// Number of classes found whose share is known to reach `least`.
std::uint64_t NearestRecords::survivors(double least, Finder& finder) const {
  std::uint64_t count = 0;
  take_above([least] { return least; }, finder,
             [&](std::uint32_t other) { count += share_of(other, finder) >= least ? 1 : 0; });
  return count;
}

// Keeps in finder.met the classes that may be among the best; `seen` tokens of the search have been
// counted.
void NearestRecords::drop_farther(const Search& search, std::size_t seen, std::uint32_t most,
                                  Finder& finder) const {
  if (is_pruned_ && seen == searched_[search.group]) {
    find_best_met(most, 0, finder);
    finder.met.swap(finder.top);
    return;
  }
  double left = 0;
  for (const std::uint32_t token : searched(search.group).subspan(seen)) left += squares_[token];
  const double rest = std::sqrt(left) + kRounding * lengths_[search.group];
  find_best_met(most, 0, finder);
  const double least = kth_share(finder.top, search.to_right, most) - rest;
  finder.met.clear();
  take_above([least] { return least; }, finder,
             [&](std::uint32_t other) {
               if (share_of(other, finder) >= least) finder.met.push_back({other, 0});
             });
}

// Stores in finder.best the best records of the classes in finder.met, best first.
void NearestRecords::keep_best(const Search& search, std::uint32_t most, Finder& finder) const {
  compare_met(search, finder);
  BestShares of_met(finder.top, most, 0);
  for (const Met& met : finder.met) of_met.add(met);
  of_met.finish();
  const double worst = kth_share(finder.top, search.to_right, most);
  finder.best.clear();
  for (const Met& met : finder.met) {
    if (met.share < worst) continue;
    const auto members = members_of(met.group, search.to_right);
    for (const std::uint32_t record : members.first(std::min<std::size_t>(most, members.size()))) {
      finder.best.push_back({record, met.share});
    }
  }
  const std::size_t count = std::min<std::size_t>(most, finder.best.size());
  std::partial_sort(finder.best.begin(), finder.best.begin() + static_cast<std::ptrdiff_t>(count),
                    finder.best.end(), [](const Neighbour& a, const Neighbour& b) {
                      return a.cosine != b.cosine ? a.cosine > b.cosine : a.record < b.record;
                    });
  finder.best.resize(count);
}

// Computes the cosines of the classes in finder.met. The elements of the searched set are laid out
// as a table, so no merging is needed.
void NearestRecords::compare_met(const Search& search, Finder& finder) const {
  const TokenView tokens = sets_[class_sets_[search.group]];
  finder.squares.resize(sets_.universe);
  for (const std::uint32_t token : tokens) finder.squares[token] = squares_[token];
  for (Met& met : finder.met) {
    double shared = 0;
    for (const std::uint32_t token : sets_[class_sets_[met.group]]) {
      shared += finder.squares[token];
    }
    met.share = shared / (lengths_[search.group] * lengths_[met.group]);
  }
  for (const std::uint32_t token : tokens) finder.squares[token] = 0;
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

std::uint64_t NearestPartners::partners() const noexcept {
  std::uint64_t count = 0;
  for (const auto& nearest : nearest_) count += nearest.size();
  return count;
}

PartnerLists NearestPartners::pairs() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  pairs.reserve(partners());
  for (std::uint32_t record = 0; record < nearest_.size(); ++record) {
    for (const std::uint32_t partner : nearest_[record]) {
      pairs.emplace_back(std::min(record, partner), std::max(record, partner));
    }
  }
  return lists_of(pairs, nearest_.size());
}

}  // namespace sosie
