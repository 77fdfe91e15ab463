#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "data/token_sets.h"

namespace sosie {

// The partners of each record, ascending and without duplicates.
struct PartnerLists {
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> partners;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t record) const noexcept {
    return std::span(partners).subspan(starts[record], starts[record + 1] - starts[record]);
  }
};

// Groups pairs of records (lower record first; duplicates are allowed) by the lower record.
[[nodiscard]] PartnerLists lists_of(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs,
                                    std::size_t records);

// The nearest partners of records. Their number may differ from record to record.
class NearestPartners {
 public:
  explicit NearestPartners(std::size_t records) : nearest_(records) {}
  NearestPartners(const NearestPartners&) = delete;
  NearestPartners& operator=(const NearestPartners&) = delete;
  virtual ~NearestPartners() = default;

  // Finds the `most` nearest partners of each of these records and replaces earlier results for
  // them. The result does not depend on the number of threads. Throws Error{cancelled}.
  virtual void find(std::span<const std::uint32_t> records, std::uint32_t most,
                    ThreadPool& pool) = 0;

  // Partners of a record, nearest first.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t record) const noexcept {
    return nearest_[record];
  }
  // Total number of partners of all records; a pair found from both sides counts twice.
  [[nodiscard]] std::uint64_t partners() const noexcept;
  // The pairs found from either side, each listed under the record with the lower number.
  [[nodiscard]] PartnerLists pairs() const;

 protected:
  std::vector<std::vector<std::uint32_t>> nearest_;  // by record
};

// Weight of an element of a set.
enum class ElementWeight : std::uint8_t {
  equal,  // 1
  rare,   // log(1 + sets / sets that contain it): TF-IDF of sets
};

// Weights of the elements of sets, and limits of the search.
struct NearestSearch {
  ElementWeight weight = ElementWeight::rare;
  // The lightest elements of a set are not looked up, up to this share of its squared length. At 0,
  // every partner is found.
  double pruned = 0;
  // Sets are not pruned if looking up all elements takes at most this many steps (a few seconds).
  std::uint64_t cheap_steps = 1'000'000'000;
};

// The K records with the largest cosine to each record, computed from the weighted sets of their
// elements. K may differ from record to record; ties are broken by input order; records with a
// cosine of 0 are not partners. With two collections (records below `split`, and the rest),
// partners are searched for in the other collection, from both sides; otherwise (split = 0), among
// all other records.
// For each element of a record, rarest first, the sets in the element's list are counted. This
// stops when the remaining elements cannot lift a set that shares none of the earlier ones above
// the K-th best (by the Cauchy-Schwarz inequality). Only sets that may still be among the best are
// then compared in full. Unless sets are pruned, every partner is found: the work is the sum of the
// squared frequencies of the elements, nearly all of it caused by a few common, light elements.
// With pruned sets, the 2 K nearest are found and then ranked by the cosine of the whole sets.
// Records with equal sets form a class, which is looked up once. Memory: 8 bytes per element, 32
// bytes per record, 4 bytes per partner and, for each thread, 8 bytes per class and per distinct
// element. Source: MMDS 3.9; Turtle, Flood 1995 (max score).
class NearestRecords final : public NearestPartners {
 public:
  NearestRecords(const HashedSets& sets, std::uint32_t split, const NearestSearch& search,
                 ThreadPool& pool);

  void find(std::span<const std::uint32_t> records, std::uint32_t most, ThreadPool& pool) override;
  // Number of list entries counted so far, which takes nearly all of the time.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

 private:
  // A search for the records on one side that are nearest to the records in a class.
  struct Search {
    std::uint32_t group;  // class of the record
    bool to_right;        // always true with one collection
    std::uint32_t record;
  };
  // A class that shares an element with the class looked up, and the product of their cosine, as
  // far as it is known, and the length of the class looked up.
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
  // Buffers of a thread.
  struct Finder {
    std::vector<float> shared;           // by class: weight of the elements met; 0 between searches
    std::vector<std::uint32_t> classes;  // the first `count` are classes that share an element
    std::size_t count = 0;               // their number
    std::vector<std::uint32_t> found;    // some of a block of classes
    std::vector<Met> met;
    std::vector<Met> top;  // the best of these classes
    std::vector<Neighbour> best;
    std::vector<double> squares;  // by element: squared weight if it is looked up; else 0
    std::uint64_t steps = 0;
  };

  void make_classes();
  void list_members();
  void weigh(ElementWeight weight);
  // Number of steps needed to look up all elements for the neighbours of all classes.
  [[nodiscard]] std::uint64_t most_steps() const;
  void prune(double share);
  void make_lists();
  // The elements of a class that are looked up, rarest first.
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
  std::vector<std::uint32_t> class_of_;       // by record; kNoClass if it has no elements
  std::vector<std::uint32_t> class_sets_;     // by class: one of its sets
  std::vector<std::uint32_t> member_starts_;  // by class: its records, ascending
  std::vector<std::uint32_t> member_splits_;  // by class: its first right record
  std::vector<std::uint32_t> members_;
  std::vector<double> squares_;  // by token: the square of its weight
  std::vector<double> lengths_;  // by class
  std::vector<float> inverse_lengths_;
  std::vector<std::uint32_t> searched_;  // by class: number of elements that are looked up
  std::vector<std::uint64_t> starts_;    // by token: its list, classes with left records first
  std::vector<std::uint64_t> splits_;    // by token: its first class with right records
  std::vector<std::uint32_t> lists_;
  std::uint64_t steps_ = 0;
};

}  // namespace sosie
