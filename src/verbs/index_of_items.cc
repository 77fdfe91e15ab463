// An index of vectors or bit strings: rows are looked up in segments by one pass over each, which
// misses nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "corpus/bit_items.h"
#include "corpus/vector_items.h"
#include "join/searched_bits.h"
#include "join/searched_vectors.h"
#include "join/vector_sides.h"
#include "options/bit_settings.h"
#include "options/vector_settings.h"
#include "read/vector_files.h"
#include "sosie/error.h"
#include "verbs/index_state.h"
#include "verify/vector_range.h"

namespace sosie {
namespace {

constexpr std::size_t kRowsAtOnce = 1024;  // of add_new(), which are compared with each other, too
constexpr std::size_t kFewAsked = 32;      // for which no threads are started
constexpr std::uint64_t kMostItems = 0xFFFFFFFE;

// Options as a query takes them: without a bound `top` decides, and is told with each query.
Options as_query(const Options& options) {
  Options chosen = options;
  if (options.method == "lsh") {
    throw Error(ErrorKind::invalid_option,
                "--method lsh: an index of " + options.kind + " finds every pair, without hashing");
  }
  chosen.top = is_given(options, "threshold") || !options.within.empty() ? 0 : 1;
  return chosen;
}

[[noreturn]] void refuse_row(std::uint64_t row, const std::string& reason) {
  throw Error(ErrorKind::malformed_input, fmt::format("row {}: {}", row, reason));
}

[[noreturn]] void refuse_array(std::string_view kind) {
  throw Error(ErrorKind::malformed_input, fmt::format("the rows are no {}", kind));
}

// What the index does with vectors.
class VectorKind {
 public:
  using Column = VectorColumn;
  using Settings = VectorSettings;
  using Searched = SearchedVectors;

  explicit VectorKind(const Options& options)
      : options_(options), settings_(resolve_vectors(options, "query")) {}

  [[nodiscard]] const VectorSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] bool is_similarity() const noexcept { return settings_.measure->is_similarity; }

  [[nodiscard]] VectorColumn read(const IndexRows& rows, ThreadPool& pool,
                                  const RunHooks& hooks) const {
    VectorColumn column =
        rows.array ? copy_of(*rows.array)
                   : read_vectors({options_, settings_.run, pool, hooks}, rows.paths).column;
    check(column);
    return column;
  }

  // Throws Error{malformed_input} for a row that the measure has no value for; brings others into
  // range.
  void check(VectorColumn& column) const {
    if (const auto bad = not_finite(column, 0)) {
      refuse_row(bad->row, fmt::format("component {} {}", bad->component,
                                       bad->is_nan ? "is not a number" : "is infinite"));
    }
    if (!settings_.measure->needs_length) return;
    bring_into_range(column);
    for (std::size_t row = 0; row < column.rows; ++row) {
      if (squared_length(column, row) != 0) continue;
      refuse_row(row,
                 fmt::format("the vector is all zeros and has no {}", settings_.measure->name));
    }
  }

  [[nodiscard]] static std::string length_of(const VectorColumn& column) {
    return fmt::format("{} components", column.dimension);
  }
  [[nodiscard]] static bool have_one_length(const VectorColumn& a, const VectorColumn& b) {
    return a.dimension == b.dimension;
  }
  [[nodiscard]] static bool have_one_type(const VectorColumn& a, const VectorColumn& b) {
    return a.components.index() == b.components.index();
  }
  // Gives a column the type of another one, if that holds all it has.
  static void take_type(VectorColumn& column, const VectorColumn& other) {
    widen_for(column, other);
  }
  // For a column that is looked up in `items`.
  static void take_type_to_ask(VectorColumn& column, const VectorColumn& items) {
    widen_for(column, items);
    if (!have_one_type(column, items)) widen_for(column, {0, 0, std::vector<double>()});
  }

  // As `settings` of a run are for a column: out of range every pair is measured.
  [[nodiscard]] VectorSettings settings_for(const VectorColumn& column, ThreadPool& pool) const {
    VectorSettings settings = settings_;
    settle_method(column, squared_lengths(column, pool), settings);
    return settings;
  }
  [[nodiscard]] static std::unique_ptr<SearchedVectors> search_in(const VectorColumn& column,
                                                                  const VectorSettings& settings,
                                                                  ThreadPool& pool) {
    return std::make_unique<SearchedVectors>(column, settings, pool);
  }

