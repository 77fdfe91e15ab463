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

// Tools that the stages of a run share.
struct RunTools {
  Scratch& scratch;
  ThreadPool& pool;
  const RunHooks& hooks;
};

// Makes the rows of `rows` quick to read again, in one pass over inputs that are packed.
void keep_rows_at_hand(const Inputs& inputs, const Corpus& corpus, const RowBits& rows,
                       const RunTools& tools);

// Rows in scratch with the text of another row, so that one of each text stands for all of them:
// its leader, the best-ranked. Rows of --against and the run's own stay apart. Two bits a row in
// memory.
class SpilledCopies {
 public:
  // Looks among `suspects`, which hold all rows with the text of another row. Texts are compared
  // when their hashes are equal. Throws Error{io}, Error{limit_exceeded}.
  SpilledCopies(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                const RowBits& suspects, const RunTools& tools);

  // True if another row stands for this one.
  [[nodiscard]] bool is_copy(RowNumber row) const noexcept { return copies_.test(row); }
  [[nodiscard]] const RowBits& copies() const noexcept { return copies_; }
  // Rows that stand for others.
  [[nodiscard]] const RowBits& leaders() const noexcept { return leaders_; }
  [[nodiscard]] std::uint64_t copies_of(RowNumber leader) const;
  // Calls each(copy) in input order; for a row that leads nothing not at all.
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
