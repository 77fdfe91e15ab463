#pragma once

#include <functional>
#include <memory>

#include "core/memory_budget.h"
#include "core/row_bits.h"
#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "io/external_sort.h"
#include "io/record_file.h"
#include "sosie/join.h"

namespace sosie {

class SameHashes;

// Resources that the stages of a run share.
struct RunTools {
  Scratch& scratch;
  ThreadPool& pool;
  const RunHooks& hooks;
};

// Makes these rows fast to reread, in one pass over the compressed inputs.
void keep_rows_at_hand(const Inputs& inputs, const Corpus& corpus, const RowBits& rows,
                       const RunTools& tools);

// Rows in scratch that have the text of another row. One row of each text, its leader, represents
// all of them: the one with the best rank. Rows of --against and the run's own rows are kept apart.
// Takes two bits per row in memory.
class SpilledCopies {
 public:
  // Searches `suspects`, which must include every row that has the text of another row. Texts are
  // compared if their hashes are equal. Throws Error{io} and Error{limit_exceeded}.
  SpilledCopies(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                const RowBits& suspects, const RunTools& tools);

  // True if another row represents this one.
  [[nodiscard]] bool is_copy(RowNumber row) const noexcept { return copies_.test(row); }
  [[nodiscard]] const RowBits& copies() const noexcept { return copies_; }
  // The rows that represent others.
  [[nodiscard]] const RowBits& leaders() const noexcept { return leaders_; }
  [[nodiscard]] std::uint64_t copies_of(RowNumber leader) const;
  // Calls each(copy) in input order for every row that the leader represents; makes no call for
  // other rows.
  void for_each_copy(RowNumber leader, const std::function<void(RowNumber)>& each) const;

 private:
  void confirm(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
               const SameHashes& groups, ExternalSort<KeyedRow>& found, ThreadPool& pool);
  void store(ExternalSort<KeyedRow>& found);
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> range_of(RowNumber leader) const;

  RowBits copies_;
  RowBits leaders_;
  RecordFile ends_;  // by position in leaders_: where its copies end in rows_
  RecordFile rows_;  // copies by leader, each in input order
};

}  // namespace sosie
