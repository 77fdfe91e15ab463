// Looks strings up in others by edit distance.
#include "join/strings/string_searcher.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "corpus/items/string_items.h"
#include "join/nearest_rows.h"
#include "join/strings/string_levels.h"

namespace sosie {
namespace {

// The nearest strings are searched for by the minimum distance that their signatures allow, with
// one pass over all signatures per distance; from this distance on, one pass checks the rest.
constexpr std::uint32_t kPasses = 8;
// Number of left rows whose partners are kept at a time.
constexpr std::size_t kSearchedRows = 1024;
// Rows after a left row that are checked one by one; so few need no signatures.
constexpr RowId kFewBehind = 512;

// Minimum distance of strings whose signatures and lengths differ by these amounts; see
// most_bits().
std::uint32_t least_edits(EditMeasure measure, std::uint32_t bits,
                          std::uint32_t longer_by) noexcept {
  return std::max(longer_by, measure == EditMeasure::indel ? bits : (bits + longer_by + 1) / 2);
}

// The nearest partners of one string.
class NearRows {
 public:
  NearRows(const StringSearch& search, NearPairs& all)
      : most_(search.most),
        is_similarity_(search.bound.by_similarity && !search.nearest),
        nearest_(search.most, is_similarity_),
        all_(all) {
    all_.clear();
  }

  // Returns false if the pair is too far apart; any later pair with the same value is too far as
  // well.
  bool add(const NearPair& pair) {
    if (most_ > 0) return nearest_.add(pair);
    all_.push_back(pair);
    return true;
  }
  // Maximum number of edits, up to `most`, of a pair that may still be wanted. A pair as far apart
  // as the farthest kept one is wanted if its row comes first.
  [[nodiscard]] std::uint32_t farthest(std::uint32_t most) const {
    if (most_ == 0 || is_similarity_ || !nearest_.is_full()) return most;
    return std::min(most, static_cast<std::uint32_t>(nearest_.farthest()));
  }
  void finish() {
    if (most_ > 0) all_ = nearest_.pairs();
    std::sort(all_.begin(), all_.end(), IsNearer{is_similarity_});
  }

 private:
  std::uint64_t most_;
  bool is_similarity_;
  NearestRows nearest_;
  NearPairs& all_;
};

// The look-up of one string.
class Search {
 public:
  Search(const StringSearch& search, const StringSearcher::Lookup& asked,
         StringSearcher::Worker& worker, NearPairs& found)
      : bound_(search.bound),
        nearest_(search.nearest),
        asked_(asked),
        worker_(worker),
        found_(search, found) {
    worker.pattern.set(asked.string);
  }

  // Measures every row of a range.
  void measure_rows(const StringColumn& data, const RowRange& rows) {
    for (RowId row = std::max(rows.begin, asked_.first); row < rows.end; ++row) {
      const std::uint32_t distance =
          measure(data.row(row), found_.farthest(most_edits(data.length(row))));
      if (distance != kAnyDistance) add(row, data.length(row), distance);
    }
  }

  // Measures the strings whose signatures may be within the bound.
  void measure_within(const ScannedStrings& scanned) {
    const std::uint64_t signature = scanned.signature_of(asked_.string);
    for (const LengthRange& range : scanned.lengths()) {
      const std::uint32_t longer_by = longer(range);
      const std::uint32_t most = bound_.most_edits(asked_.string.length, range.length);
      if (longer_by > most) continue;
      const std::uint32_t bits = most_bits(bound_.measure, most, longer_by);
      for (const std::uint32_t item : scanned.near(signature, range.left, bits, worker_.near)) {
        measure_item(scanned, item, most);
      }
      measure_waiting(scanned, most);
    }
  }

  // Measures strings in the order of their minimum possible distance, until none can be among the
  // nearest. `most`: maximum number of edits.
  void measure_nearest(const ScannedStrings& scanned, std::uint32_t most) {
    const std::uint64_t signature = scanned.signature_of(asked_.string);
    order_lengths(scanned);
    for (std::uint32_t edits = 0; edits < kPasses && edits <= found_.farthest(most); ++edits) {
      measure_pass(scanned, signature, edits, most);
    }
    measure_rest(scanned, signature, most);
  }

  std::uint64_t finish() {
    found_.finish();
    return checked_;
  }

 private:
  [[nodiscard]] std::uint32_t longer(const LengthRange& range) const noexcept {
    const std::uint32_t length = asked_.string.length;
    return std::max(length, range.length) - std::min(length, range.length);
  }
  [[nodiscard]] std::uint32_t most_edits(std::uint32_t length) const noexcept {
    return nearest_ ? kAnyDistance : bound_.most_edits(asked_.string.length, length);
  }

