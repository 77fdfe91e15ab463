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

// The K records of greatest cosine to each record, by the weighted sets of their elements, where K
// may differ from record to record; ties in input order; a cosine of 0 makes no partner. With two
// collections (records below `split`, and the others) partners are looked for in the other one,
// from both sides; else (split = 0) among all others.
//
// Every partner is found: lists of the sets that have an element are counted along, rarest element
// first, until the elements that remain cannot lift a set that shares none of the earlier ones over
// the K-th best (by Cauchy and Schwarz), and then only sets that still may be among the best are
// compared in full. Records with equal sets are one class, which is looked for once. Memory: 4
// bytes an element twice, 24 bytes a record, 4 bytes a partner, and 28 bytes a class and thread.
// Source: MMDS 3.9; Turtle, Flood 1995 (max score).
class NearestLists final : public NearestPartners {
 public:
  NearestLists(const HashedSets& sets, std::uint32_t split, ElementWeight weight, ThreadPool& pool);

  void find(std::span<const std::uint32_t> records, std::uint32_t most, ThreadPool& pool) override;

 private:
  // Search for the nearest records of one side to a record and its class.
  struct Search {
    std::uint32_t group;  // class of the record
    bool to_right;        // always, with one collection
    std::uint32_t record;
  };
  // A class that shares an element, and its cosine, or what is known of it.
  struct Met {
    std::uint32_t group;
    double cosine;
  };
  struct Neighbour {
    std::uint32_t record;
    double cosine;
  };
  // Buffers of one thread.
  struct Finder {
    std::vector<double> shared;          // by class: weight of the elements met; 0 between searches
    std::vector<std::uint32_t> classes;  // classes that share something
    std::vector<Met> met;
    std::vector<Met> top;  // best of these
    std::vector<Neighbour> best;
  };

  void make_classes();
  void list_members();
  void make_lists();
  void weigh(ElementWeight weight);
  [[nodiscard]] std::span<const std::uint32_t> list_of(std::uint32_t token, bool of_right) const;
  [[nodiscard]] std::span<const std::uint32_t> members_of(std::uint32_t group, bool of_right) const;
  [[nodiscard]] std::vector<Search> searches_for(std::span<const std::uint32_t> records) const;
  void find_together(std::span<const Search> searches, std::uint32_t most, Finder& finder);
  [[nodiscard]] std::size_t count_along(const Search& search, std::uint32_t most,
                                        Finder& finder) const;
  void meet(const Search& search, Finder& finder) const;
  [[nodiscard]] double kth_cosine(bool of_right, std::uint32_t most, Finder& finder) const;
  [[nodiscard]] static std::uint64_t survivors(double least, const Finder& finder);
  void keep_best(const Search& search, std::size_t seen, std::uint32_t most, Finder& finder) const;
  [[nodiscard]] double cosine_of(std::uint32_t left, std::uint32_t right) const;

  TokenSets sets_;
  std::uint32_t split_;
  std::vector<std::uint32_t> class_of_;       // by record; kNoClass for one without elements
  std::vector<std::uint32_t> class_sets_;     // by class: one of its sets
  std::vector<std::uint32_t> member_starts_;  // by class: its records, ascending
  std::vector<std::uint32_t> member_splits_;  // by class: its first right record
  std::vector<std::uint32_t> members_;
  std::vector<double> squares_;        // by token: the square of its weight
  std::vector<double> lengths_;        // by class
  std::vector<std::uint64_t> starts_;  // by token: its list, classes with left records in front
  std::vector<std::uint64_t> splits_;  // by token: its first class with right records
  std::vector<std::uint32_t> lists_;
};

}  // namespace sosie
