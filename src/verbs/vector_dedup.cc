#include <optional>
#include <vector>

#include "corpus/vector_items.h"
#include "join/vector_lsh.h"
#include "join/vector_row_joins.h"
#include "join/vector_sides.h"
#include "options/vector_settings.h"
#include "sosie/error.h"
#include "verbs/measured_dedup.h"
#include "verbs/verbs.h"
#include "verify/vector_range.h"

namespace sosie {
namespace {

// Whether dedup takes lsh.
std::optional<VectorLsh> useful_lsh(const VectorColumn& column, const VectorSettings& settings,
                                    ThreadPool& pool) {
  const bool may = settings.lsh.family != nullptr && is_worth_planning(column.rows, nullptr);
  if (!settings.lsh.required && !may) return std::nullopt;
  std::optional<VectorLsh> lsh(std::in_place, column, nullptr, settings, pool);
  if (!settings.lsh.required && !lsh->is_cheaper()) return std::nullopt;
  return lsh;
}

// Makes a run that hashes ready to join; returns what exact joins, be it of the audit alone, may
// take.
ExactRoom divide_memory(const Options& options, const VectorSettings& settings,
                        const VectorColumn& column, std::optional<VectorLsh>& lsh,
                        const ThreadPool& pool, Scratch& scratch) {
  const std::uint64_t row_bytes = kDedupRowBytes + (options.audit > 0 ? kAuditRowBytes : 0);
  if (!lsh) {
    return room_for_exact(
        {.besides = memory_bytes(column) + column.rows * (kExactRowBytes + row_bytes),
         .memory_bytes = settings.run.memory_bytes,
         .dimension = column.dimension,
         .threads = pool.size()});
  }
  const std::uint64_t audit =
      options.audit > 0 ? least_exact_bytes(column.dimension, pool.size()) : 0;
  lsh->hash(scratch, column.rows * (sizeof(double) + row_bytes) + audit);
  return least_room(column.dimension);
}

}  // namespace

RunReport dedup_vectors(const Options& options, const RunHooks& hooks) {
  VectorSettings settings = resolve_vectors(options, "dedup");
  check_dedup_options(options, settings.run, "vectors");
  if (!settings.measure->nearest_is_equal) {
    throw Error(ErrorKind::invalid_option,
                "--measure " + options.measure + ": is no distance, and cannot tell duplicates",
                "say --measure cosine");
  }
  ThreadPool pool(settings.run.threads, hooks.cancel);
  ItemPlaces places;
  VectorItems items = read_vectors({options, settings.run, pool, hooks, &places}, options.inputs);
  if (settings.measure->needs_length) bring_into_range(items.column);
  const std::vector<double> squares = squared_lengths(items.column, pool);
  settle_method(items.column, squares, settings);
  if (settings.measure->needs_length) require_directions(items, squares, settings.measure->name);
  auto lsh = useful_lsh(items.column, settings, pool);
  const ExactRoom room = divide_memory(options, settings, items.column, lsh, pool, *places.scratch);
  const JoinedRows all_rows{all_of(items.column, squares), {}};
  const VectorRowJoins joins(all_rows, settings, {!settings.brute, room}, pool, *places.scratch);
  // An exact run is audited without its filter.
  const VectorRowJoins truth(all_rows, settings, {lsh.has_value(), room}, pool, *places.scratch);
  MeasuredDedup run{
      .options = options,
      .hooks = hooks,
      .settings = settings.run,
      .pool = pool,
      .places = places,
      .facts = settings.bound.facts,
      .bytes_of = [&](RowId row) { return bytes_of_row(items.column, row); },
      .between = [&](std::span<const RowId> lefts, std::span<const RowId> rights,
                     const EachPairs& each) { return joins.between(lefts, rights, each); },
      .within = [&](std::span<const RowId> rows,
                    const EachPairs& each) { return joins.within(rows, each); },
      .bound = settings.bound.bound,
      .truth = between_of(truth),
      .measure = [&](RowId left, RowId right) { return truth.measure(left, right); },
      .value = [&](RowId left, RowId right) { return truth.value(left, right); },
      .leaves_nothing_out = settings.brute};
  if (lsh) {
    join_by_hashes([&](std::span<const std::uint32_t> rows, std::size_t split,
                       const HashedJoin::Each& each) { return lsh->join(rows, split, each); },
                   lsh->sort_bytes(), run);
  }
  MeasuredSummary summary;
  summary.kind = "vectors";
  summary.bytes = items.bytes;
  summary.dimension = items.column.dimension;
  summary.components = component_name(items.column);
  set_method(settings, lsh ? &lsh->plan() : nullptr, summary);
  return write_measured_dedup(run, items.ids, items.against_ids, std::move(summary));
}

}  // namespace sosie