  // Of one length and type; `to` may be without rows.
  static void append(VectorColumn& to, const VectorColumn& from, std::size_t row) {
    if (to.rows == 0) to = {0, from.dimension, {}};
    std::visit(
        [&](const auto& components) {
          using Components = std::decay_t<decltype(components)>;
          if (to.rows == 0) to.components = Components{};
          const auto begin = components.begin() + static_cast<std::ptrdiff_t>(row * from.dimension);
          auto& out = std::get<Components>(to.components);
          out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(from.dimension));
        },
        from.components);
    ++to.rows;
  }

  static void save(const VectorColumn& column, PackedWriter& out) {
    out.value(std::uint64_t{column.dimension});
    out.value(std::uint8_t(column.components.index()));
    std::visit([&](const auto& some) { out.column(std::span(some)); }, column.components);
  }
  [[nodiscard]] VectorColumn load(std::uint64_t rows, PackedReader& in) const {
    VectorColumn column{rows, in.value<std::uint64_t>(), {}};
    const auto type = in.value<std::uint8_t>();
    if (column.dimension == 0 || column.dimension > kMaxDimension) in.refuse();
    const std::uint64_t count = rows * column.dimension;
    if (type == 0) column.components = in.column<std::int8_t>(count);
    if (type == 1) column.components = in.column<std::uint8_t>(count);
    if (type == 2) column.components = in.column<float>(count);
    if (type == 3) column.components = in.column<double>(count);
    if (type > 3) in.refuse();
    check(column);
    return column;
  }

 private:
  template <typename T>
  static std::vector<T> components_of(const ItemArray& array) {
    const T* begin = static_cast<const T*>(array.data);
    return {begin, begin + array.rows * array.width};
  }

  static VectorColumn copy_of(const ItemArray& array) {
    using Type = ItemArray::Type;
    if (array.type == Type::bits) refuse_array("vectors");
    if (array.rows > 0 && array.width == 0) refuse_row(0, "the vector is empty");
    if (array.width > kMaxDimension) {
      refuse_row(0, fmt::format("{} components, at most {} are read", array.width, kMaxDimension));
    }
    VectorColumn column{array.rows, array.width, {}};
    if (array.type == Type::int8) column.components = components_of<std::int8_t>(array);
    if (array.type == Type::uint8) column.components = components_of<std::uint8_t>(array);
    if (array.type == Type::float32) column.components = components_of<float>(array);
    if (array.type == Type::float64) column.components = components_of<double>(array);
    return column;
  }

  Options options_;
  VectorSettings settings_;
};

// What the index does with bit strings.
class BitKind {
 public:
  using Column = BitColumn;
  using Settings = BitSettings;
  using Searched = SearchedBits;

  explicit BitKind(const Options& options)
      : options_(options), settings_(resolve_bits(options, "query")) {}

