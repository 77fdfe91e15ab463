// Reads vectors from vector files and from text rows that hold lists of numbers.
#include "corpus/items/vector_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <type_traits>

#include "core/count_text.h"
#include "core/size_text.h"
#include "corpus/bad_row.h"
#include "corpus/open_files.h"
#include "read/vector_files.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Component types; each can represent all values of the previous ones, except that uint8 cannot
// represent int8.
enum class Width : std::uint8_t { int8, uint8, float32, float64 };

Width width_of(const VectorColumn& column) { return static_cast<Width>(column.components.index()); }

Width common_width(Width a, Width b) { return a == b ? a : std::max({Width::float32, a, b}); }

template <typename T>
std::vector<T> converted(const VectorColumn& column) {
  return std::visit(
      [](const auto& components) {
        std::vector<T> out;
        out.reserve(components.size());
        for (const auto component : components) out.push_back(static_cast<T>(component));
        return out;
      },
      column.components);
}

void widen(VectorColumn& column, Width width) {
  if (width_of(column) == width) return;
  if (width == Width::float32) column.components = converted<float>(column);
  if (width == Width::float64) column.components = converted<double>(column);
}

[[noreturn]] void refuse_memory(std::uint64_t bytes, std::uint64_t memory_bytes) {
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("the vectors need {} of memory; --memory is {}", bytes_text(bytes),
                          limit_text(memory_bytes)),
              "raise --memory above " + round_size_text(bytes));
}

VectorColumn::Components empty_like(const VectorColumn& column) {
  return std::visit(
      [](const auto& some) -> VectorColumn::Components { return std::decay_t<decltype(some)>{}; },
      column.components);
}

// Joins the rows of all parts, in the memory of the first part if they fit. Each part is freed once
// it has been copied, so memory peaks at the size of all parts plus one.
VectorColumn concatenated(std::vector<VectorColumn> parts) {
  const auto has_rows = [](const VectorColumn& part) { return part.rows > 0; };
  if (std::none_of(parts.begin(), parts.end(), has_rows)) {
    return parts.empty() ? VectorColumn{} : std::move(parts.back());
  }
  std::erase_if(parts, [&](const VectorColumn& part) { return !has_rows(part); });
  if (parts.size() == 1) return std::move(parts.front());
  Width width = width_of(parts.front());
  std::size_t rows = 0;
  for (const VectorColumn& part : parts) {
    width = common_width(width, width_of(part));
    rows += part.rows;
  }
  VectorColumn all = std::move(parts.front());
  widen(all, width);
  all.rows = rows;
  std::visit(
      [&](auto& components) {
        components.reserve(all.rows * all.dimension);
        for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
          widen(*part, width);
          const auto& own = std::get<std::decay_t<decltype(components)>>(part->components);
          components.insert(components.end(), own.begin(), own.end());
          *part = {};
        }
      },
      all.components);
  return all;
}

// Checks the memory before reading. Some number types are stored in twice the bytes of the file,
// and a method may need more; this is reported once it is known.
void require_memory(const Inputs& inputs, std::uint64_t memory_bytes) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    if (inputs.list[i].format->read_vectors != nullptr) bytes += inputs.files[i].size();
  }
  if (bytes > memory_bytes) refuse_memory(bytes, memory_bytes);
}

// A row of a vector file that is left out of the comparison.
struct BadVector {
  std::uint64_t row = 0;
  std::string reason;
  bool is_zero = false;
};

std::optional<std::uint64_t> first_zero(const VectorColumn& column, std::uint64_t first_row) {
  return std::visit(
      [&](const auto& components) -> std::optional<std::uint64_t> {
        const auto* row = components.data() + first_row * column.dimension;
        for (std::uint64_t i = first_row; i < column.rows; ++i, row += column.dimension) {
          if (std::all_of(row, row + column.dimension, [](auto x) { return x == 0; })) return i;
        }
        return std::nullopt;
      },
      column.components);
}

// The bad rows of a file, in order: rows with non-finite values and, if the measure is undefined
// for them, vectors of zeros.
class BadVectors {
 public:
  BadVectors(const VectorColumn& column, std::string_view without_zeros)
      : column_(column), without_zeros_(without_zeros), not_finite_(not_finite(column, 0)) {
    find_zero(0);
  }

  std::optional<BadVector> next() {
    if (zero_ && (!not_finite_ || *zero_ < not_finite_->row)) {
      const std::uint64_t row = *zero_;
      find_zero(row + 1);
      return BadVector{row, has_no(without_zeros_), true};
    }
    if (!not_finite_) return std::nullopt;
    const NotFinite bad = *not_finite_;
    not_finite_ = not_finite(column_, bad.row + 1);
    return BadVector{bad.row, fmt::format("component {}: {}", bad.component,
                                          bad.is_nan ? "is not a number" : "is infinite")};
  }