  void order_lengths(const ScannedStrings& scanned) {
    worker_.by_length.assign(scanned.lengths().begin(), scanned.lengths().end());
    std::sort(worker_.by_length.begin(), worker_.by_length.end(),
              [&](const LengthRange& a, const LengthRange& b) {
                return std::pair(longer(a), a.length) < std::pair(longer(b), b.length);
              });
  }

  // Measures the strings with this minimum distance.
  void measure_pass(const ScannedStrings& scanned, std::uint64_t signature, std::uint32_t edits,
                    std::uint32_t most) {
    for (const LengthRange& range : worker_.by_length) {
      const std::uint32_t longer_by = longer(range);
      if (longer_by > edits) return;
      const std::uint32_t bits = most_bits(bound_.measure, edits, longer_by);
      for (const std::uint32_t item : scanned.near(signature, range.left, bits, worker_.near)) {
        if (least(scanned, signature, item, longer_by) == edits) measure_item(scanned, item, most);
      }
      measure_waiting(scanned, most);
    }
  }

  // Measures the strings that no pass has checked.
  void measure_rest(const ScannedStrings& scanned, std::uint64_t signature, std::uint32_t most) {
    if (found_.farthest(most) < kPasses) return;
    for (const LengthRange& range : worker_.by_length) {
      const std::uint32_t longer_by = longer(range);
      const std::uint32_t farthest = found_.farthest(most);
      if (longer_by > farthest) return;
      const std::uint32_t bits = most_bits(bound_.measure, farthest, longer_by);
      for (const std::uint32_t item : scanned.near(signature, range.left, bits, worker_.near)) {
        if (least(scanned, signature, item, longer_by) >= kPasses) {
          measure_item(scanned, item, most);
        }
      }
      measure_waiting(scanned, most);
    }
  }

  [[nodiscard]] std::uint32_t least(const ScannedStrings& scanned, std::uint64_t signature,
                                    std::uint32_t item, std::uint32_t longer_by) const noexcept {
    return least_edits(bound_.measure, scanned.different_bits(signature, item), longer_by);
  }

  // Measures an item, or queues it to be measured together with others.
  void measure_item(const ScannedStrings& scanned, std::uint32_t item, std::uint32_t most) {
    const OrderedStrings& strings = scanned.strings();
    if (strings.rows_of(item).back() < asked_.first) return;
    const std::uint32_t farthest = found_.farthest(most);
    if (worker_.pattern.has_lanes(farthest)) {
      worker_.waiting.push_back(item);
      if (worker_.waiting.size() == EditPattern::kLanes) measure_waiting(scanned, most);
      return;
    }
    add_item(strings, item, measure(strings.column.row(item), farthest));
  }

  void measure_waiting(const ScannedStrings& scanned, std::uint32_t most) {
    const std::size_t count = worker_.waiting.size();
    if (count == 0) return;
    const OrderedStrings& strings = scanned.strings();
    const std::uint32_t farthest = found_.farthest(most);
    std::array<SymbolSpan, EditPattern::kLanes> texts;
    std::array<std::uint32_t, EditPattern::kLanes> distances{};
    for (std::size_t i = 0; i < count; ++i) texts[i] = strings.column.row(worker_.waiting[i]);
    worker_.pattern.distances(std::span(texts).first(count), farthest,
                              std::span(distances).first(count));
    checked_ += count;
    for (std::size_t i = 0; i < count; ++i) {
      add_item(strings, worker_.waiting[i], distances[i] <= farthest ? distances[i] : kAnyDistance);
    }
    worker_.waiting.clear();
  }

  void add_item(const OrderedStrings& strings, std::uint32_t item, std::uint32_t distance) {
    if (distance == kAnyDistance) return;
    const std::span<const RowId> rows = strings.rows_of(item);
    const std::uint32_t length = strings.column.length(item);
    for (auto row = std::lower_bound(rows.begin(), rows.end(), asked_.first); row != rows.end();
         ++row) {
      if (!add(*row, length, distance)) return;
    }
  }

  // Returns kAnyDistance if the distance exceeds `most`.
  std::uint32_t measure(const SymbolSpan& string, std::uint32_t most) {
    ++checked_;
    const std::uint32_t distance = worker_.pattern.distance(string, most);
    return distance <= most ? distance : kAnyDistance;
  }

  bool add(RowId row, std::uint32_t length, std::uint32_t distance) {
    const double value = nearest_ ? distance : bound_.value(asked_.string.length, length, distance);
    return found_.add({asked_.left, row, value});
  }

