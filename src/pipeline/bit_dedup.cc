#include <optional>

#include "pipeline/bit_items.h"
#include "pipeline/bit_join.h"
#include "pipeline/bit_lsh.h"
#include "pipeline/bit_settings.h"
#include "pipeline/measured_dedup.h"
#include "pipeline/verbs.h"

namespace sosie {
namespace {

// Some rows of a column, and then some more.
BitColumn take_rows(const BitColumn& column, std::span<const RowId> rows,
                    std::span<const RowId> more = {}) {
  BitColumn some{rows.size() + more.size(), column.bits, column.words, {}};
  some.data.reserve(some.rows * some.words);
  for (const auto& part : {rows, more}) {
    for (const RowId row : part) {
      some.data.insert(some.data.end(), column.row(row), column.row(row) + column.words);
    }
  }
  return some;
}

// Joins of some rows of a column.
class RowJoins {
 public:
  RowJoins(const BitColumn& column, const BitSettings& settings, ThreadPool& pool)
      : column_(column), settings_(settings), pool_(pool) {}

  [[nodiscard]] std::uint64_t between(std::span<const RowId> lefts, std::span<const RowId> rights,
                                      const EachPairs& each) const {
    if (lefts.empty() || rights.empty()) return 0;
    return join(take_rows(column_, lefts, rights), lefts.size(), each);
  }

  [[nodiscard]] std::uint64_t within(std::span<const RowId> rows, const EachPairs& each) const {
    return join(take_rows(column_, rows), 0, each);
  }

 private:
  [[nodiscard]] std::uint64_t join(const BitColumn& column, std::size_t split,
                                   const EachPairs& each) const {
    BitJoinResult found = join_bits({.column = &column,
                                     .split = split,
                                     .measure = settings_.measure,
                                     .bound = settings_.bound.bound,
                                     .brute = settings_.brute},
                                    0, pool_);
    for (MeasuredPair& pair : found.pairs) pair.right -= static_cast<std::uint32_t>(split);
    each(found.pairs);
    return found.candidates;
  }

  const BitColumn& column_;
  const BitSettings& settings_;
  ThreadPool& pool_;
};

}  // namespace

RunReport dedup_bits(const Options& options, const RunHooks& hooks) {
  const BitSettings settings = resolve_bits(options, "dedup");
  check_dedup_options(options, settings.run, "bits");
  ThreadPool pool(settings.run.threads, hooks.cancel);
  ItemPlaces places;
  const BitItems items = read_bits({options, settings.run, pool, hooks, &places}, options.inputs);
  const RowJoins joins(items.column, settings, pool);
  std::optional<BitLsh> lsh = useful_lsh(
      {.column = &items.column, .measure = settings.measure, .bound = settings.bound.bound},
      settings, pool);
  if (lsh) lsh->hash();
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
                    const EachPairs& each) { return joins.within(rows, each); }};
  if (lsh) {
    join_by_hashes([&](std::span<const std::uint32_t> rows, std::size_t split,
                       const HashedJoin::Each& each) { return lsh->join(rows, split, each); },
                   run);
  }
  MeasuredSummary summary;
  summary.kind = "bits";
  summary.bytes = items.bytes;
  summary.dimension = items.column.bits;
  summary.components = "bit";
  summary.method = settings.brute ? "brute" : "exact";
  summary.method_line = settings.brute ? "brute: every pair with a survivor is measured"
                                       : "exact: strings that agree in a block of bits, or all";
  if (lsh) set_lsh(settings.lsh, lsh->plan(), settings.run.seed, summary);
  return write_measured_dedup(run, items.ids, items.against_ids, std::move(summary));
}

}  // namespace sosie
