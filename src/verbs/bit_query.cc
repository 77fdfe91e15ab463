#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/bit_items.h"
#include "join/searched_bits.h"
#include "options/bit_settings.h"
#include "verbs/item_stream.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

class BitLookup : public ItemLookup {
 public:
  BitLookup(const ItemQuery& query, const BitSettings& settings)
      : pool_(query.pool),
        data_(read_bits(
            {query.options, settings.run, query.pool, query.hooks, nullptr, /*of_against=*/true},
            query.options.against)),
        searched_(data_.column, settings, query.options.top) {
    asked_.bits = data_.column.bits;
    asked_.words = data_.column.words;
  }

  [[nodiscard]] const ItemIds& ids() const override { return data_.ids; }
  [[nodiscard]] const std::vector<std::string>& paths() const override { return data_.paths; }

  [[nodiscard]] ItemRowSteps steps() override {
    return {[this](std::string_view text, std::string_view what) {
              bits_of_row_ += append_bits(text, what, asked_.data);
            },
            [this] { end_row(); }};
  }

  std::uint64_t find(std::vector<std::vector<MeasuredPair>>& found) override {
    const std::uint64_t compared = searched_.find(asked_, pool_, found);
    asked_.data.clear();
    asked_.rows = 0;
    bits_of_row_ = 0;
    return compared;
  }

  void describe(MeasuredSummary& summary) const override {
    summary.kind = "bits";
    summary.against_rows = data_.column.rows;
    summary.bytes = data_.bytes;
    summary.dimension = asked_.bits;
    summary.components = "bit";
    summary.method = "brute";
    summary.method_line = "brute: every pair is measured";
  }

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
  BitItems data_;
  SearchedBits searched_;
  BitColumn asked_;
  std::size_t bits_of_row_ = 0;  // as far as its fields are read
};

}  // namespace

RunReport query_of_bits(const Options& options, const RunHooks& hooks) {
  const Options join = as_join(options);
  const auto input = streamed_items(options, hooks);
  if (!input) return joined_bits(join, hooks);
  const BitSettings settings = resolve_bits(join, "query");
  ThreadPool pool(settings.run.threads, hooks.cancel);
  const ItemQuery query{join, settings.run, settings.bound.facts, hooks, pool};
  BitLookup lookup(query, settings);
  return query_items(query, *input, lookup);
}

}  // namespace sosie
