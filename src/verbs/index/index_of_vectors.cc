// An index of vectors.
#include <type_traits>

#include "corpus/items/vector_items.h"
#include "data/kinds.h"
#include "join/vectors/ivf_index.h"
#include "join/vectors/vector_sides.h"
#include "options/vector_settings.h"
#include "read/vector_files.h"
#include "verbs/index/in_memory_index.h"
#include "verify/bring_into_range.h"

namespace sosie {
namespace {

// Operations of an index on vectors.
class VectorKind {
 public:
  using Column = VectorColumn;
  using Settings = VectorSettings;
  using Searched = IvfIndex;

  explicit VectorKind(const Options& options)
      : options_(options_of_index(options)), settings_(resolve_vectors(options_, kQuery)) {
    if (wants_lists(options)) settings_.list_recall = recall_of_lists(options);
  }

  [[nodiscard]] const VectorSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] bool is_similarity() const noexcept { return settings_.measure->is_similarity; }

  [[nodiscard]] RowsRead<VectorColumn> read(const IndexRows& rows, ThreadPool& pool,
                                            const RunHooks& hooks) const {
    VectorItems items;
    if (rows.array) {
      items.column = copy_of(*rows.array);
      check(items.column);
    } else {
      const Options options = options_to_read(options_, rows);
      items = read_vectors({.options = options,
                            .settings = settings_.run,
                            .pool = pool,
                            .hooks = hooks,
                            .without_zeros = settings_.measure->without_zeros()},
                           rows.paths);
      erase_rows(items.column, items.left_out);
      check(items.column);
    }
    return {std::move(items.column), std::move(items.left_out)};
  }

  // Throws Error{malformed_input} for a row for which the measure is undefined; brings all other
  // rows into range.
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
  // Converts a column to the type of another one if that type can represent all of its values.
  static void take_type(VectorColumn& column, const VectorColumn& other) {
    widen_for(column, other);
  }
  // Prepares a column that is looked up in `items`.
  static void take_type_to_ask(VectorColumn& column, const VectorColumn& items) {
    widen_for(column, items);
    if (!have_one_type(column, items)) widen_for(column, {0, 0, std::vector<double>()});
  }

  // Settings of a run for a column; if a column is out of range, every pair is measured.
  [[nodiscard]] VectorSettings settings_for(const VectorColumn& column, ThreadPool& pool) const {
    VectorSettings settings = settings_;
    settle_method(column, squared_lengths(column, pool), settings);
    return settings;
  }
  [[nodiscard]] static std::unique_ptr<IvfIndex> search_in(const VectorColumn& column,
                                                           const VectorSettings& settings,
                                                           ThreadPool& pool) {
    return std::make_unique<IvfIndex>(column, settings, pool);
  }

  [[nodiscard]] static std::optional<double> list_recall(const IvfIndex& lists, std::uint64_t top) {
    const auto probing = lists.probing(top);
    return probing ? std::optional(probing->recall) : std::nullopt;
  }

  // Appends a row with the same length and type; `to` may be empty.
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
    if (array.type == Type::bits) refuse_array(kVectorItems);
    if (array.rows > 0 && array.width == 0) refuse_row(0, "the vector is empty");
    if (array.width > kMaxDimension) {
      refuse_row(0, fmt::format("{} components; the maximum is {}", array.width, kMaxDimension));
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

}  // namespace

std::unique_ptr<IndexState> index_of_vectors(const Options& options) {
  return std::make_unique<InMemoryIndex<VectorKind>>(options);
}

}  // namespace sosie
