#include "pipeline/pairs.h"
#include "pipeline/verbs.h"

namespace sosie {
namespace {

// The same run said as a join of two collections: DATA is the one that is looked up.
Options as_join(Options options) {
  if (!options.against_table) {
    options.against.assign(options.inputs.begin(), options.inputs.begin() + 1);
    options.inputs.erase(options.inputs.begin());
  }
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    options.inputs.emplace_back("-");
  }
  return options;
}

}  // namespace

RunReport query_of_sets(const Options& options, const RunHooks& hooks) {
  const Options join = as_join(options);
  Run run("query", join, hooks);
  return write_similar_rows(run, PairOrder::best_first);
}

}  // namespace sosie
