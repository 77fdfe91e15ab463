// Vectors that rows are looked up in as they come.
#include "join/vector_lookup.h"

#include <fmt/format.h>

#include <optional>

#include "corpus/vector_items.h"
#include "join/searched_vectors.h"
#include "join/vector_sides.h"
#include "sosie/error.h"
#include "verify/vector_range.h"

namespace sosie {
namespace {

class VectorLookup final : public ItemLookup {
 public:
  VectorLookup(const LookupTask& task, VectorSettings settings)
      : settings_(std::move(settings)),
        pool_(task.pool),
        data_(read_vectors(
            {task.options, settings_.run, task.pool, task.hooks, nullptr, /*of_against=*/true},
            task.options.against)) {
    if (settings_.measure->needs_length) bring_into_range(data_.column);
    const std::vector<double> squares = squared_lengths(data_.column, pool_);
    if (settings_.measure->needs_length) {
      require_directions(data_, squares, settings_.measure->name);
    }
    settle_method(data_.column, squares, settings_);
    most_ = task.options.top;
    searched_.emplace(data_.column, settings_, pool_);
    asked_.dimension = data_.column.rows == 0 ? 0 : data_.column.dimension;
    asked_.components = std::vector<double>();
  }

  [[nodiscard]] std::size_t rows() const override { return data_.column.rows; }
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
  std::uint64_t most_ = 0;
  std::optional<SearchedVectors> searched_;
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
