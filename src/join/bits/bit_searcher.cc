// Searches bit strings in sketch blocks, within a bound or for the nearest.
#include "join/bits/bit_searcher.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "corpus/items/bit_items.h"
#include "join/nearest_rows.h"
#include "kernels/near_sketches.h"
#include "kernels/shared_bits.h"

namespace sosie {
namespace {

constexpr std::size_t kSearchedRowsATask = 32;
constexpr std::size_t kWordsATask = std::size_t{1} << 17;   // words of strings a task takes
constexpr std::size_t kWordsAtOnce = std::size_t{1} << 13;  // that stay in the second cache

// Number of strings in whole blocks of this many words.
std::size_t strings_of(std::size_t words, std::size_t words_of_string) noexcept {
  const std::size_t block_words = kernels::kSketchBlock * words_of_string;
  return kernels::kSketchBlock * std::max<std::size_t>(1, words / block_words);
}

class BitLookup final : public LookupAmong<BitItems> {
 public:
  BitLookup(const LookupTask& task, BitSettings settings)
      : LookupAmong(task, settings.run,
                    [&](ItemReading reading) {
                      reading.zeros_are_empty = settings.measure->is_of_sets;
                      BitItems data = read_bits(reading, task.options.against);
                      erase_rows(data.column, data.left_out);
                      return data;
                    }),
        settings_(std::move(settings)),
        most_(task.options.top),
        searched_(data_.column, settings_) {
    places_.inputs.own_names = &data_.ids;
    if (data_.column.rows == 0) return;  // the first row says how long all are
    asked_.bits = data_.column.bits;
    asked_.words = data_.column.words;
  }

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
    return {asked_.bits, "bit", {.method = Method::brute, .line = "brute: every pair is measured"}};
  }

 private:
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

  BitSettings settings_;
  std::uint64_t most_;
  BitSearcher searched_;
  BitColumn asked_;
  std::size_t bits_of_row_ = 0;  // bits of the row, as far as its fields are read
};

}  // namespace

// A row to look up, with the facts known about it.
struct BitSearcher::Asked {
  RowId row;
  std::optional<RowId> after;  // rows of the data that it is compared with
  std::uint64_t ones;
  const std::uint64_t* words;
  NearestRows nearest;
};

SoughtBits sought_by(const BitSettings& settings) {
  return {settings.measure, settings.nearest ? std::nullopt : std::optional(settings.bound.bound)};
}

BitSearcher::BitSearcher(const BitColumn& data, const RowRange& rows, const SoughtBits& sought)
    : data_(data), sought_(sought), layout_(data, rows, sought.measure->is_of_sets) {}

std::uint64_t BitSearcher::find(const QueryStrings& asked, std::uint64_t most, ThreadPool& pool,
                                std::vector<std::vector<ScoredPair>>& found) const {
  if (most == 0) most = std::numeric_limits<std::uint64_t>::max();
  const std::size_t rows = asked.rows.size();
  found.assign(rows, {});
  if (rows == 0 || layout_.size() == 0) return 0;
  const bool is_similarity = sought_.measure->is_similarity;
  const std::size_t part = strings_of(kWordsATask, data_.words);
  const std::size_t chunk = strings_of(kWordsAtOnce, data_.words);
  const std::size_t parts = (layout_.size() + part - 1) / part;
  const std::size_t groups = (rows + kSearchedRowsATask - 1) / kSearchedRowsATask;
  std::vector<std::vector<Asked>> tasks(groups * parts);
  pool.for_each(tasks.size(), [&](unsigned /*worker*/, std::size_t i) {
    pool.check_cancelled();
    const std::size_t first = i / parts * kSearchedRowsATask;
    for (std::size_t at = first; at < std::min(rows, first + kSearchedRowsATask); ++at) {
      const auto row = static_cast<RowId>(asked.rows.begin + at);
      const std::uint64_t* words = asked.column.row(row);
      tasks[i].push_back({row, asked.only_later ? std::optional(row) : std::nullopt,
                          kernels::count_ones(words, data_.words), words,
                          NearestRows(most, is_similarity)});
    }
    std::vector<std::uint8_t> near;
    const std::size_t end = std::min(layout_.size(), (i % parts + 1) * part);
    for (std::size_t begin = i % parts * part; begin < end; begin += chunk) {
      for (Asked& one : tasks[i]) search({begin, std::min(end, begin + chunk)}, one, near);
    }
  });
  for (const std::vector<Asked>& task : tasks) {
    for (const Asked& one : task) {
      std::vector<ScoredPair>& all = found[one.row - asked.rows.begin];
      const auto& pairs = one.nearest.pairs();
      all.insert(all.end(), pairs.begin(), pairs.end());
    }
  }
  pool.for_each(found.size(), [&](unsigned /*worker*/, std::size_t i) {
    std::sort(found[i].begin(), found[i].end(), [&](const ScoredPair& a, const ScoredPair& b) {
      return IsNearer{is_similarity}(a, b);
    });
    if (found[i].size() > most) found[i].resize(most);
  });
  return std::uint64_t{rows} * layout_.size();
}

std::uint64_t BitSearcher::limit(const Asked& asked, const BitPositions& some) const {
  const std::uint64_t ones = layout_.most_ones(asked.ones, some);
  std::uint64_t most = data_.bits;
  if (sought_.bound)
    most = std::min(most, sought_.measure->largest_difference(ones, *sought_.bound));
  if (!asked.nearest.is_full()) return most + 1;
  const std::uint64_t farthest =
      sought_.measure->difference_of_value(ones, asked.nearest.farthest());
  // Ties with the farthest string are decided by order: if strings are in input order, the first
  // ones stay.
  return std::min(most + 1, farthest + (layout_.is_by_ones() ? 1 : 0));
}

void BitSearcher::search(const BitPositions& some, Asked& asked,
                         std::vector<std::uint8_t>& near) const {
  const std::uint64_t limit = this->limit(asked, some);
  if (layout_.least_difference(asked.ones, some) >= limit) return;
  layout_.each_near(asked.words, some, limit, near,
                    [&](std::size_t position) { measure(position, asked); });
}

void BitSearcher::measure(std::size_t position, Asked& asked) const {
  const RowId row = layout_.row(position);
  if (asked.after && row <= *asked.after) return;
  const BitCounts counts = count_bits(asked.words, layout_.string(position), data_.words);
  if (sought_.measure->is_of_sets && counts.united == 0) return;
  if (sought_.bound && !sought_.measure->reaches(counts, *sought_.bound)) return;
  asked.nearest.add({asked.row, row, sought_.measure->value(counts)});
}

std::unique_ptr<ItemLookup> bit_lookup(const LookupTask& task, const BitSettings& settings) {
  return std::make_unique<BitLookup>(task, settings);
}

}  // namespace sosie
