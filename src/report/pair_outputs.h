#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "core/thread_pool.h"
#include "data/run_summary.h"
#include "io/output_file.h"
#include "options/bounds.h"
#include "options/settings.h"
#include "sosie/join.h"
#include "write/table.h"

namespace sosie {

// The outputs of verbs that list pairs: the table of pairs, --rejects and --stats. They are opened
// before pairs are looked for, and appear together.
class PairOutputs {
 public:
  // `verb`: only files of `pairs` say what they were made with. Throws Error{invalid_option} for
  // names that cannot be meant, Error{io} for what cannot be written.
  PairOutputs(std::string_view verb, const Options& options, const Settings& settings,
              const RunHooks& hooks, const BoundFacts& facts);

  // null when the pairs are handed to the caller and no file is named.
  [[nodiscard]] TableWriter* table() noexcept { return table_ ? &*table_ : nullptr; }
  // null unless they are asked for.
  [[nodiscard]] TableWriter* rejects() noexcept { return rejects_ ? &*rejects_ : nullptr; }

  // Completes all; `is_unchanged` throws if inputs have changed. Then gives them their names.
  // `summarize` is asked last, so that its time is that of the whole run.
  RunReport finish(const std::function<RunSummary()>& summarize, ThreadPool& pool,
                   const std::function<void()>& is_unchanged);

 private:
  const RunHooks& hooks_;
  std::optional<TableWriter> table_;
  std::optional<TableWriter> rejects_;
  std::optional<OutputFile> stats_;
};

}  // namespace sosie
