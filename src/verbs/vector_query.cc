#include <fmt/format.h>

#include <optional>

#include "corpus/vector_items.h"
#include "join/searched_vectors.h"
#include "join/vector_sides.h"
#include "options/vector_settings.h"
#include "sosie/error.h"
#include "verbs/item_stream.h"
#include "verbs/verbs.h"
#include "verify/vector_range.h"

namespace sosie {
namespace {

class VectorLookup : public ItemLookup {
 public:
  VectorLookup(const ItemQuery& query, VectorSettings settings)
      : settings_(std::move(settings)),
        pool_(query.pool),
        data_(read_vectors(
            {query.options, settings_.run, query.pool, query.hooks, nullptr, /*of_against=*/true},
            query.options.against)) {
    if (settings_.measure->needs_length) bring_into_range(data_.column);
    const std::vector<double> squares = squared_lengths(data_.column, pool_);
    if (settings_.measure->needs_length) {
      require_directions(data_, squares, settings_.measure->name);
    }
    settle_method(data_.column, squares, settings_);
    searched_.emplace(data_.column, settings_, query.options.top, query.pool);
    asked_.dimension = data_.column.rows == 0 ? 0 : data_.column.dimension;
    asked_.components = std::vector<double>();
  }

  [[nodiscard]] const ItemIds& ids() const override { return data_.ids; }
  [[nodiscard]] const std::vector<std::string>& paths() const override { return data_.paths; }

  [[nodiscard]] ItemRowSteps steps() override {
    return {[this](std::string_view text, std::string_view what) {
              append_components(text, what, components());
            },
            [this] { end_row(); }};
  }

  std::uint64_t find(std::vector<std::vector<MeasuredPair>>& found) override {
    components().resize(asked_.rows * asked_.dimension);
    const std::uint64_t measured = searched_->find(asked_, pool_, found);
    components().clear();
    asked_.rows = 0;
    return measured;
  }

  void describe(MeasuredSummary& summary) const override {
    summary.kind = "vectors";
    summary.against_rows = data_.column.rows;
    summary.bytes = data_.bytes;
    summary.dimension = asked_.dimension;
    summary.components = component_name(asked_);
    set_method(settings_, nullptr, summary);
  }

 private:
  [[nodiscard]] std::vector<double>& components() {
    return std::get<std::vector<double>>(asked_.components);
  }

  void end_row() {
    const std::size_t found = components().size() - asked_.rows * asked_.dimension;
    const bool is_first = asked_.dimension == 0;  // and DATA has none
    check_dimension(found, is_first ? found : asked_.dimension,
                    data_.column.rows == 0 ? "the first row has" : "those of DATA have");
    asked_.dimension = found;
    const auto row = std::span(components()).subspan(asked_.rows * asked_.dimension);
    if (settings_.measure->needs_length && !bring_into_range(row)) {
      throw RowError(fmt::format("the vector is all zeros and has no {}", settings_.measure->name));
    }
    ++asked_.rows;
  }

  VectorSettings settings_;
  ThreadPool& pool_;
  VectorItems data_;
  std::optional<SearchedVectors> searched_;
  VectorColumn asked_;
};

}  // namespace

RunReport query_of_vectors(const Options& options, const RunHooks& hooks) {
  const Options join = as_join(options);
  const auto input = streamed_items(options, hooks);
  if (!input) return joined_vectors(join, hooks);
  const VectorSettings settings = resolve_vectors(join, "query");
  ThreadPool pool(settings.run.threads, hooks.cancel);
  const ItemQuery query{join, settings.run, settings.bound.facts, hooks, pool};
  VectorLookup lookup(query, settings);
  return query_items(query, *input, lookup);
}

}  // namespace sosie
