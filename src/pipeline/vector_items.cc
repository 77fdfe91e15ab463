#include "pipeline/vector_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "pipeline/open_files.h"
#include "read/input_list.h"
#include "read/number_list.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Types of components, each holding all that those before it (but for the second's the first's) do.
enum class Width : std::uint8_t { int8, uint8, float32, float64 };

Width width_of(const VectorColumn& column) { return static_cast<Width>(column.components.index()); }

Width common_width(const VectorColumn& a, const VectorColumn& b) {
  if (width_of(a) == width_of(b)) return width_of(a);
  return std::max({Width::float32, width_of(a), width_of(b)});
}

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

VectorColumn::Components empty_like(const VectorColumn& column) {
  return std::visit(
      [](const auto& some) -> VectorColumn::Components { return std::decay_t<decltype(some)>{}; },
      column.components);
}

// Puts the rows of `more` behind those of `column`; `more` is of the same dimension.
void append(VectorColumn& column, VectorColumn more) {
  if (column.rows == 0) {
    column = std::move(more);
    return;
  }
  if (more.rows == 0) return;
  const Width width = common_width(column, more);
  widen(column, width);
  widen(more, width);
  std::visit(
      [&](auto& components) {
        const auto& others = std::get<std::decay_t<decltype(components)>>(more.components);
        components.insert(components.end(), others.begin(), others.end());
      },
      column.components);
  column.rows += more.rows;
}

void require_row_numbers(std::uint64_t rows) {
  if (rows < std::numeric_limits<std::uint32_t>::max()) return;
  throw Error(ErrorKind::limit_exceeded, "more than 2^32 vectors");
}

VectorItems read_files(const InputList& list, const Options& options, const Settings& settings,
                       ThreadPool& pool, const RunHooks& hooks) {
  if (!options.id.empty() && options.id != "row") {
    throw Error(ErrorKind::invalid_option,
                fmt::format("--id {}: a file of vectors has no ids", options.id),
                "say --id row, or give JSONL or CSV");
  }
  VectorItems items;
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  const std::vector<File> files = open_files(list.files, scratch, pool, hooks);
  for (std::size_t i = 0; i < list.files.size(); ++i) {
    pool.check_cancelled();
    VectorColumn column = list.files[i].format->read_vectors(files[i]);
    if (items.column.rows > 0 && column.rows > 0 && column.dimension != items.column.dimension) {
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}: has vectors of {} components, {} of {}", list.files[i].name,
                              column.dimension, list.files[0].name, items.column.dimension));
    }
    items.bytes += files[i].size();
    append(items.column, std::move(column));
    require_row_numbers(items.column.rows);
  }
  return items;
}

VectorItems read_rows(const Options& options, const std::vector<std::string>& inputs,
                      const Settings& settings, ThreadPool& pool, const RunHooks& hooks) {
  VectorItems items;
  VectorColumn& column = items.column;
  std::vector<double> components;
  ItemRowSteps steps;
  steps.add = [&](std::string_view text, std::string_view what) {
    if (!append_numbers(text, components)) {
      throw RowError(fmt::format("{} is not a list of finite numbers", what));
    }
  };
  steps.end_row = [&] {
    const std::size_t found = components.size() - column.rows * column.dimension;
    if (found == 0) throw RowError("the vector is empty");
    if (found > kMaxDimension) {
      throw RowError(fmt::format("{} components, at most {} are read", found, kMaxDimension));
    }
    if (column.rows == 0) column.dimension = found;
    if (found != column.dimension) {
      throw RowError(fmt::format("{} components, the first row has {}", found, column.dimension));
    }
    ++column.rows;
  };
  ItemRows rows = read_item_rows(options, inputs, settings, pool, hooks, steps);
  column.components = std::move(components);
  items.ids = std::move(rows.ids);
  items.bytes = rows.bytes;
  return items;
}

}  // namespace

VectorItems read_vectors(const Options& options, const std::vector<std::string>& inputs,
                         const Settings& settings, ThreadPool& pool, const RunHooks& hooks) {
  const InputList list = list_inputs(inputs, options.format);
  const auto is_binary = [](const InputFile& file) { return file.format->read_vectors != nullptr; };
  const auto binary = std::count_if(list.files.begin(), list.files.end(), is_binary);
  if (binary > 0 && static_cast<std::size_t>(binary) < list.files.size()) {
    throw Error(ErrorKind::unsupported, "files of vectors and files of rows in one collection");
  }
  VectorItems items;
  if (binary > 0) {
    items = read_files(list, options, settings, pool, hooks);
  } else {
    items = read_rows(options, inputs, settings, pool, hooks);
  }
  for (const InputFile& file : list.files) items.paths.push_back(file.path);
  return items;
}

void give_one_type(VectorItems& left, VectorItems& right) {
  if (left.column.rows > 0 && right.column.rows > 0 &&
      left.column.dimension != right.column.dimension) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: has vectors of {} components, {} of {}", left.paths.front(),
                            left.column.dimension, right.paths.front(), right.column.dimension));
  }
  if (left.column.rows == 0) left.column.components = empty_like(right.column);
  if (right.column.rows == 0) right.column.components = empty_like(left.column);
  const Width width = common_width(left.column, right.column);
  widen(left.column, width);
  widen(right.column, width);
}

}  // namespace sosie
