// Vectors that rows are looked up in as they come.
#include "join/vectors/vector_lookup.h"

#include <fmt/format.h>

#include <optional>

#include "corpus/items/vector_items.h"
#include "join/vectors/vector_searcher.h"
#include "join/vectors/vector_sides.h"
#include "sosie/error.h"
#include "verify/bring_into_range.h"

namespace sosie {
namespace {

class VectorLookup final : public ItemLookup {
 public:
  VectorLookup(const LookupTask& task, VectorSettings settings)
      : settings_(std::move(settings)),
        pool_(task.pool),
        data_(read_vectors({.options = task.options,
                            .settings = settings_.run,
                            .pool = task.pool,
                            .hooks = task.hooks,
                            .places = &places_,
                            .of_against = true,
                            .alone = true,
                            .without_zeros = settings_.measure->without_zeros()},
                           task.options.against)),
        numbers_(places_.corpus.rows, data_.left_out) {
    places_.inputs.own_names = &data_.ids;
    erase_rows(data_.column, data_.left_out);
    if (settings_.measure->needs_length) bring_into_range(data_.column);
    const std::vector<double> squares = squared_lengths(data_.column, pool_);
    settle_method(data_.column, squares, settings_);
    most_ = task.options.top;
    searched_.emplace(data_.column, settings_, pool_);
    asked_.dimension = data_.column.rows == 0 ? 0 : data_.column.dimension;
    asked_.components = std::vector<double>();
  }

  [[nodiscard]] const ItemPlaces& places() const override { return places_; }
  [[nodiscard]] RowId row_of(RowId item) const override { return numbers_.row_of(item); }

  [[nodiscard]] ItemRowSteps steps() override {
    return {[this](std::string_view text, std::string_view what) {
              append_components(text, what, components());
            },
            [this] { return end_row(); },
            [this] { components().resize(asked_.rows * asked_.dimension); }};
  }

  std::uint64_t find(std::vector<std::vector<ScoredPair>>& found) override {
    const std::uint64_t measured = searched_->find(asked_, most_, pool_, found);
    components().clear();
    asked_.rows = 0;
    return measured;
  }

  [[nodiscard]] JoinFacts facts() const override {
    return {asked_.dimension, component_name(asked_), method_of(settings_)};
  }
  [[nodiscard]] std::uint64_t bytes() const override { return data_.bytes; }

 private:
  [[nodiscard]] std::vector<double>& components() {
    return std::get<std::vector<double>>(asked_.components);
  }

  bool end_row() {
    const std::size_t found = components().size() - asked_.rows * asked_.dimension;
    if (found == 0) return false;
    const bool is_first = asked_.dimension == 0;  // and DATA has none
    check_dimension(found, is_first ? found : asked_.dimension,
                    data_.column.rows == 0 ? "the first row has" : "those of DATA have");
    const auto row = std::span(components()).last(found);
    if (settings_.measure->needs_length && !bring_into_range(row)) {
      throw RowError(has_no(settings_.measure->name));
    }
    asked_.dimension = found;
    ++asked_.rows;
    return true;
  }

  VectorSettings settings_;
  ThreadPool& pool_;
  ItemPlaces places_;
  VectorItems data_;
  ItemNumbers numbers_;
  std::uint64_t most_ = 0;
  std::optional<VectorSearcher> searched_;
  VectorColumn asked_;
};

}  // namespace

MethodFacts method_of(const VectorSettings& settings) {
  if (settings.brute) return {.method = "brute", .line = "brute: every pair is measured"};
  return {.method = "exact",
          .line = "exact: integer products with a proven bound, then the measure itself"};
}

std::unique_ptr<ItemLookup> vector_lookup(const LookupTask& task, const VectorSettings& settings) {
  return std::make_unique<VectorLookup>(task, settings);
}

}  // namespace sosie