  [[nodiscard]] const BitSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] bool is_similarity() const noexcept { return settings_.measure->is_similarity; }

  [[nodiscard]] BitColumn read(const IndexRows& rows, ThreadPool& pool,
                               const RunHooks& hooks) const {
    if (rows.array) return copy_of(*rows.array);
    return read_bits({options_, settings_.run, pool, hooks}, rows.paths).column;
  }

  [[nodiscard]] static std::string length_of(const BitColumn& column) {
    return fmt::format("{} bits", column.bits);
  }
  [[nodiscard]] static bool have_one_length(const BitColumn& a, const BitColumn& b) {
    return a.bits == b.bits && a.words == b.words;
  }
  [[nodiscard]] static bool have_one_type(const BitColumn&, const BitColumn&) { return true; }
  static void take_type(BitColumn&, const BitColumn&) {}
  static void take_type_to_ask(BitColumn&, const BitColumn&) {}

  [[nodiscard]] BitSettings settings_for(const BitColumn&, ThreadPool&) const { return settings_; }
  [[nodiscard]] static std::unique_ptr<SearchedBits> search_in(const BitColumn& column,
                                                               const BitSettings& settings,
                                                               ThreadPool&) {
    return std::make_unique<SearchedBits>(column, settings);
  }

  static void append(BitColumn& to, const BitColumn& from, std::size_t row) {
    if (to.rows == 0) to = {0, from.bits, from.words, {}};
    to.data.insert(to.data.end(), from.row(row), from.row(row) + from.words);
    ++to.rows;
  }

  static void save(const BitColumn& column, PackedWriter& out) {
    out.value(std::uint64_t{column.bits});
    out.value(std::uint64_t{column.words});
    out.column(std::span<const std::uint64_t>(column.data));
  }
  [[nodiscard]] BitColumn load(std::uint64_t rows, PackedReader& in) const {
    BitColumn column{rows, in.value<std::uint64_t>(), in.value<std::uint64_t>(), {}};
    // Fields of a row begin words of their own: there may be more words than the bits need.
    if (column.bits == 0 || column.bits > kMostBits || column.words > column.bits ||
        column.words * 64 < column.bits) {
      in.refuse();
    }
    column.data = in.column<std::uint64_t>(rows * column.words);
    return column;
  }

 private:
  // Bits as append_hex_bits() has them: the four that a digit stands for, least first.
  static BitColumn copy_of(const ItemArray& array) {
    if (array.type != ItemArray::Type::bits) refuse_array("bits");
    if (array.rows > 0 && array.width == 0) refuse_row(0, "the bit string is empty");
    if (8 * array.width > kMostBits) {
      refuse_row(0, fmt::format("{} bits, at most {} are read", 8 * array.width, kMostBits));
    }
    BitColumn column{array.rows, 8 * array.width, (array.width + 7) / 8, {}};
    column.data.resize(column.rows * column.words);
    const auto* bytes = static_cast<const std::uint8_t*>(array.data);
    for (std::uint64_t row = 0; row < array.rows; ++row) {
      for (std::uint64_t i = 0; i < array.width; ++i) {
        const std::uint64_t byte = *bytes++;
        column.data[row * column.words + i / 8] |= (byte >> 4 | (byte & 15) << 4) << 8 * (i % 8);
      }
    }
    return column;
  }

  Options options_;
  BitSettings settings_;
};

