#include "pipeline/measured_dedup.h"
#include "pipeline/vector_items.h"
#include "pipeline/vector_join.h"
#include "pipeline/vector_settings.h"
#include "pipeline/verbs.h"

namespace sosie {
namespace {

// The bytes of one row of a column.
std::string_view bytes_of_row(const VectorColumn& column, RowId row) {
  return std::visit(
      [&](const auto& components) -> std::string_view {
        const auto* begin = components.data() + row * column.dimension;
        return {reinterpret_cast<const char*>(begin), column.dimension * sizeof *begin};
      },
      column.components);
}

// Joins of some rows of a column.
class RowJoins {
 public:
  RowJoins(const VectorColumn& column, const VectorSettings& settings, ThreadPool& pool)
      : column_(column), settings_(settings), pool_(pool) {}

  [[nodiscard]] std::uint64_t between(std::span<const RowId> lefts, std::span<const RowId> rights,
                                      const EachPairs& each) const {
    const VectorColumn left = take_rows(column_, lefts);
    const VectorColumn right = take_rows(column_, rights);
    return join(left, &right, each);
  }

  [[nodiscard]] std::uint64_t within(std::span<const RowId> rows, const EachPairs& each) const {
    return join(take_rows(column_, rows), nullptr, each);
  }

 private:
  [[nodiscard]] std::uint64_t join(const VectorColumn& left, const VectorColumn* right,
                                   const EachPairs& each) const {
    VectorJoinTask task{.left = &left,
                        .right = right,
                        .measure = settings_.measure,
                        .bound = settings_.bound.bound,
                        .filter = !settings_.brute};
    bound_memory(task, settings_.run, pool_);
    const auto add = [&](std::span<const MeasuredPair> pairs) {
      each(pairs);
      return true;
    };
    return join_vectors(task, pool_, {}, add).candidates;
  }

  const VectorColumn& column_;
  const VectorSettings& settings_;
  ThreadPool& pool_;
};

}  // namespace

RunReport dedup_vectors(const Options& options, const RunHooks& hooks) {
  const VectorSettings settings = resolve_vectors(options, "dedup");
  check_dedup_options(options, settings.run, "vectors");
  ThreadPool pool(settings.run.threads, hooks.cancel);
  ItemPlaces places;
  const VectorItems items =
      read_vectors({options, settings.run, pool, hooks, &places}, options.inputs);
  if (settings.measure->needs_length) require_directions(items, settings.measure->name, pool);
  const RowJoins joins(items.column, settings, pool);
  const MeasuredDedup run{
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
  MeasuredSummary summary;
  summary.kind = "vectors";
  summary.bytes = items.bytes;
  summary.dimension = items.column.dimension;
  summary.components = component_name(items.column);
  summary.method = settings.brute ? "brute" : "exact";
  summary.method_line = method_line(settings);
  return write_measured_dedup(run, items.ids, items.against_ids, std::move(summary));
}

}  // namespace sosie
