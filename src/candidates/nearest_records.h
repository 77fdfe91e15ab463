#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "data/token_sets.h"

namespace sosie {

// Partners of records, by record: ascending, each once.
struct PartnerLists {
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> partners;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t record) const noexcept {
    return std::span(partners).subspan(starts[record], starts[record + 1] - starts[record]);
  }
};

// Lists of pairs of records, low below high, some perhaps more than once, under the lower one.
[[nodiscard]] PartnerLists lists_of(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                                    std::size_t records);

// Nearest partners of records, where how many may differ from record to record.
class NearestPartners {
 public:
  explicit NearestPartners(std::size_t records) : nearest_(records) {}
  NearestPartners(const NearestPartners&) = delete;
  NearestPartners& operator=(const NearestPartners&) = delete;
  virtual ~NearestPartners() = default;

  // Looks for the `most` nearest partners of these records, in place of what was found for them.
  // Does not depend on threads. Throws Error{cancelled}.
  virtual void find(std::span<const std::uint32_t> records, std::uint32_t most,
                    ThreadPool& pool) = 0;

  // Partners of a record, nearest first.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t record) const noexcept {
    return nearest_[record];
  }
  // Partners of all records, some of them found from both sides.
  [[nodiscard]] std::uint64_t partners() const noexcept;
  // Pairs that either record has found, listed under the one with the lower number.
  [[nodiscard]] PartnerLists pairs() const;

 protected:
  std::vector<std::vector<std::uint32_t>> nearest_;  // by record
};

// Weight of an element of a set.
enum class ElementWeight : std::uint8_t {
  equal,  // 1
  rare,   // log(1 + sets / sets that have it): TF-IDF of sets
};

// Weights of the elements of sets, and the search by them.
struct NearestSearch {
  ElementWeight weight = ElementWeight::rare;
  // Share of the squared length of each set that its lightest elements hold which are not looked
  // for; 0: every partner is found.
  double pruned = 0;
  // Sets are not pruned where looking for all elements takes no more steps than this: seconds.
  std::uint64_t cheap_steps = 1'000'000'000;
};

// The K records of greatest cosine to each record, by the weighted sets of their elements, where K
// may differ from record to record; ties in input order; a cosine of 0 makes no partner. With two
// collections (records below `split`, and the others) partners are looked for in the other one,
// from both sides; else (split = 0) among all others.
//
// Lists of the sets that have an element are counted along, rarest element first, until the
// elements that remain cannot lift a set that shares none of the earlier ones over the K-th best
// (by Cauchy and Schwarz), and then only sets that still may be among the best are compared in
// full. Every partner is found so, unless sets are pruned: the work is the sum of the squared
// frequencies of the elements, nearly all of which a few common, light ones cause. Pruned sets give
// the 2 K nearest, which are ranked by the cosine of the whole sets. Records with equal sets are
// one class, which is looked for once. Memory: 4 bytes an element twice, 32 bytes a record, 4 bytes
// a partner, and by thread 8 bytes a class and a different element. Source: MMDS 3.9; Turtle, Flood
// 1995 (max score).
class NearestRecords final : public NearestPartners {
 public:
  NearestRecords(const HashedSets& sets, std::uint32_t split, const NearestSearch& search,
                 ThreadPool& pool);

  void find(std::span<const std::uint32_t> records, std::uint32_t most, ThreadPool& pool) override;
  // Entries of lists that were counted so far, which nearly all of the time goes to.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

 private:
  // Search for the nearest records of one side to a record and its class.
  struct Search {
    std::uint32_t group;  // class of the record
    bool to_right;        // always, with one collection
    std::uint32_t record;
  };
  // A class that shares an element; its cosine, as far as it is known, times the length of the
  // class that is looked for.
  struct Met {
    std::uint32_t group;
    double share;
  };
  struct IsBetter {
    bool operator()(const Met& a, const Met& b) const noexcept {
      return a.share != b.share ? a.share > b.share : a.group < b.group;
    }
  };
  struct Neighbour {
    std::uint32_t record;
    double cosine;
  };
  class BestShares;
  // Buffers of one thread.
  struct Finder {
    std::vector<float> shared;           // by class: weight of the elements met; 0 between searches
    std::vector<std::uint32_t> classes;  // classes that share something, in front
    std::size_t count = 0;               // number of these
    std::vector<std::uint32_t> found;    // some of a block of classes
    std::vector<Met> met;
    std::vector<Met> top;  // the best of them
    std::vector<Neighbour> best;
    std::vector<double> squares;  // by element: its weight where it is looked for; else 0
    std::uint64_t steps = 0;
  };

  void make_classes();
  void list_members();
  void weigh(ElementWeight weight);
  // Steps of a search for the neighbours of all classes by all of their elements.
  [[nodiscard]] std::uint64_t most_steps() const;
  void prune(double share);
  void make_lists();
  // Elements of a class that are looked for, rarest first.
  [[nodiscard]] TokenView searched(std::uint32_t group) const {
    return sets_[class_sets_[group]].first(searched_[group]);
  }
  [[nodiscard]] std::span<const std::uint32_t> list_of(std::uint32_t token, bool of_right) const;
  [[nodiscard]] std::span<const std::uint32_t> members_of(std::uint32_t group, bool of_right) const;
  [[nodiscard]] std::vector<Search> searches_for(std::span<const std::uint32_t> records) const;
  void find_together(std::span<const Search> searches, std::uint32_t most, Finder& finder);
  [[nodiscard]] std::size_t count_along(const Search& search, std::uint32_t most,
                                        Finder& finder) const;
  template <typename Least, typename Take>
  void take_above(const Least& least, Finder& finder, const Take& take) const;
  void find_best_met(std::uint32_t most, double above, Finder& finder) const;
  [[nodiscard]] double kth_share(std::vector<Met>& top, bool of_right, std::uint32_t most) const;
  [[nodiscard]] float share_of(std::uint32_t other, const Finder& finder) const noexcept {
    return finder.shared[other] * inverse_lengths_[other];
  }
  [[nodiscard]] std::uint64_t survivors(double least, Finder& finder) const;
  void drop_farther(const Search& search, std::size_t seen, std::uint32_t most,
                    Finder& finder) const;
  void keep_best(const Search& search, std::uint32_t most, Finder& finder) const;
  void compare_met(const Search& search, Finder& finder) const;

  TokenSets sets_;
  std::uint32_t split_;
  bool is_pruned_ = false;
  std::vector<std::uint32_t> class_of_;       // by record; kNoClass for one without elements
  std::vector<std::uint32_t> class_sets_;     // by class: one of its sets
  std::vector<std::uint32_t> member_starts_;  // by class: its records, ascending
  std::vector<std::uint32_t> member_splits_;  // by class: its first right record
  std::vector<std::uint32_t> members_;
  std::vector<double> squares_;  // by token: the square of its weight
  std::vector<double> lengths_;  // by class
  std::vector<float> inverse_lengths_;
  std::vector<std::uint32_t> searched_;  // by class: how many of its elements are looked for
  std::vector<std::uint64_t> starts_;    // by token: its list, classes with left records in front
  std::vector<std::uint64_t> splits_;    // by token: its first class with right records
  std::vector<std::uint32_t> lists_;
  std::uint64_t steps_ = 0;
};

}  // namespace sosie
