// Bit strings that rows are looked up in as they come.
#include "join/bit_lookup.h"

#include <utility>

#include "corpus/bit_items.h"
#include "join/searched_bits.h"

namespace sosie {
namespace {

class BitLookup final : public ItemLookup {
 public:
  BitLookup(const LookupTask& task, BitSettings settings)
      : pool_(task.pool),
        settings_(std::move(settings)),
        data_(read_bits(
            {task.options, settings_.run, task.pool, task.hooks, nullptr, /*of_against=*/true},
            task.options.against)),
        most_(task.options.top),
        searched_(data_.column, settings_) {
    asked_.bits = data_.column.bits;
    asked_.words = data_.column.words;
  }

  [[nodiscard]] std::size_t rows() const override { return data_.column.rows; }
  [[nodiscard]] const ItemIds& ids() const override { return data_.ids; }
  [[nodiscard]] const std::vector<std::string>& paths() const override { return data_.paths; }

  [[nodiscard]] ItemRowSteps steps() override {
    return {[this](std::string_view text, std::string_view what) {
              bits_of_row_ += append_bits(text, what, asked_.data);
            },
            [this] { end_row(); }};
  }

  std::uint64_t find(std::vector<std::vector<MeasuredPair>>& found) override {
    const std::uint64_t compared = searched_.find(asked_, most_, pool_, found);
    asked_.data.clear();
    asked_.rows = 0;
    bits_of_row_ = 0;
    return compared;
  }

  [[nodiscard]] JoinFacts facts() const override {
    return {asked_.bits, "bit", {.method = "brute", .line = "brute: every pair is measured"}};
  }
  [[nodiscard]] std::uint64_t bytes() const override { return data_.bytes; }

 private:
  void end_row() {
    const BitLength length{bits_of_row_, asked_.data.size() - asked_.rows * asked_.words};
    const bool is_first = asked_.bits == 0;  // and DATA has none
    check_bits(length, is_first ? length : BitLength{asked_.bits, asked_.words},
               data_.column.rows == 0 ? "the first row has" : "those of DATA have");
    asked_.bits = length.bits;
    asked_.words = length.words;
    bits_of_row_ = 0;
    ++asked_.rows;
  }

  ThreadPool& pool_;
  BitSettings settings_;
  BitItems data_;
  std::uint64_t most_;
  SearchedBits searched_;
  BitColumn asked_;
  std::size_t bits_of_row_ = 0;  // bits of the row, as far as its fields are read
};

}  // namespace

std::unique_ptr<ItemLookup> bit_lookup(const LookupTask& task, const BitSettings& settings) {
  return std::make_unique<BitLookup>(task, settings);
}

}  // namespace sosie
