#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/most_rows.h"
#include "core/thread_pool.h"
#include "corpus/items/item_places.h"
#include "data/kinds.h"
#include "join/scored_pairs.h"
#include "sosie/error.h"
#include "verbs/index/index_state.h"

namespace sosie {

// The options in the form for queries. Without a bound, `top` alone selects the items, and each
// query specifies it. Throws Error{invalid_option} for lsh, except for vectors without a bound,
// which are looked up in lists.
[[nodiscard]] Options options_of_index(const Options& options);

// Options for reading the rows passed to an index.
[[nodiscard]] inline Options options_to_read(Options options, const IndexRows& rows) {
  options.memory_files = rows.memory_files;
  options.table = rows.table;
  return options;
}

// Throw Error{malformed_input}: for a row (of an array, counted from 0), and for an array of
// another kind.
[[noreturn]] void refuse_row(std::uint64_t row, const std::string& reason);
[[noreturn]] void refuse_array(KindBit kind);

// Items passed to an index, and the rows (ascending) that have nothing to compare.
template <typename Column>
struct RowsRead {
  Column items;
  std::vector<RowId> left_out = {};

  [[nodiscard]] RowId rows() const noexcept {
    return static_cast<RowId>(items.rows + left_out.size());
  }
  [[nodiscard]] ItemNumbers numbers() const { return {rows(), left_out}; }
};

// Operations for a kind of items that all have the same type and whose look-ups read all items.
template <typename Column, typename Searched>
struct OneTypeKind {
  [[nodiscard]] static bool have_one_type(const Column&, const Column&) { return true; }
  static void take_type(Column&, const Column&) {}
  static void take_type_to_ask(Column&, const Column&) {}
  [[nodiscard]] static std::optional<double> list_recall(const Searched&, std::uint64_t) {
    return std::nullopt;
  }
};

// An index of items that are looked up by a complete pass over each segment. `Kind` provides the
// operations on a column of items (see index_of_vectors.cc, index_of_bits.cc) and is created from
// the options of the index. A segment corresponds to a file of an index on disk: it contains items
// that were added one after another, with their numbers and removals. Rows with nothing to compare
// also have numbers, but are never found.
template <typename Kind>
class InMemoryIndex final : public IndexState {
 public:
  explicit InMemoryIndex(const Options& options) : options_(options), kind_(options) {}

  [[nodiscard]] const Options& options() const override { return options_; }

  [[nodiscard]] std::uint64_t size() const override {
    const std::shared_lock lock(mutex_);
    return count();
  }

  [[nodiscard]] std::uint64_t next_number() const override {
    const std::shared_lock lock(mutex_);
    return next_number_;
  }

  [[nodiscard]] std::string value_name() const override {
    return kind_.is_similarity() ? "similarity" : "distance";
  }

  std::pair<std::uint64_t, std::uint64_t> add(const IndexRows& rows,
                                              const RunHooks& hooks) override {
    ThreadPool pool(kind_.settings().run.threads, hooks.cancel);
    RowsRead<Column> read = kind_.read(rows, pool, hooks);
    const std::unique_lock lock(mutex_);
    require_fitting(read.items);
    const std::uint64_t first = next_number_;
    next_number_ += read.rows();
    const ItemNumbers row_numbers = read.numbers();
    std::vector<std::uint64_t> numbers(read.items.rows);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = first + row_numbers.row_of(static_cast<RowId>(i));
    }
    append(std::move(read.items), std::move(numbers), pool);
    return {first, next_number_};
  }

