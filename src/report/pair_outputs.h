#pragma once

#include <optional>
#include <string_view>

#include "core/thread_pool.h"
#include "io/output_file.h"
#include "join/measured_pairs.h"
#include "report/measured_summary.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {

// What `pairs` writes of vectors and bit strings: the table of pairs and --stats, which appear
// together.
class PairOutputs {
 public:
  // `verb`: only files of `pairs` say what they were made with.
  PairOutputs(std::string_view verb, const Options& options, const RunHooks& hooks,
              const BoundFacts& facts);

  // null when the pairs are handed to the caller and no file is named.
  [[nodiscard]] TableWriter* table() noexcept { return table_ ? &*table_ : nullptr; }

  // Completes both and gives them their names.
  RunReport finish(const MeasuredSummary& summary, ThreadPool& pool);

 private:
  std::optional<TableWriter> table_;
  std::optional<OutputFile> stats_;
};

}  // namespace sosie
