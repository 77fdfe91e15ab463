// Similarity between row i of one input and row i of another, for all kinds of items.
#include <fmt/format.h>

#include "corpus/items/bit_items.h"
#include "corpus/items/string_items.h"
#include "corpus/items/vector_items.h"
#include "data/kinds.h"
#include "join/sets/exact_overlap.h"
#include "join/sets/set_run.h"
#include "join/vectors/vector_sides.h"
#include "options/bit_settings.h"
#include "options/refuse_options_of_others.h"
#include "options/string_settings.h"
#include "options/vector_settings.h"
#include "sosie/error.h"
#include "sosie/similarity.h"
#include "verbs/verbs.h"
#include "verify/bring_into_range.h"

namespace sosie {
namespace {

void require_as_many(std::uint64_t rows, std::uint64_t others) {
  if (rows == others) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("{} rows cannot be compared with {}, one by one", rows, others));
}

}  // namespace

std::vector<double> similarities_of_sets(const Options& options, const RunHooks& hooks) {
  Options chosen = options;
  chosen.method = Method::brute;  // no sketches
  // The threshold excludes no pair here, but its default exceeds the maximum similarity for --union
  // sum.
  if (chosen.bag_union == "sum") chosen.threshold = "1/2";
  SetRun run(kPairs, chosen, hooks);
  run.prepare();
  const RowId others = row_id(run.corpus.first_own_row);
  require_as_many(run.corpus.rows - others, others);
  std::vector<double> values(others);
  std::vector<ItemPair> asked;
  std::vector<RowId> rows;
  for (RowId row = 0; row < others; ++row) {
    const Place own = run.items.place_of[others + row];
    const Place other = run.items.place_of[row];
    if (own == kNoPlace && other == kNoPlace) values[row] = 1;  // two empty sets
    if (own == kNoPlace || other == kNoPlace) continue;
    asked.push_back({own, other});
    rows.push_back(row);
  }
  const std::vector<Overlap> overlaps =
      exact_overlaps({run.inputs, run.corpus, run.items, run.settings}, asked, run.pool, run.hooks);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values[rows[i]] = run.settings.measure->similarity(overlaps[i]);
  }
  return values;
}

std::vector<double> similarities_of_vectors(const Options& options, const RunHooks& hooks) {
  refuse_options_of_texts(options, kVectorItems);
  const VectorMeasure measure = measure_of_vectors(options);
  const Settings settings = resolve_run(options);
  ThreadPool pool(settings.threads, hooks.cancel);
  const ItemReading reading{.options = options,
                            .settings = settings,
                            .pool = pool,
                            .hooks = hooks,
                            .without_zeros = measure.without_zeros()};
  VectorItems own = read_vectors(reading, options.inputs);
  VectorItems others = read_vectors(reading, options.against);
  require_as_many(own.column.rows, others.column.rows);
  give_one_type(own, others);
  if (measure.needs_length) {
    bring_into_range(own.column);
    bring_into_range(others.column);
  }
  std::vector<double> values(own.column.rows);
  pool.for_each(values.size(), [&](unsigned /*worker*/, std::size_t row) {
    VectorSums sums = sums_between(measure, own.column, row, others.column, row);
    sums.left_square = squared_length(own.column, row);
    sums.right_square = squared_length(others.column, row);
    values[row] = measure.value(sums);
  });
  return values;
}

std::vector<double> similarities_of_strings(const Options& options, const RunHooks& hooks) {
  refuse_options_of_others(options);
  const EditMeasure measure = measure_of_strings(options).edits;
  const Settings settings = resolve_run(options);
  ThreadPool pool(settings.threads, hooks.cancel);
  ItemPlaces places;
  const StringItems items = read_strings({options, settings, pool, hooks, &places},
                                         form_of_strings(options), options.inputs);
  const StringColumn& column = items.column;
  const RowId others = row_id(places.corpus.first_own_row);
  require_as_many(column.rows() - others, others);
  std::vector<double> values(others);
  std::vector<EditPattern> patterns(pool.size(), EditPattern(measure, column.alphabet));
  pool.for_each(values.size(), [&](unsigned worker, std::size_t row) {
    patterns[worker].set(column.row(others + row));
    values[row] = patterns[worker].distance(column.row(row), ~0U);
  });
  return values;
}

std::vector<double> similarities_of_bits(const Options& options, const RunHooks& hooks) {
  refuse_options_of_texts(options, kBitItems);
  const BitMeasure measure = measure_of_bits(options);
  const Settings settings = resolve_run(options);
  ThreadPool pool(settings.threads, hooks.cancel);
  const BitItems own = read_bits({options, settings, pool, hooks}, options.inputs);
  const BitItems others = read_bits({options, settings, pool, hooks}, options.against);
  require_as_many(own.column.rows, others.column.rows);
  require_one_length(own, others);
  std::vector<double> values(own.column.rows);
  pool.for_each(values.size(), [&](unsigned /*worker*/, std::size_t row) {
    values[row] =
        measure.value(count_bits(own.column.row(row), others.column.row(row), own.column.words));
  });
  return values;
}

}  // namespace sosie
