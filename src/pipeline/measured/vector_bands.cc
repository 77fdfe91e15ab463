#include "pipeline/measured/vector_bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "candidates/vector_panels.h"
#include "core/hash64.h"
#include "core/real_functions.h"
#include "kernels/panel_products.h"
#include "kernels/segment_cells.h"
#include "pipeline/measured/vector_items.h"
#include "pipeline/measured/vector_sides.h"
#include "sketch/cross_polytopes.h"
#include "sketch/function_keys.h"
#include "sketch/hyperplanes.h"
#include "sketch/segments.h"

namespace sosie {
namespace {

using kernels::kCellVectors;
using kernels::kPanelVectors;

constexpr std::size_t kRowsAtOnce = 16384;  // whose panels are there at a time
constexpr std::size_t kRowsATask = 256;
constexpr std::uint64_t kPolytopeSalt = 0xC7057A0B5E6D21F3ULL;

bool has_polytopes(const HashFamily& family) noexcept { return family.name == "cross-polytope"; }

class Hasher {
 public:
  Hasher(const VectorHashing& hashing, std::size_t rows, ThreadPool& pool)
      : hashing_(hashing),
        pool_(pool),
        bits_of_keys_(has_polytopes(*hashing.family)
                          ? 0
                          : static_cast<std::size_t>(hashing.plan.bands * hashing.plan.rows)) {
    const LshPlan& plan = hashing.plan;
    BandedRows& table = out_.table;
    table.rows = rows;
    table.bands = static_cast<std::size_t>(plan.bands);
    table.keys.resize(rows * table.bands);
    table.sketch_words = static_cast<std::size_t>(plan.sketch_bits) / 64;
    out_.sketches.resize(rows * table.sketch_words);
    table.sketches = out_.sketches.data();
    table.most_different = static_cast<std::uint64_t>(plan.most_different);
  }

  // Rows of a column become those of the table from first_row on.
  void add_by_hyperplanes(const VectorColumn& column, const VectorPanels& normals,
                          std::size_t first_row) {
    std::vector<std::uint32_t> rows;
    for (std::size_t begin = 0; begin < column.rows; begin += kRowsAtOnce) {
      pool_.check_cancelled();
      rows.resize(std::min(kRowsAtOnce, column.rows - begin));
      std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
      const VectorColumn some = take_rows(column, rows);
      const VectorPanels panels(some, VectorPanels::Form::of_length_one,
                                squared_lengths(some, pool_), 0, pool_);
      pool_.for_each(panels.panel_count(), [&](unsigned /*worker*/, std::size_t panel) {
        add_panel(panels, panel, normals, first_row + begin);
      });
    }
  }

  void add_by_polytopes(const VectorColumn& column, const CrossPolytopes& polytopes,
                        std::size_t first_row) {
    pool_.for_each((column.rows + kRowsATask - 1) / kRowsATask,
                   [&](unsigned /*worker*/, std::size_t i) {
                     pool_.check_cancelled();
                     add_vertices(column, i * kRowsATask, polytopes, first_row);
                   });
  }

  void add_by_segments(const VectorColumn& column, const SegmentLines& lines,
                       std::size_t first_row) {
    pool_.for_each((column.rows + kRowsATask - 1) / kRowsATask,
                   [&](unsigned /*worker*/, std::size_t i) {
                     pool_.check_cancelled();
                     add_cells(column, i * kRowsATask, lines, first_row);
                   });
  }

  [[nodiscard]] VectorBands take() { return std::move(out_); }

 private:
  [[nodiscard]] std::span<std::uint32_t> keys_of(std::size_t row) {
    return std::span(out_.table.keys).subspan(row * out_.table.bands, out_.table.bands);
  }
  [[nodiscard]] std::span<std::uint64_t> sketch_of(std::size_t row) {
    const std::size_t words = out_.table.sketch_words;
    return std::span(out_.sketches).subspan(row * words, words);
  }

  void add_panel(const VectorPanels& panels, std::size_t panel, const VectorPanels& normals,
                 std::size_t first_row) {
    static constexpr std::array<std::int32_t, kPanelVectors> kPositive{};
    std::vector<std::uint32_t> sides(normals.panel_count() * kPanelVectors);
    panels.candidates(panel, kPositive, normals, 0, normals.panel_count(), sides);
    const auto rows = static_cast<std::size_t>(hashing_.plan.rows);
    std::vector<std::uint64_t> bits(normals.panel_count() / 2 + 1);
    const std::size_t end = std::min(panels.rows(), (panel + 1) * kPanelVectors);
    for (std::size_t row = panel * kPanelVectors; row < end; ++row) {
      std::fill(bits.begin(), bits.end(), 0);
      for (std::size_t i = 0; i < normals.panel_count(); ++i) {
        bits[i / 2] |= std::uint64_t{sides[i * kPanelVectors + row % kPanelVectors]} << i % 2 * 32;
      }
      if (bits_of_keys_ > 0) keys_of_bits(bits, rows, keys_of(first_row + row));
      std::size_t at = bits_of_keys_;
      for (std::uint64_t& word : sketch_of(first_row + row)) {
        word = bits_from(bits, at, 64);
        at += 64;
      }
    }
  }