  std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks) override {
    if (kind_.settings().nearest) {
      throw Error(ErrorKind::invalid_option, "add_new: a bound is needed to tell what is new",
                  "build the index with --threshold or --within");
    }
    ThreadPool pool(kind_.settings().run.threads, hooks.cancel);
    const RowsRead<Column> read = kind_.read(rows, pool, hooks);
    const Column& column = read.items;
    const ItemNumbers row_numbers = read.numbers();
    const std::unique_lock lock(mutex_);
    require_fitting(column);
    std::vector<bool> added;
    const auto add_left_out_before = [&](RowId row) {
      next_number_ += row - added.size();
      added.resize(row, true);
    };
    for (std::size_t begin = 0; begin < column.rows; begin += kRowsAtOnce) {
      Column some = part(column, begin, std::min<std::size_t>(column.rows, begin + kRowsAtOnce));
      const std::vector<bool> is_new = new_of(some, pool);
      Column fresh;
      std::vector<std::uint64_t> numbers;
      for (std::size_t i = 0; i < some.rows; ++i) {
        add_left_out_before(row_numbers.row_of(static_cast<RowId>(begin + i)));
        added.push_back(is_new[i]);
        if (!is_new[i]) continue;
        Kind::append(fresh, some, i);
        numbers.push_back(next_number_++);
      }
      append(std::move(fresh), std::move(numbers), pool);
    }
    add_left_out_before(read.rows());
    return added;
  }

  [[nodiscard]] RowPairs query(const IndexRows& rows, std::uint64_t top,
                               const RunHooks& hooks) const override {
    if (top == 0 && kind_.settings().nearest) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"top"},
                  "must be given: this index has no bound",
                  "set how many items are wanted, or build the index with --threshold or --within");
    }
    std::optional<ThreadPool> pool(std::in_place, 1, hooks.cancel);
    const RowsRead<Column> read = kind_.read(rows, *pool, hooks);
    const Column& column = read.items;
    const ItemNumbers row_numbers = read.numbers();
    if (column.rows > kFewAsked) pool.emplace(kind_.settings().run.threads, hooks.cancel);
    const std::shared_lock lock(mutex_);
    require_fitting(column);
    const auto found = find(column, top, *pool);
    RowPairs pairs;
    for (std::size_t row = 0; row < found.size(); ++row) {
      for (const Hit& hit : found[row]) {
        pairs.left.push_back(row_numbers.row_of(static_cast<RowId>(row)));
        pairs.right.push_back(hit.number);
        pairs.similarity.push_back(hit.value);
      }
    }
    return pairs;
  }

  // The lowest recall of any segment that is looked up in lists.
  [[nodiscard]] std::optional<double> list_recall(std::uint64_t top) const override {
    std::optional<double> least;
    const std::shared_lock lock(mutex_);
    for (const auto& segment : segments_) {
      const std::optional<double> recall = Kind::list_recall(*segment->searched, top);
      if (recall) least = std::min(least.value_or(1), *recall);
    }
    return least;
  }

  std::uint64_t remove(std::span<const std::uint64_t> numbers) override {
    const std::unique_lock lock(mutex_);
    std::uint64_t taken = 0;
    for (const std::uint64_t number : numbers) taken += take_out(number) ? 1U : 0U;
    ThreadPool pool(kind_.settings().run.threads, nullptr);
    for (auto& segment : segments_) {
      if (segment->gaps > segment->numbers.size() / 4) segment = merged({&segment, 1}, pool);
    }
    std::erase_if(segments_, [](const auto& segment) { return segment->numbers.empty(); });
    return taken;
  }

  void save(PackedWriter& out) const override {
    const std::shared_lock lock(mutex_);
    out.value(next_number_);
    out.value(count());
    if (count() == 0) return;
    const auto [column, numbers] = rows_of(segments_);
    out.column(std::span<const std::uint64_t>(numbers));
    Kind::save(column, out);
  }

  void load(PackedReader& in) override {
    next_number_ = in.value<std::uint64_t>();
    const std::uint64_t rows = in.count(sizeof(std::uint64_t));
    if (rows == 0) return;
    if (rows > most_rows()) in.refuse();
    std::vector<std::uint64_t> numbers = in.column<std::uint64_t>(rows);
    check_numbers(numbers, next_number_, in);
    ThreadPool pool(kind_.settings().run.threads, nullptr);
    segments_.push_back(make_segment(kind_.load(rows, in), std::move(numbers), pool));
  }

 private:
  using Column = typename Kind::Column;

  static constexpr std::size_t kRowsAtOnce = 1024;  // rows of add_new() that are compared with each
                                                    // other, too
  static constexpr std::size_t kFewAsked = 32;      // maximum without starting threads

  struct Hit {
    std::uint64_t number;
    double value;
  };
  struct Nearer {
    bool is_similarity;
    bool operator()(const Hit& a, const Hit& b) const noexcept {
      return is_similarity ? a.value > b.value : a.value < b.value;
    }
  };

  // Items that were added one after another, arranged for look-ups.
  struct Segment {
    Column column;
    std::vector<std::uint64_t> numbers;  // ascending
    std::vector<bool> is_there;
    std::size_t gaps = 0;
    typename Kind::Settings settings;
    std::unique_ptr<typename Kind::Searched> searched;
  };
  using Segments = std::vector<std::unique_ptr<Segment>>;

  [[nodiscard]] std::uint64_t count() const {
    std::uint64_t sum = 0;
    for (const auto& segment : segments_) sum += segment->numbers.size() - segment->gaps;
    return sum;
  }

  void require_fitting(const Column& column) const {
    check_items_of_index(count() + column.rows);
    if (column.rows == 0 || segments_.empty()) return;
    const Column& items = segments_.front()->column;
    if (Kind::have_one_length(column, items)) return;
    refuse_row(0, fmt::format("{}, items of the index have {}", Kind::length_of(column),
                              Kind::length_of(items)));
  }

  static Column part(const Column& column, std::size_t begin, std::size_t end) {
    Column some;
    for (std::size_t row = begin; row < end; ++row) Kind::append(some, column, row);
    return some;
  }

  [[nodiscard]] std::unique_ptr<Segment> make_segment(Column column,
                                                      std::vector<std::uint64_t>&& numbers,
                                                      ThreadPool& pool) const {
    auto segment = std::make_unique<Segment>();
    segment->column = std::move(column);
    segment->numbers = std::move(numbers);
    segment->is_there.assign(segment->numbers.size(), true);
    segment->settings = kind_.settings_for(segment->column, pool);
    segment->searched = Kind::search_in(segment->column, segment->settings, pool);
    return segment;
  }

  // Rows of all segments, as a single column whose type fits them all.
  static std::pair<Column, std::vector<std::uint64_t>> rows_of(
      std::span<const std::unique_ptr<Segment>> segments) {
    std::pair<Column, std::vector<std::uint64_t>> rows;
    for (const auto& segment : segments) {
      for (std::size_t row = 0; row < segment->numbers.size(); ++row) {
        if (!segment->is_there[row]) continue;
        Kind::append(rows.first, segment->column, row);
        rows.second.push_back(segment->numbers[row]);
      }
    }
    return rows;
  }

  [[nodiscard]] std::unique_ptr<Segment> merged(std::span<const std::unique_ptr<Segment>> segments,
                                                ThreadPool& pool) const {
    auto [column, numbers] = rows_of(segments);
    return make_segment(std::move(column), std::move(numbers), pool);
  }

  // All items have the same component type, the narrowest that can represent every item ever added,
  // so that results do not depend on the order in which items arrived.
  void append(Column column, std::vector<std::uint64_t>&& numbers, ThreadPool& pool) {
    if (column.rows == 0) return;
    if (!segments_.empty()) {
      Kind::take_type(column, segments_.front()->column);
      if (!Kind::have_one_type(column, segments_.front()->column)) widen_all(column, pool);
    }
    segments_.push_back(make_segment(std::move(column), std::move(numbers), pool));
    merge_last(pool);
  }

  void widen_all(const Column& column, ThreadPool& pool) {
    auto [items, numbers] = rows_of(segments_);
    segments_.clear();
    if (numbers.empty()) return;
    Kind::take_type(items, column);
    segments_.push_back(make_segment(std::move(items), std::move(numbers), pool));
  }

  // Each segment has more than twice as many items as the next, so an item is rearranged only a
  // logarithmic number of times.
  void merge_last(ThreadPool& pool) {
    std::size_t first = segments_.size() - 1;
    std::size_t items = segments_[first]->numbers.size();
    while (first > 0 && segments_[first - 1]->numbers.size() < 2 * items) {
      items += segments_[--first]->numbers.size();
    }
    if (first + 1 == segments_.size()) return;
    auto segment = merged(std::span(segments_).subspan(first), pool);
    segments_.resize(first);
    segments_.push_back(std::move(segment));
  }

  // The hits of each row of `asked`, nearest first (ties: by number).
  [[nodiscard]] std::vector<std::vector<Hit>> find(const Column& asked, std::uint64_t most,
                                                   ThreadPool& pool) const {
    std::vector<std::vector<Hit>> found(asked.rows);
    if (segments_.empty() || asked.rows == 0) return found;
    Column typed = asked;
    Kind::take_type_to_ask(typed, segments_.front()->column);
    for (const auto& segment : segments_) find_in(*segment, typed, most, pool, found);
    for (std::vector<Hit>& hits : found) {
      // Segments are in the order of their items' numbers.
      std::stable_sort(hits.begin(), hits.end(), Nearer{kind_.is_similarity()});
      if (most > 0 && hits.size() > most) hits.resize(most);
    }
    return found;
  }

  static void find_in(const Segment& segment, const Column& asked, std::uint64_t most,
                      ThreadPool& pool, std::vector<std::vector<Hit>>& found) {
    std::vector<std::vector<ScoredPair>> pairs;
    segment.searched->find(asked, most == 0 ? 0 : most + segment.gaps, pool, pairs);
    for (std::size_t row = 0; row < pairs.size(); ++row) {
      for (const ScoredPair& pair : pairs[row]) {
        if (!segment.is_there[pair.right]) continue;
        found[row].push_back({segment.numbers[pair.right], pair.value});
      }
    }
  }

  // For each row, true if it is similar to no item and to no earlier new row.
  [[nodiscard]] std::vector<bool> new_of(const Column& column, ThreadPool& pool) const {
    const auto known = find(column, 1, pool);
    Column typed = column;
    if (!segments_.empty()) Kind::take_type(typed, segments_.front()->column);
    const auto among = make_segment(typed, std::vector<std::uint64_t>(column.rows), pool);
    std::vector<std::vector<ScoredPair>> pairs;
    among->searched->find(typed, 0, pool, pairs);
    std::vector<bool> is_new(column.rows);
    for (std::size_t row = 0; row < column.rows; ++row) {
      is_new[row] = known[row].empty() &&
                    std::none_of(pairs[row].begin(), pairs[row].end(), [&](const auto& pair) {
                      return pair.right < row && is_new[pair.right];
                    });
    }
    return is_new;
  }

  bool take_out(std::uint64_t number) {
    for (const auto& segment : segments_) {
      const auto at = std::lower_bound(segment->numbers.begin(), segment->numbers.end(), number);
      if (at == segment->numbers.end() || *at != number) continue;
      const auto row = static_cast<std::size_t>(at - segment->numbers.begin());
      if (!segment->is_there[row]) return false;
      segment->is_there[row] = false;
      ++segment->gaps;
      return true;
    }
    return false;
  }

  Options options_;
  Kind kind_;
  mutable std::shared_mutex mutex_;
  Segments segments_;
  std::uint64_t next_number_ = 0;
};

}  // namespace sosie
