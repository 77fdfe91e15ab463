// Bit strings that rows are looked up in as they come.
#include "join/bits/bit_lookup.h"

#include <utility>

#include "corpus/items/bit_items.h"
#include "join/bits/bit_searcher.h"

namespace sosie {
namespace {

class BitLookup final : public ItemLookup {
 public:
  BitLookup(const LookupTask& task, BitSettings settings)
      : pool_(task.pool),
        settings_(std::move(settings)),
        data_(read_data(task)),
        numbers_(places_.corpus.rows, data_.left_out),
        most_(task.options.top),
        searched_(data_.column, settings_) {
    places_.inputs.own_names = &data_.ids;
    if (data_.column.rows == 0) return;  // the first row says how long all are
    asked_.bits = data_.column.bits;
    asked_.words = data_.column.words;
  }

  [[nodiscard]] const ItemPlaces& places() const override { return places_; }
  [[nodiscard]] RowId row_of(RowId item) const override { return numbers_.row_of(item); }

  [[nodiscard]] ItemRowSteps steps() override {
    return {[this](std::string_view text, std::string_view what) {
              bits_of_row_ += append_bits(text, what, asked_.data);
            },
            [this] { return end_row(); }, [this] { leave_out(); }};
  }

  std::uint64_t find(std::vector<std::vector<ScoredPair>>& found) override {
    const std::uint64_t compared = searched_.find(asked_, most_, pool_, found);
    asked_.data.clear();
    asked_.rows = 0;
    return compared;
  }

  [[nodiscard]] JoinFacts facts() const override {
    return {asked_.bits, "bit", {.method = "brute", .line = "brute: every pair is measured"}};
  }
  [[nodiscard]] std::uint64_t bytes() const override { return data_.bytes; }

 private:
  BitItems read_data(const LookupTask& task) {
    BitItems data = read_bits({.options = task.options,
                               .settings = settings_.run,
                               .pool = task.pool,
                               .hooks = task.hooks,
                               .places = &places_,
                               .of_against = true,
                               .alone = true,
                               .zeros_are_empty = settings_.measure->is_of_sets},
                              task.options.against);
    erase_rows(data.column, data.left_out);
    return data;
  }

  void leave_out() {
    asked_.data.resize(asked_.rows * asked_.words);
    bits_of_row_ = 0;
  }

  bool end_row() {
    if (bits_of_row_ == 0) return false;
    const BitLength length{bits_of_row_, asked_.data.size() - asked_.rows * asked_.words};
    const bool is_first = asked_.bits == 0;  // and DATA has none
    check_bits(length, is_first ? length : BitLength{asked_.bits, asked_.words},
               data_.column.rows == 0 ? "the first row has" : "those of DATA have");
    asked_.bits = length.bits;
    asked_.words = length.words;
    if (settings_.measure->is_of_sets && !has_a_bit(asked_.row(asked_.rows), asked_.words)) {
      leave_out();
      return false;
    }
    bits_of_row_ = 0;
    ++asked_.rows;
    return true;
  }

  ThreadPool& pool_;
  BitSettings settings_;
  ItemPlaces places_;
  BitItems data_;
  ItemNumbers numbers_;
  std::uint64_t most_;
  BitSearcher searched_;
  BitColumn asked_;
  std::size_t bits_of_row_ = 0;  // bits of the row, as far as its fields are read
};

}  // namespace

std::unique_ptr<ItemLookup> bit_lookup(const LookupTask& task, const BitSettings& settings) {
  return std::make_unique<BitLookup>(task, settings);
}

}  // namespace sosie