 private:
  void find_zero(std::uint64_t first_row) {
    if (!without_zeros_.empty()) zero_ = first_zero(column_, first_row);
  }

  const VectorColumn& column_;
  std::string_view without_zeros_;
  std::optional<NotFinite> not_finite_;
  std::optional<std::uint64_t> zero_;
};

void check_bad(const Inputs& inputs, const Settings& settings, const BadVector& bad,
               std::uint32_t file) {
  if (settings.bad_rows != BadRows::stop) return;
  throw Error(ErrorKind::malformed_input, BadPlace{inputs.list[file].name},
              bad.is_zero ? fmt::format("vector {}{}", bad.row,
                                        bad.reason.substr(std::string_view("the vector").size()))
                          : fmt::format("row {}, {}", bad.row, bad.reason),
              hint_for_item(bad.reason));
}

void clear_row(VectorColumn& column, std::uint64_t row) {
  std::visit(
      [&](auto& components) {
        const auto begin = components.begin() + static_cast<std::ptrdiff_t>(row * column.dimension);
        std::fill_n(begin, column.dimension, 0);
      },
      column.components);
}

constexpr std::size_t kPartComponents = std::size_t{1} << 23;  // components of a part of text rows:
                                                               // 64 MiB

// Collects vectors as they arrive; vectors from text rows in parts so large that the heap returns
// their memory when they are freed.
class VectorCollector {
 public:
  VectorCollector(const ItemReading& reading, VectorItems& items)
      : settings_(reading.settings),
        without_zeros_(reading.without_zeros),
        items_(items),
        column_(items.column) {}

  [[nodiscard]] ItemRowSteps steps() {
    return {[this](std::string_view text, std::string_view what) {
              append_components(text, what, components_);
            },
            [this] { return end_row(); }, [this] { leave_out(); },
            [this](const Inputs& inputs, std::uint32_t file, PlaceWriter& places) {
              add_file(inputs, file, places);
            }};
  }

  void finish() {
    if (column_.dimension == 0 && column_.rows > 0) take_dimension(1);
    if (parts_.empty() && row_begin_ == 0 && first_empty_) parts_.push_back(*first_empty_);
    if (parts_.empty() || row_begin_ > 0) end_part();
    column_ = concatenated(std::move(parts_));
  }

 private:
  bool end_row() {
    const std::size_t found = components_.size() - row_begin_;
    if (found == 0) {
      leave_out();
      return false;
    }
    check_dimension(found, column_.dimension == 0 ? found : column_.dimension, "the first row has");
    const auto row = components_.begin() + static_cast<std::ptrdiff_t>(row_begin_);
    if (!without_zeros_.empty() &&
        std::all_of(row, components_.end(), [](double x) { return x == 0; })) {
      throw RowError(has_no(without_zeros_));
    }
    if (column_.dimension == 0) take_dimension(found);
    next_row();
    return true;
  }

  // Adopts the dimension of the first good row, also for the rows left out before it.
  void take_dimension(std::size_t dimension) {
    column_.dimension = dimension;
    components_.insert(components_.begin(), column_.rows * dimension, 0.0);
    row_begin_ = column_.rows * dimension;
  }

  void leave_out() {
    components_.resize(row_begin_ + column_.dimension);
    std::fill(components_.begin() + static_cast<std::ptrdiff_t>(row_begin_), components_.end(), 0);
    items_.left_out.push_back(static_cast<RowId>(column_.rows));
    next_row();
  }

  void next_row() {
    ++column_.rows;
    row_begin_ = components_.size();
    if (row_begin_ < kPartComponents) return;
    kept_ += row_begin_ * sizeof components_[0];
    if (kept_ > settings_.memory_bytes) refuse_memory(kept_, settings_.memory_bytes);
    end_part();
    components_.reserve(kPartComponents + kMaxDimension);
  }

  void end_part() {
    parts_.push_back({column_.dimension == 0 ? 0 : row_begin_ / column_.dimension,
                      column_.dimension, std::move(components_)});
    components_ = {};
    row_begin_ = 0;
  }

  // Adds a vector file. The first file reserves memory for the remaining files, so that no
  // components are moved.
  void add_file(const Inputs& inputs, std::uint32_t file, PlaceWriter& places) {
    if (parts_.empty()) require_memory(inputs, settings_.memory_bytes);
    std::size_t spare = 0;
    for (std::size_t i = file + 1; parts_.empty() && i < inputs.list.size(); ++i) {
      if (inputs.list[i].format->read_vectors != nullptr) spare += inputs.files[i].size();
    }
    VectorColumn column = inputs.list[file].format->read_vectors(inputs.files[file], spare);
    if (column.rows == 0) {
      if (parts_.empty() && row_begin_ == 0) first_empty_ = std::move(column);
      return;
    }
    if (column_.dimension != 0 && column.dimension != column_.dimension) {
      throw Error(ErrorKind::malformed_input, BadPlace{inputs.list[file].name},
                  fmt::format("has vectors of {} components, but {} has vectors of {}",
                              column.dimension, inputs.list[0].name, column_.dimension));
    }
    if (column_.dimension == 0) take_dimension(column.dimension);
    if (row_begin_ > 0) end_part();
    add_places(inputs, file, places, column);
    column_.rows += column.rows;
    parts_.push_back(std::move(column));
  }

