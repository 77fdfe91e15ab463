#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/memory_budget.h"
#include "core/row_bits.h"
#include "core/thread_pool.h"
#include "corpus/spill/spilled_copies.h"
#include "corpus/spill/spilled_rows.h"
#include "io/record_file.h"
#include "plan/banding_plan.h"
#include "sosie/join.h"

namespace sosie {

// Calls add(row, row) for each pair of similar rows that are no copies, from one thread at a time.
// For rows without signatures, whose sets tell the pairs.
using AddRowPair = std::function<void(RowNumber, RowNumber)>;
using JoinRows = std::function<void(const SpilledCopies& copies, const AddRowPair& add)>;

// Rows in scratch with the text of another row, found by the hashes of texts in the first band,
// which is drained. Buckets of these are appended to `buckets`: row << 1, + 1 for the first one.
[[nodiscard]] std::unique_ptr<SpilledCopies> find_copies(const Inputs& inputs, const Corpus& corpus,
                                                         const Settings& settings,
                                                         const RunTools& tools,
                                                         RecordFile& buckets);

// The rows in scratch that can be similar to any other, cut into batches that are matched one after
// another in memory. A row without a bucket to share is settled: it is kept and like no other. The
// others hang together through their buckets in connected components, and what becomes of a row
// depends on its component only; so any division of components among batches, each with all that
// one run in memory does (ranking, identical texts, clustering), gives the result of one run over
// all. Rows with the text of another one stay outside: their leader is in a batch for them. Rows of
// the run have numbers of any size; the rows of a batch are numbered from 0, and at most
// most_rows(). Takes three bits a row and 8 bytes for each row that shares a bucket.
class Batches {
 public:
  // Finds the components. `join`: finds the pairs of rows without signatures; each
  // pair is a bucket.
  // Throws Error{limit_exceeded} with the figure when too many rows share buckets, for the memory
  // or for 32 bits; Error{io}.
  Batches(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
          const BandingPlan& banding, const RunTools& tools, const JoinRows& join = {});

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(too_large_.size());
  }
  // In input order.
  [[nodiscard]] std::vector<RowNumber> rows_of(std::uint32_t batch) const;
  // True if the batch is one component that cannot be matched in the available memory. Then it is
  // matched in parts of most_rows_at_once() rows, which is at least two.
  [[nodiscard]] bool is_too_large(std::uint32_t batch) const { return too_large_[batch]; }
  [[nodiscard]] RowId most_rows_at_once() const noexcept { return most_rows_at_once_; }
  // Bytes of the largest such batch; 0 if there is none.
  [[nodiscard]] std::uint64_t largest_bytes() const noexcept { return largest_bytes_; }
  // Rows as a corpus of their own, in the order given, with the buckets they share; `others` of
  // them, the first ones, are a collection that those behind are compared with.
  [[nodiscard]] Corpus load(std::span<const RowNumber> rows, RowId others) const;
  // Number of rows of --against among `rows`, which are in input order.
  [[nodiscard]] RowId count_others(std::span<const RowNumber> rows) const;
  // Rows that can be in pairs: those that share a bucket, and those that stay outside. Throws
  // Error{limit_exceeded} for more than RowIds tell apart.
  [[nodiscard]] RowBits rows_of_pairs() const;
  // The rows that stay outside.
  [[nodiscard]] const SpilledCopies& copies() const noexcept { return *copies_; }

 private:
  void set_copies_aside(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                        const RunTools& tools);
  void find_shared_buckets(ThreadPool& pool);
  void add_pairs(const JoinRows& join, Scratch& scratch);
  [[nodiscard]] std::uint32_t position_of(RowNumber row) const;
  void join_components();
  [[nodiscard]] Buckets buckets_among(std::span<const RowNumber> rows) const;
  void cut(const Settings& settings, const BandingPlan& banding, unsigned threads);
  [[nodiscard]] RowId rows_that_fit(std::uint64_t bytes, std::uint64_t row_bytes) const;
  // Calls each(first row, row) for every row of every bucket.
  template <class Each>
  void for_each_member(const Each& each) const;

  std::shared_ptr<SpilledRows> spilled_;
  RowNumber all_rows_;
  RowNumber first_own_row_;
  // A band each, and one of pairs where these are known: row << 1, + 1 for the first of a bucket.
  std::vector<std::unique_ptr<RecordFile>> buckets_;
  bool has_pairs_ = false;
  std::unique_ptr<SpilledCopies> copies_;
  RowBits sharing_;  // rows that share a bucket
  // By position in sharing_: the least one of its component, and its batch.
  std::vector<std::uint32_t> component_of_;
  std::vector<std::uint32_t> batch_of_;
  std::vector<bool> too_large_;  // by batch
  RowId most_rows_at_once_ = 0;
  std::uint64_t largest_bytes_ = 0;
};

}  // namespace sosie