template <typename Kind>
class ItemIndex final : public IndexState {
 public:
  explicit ItemIndex(const Options& options) : options_(options), kind_(as_query(options)) {}

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
    Column column = kind_.read(rows, pool, hooks);
    const std::unique_lock lock(mutex_);
    require_fitting(column);
    const std::uint64_t first = next_number_;
    append(std::move(column), pool);
    return {first, next_number_};
  }

  std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks) override {
    if (kind_.settings().nearest) {
      throw Error(ErrorKind::invalid_option, "add_new: what is new is told by a bound",
                  "make the index with --threshold or --within");
    }
    ThreadPool pool(kind_.settings().run.threads, hooks.cancel);
    const Column column = kind_.read(rows, pool, hooks);
    const std::unique_lock lock(mutex_);
    require_fitting(column);
    std::vector<bool> added;
    for (std::size_t begin = 0; begin < column.rows; begin += kRowsAtOnce) {
      add_new_of(part(column, begin, std::min<std::size_t>(column.rows, begin + kRowsAtOnce)), pool,
                 added);
    }
    return added;
  }

  [[nodiscard]] RowPairs query(const IndexRows& rows, std::uint64_t top,
                               const RunHooks& hooks) const override {
    if (top == 0 && kind_.settings().nearest) {
      throw Error(ErrorKind::invalid_option, "query: --top is missing: this index has no bound",
                  "say how many items are wanted, or make the index with --threshold or --within");
    }
    std::optional<ThreadPool> pool(std::in_place, 1, hooks.cancel);
    const Column column = kind_.read(rows, *pool, hooks);
    if (column.rows > kFewAsked) pool.emplace(kind_.settings().run.threads, hooks.cancel);
    const std::shared_lock lock(mutex_);
    require_fitting(column);
    const auto found = find(column, top, *pool);
    RowPairs pairs;
    for (std::size_t row = 0; row < found.size(); ++row) {
      for (const Hit& hit : found[row]) {
        pairs.left.push_back(row);
        pairs.right.push_back(hit.number);
        pairs.similarity.push_back(hit.value);
      }
    }
    return pairs;
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
    if (rows > kMostItems) in.refuse();
    std::vector<std::uint64_t> numbers = in.column<std::uint64_t>(rows);
    check_numbers(numbers, next_number_, in);
    ThreadPool pool(kind_.settings().run.threads, nullptr);
    segments_.push_back(make_segment(kind_.load(rows, in), std::move(numbers), pool));
  }

 private:
  using Column = typename Kind::Column;

  struct Hit {
    std::uint64_t number;
    double value;
  };

  // Items that were added one after another, laid out for look-ups.
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
    if (column.rows >= kMostItems - count()) {
      throw Error(ErrorKind::limit_exceeded, "more than 4,294,967,294 items in one index");
    }
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
                                                      std::vector<std::uint64_t> numbers,
                                                      ThreadPool& pool) const {
    auto segment = std::make_unique<Segment>();
    segment->column = std::move(column);
    segment->numbers = std::move(numbers);
    segment->is_there.assign(segment->numbers.size(), true);
    segment->settings = kind_.settings_for(segment->column, pool);
    segment->searched = Kind::search_in(segment->column, segment->settings, pool);
    return segment;
  }

  // What is there in segments of one type.
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

  // All items have one type of components: the narrowest that holds what was ever added, so that
  // what is found does not depend on how the items came.
  void append(Column column, ThreadPool& pool) {
    if (column.rows == 0) return;
    if (!segments_.empty()) {
      Kind::take_type(column, segments_.front()->column);
      if (!Kind::have_one_type(column, segments_.front()->column)) widen_all(column, pool);
    }
    std::vector<std::uint64_t> numbers(column.rows);
    for (std::uint64_t& number : numbers) number = next_number_++;
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

  // Each segment has more than twice the items of the one behind it: an item is laid out again as
  // often as the logarithm of their number.
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

  // By row of `asked`, nearest first, ties by number.
  [[nodiscard]] std::vector<std::vector<Hit>> find(const Column& asked, std::uint64_t most,
                                                   ThreadPool& pool) const {
    std::vector<std::vector<Hit>> found(asked.rows);
    if (segments_.empty() || asked.rows == 0) return found;
    Column typed = asked;
    Kind::take_type_to_ask(typed, segments_.front()->column);
    std::vector<std::vector<MeasuredPair>> pairs;
    for (const auto& segment : segments_) {
      segment->searched->find(typed, most == 0 ? 0 : most + segment->gaps, pool, pairs);
      for (std::size_t row = 0; row < pairs.size(); ++row) {
        for (const MeasuredPair& pair : pairs[row]) {
          if (!segment->is_there[pair.right]) continue;
          found[row].push_back({segment->numbers[pair.right], pair.value});
        }
      }
    }
    const bool greatest_first = kind_.is_similarity();
    for (std::vector<Hit>& hits : found) {
      // Segments are in the order of their numbers.
      std::stable_sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) {
        return greatest_first ? a.value > b.value : a.value < b.value;
      });
      if (most > 0 && hits.size() > most) hits.resize(most);
    }
    return found;
  }

  void add_new_of(const Column& column, ThreadPool& pool, std::vector<bool>& added) {
    const auto known = find(column, 1, pool);
    Column typed = column;
    if (!segments_.empty()) Kind::take_type(typed, segments_.front()->column);
    const auto among = make_segment(typed, std::vector<std::uint64_t>(column.rows), pool);
    std::vector<std::vector<MeasuredPair>> pairs;
    among->searched->find(typed, 0, pool, pairs);
    Column fresh;
    std::vector<bool> is_new(column.rows);
    for (std::size_t row = 0; row < column.rows; ++row) {
      is_new[row] = known[row].empty() &&
                    std::none_of(pairs[row].begin(), pairs[row].end(), [&](const auto& pair) {
                      return pair.right < row && is_new[pair.right];
                    });
      if (is_new[row]) Kind::append(fresh, column, row);
    }
    added.insert(added.end(), is_new.begin(), is_new.end());
    append(std::move(fresh), pool);
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

}  // namespace

std::unique_ptr<IndexState> index_of_vectors(const Options& options) {
  return std::make_unique<ItemIndex<VectorKind>>(options);
}

std::unique_ptr<IndexState> index_of_bits(const Options& options) {
  return std::make_unique<ItemIndex<BitKind>>(options);
}

}  // namespace sosie
