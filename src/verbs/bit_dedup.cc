#include <optional>

#include "corpus/bit_items.h"
#include "join/bit_lsh.h"
#include "join/bit_row_joins.h"
#include "options/bit_settings.h"
#include "verbs/measured_dedup.h"
#include "verbs/verbs.h"

namespace sosie {
RunReport dedup_bits(const Options& options, const RunHooks& hooks) {
  const BitSettings settings = resolve_bits(options, "dedup");
  check_dedup_options(options, settings.run, "bits");
  ThreadPool pool(settings.run.threads, hooks.cancel);
  ItemPlaces places;
  const BitItems items = read_bits({options, settings.run, pool, hooks, &places}, options.inputs);
  const BitRowJoins joins(items.column, settings, settings.brute, pool, *places.scratch);
  std::optional<BitLsh> lsh = useful_lsh(
      {.column = &items.column, .measure = settings.measure, .bound = settings.bound.bound},
      settings, pool);
  if (lsh) lsh->hash(*places.scratch, items.column.rows * kDedupRowBytes);
  // An exact run is audited without its index.
  const BitRowJoins truth(items.column, settings, !lsh.has_value(), pool, *places.scratch);
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
  summary.kind = "bits";
  summary.bytes = items.bytes;
  summary.dimension = items.column.bits;
  summary.components = "bit";
  summary.method = settings.brute ? "brute" : "exact";
  summary.method_line = settings.brute ? "brute: every pair with a survivor is measured"
                                       : "exact: strings that agree in a block of bits, or all";
  if (lsh) set_lsh(lsh->plan(), settings.run.seed, summary);
  return write_measured_dedup(run, items.ids, items.against_ids, std::move(summary));
}

}  // namespace sosie