  void add_cells(const VectorColumn& column, std::size_t begin, const SegmentLines& lines,
                 std::size_t first_row) {
    const std::size_t end = std::min(column.rows, begin + kRowsATask);
    const auto rows = static_cast<std::size_t>(hashing_.plan.rows);
    std::vector<double> vectors(kCellVectors * column.dimension);
    std::array<const double*, kCellVectors> starts{};
    for (std::size_t v = 0; v < kCellVectors; ++v) starts[v] = &vectors[v * column.dimension];
    std::vector<double> cells;
    for (std::size_t row = begin; row < end; row += kCellVectors) {
      const std::size_t count = std::min(kCellVectors, end - row);
      std::visit(
          [&](const auto& components) {
            const auto* first = components.data() + row * column.dimension;
            std::copy(first, first + count * column.dimension, vectors.begin());
          },
          column.components);
      lines.cells(std::span(starts).first(count), cells);
      for (std::size_t v = 0; v < count; ++v) {
        const auto own = std::span(cells).subspan(v * lines.count(), lines.count());
        keys_of_cells(own, rows, keys_of(first_row + row + v));
        sketch_of_cells(own.subspan(rows * out_.table.bands), sketch_of(first_row + row + v));
      }
    }
  }

  void add_vertices(const VectorColumn& column, std::size_t begin, const CrossPolytopes& polytopes,
                    std::size_t first_row) {
    const std::size_t end = std::min(column.rows, begin + kRowsATask);
    const auto rows = static_cast<std::size_t>(hashing_.plan.rows);
    const std::size_t count = rows * out_.table.bands;
    std::vector<double> unit(column.dimension);
    std::vector<double> vertices;
    for (std::size_t row = begin; row < end; ++row) {
      const double length = std::sqrt(squared_length(column, row));
      std::visit(
          [&](const auto& components) {
            const auto* first = components.data() + row * column.dimension;
            std::transform(first, first + column.dimension, unit.begin(),
                           [length](auto x) { return static_cast<double>(x) / length; });
          },
          column.components);
      const double* start = unit.data();
      polytopes.vertices({&start, 1}, vertices);
      keys_of_cells(std::span(vertices).first(count), rows, keys_of(first_row + row));
    }
  }

  const VectorHashing& hashing_;
  ThreadPool& pool_;
  std::size_t bits_of_keys_;  // hyperplanes of keys, in front of those of sketches
  VectorBands out_;
};

VectorPanels panels_of_normals(std::size_t dimension, const VectorHashing& hashing,
                               ThreadPool& pool) {
  const LshPlan& plan = hashing.plan;
  const bool of_sketches = has_polytopes(*hashing.family);
  const auto count = static_cast<std::size_t>(of_sketches ? plan.sketch_bits : plan.functions());
  const auto normals = hashing.family->name == "hyperplane-signs"
                           ? sign_normals(count, dimension, hashing.seed)
                           : hyperplane_normals(count, dimension, hashing.seed);
  return {normals, VectorPanels::Form::of_length_one, squared_lengths(normals, pool), 0, pool};
}

}  // namespace

VectorBands hash_vectors(const VectorColumn& left, const VectorColumn* right,
                         const VectorHashing& hashing, ThreadPool& pool) {
  Hasher hasher(hashing, left.rows + (right == nullptr ? 0 : right->rows), pool);
  if (hashing.family->distance == "angle") {
    const VectorPanels normals = panels_of_normals(left.dimension, hashing, pool);
    hasher.add_by_hyperplanes(left, normals, 0);
    if (right != nullptr) hasher.add_by_hyperplanes(*right, normals, left.rows);
    if (!has_polytopes(*hashing.family)) return hasher.take();
    // Another stream of random numbers than that of the sketches.
    const CrossPolytopes polytopes(
        static_cast<std::size_t>(hashing.plan.bands) * static_cast<std::size_t>(hashing.plan.rows),
        left.dimension, mix64(hashing.seed ^ kPolytopeSalt));
    hasher.add_by_polytopes(left, polytopes, 0);
    if (right != nullptr) hasher.add_by_polytopes(*right, polytopes, left.rows);
    return hasher.take();
  }
  const auto form = hashing.family->name == "cauchy-segments" ? SegmentLines::Form::cauchy
                                                              : SegmentLines::Form::gaussian;
  const SegmentLines lines(form, static_cast<std::size_t>(hashing.plan.functions()), left.dimension,
                           hashing.plan.segment, hashing.seed);
  hasher.add_by_segments(left, lines, 0);
  if (right != nullptr) hasher.add_by_segments(*right, lines, left.rows);
  return hasher.take();
}

double rounding_degrees(std::size_t dimension) {
  // Half of one in every component of vectors of length 32767 (VectorPanels), of both vectors; an
  // arc is at most pi/2 times its chord.
  const double chord = 0.5001 * std::sqrt(static_cast<double>(dimension)) / 32767;
  return 2 * chord * (kPi / 2) * (180 / kPi);
}

}  // namespace sosie
