// A query as a join, and queries whose rows are answered as they come.
#include <utility>

#include "join/in_memory_joiner.h"
#include "join/item_lookup.h"
#include "options/settings.h"
#include "verbs/item_query.h"
#include "verbs/query_stream.h"
#include "verbs/verbs.h"

namespace sosie {

Options as_join(Options options) {
  if (!options.against_table && !options.against_sketches) {
    options.against.assign(options.inputs.begin(), options.inputs.begin() + 1);
    options.inputs.erase(options.inputs.begin());
  }
  std::swap(options.ids, options.other_ids);  // `ids` names DATA, `other_ids` INPUT
  // So do --column and --other-column, and their like.
  const ToldOfFile of_input = told_of(options_of_other(options));
  options.other_column = std::exchange(options.column, of_input.column);
  options.other_id = std::exchange(options.id, of_input.id);
  options.other_delimiter = std::exchange(options.delimiter, of_input.delimiter);
  options.other_encoding = std::exchange(options.encoding, of_input.encoding);
  options.other_stands = true;
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    options.inputs.emplace_back("-");
  }
  return options;
}

Options with_own_rows(Options options) {
  if (!options.exclude_self) return options;
  if (options.top > 0) ++options.top;
  options.limit = 0;
  return options;
}

std::optional<RunReport> stream_of_sets(const Options& options, const RunHooks& hooks) {
  const auto input = streamed_input(options, hooks);
  if (!input) return std::nullopt;
  return query_stream(options, *input, hooks);
}

namespace {

using MakeJoiner = std::unique_ptr<InMemoryJoiner> (*)(std::string_view verb,
                                                       const Options& options);

std::optional<RunReport> stream_of_items(MakeJoiner make, const Options& options,
                                         const RunHooks& hooks) {
  const Options join = as_join(options);
  const Options found = with_own_rows(join);
  const auto joiner = make("query", found);  // errors of options come first
  const auto input = streamed_items(options, hooks);
  if (!input) return std::nullopt;
  ThreadPool pool(joiner->settings().threads, hooks.cancel);
  const auto lookup = joiner->lookup(pool, hooks);
  return query_items({join, joiner->settings(), joiner->bound().facts, hooks, pool}, *input,
                     *lookup);
}

}  // namespace

std::optional<RunReport> stream_of_vectors(const Options& options, const RunHooks& hooks) {
  return stream_of_items(vector_joiner, options, hooks);
}

std::optional<RunReport> stream_of_bits(const Options& options, const RunHooks& hooks) {
  return stream_of_items(bit_joiner, options, hooks);
}

std::optional<RunReport> stream_of_strings(const Options& options, const RunHooks& hooks) {
  return stream_of_items(string_joiner, options, hooks);
}

}  // namespace sosie
