#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/memory_budget.h"
#include "core/row_bits.h"
#include "core/thread_pool.h"
#include "corpus/spill/rows_by_batch.h"
#include "corpus/spill/spilled_copies.h"
#include "corpus/spill/spilled_rows.h"
#include "io/external_sort.h"
#include "io/record_file.h"
#include "io/sorted_runs.h"
#include "plan/banding_plan.h"
#include "sosie/join.h"

namespace sosie {

// Calls add(row, row) for each pair of similar rows that are not copies, from one thread at a time.
// Used if rows have no signatures and pairs are found from their sets.
using AddRowPair = std::function<void(RowNumber, RowNumber)>;
using JoinRows = std::function<void(const SpilledCopies& copies, const AddRowPair& add)>;

// Finds rows in scratch that have the text of another row, by the hashes of texts in the first
// band, which is drained. Appends their buckets to `buckets`: row << 1, plus 1 for the first row of
// a bucket.
[[nodiscard]] std::unique_ptr<SpilledCopies> find_copies(const Inputs& inputs, const Corpus& corpus,
                                                         const Settings& settings,
                                                         const RunTools& tools,
                                                         RecordFile& buckets);

// Some rows of a batch.
struct RowsOfBatch {
  std::uint32_t batch = 0;
  std::span<const RowNumber> rows = {};
};

// The rows in scratch that can be similar to any other row, divided into batches that are matched
// one after another in memory. A row that shares no bucket needs no matching: it is kept and
// similar to no other row. All other rows form connected components through their buckets, and the
// decision on a row depends on its component only. Therefore any assignment of components to
// batches gives the same result as one run over all rows, provided that each batch goes through
// everything that such a run does in memory (ranking, identical texts, clustering). Rows with the
// text of another row are left out of the batches, as their leader represents them. Row numbers of
// the run may be any size; within a batch, rows are numbered from 0, and there are at most
// most_rows() of them. Takes three bits per row, and during construction 8 bytes for each row that
// shares a bucket.
class Batches {
 public:
  // Finds the components. `join` finds the pairs of rows without signatures; each pair becomes a
  // bucket. Throws Error{limit_exceeded} that gives the number if more rows share buckets than the
  // memory or 32 bits allow, and Error{io}.
  Batches(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
          const BandingPlan& banding, const RunTools& tools, const JoinRows& join = {});

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(too_large_.size());
  }
  // The rows of a batch, in input order.
  [[nodiscard]] std::vector<RowNumber> rows_of(std::uint32_t batch) const;
  // True if the batch is a single component that does not fit in the available memory. It is then
  // matched in parts of most_rows_at_once() rows, which is at least two.
  [[nodiscard]] bool is_too_large(std::uint32_t batch) const { return too_large_[batch]; }
  [[nodiscard]] RowId most_rows_at_once() const noexcept { return most_rows_at_once_; }
  // Size in bytes of the largest batch that is too large; 0 if there is none.
  [[nodiscard]] std::uint64_t largest_bytes() const noexcept { return largest_bytes_; }
  // Loads rows of a batch as a corpus of their own, in the given order, with the buckets that they
  // share. Loading a whole batch is fastest, for which input order is required. The first `others`
  // rows are a collection with which the remaining rows are compared.
  [[nodiscard]] Corpus load(const RowsOfBatch& some, RowId others) const;
  // Number of rows of --against among `rows`, which are in input order.
  [[nodiscard]] RowId count_others(std::span<const RowNumber> rows) const;
  // The rows that can be in pairs: those that share a bucket, and those left out of the batches.
  // Throws Error{limit_exceeded} if there are more than RowIds can distinguish.
  [[nodiscard]] RowBits rows_of_pairs() const;
  // The rows that are left out of the batches, as their leaders represent them.
  [[nodiscard]] const SpilledCopies& copies() const noexcept { return *copies_; }

 private:
  // A run of records for each batch.
  struct RunsByBatch {
    explicit RunsByBatch(Scratch& scratch) : runs(scratch) {}
    PackedRuns runs;
    std::vector<RunRange> of;  // by batch
  };

  void set_copies_aside(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                        const RunTools& tools);
  void find_shared_buckets(ThreadPool& pool);
  void add_pairs(const JoinRows& join, Scratch& scratch);
  [[nodiscard]] std::uint32_t position_of(RowNumber row) const;
  // By position in sharing_: the lowest position in its component.
  [[nodiscard]] std::vector<std::uint32_t> components() const;
  // By position in sharing_: its batch.
  [[nodiscard]] std::vector<std::uint32_t> cut(const std::vector<std::uint32_t>& component_of,
                                               const Settings& settings, const BandingPlan& banding,
                                               unsigned threads);
  void sort_buckets(const std::vector<std::uint32_t>& batch_of, const MemoryBudget& budget,
                    Scratch& scratch);
  void sort_rows(const std::vector<std::uint32_t>& batch_of, const MemoryBudget& budget,
                 Scratch& scratch);
  [[nodiscard]] Buckets buckets_among(const RowsOfBatch& some) const;
  [[nodiscard]] ScannedBlock load_block(const RowsOfBatch& some) const;
  [[nodiscard]] RowId rows_that_fit(std::uint64_t bytes, std::uint64_t row_bytes) const;
  // Calls each(first row, row) for every row of every bucket.
  template <class Each>
  void for_each_member(const Each& each) const;
  // Writes sorted records, whose keys are batches, as record_of() gives them.
  template <class RecordOf>
  [[nodiscard]] std::unique_ptr<RunsByBatch> write_runs(ExternalSort<KeyedRow>& by_batch,
                                                        Scratch& scratch,
                                                        const RecordOf& record_of) const;

  std::shared_ptr<SpilledRows> spilled_;
  RowNumber first_own_row_;
  // The buckets until they are sorted by batch: one file per band, and one for pairs if these are
  // known. Each entry is row << 1, plus 1 for the first row in a bucket.
  std::vector<std::unique_ptr<RecordFile>> buckets_;
  bool has_pairs_ = false;
  std::unique_ptr<SpilledCopies> copies_;
  RowBits sharing_;                             // rows that share a bucket
  std::vector<bool> too_large_;                 // by batch
  std::unique_ptr<RunsByBatch> rows_;           // their numbers as keys
  std::unique_ptr<RowsByBatch> rows_by_batch_;  // for batches that are not too large
  // The numbers of buckets as keys, with the positions in sharing_ of their rows.
  std::unique_ptr<RunsByBatch> members_;
  RowId most_rows_at_once_ = 0;
  std::uint64_t largest_bytes_ = 0;
};

}  // namespace sosie