  const EditBound& bound_;
  bool nearest_;
  const StringSearcher::Lookup& asked_;
  StringSearcher::Worker& worker_;
  NearRows found_;
  std::uint64_t checked_ = 0;
};

class StringLookup final : public LookupAmong<StringItems> {
 public:
  StringLookup(const LookupTask& task, StringSettings settings)
      : LookupAmong(task, settings.run,
                    [&](const ItemReading& reading) { return read_data(reading, settings); }),
        settings_(std::move(settings)),
        searched_(data_.column, {0, static_cast<RowId>(data_.column.rows())},
                  {.bound = settings_.edits,
                   .nearest = settings_.nearest,
                   .brute = settings_.brute,
                   .most = task.options.top}),
        reader_(settings_.form) {
    forget_asked();
  }

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

 private:
  static StringItems read_data(const ItemReading& reading, const StringSettings& settings) {
    StringItems data = read_strings(reading, settings.form, reading.options.against);
    erase_strings(data.column, data.left_out);
    constexpr std::uint64_t kOrderedRowBytes = 60;
    if (!settings.brute) {
      require_memory(data.column, /*copies=*/1, kOrderedRowBytes, settings.run.memory_bytes);
    }
    return data;
  }

  // Code points that do not occur in DATA share one symbol.
  void forget_asked() {
    asked_ = {};
    asked_.width = data_.column.width;
    asked_.alphabet = data_.column.alphabet;
  }

  StringSettings settings_;
  StringSearcher searched_;
  StringReader reader_;
  StringColumn asked_;
};

}  // namespace

StringSearcher::StringSearcher(const StringColumn& data, const RowRange& rows,
                               const StringSearch& search)
    : data_(data), rows_(rows), search_(search) {
  if (!search.brute) scanned_.emplace(data, ItemRange{rows.begin, rows.end});
}

std::uint64_t StringSearcher::find_one(const Lookup& asked, const StringSearch& wanted,
                                       Worker& worker, NearPairs& found) const {
  Search search(wanted, asked, worker, found);
  const bool few = asked.first > rows_.begin && rows_.end - asked.first < kFewBehind;
  if (!scanned_ || few) {
    search.measure_rows(data_, rows_);
  } else if (wanted.most > 0 && (wanted.nearest || !wanted.bound.by_similarity)) {
    search.measure_nearest(*scanned_, wanted.nearest ? kAnyDistance : wanted.bound.within);
  } else {
    search.measure_within(*scanned_);
  }
  return search.finish();
}

std::uint64_t StringSearcher::find(const StringColumn& asked, std::uint64_t most, ThreadPool& pool,
                                   std::vector<NearPairs>& found) const {
  StringSearch wanted = search_;
  wanted.most = most;
  found.assign(asked.rows(), {});
  std::vector<Worker> workers(
      pool.size(),
      Worker{EditPattern(search_.bound.measure, std::max(data_.alphabet, asked.alphabet), &pool)});
  std::atomic<std::uint64_t> checked = 0;
  pool.for_each(asked.rows(), [&](unsigned worker, std::size_t i) {
    pool.check_cancelled();
    checked += find_one({asked.row(i), static_cast<RowId>(i)}, wanted, workers[worker], found[i]);
  });
  return checked;
}

JoinFacts facts_of_lookups(bool brute) {
  const MethodFacts every = {.method = Method::brute,
                             .line = "brute: every string is measured for each row"};
  const MethodFacts near = {.method = Method::exact,
                            .line = "exact: strings of similar length and signature are measured"};
  return {0, "character", brute ? every : near};
}

std::uint64_t nearest_strings(const StringColumn& column, const JoinSides& sides,
                              const StringSearch& search, ThreadPool& pool, const EachPairs& each) {
  const RowRange lefts = sides.left;
  const StringSearcher searched(column, sides.right.value_or(lefts), search);
  std::vector<StringSearcher::Worker> workers(
      pool.size(),
      StringSearcher::Worker{EditPattern(search.bound.measure, column.alphabet, &pool)});
  std::atomic<std::uint64_t> checked = 0;
  std::vector<NearPairs> found;
  for (std::size_t begin = 0; begin < lefts.size(); begin += kSearchedRows) {
    found.resize(std::min<std::size_t>(kSearchedRows, lefts.size() - begin));
    pool.for_each(found.size(), [&](unsigned worker, std::size_t i) {
      pool.check_cancelled();
      const auto left = static_cast<RowId>(lefts.begin + begin + i);
      const RowId first = sides.is_self() ? left + 1 : 0;
      checked += searched.find_one({column.row(left), left, first}, workers[worker], found[i]);
    });
    for (const auto& pairs : found) each(pairs);
  }
  return checked;
}

std::unique_ptr<ItemLookup> string_lookup(const LookupTask& task, const StringSettings& settings) {
  return std::make_unique<StringLookup>(task, settings);
}

}  // namespace sosie
