// Strings that rows are looked up in as they come.
#include "join/strings/string_lookup.h"

#include <utility>

#include "corpus/items/string_items.h"
#include "join/strings/string_searcher.h"

namespace sosie {
namespace {

class StringLookup final : public ItemLookup {
 public:
  StringLookup(const LookupTask& task, StringSettings settings)
      : pool_(task.pool),
        settings_(std::move(settings)),
        data_(read_data(task)),
        numbers_(places_.corpus.rows, data_.left_out),
        searched_(data_.column, {0, static_cast<RowId>(data_.column.rows())},
                  {.bound = settings_.edits,
                   .nearest = settings_.nearest,
                   .brute = settings_.brute,
                   .most = task.options.top}),
        reader_(settings_.form) {
    forget_asked();
  }

  [[nodiscard]] const ItemPlaces& places() const override { return places_; }
  [[nodiscard]] RowId row_of(RowId item) const override { return numbers_.row_of(item); }

  [[nodiscard]] ItemRowSteps steps() override {
    return {.add = [this](std::string_view text, std::string_view /*what*/) { reader_.read(text); },
            .end_row =
                [this] {
                  if (is_blank(reader_.code_points())) return false;
                  append_known(reader_.code_points(), data_.symbols, asked_);
                  return true;
                },
            .leave_out = [] {},
            .of_text = true,
            .is_well_formed = [this] { return reader_.is_well_formed(); },
            .length = [this] { return static_cast<std::uint32_t>(reader_.code_points().size()); }};
  }

  std::uint64_t find(std::vector<std::vector<ScoredPair>>& found) override {
    const std::uint64_t checked = searched_.find(asked_, pool_, found);
    forget_asked();
    return checked;
  }

  [[nodiscard]] std::string text_of_row() const override { return text_of(reader_.code_points()); }
  [[nodiscard]] std::string text_of_item(RowId item) const override {
    return text_of(data_.column, data_.symbols, item);
  }

  [[nodiscard]] JoinFacts facts() const override { return facts_of_lookups(settings_.brute); }
  [[nodiscard]] std::uint64_t bytes() const override { return data_.bytes; }

 private:
  StringItems read_data(const LookupTask& task) {
    StringItems data = read_strings({.options = task.options,
                                     .settings = settings_.run,
                                     .pool = task.pool,
                                     .hooks = task.hooks,
                                     .places = &places_,
                                     .of_against = true,
                                     .alone = true},
                                    settings_.form, task.options.against);
    erase_strings(data.column, data.left_out);
    constexpr std::uint64_t kOrderedRowBytes = 60;
    if (!settings_.brute) {
      require_memory(data.column, /*copies=*/1, kOrderedRowBytes, settings_.run.memory_bytes);
    }
    return data;
  }

  // Code points that DATA lacks share one symbol.
  void forget_asked() {
    asked_ = {};
    asked_.width = data_.column.width;
    asked_.alphabet = data_.column.alphabet;
  }

  ThreadPool& pool_;
  StringSettings settings_;
  ItemPlaces places_;
  StringItems data_;
  ItemNumbers numbers_;
  StringSearcher searched_;
  StringReader reader_;
  StringColumn asked_;
};

}  // namespace

std::unique_ptr<ItemLookup> string_lookup(const LookupTask& task, const StringSettings& settings) {
  return std::make_unique<StringLookup>(task, settings);
}

}  // namespace sosie