  // Records the places of the rows of a file. The components of bad rows become 0.
  void add_places(const Inputs& inputs, std::uint32_t file, PlaceWriter& places,
                  VectorColumn& column) {
    const VectorRows lie = inputs.list[file].format->vector_rows(inputs.files[file]);
    BadVectors all_bad(column, without_zeros_);
    auto bad = all_bad.next();
    for (std::uint64_t row = 0; row < column.rows; ++row) {
      const RowLocator place{lie.begin + row * lie.row_bytes,
                             static_cast<std::uint32_t>(lie.row_bytes), file};
      if (!bad || bad->row != row) {
        places.add(place);
        continue;
      }
      check_bad(inputs, settings_, *bad, file);
      items_.left_out.push_back(static_cast<RowId>(column_.rows + row));
      places.add_bad({place, place.offset, bad->reason}, settings_.bad_rows == BadRows::skip);
      bad = all_bad.next();
      clear_row(column, row);
    }
  }

  const Settings& settings_;
  std::string_view without_zeros_;
  VectorItems& items_;
  VectorColumn& column_;  // rows so far, and their dimension
  std::vector<VectorColumn> parts_;
  std::vector<double> components_;
  std::size_t row_begin_ = 0;
  std::uint64_t kept_ = 0;
  std::optional<VectorColumn> first_empty_;  // its type counts where there are no rows at all
};

}  // namespace

VectorItems read_vectors(const ItemReading& reading, const std::vector<std::string>& inputs) {
  VectorItems items;
  VectorCollector collector(reading, items);
  collect_items(reading, inputs, collector, items);
  return items;
}

void append_components(std::string_view text, std::string_view what, std::vector<double>& out) {
  if (append_numbers(text, out)) return;
  if (mixes_separators(text)) {
    throw RowError(fmt::format("{} mixes separators; write decimal commas as points", what));
  }
  throw RowError(fmt::format("{} is not a list of finite numbers", what));
}

void check_dimension(std::size_t found, std::size_t dimension, std::string_view those) {
  if (found == 0) throw RowError("the vector is empty");
  if (found > kMaxDimension) {
    throw RowError(fmt::format("{} components; the maximum is {}", found, kMaxDimension));
  }
  if (found == dimension) return;
  throw RowError(fmt::format("{} components, {} {}", found, those, dimension));
}

void give_one_type(VectorItems& left, VectorItems& right) {
  if (left.column.rows > 0 && right.column.rows > 0 &&
      left.column.dimension != right.column.dimension) {
    throw Error(ErrorKind::malformed_input, BadPlace{left.paths.front()},
                fmt::format("has vectors of {} components, but {} has vectors of {}",
                            left.column.dimension, right.paths.front(), right.column.dimension));
  }
  if (left.column.rows == 0) left.column.components = empty_like(right.column);
  if (right.column.rows == 0) right.column.components = empty_like(left.column);
  const Width width = common_width(width_of(left.column), width_of(right.column));
  widen(left.column, width);
  widen(right.column, width);
}

void widen_for(VectorColumn& column, const VectorColumn& other) {
  widen(column, common_width(width_of(column), width_of(other)));
}

std::string component_name(const VectorColumn& column) {
  constexpr std::array<std::string_view, 4> kNames = {"int8", "uint8", "float32", "float64"};
  return std::string(kNames[column.components.index()]);
}

VectorColumn take_rows(const VectorColumn& column, std::span<const std::uint32_t> rows) {
  return std::visit(
      [&](const auto& components) -> VectorColumn {
        std::decay_t<decltype(components)> some;
        some.reserve(rows.size() * column.dimension);
        for (const std::uint32_t row : rows) {
          const auto* begin = components.data() + row * column.dimension;
          some.insert(some.end(), begin, begin + column.dimension);
        }
        return {rows.size(), column.dimension, std::move(some)};
      },
      column.components);
}

void erase_rows(VectorColumn& column, std::span<const RowId> rows) {
  std::visit([&](auto& all) { erase_rows(all, column.dimension, rows); }, column.components);
  column.rows -= rows.size();
}

std::uint64_t memory_bytes(const VectorColumn& column) {
  return std::visit([](const auto& some) { return some.size() * sizeof some[0]; },
                    column.components);
}

std::string_view bytes_of_row(const VectorColumn& column, std::size_t row) {
  return std::visit(
      [&](const auto& components) -> std::string_view {
        const auto* begin = components.data() + row * column.dimension;
        return {reinterpret_cast<const char*>(begin), column.dimension * sizeof *begin};
      },
      column.components);
}

}  // namespace sosie
