// Queries of items that lie in memory: vectors and bit strings.
#include "join/item_joiner.h"
#include "join/item_lookup.h"
#include "verbs/item_stream.h"
#include "verbs/verbs.h"

namespace sosie {

RunReport query_of_items(MakeJoiner make, const Options& options, const RunHooks& hooks) {
  const Options join = as_join(options);
  const auto joiner = make("query", join);
  const auto input = streamed_items(options, hooks);
  if (!input) return joined_items("query", *joiner, join, hooks);
  ThreadPool pool(joiner->settings().threads, hooks.cancel);
  const auto lookup = joiner->lookup(pool, hooks);
  return query_items({join, joiner->settings(), joiner->bound().facts, hooks, pool}, *input,
                     *lookup);
}

}  // namespace sosie
