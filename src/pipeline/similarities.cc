#include <fmt/format.h>

#include "pipeline/exact_overlap.h"
#include "pipeline/run.h"
#include "pipeline/verbs.h"
#include "sosie/error.h"
#include "sosie/similarity.h"

namespace sosie {

std::vector<double> similarities(const Options& options, const RunHooks& hooks) {
  Options chosen = with_kind_of_sets(options, "similarities row by row");
  chosen.method = "brute";  // no sketches
  Run run("pairs", chosen, hooks);
  run.prepare();
  const RowId others = run.corpus.first_own_row;
  if (run.corpus.rows - others != others) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} rows cannot be compared with {}, one by one",
                            run.corpus.rows - others, others));
  }
  std::vector<double> values(others);
  std::vector<AskedPair> asked;
  std::vector<RowId> rows;
  for (RowId row = 0; row < others; ++row) {
    const Place own = run.items.place_of[others + row];
    const Place other = run.items.place_of[row];
    if (own == kNoPlace || other == kNoPlace) continue;
    asked.push_back({own, other});
    rows.push_back(row);
  }
  const std::vector<Overlap> overlaps =
      exact_overlaps(run.inputs, run.corpus, run.items, run.settings, asked, run.pool);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values[rows[i]] = run.settings.measure->similarity(overlaps[i]);
  }
  return values;
}

}  // namespace sosie
