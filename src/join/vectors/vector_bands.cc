// Evaluates the functions of a hash family on vectors, as keys of bands and sketches.
#include "join/vectors/vector_bands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "candidates/vector_panels.h"
#include "core/mix64.h"
#include "core/real_functions.h"
#include "corpus/items/vector_items.h"
#include "join/vectors/vector_sides.h"
#include "kernels/products_reaching.h"
#include "kernels/segment_cells.h"
#include "sketch/band_keys.h"
#include "sketch/collision_laws.h"
#include "sketch/cross_polytopes.h"
#include "sketch/fast_rotations.h"
#include "sketch/hyperplanes.h"
#include "sketch/segments.h"

namespace sosie {
namespace {

using kernels::kCellVectors;
using kernels::kPanelVectors;

constexpr std::size_t kBandWordBits = 64;
// Maximum number of components of the vectors whose panels are in memory at a time, and of the
// functions that are evaluated together.
constexpr std::size_t kComponentsAtOnce = std::size_t{1} << 21;
constexpr std::size_t kMostRowsAtOnce = 16384;
constexpr std::size_t kHashedRowsATask = 256;
constexpr std::uint64_t kPolytopeSalt = 0xC7057A0B5E6D21F3ULL;

bool has_polytopes(const HashFamily& family) noexcept {
  return family.form == FunctionForm::polytopes;
}
bool has_rotations(const HashFamily& family) noexcept {
  return family.form == FunctionForm::rotations;
}

// Number of vectors of a dimension that are processed at once.
std::size_t at_once(std::size_t dimension, std::size_t least, std::size_t most) noexcept {
  return std::clamp(kComponentsAtOnce / std::max<std::size_t>(1, dimension), least, most);
}

// Appends the other vectors to the first ones.
VectorColumn joined(VectorColumn some, const VectorColumn& others) {
  std::visit(
      [&](auto& components) {
        const auto& more = std::get<std::decay_t<decltype(components)>>(others.components);
        components.insert(components.end(), more.begin(), more.end());
      },
      some.components);
  some.rows += others.rows;
  return some;
}

// The form in which vectors are passed on as doubles.
struct AsDoubles {
  bool of_length_one = true;  // divided by their lengths
  std::size_t at_once = kCellVectors;
};

// Calls each(vectors as doubles, position of the first in `rows`) for ranges of rows, from all
// workers.
void for_each_as_doubles(
    const std::function<VectorColumn(std::span<const std::uint32_t>)>& take,
    std::span<const std::uint32_t> rows, const AsDoubles& form, ThreadPool& pool,
    const std::function<void(std::span<const double* const>, std::size_t)>& each) {
  pool.for_each((rows.size() + kHashedRowsATask - 1) / kHashedRowsATask, [&](unsigned /*worker*/,
                                                                             std::size_t i) {
    pool.check_cancelled();
    const std::size_t end = std::min(rows.size(), (i + 1) * kHashedRowsATask);
    std::vector<double> vectors;
    for (std::size_t first = i * kHashedRowsATask; first < end; first += form.at_once) {
      const std::size_t count = std::min(form.at_once, end - first);
      const VectorColumn some = take(rows.subspan(first, count));
      vectors.resize(count * some.dimension);
      std::vector<const double*> starts(count);
      for (std::size_t v = 0; v < count; ++v) {
        const double length = form.of_length_one ? std::sqrt(squared_length(some, v)) : 1;
        double* out = &vectors[v * some.dimension];
        std::visit(
            [&](const auto& components) {
              const auto* in = components.data() + v * some.dimension;
              std::transform(in, in + some.dimension, out,
                             [length](auto x) { return static_cast<double>(x) / length; });
            },
            some.components);
        starts[v] = out;
      }
      each(starts, first);
    }
  });
}

}  // namespace

VectorBands::VectorBands(const VectorColumn& column, const VectorHashing& hashing, ThreadPool& pool,
                         SketchedItems* known)
    : column_(column), hashing_(hashing), pool_(pool), known_(known) {
  table_.rows = column.rows;
  table_.sketch_words = static_cast<std::size_t>(hashing.plan.sketch_bits) / kBandWordBits;
  table_.most_different = static_cast<std::uint64_t>(hashing.plan.most_different);
  table_.functions = hashing.plan.cells > 1 ? band_rows() : 0;
}

void VectorBands::hash(const BandRange& bands, std::span<const std::uint32_t> rows, bool sketches) {
  first_band_ = bands.first;
  table_.bands = bands.size();
  table_.keys.resize(table_.functions > 0 ? 0 : table_.rows * table_.bands);
  table_.cells.resize(table_.rows * table_.bands * table_.functions);
  table_.near.resize(table_.cells.size());
  if (sketches) {
    sketches_.resize(table_.rows * table_.sketch_words);
    table_.sketches = sketches_.data();
  }
  std::vector<std::uint32_t> left;
  if (known_ != nullptr) {
    left = known_->load(bands, rows, table_, sketches ? sketches_.data() : nullptr, pool_);
    rows = left;
  }
  if (rows.empty()) return;
  for (const Step& step : steps(bands, sketches)) {
    if (hashing_.family->form == FunctionForm::segments) {
      by_segments(step, rows);
    } else if (has_polytopes(*hashing_.family)) {
      by_hyperplanes({{}, step.first_word, step.last_word}, rows);
      table_.functions > 0 ? by_near_vertices(step.bands, rows) : by_polytopes(step.bands, rows);
    } else if (has_rotations(*hashing_.family)) {
      by_rotations(step, rows);
    } else {
      by_hyperplanes(step, rows);
    }
  }
}

HashedItems VectorBands::take() && {
  return {.identities = {},
          .keys = std::move(table_.keys),
          .cells = std::move(table_.cells),
          .near = std::move(table_.near),
          .sketches = std::move(sketches_)};
}

// A single step, if it needs little memory.
std::vector<VectorBands::Step> VectorBands::steps(const BandRange& bands, bool sketches) const {
  const std::size_t of_function = has_polytopes(*hashing_.family) ? kPolytopeDimension : 1;
  const std::size_t dimension = column_.dimension * of_function;
  const std::size_t functions = at_once(dimension, kBandWordBits, kComponentsAtOnce);
  const std::size_t words = sketches ? table_.sketch_words : 0;
  const bool fit = bands.size() * band_rows() + words * kBandWordBits <= functions;
  if (fit || has_rotations(*hashing_.family)) return {{bands, 0, words}};
  std::vector<Step> steps;
  const std::size_t most = std::max<std::size_t>(1, functions / band_rows());
  for (std::size_t band = bands.first; band < bands.last; band += most) {
    steps.push_back({{band, std::min(bands.last, band + most)}, 0, 0});
  }
  for (std::size_t word = 0; word < words; ++word) steps.push_back({{}, word, word + 1});
  return steps;
}

// Normals of the keys, followed by normals of the sketches.
VectorColumn VectorBands::normals_of(const Step& step) const {
  const auto normals_from = [&](std::size_t first, std::size_t count) {
    const auto normals =
        has_polytopes(*hashing_.family) ? hyperplane_normals : hashing_.family->normals;
    return normals(count, column_.dimension, hashing_.seed, first);
  };
  const std::size_t first_of_sketches =
      has_polytopes(*hashing_.family) ? 0
                                      : static_cast<std::size_t>(hashing_.plan.bands) * band_rows();
  return joined(normals_from(step.bands.first * band_rows(), step.bands.size() * band_rows()),
                normals_from(first_of_sketches + step.first_word * kBandWordBits,
                             (step.last_word - step.first_word) * kBandWordBits));
}

void VectorBands::by_hyperplanes(const Step& step, std::span<const std::uint32_t> rows) {
  const VectorColumn vectors = normals_of(step);
  if (vectors.rows == 0) return;
  constexpr auto kForm = VectorPanels::Form::of_length_one;
  const std::vector<double> normal_squares = squared_lengths(vectors, pool_);
  const VectorPanels normals(all_of(vectors, normal_squares), kForm, 0);
  const std::size_t most = at_once(column_.dimension, 2 * kPanelVectors, kMostRowsAtOnce);
  for (std::size_t begin = 0; begin < rows.size(); begin += most) {
    pool_.check_cancelled();
    const auto own = rows.subspan(begin, std::min(most, rows.size() - begin));
    const VectorColumn some = take_rows(column_, own);
    const std::vector<double> squares = squared_lengths(some, pool_);
    const std::size_t panels = kernels::panels_of(own.size());
    pool_.for_each(panels, [&](unsigned /*worker*/, std::size_t panel) {
      static constexpr std::array<std::int32_t, kPanelVectors> kPositive{};
      const std::size_t first = panel * kPanelVectors;
      const std::size_t end = std::min(own.size(), first + kPanelVectors);
      const VectorPanels vector_panel(all_of(some, squares).part(first, end), kForm, 0);
      std::vector<std::uint32_t> sides(normals.panel_count() * kPanelVectors);
      vector_panel.candidates(0, kPositive, normals, 0, normals.panel_count(), sides);
      std::vector<std::uint64_t> bits(normals.panel_count() / 2 + 1);
      for (std::size_t v = first; v < end; ++v) {
        std::fill(bits.begin(), bits.end(), 0);
        for (std::size_t i = 0; i < normals.panel_count(); ++i) {
          bits[i / 2] |= std::uint64_t{sides[i * kPanelVectors + v % kPanelVectors]} << i % 2 * 32;
        }
        keys_of_bits(bits, band_rows(), keys_of(own[v], step.bands), step.bands.first);
        std::size_t at = step.bands.size() * band_rows();
        for (std::uint64_t& word : words_of(own[v], step)) {
          word = bits_from(bits, at, kBandWordBits);
          at += kBandWordBits;
        }
      }
    });
  }
}

// Computes whole rotations, which include the functions of the step.
void VectorBands::by_rotations(const Step& step, std::span<const std::uint32_t> rows) {
  const std::size_t of_sketches =
      static_cast<std::size_t>(hashing_.plan.bands) * band_rows() + step.first_word * kBandWordBits;
  const std::size_t of_keys = step.bands.first * band_rows();
  const std::size_t words = step.last_word - step.first_word;
  const std::size_t first = step.bands.size() > 0 ? of_keys : of_sketches;
  const std::size_t last =
      words > 0 ? of_sketches + words * kBandWordBits : step.bands.last * band_rows();
  const std::size_t width = rotation_width(column_.dimension);
  const std::size_t begin = first / width;
  const FastRotations rotations(column_.dimension, hashing_.seed, begin,
                                (last + width - 1) / width);
  for_each_as_doubles([&](auto some) { return take_rows(column_, some); }, rows,
                      {.at_once = kernels::kRotatedVectors}, pool_,
                      [&](std::span<const double* const> vectors, std::size_t at) {
                        std::vector<std::uint64_t> sides;
                        rotations.sides(vectors, sides);
                        for (std::size_t v = 0; v < vectors.size(); ++v) {
                          const auto bits =
                              std::span(sides).subspan(v * rotations.words(), rotations.words());
                          keys_of_bits(bits, band_rows(), keys_of(rows[at + v], step.bands),
                                       step.bands.first, of_keys - begin * width);
                          std::size_t bit = of_sketches - begin * width;
                          for (std::uint64_t& word : words_of(rows[at + v], step)) {
                            word = bits_from(bits, bit, kBandWordBits);
                            bit += kBandWordBits;
                          }
                        }
                      });
}

// Uses another stream of random numbers than the sketches.
CrossPolytopes VectorBands::polytopes_of(const BandRange& bands) const {
  return {bands.size() * band_rows(), column_.dimension, mix64(hashing_.seed ^ kPolytopeSalt),
          bands.first * band_rows()};
}

void VectorBands::by_polytopes(const BandRange& bands, std::span<const std::uint32_t> rows) {
  if (bands.size() == 0) return;
  const std::size_t count = bands.size() * band_rows();
  const CrossPolytopes polytopes = polytopes_of(bands);
  for_each_as_doubles([&](auto some) { return take_rows(column_, some); }, rows, {}, pool_,
                      [&](std::span<const double* const> vectors, std::size_t first) {
                        std::vector<double> vertices;
                        polytopes.vertices(vectors, vertices);
                        for (std::size_t v = 0; v < vectors.size(); ++v) {
                          keys_of_cells(std::span(vertices).subspan(v * count, count), band_rows(),
                                        keys_of(rows[first + v], bands), bands.first);
                        }
                      });
}

void VectorBands::by_near_vertices(const BandRange& bands, std::span<const std::uint32_t> rows) {
  if (bands.size() == 0) return;
  const std::size_t count = bands.size() * band_rows();
  const CrossPolytopes polytopes = polytopes_of(bands);
  const double reach = vertex_reach(hashing_.plan.cells);
  for_each_as_doubles([&](auto some) { return take_rows(column_, some); }, rows, {}, pool_,
                      [&](std::span<const double* const> vectors, std::size_t first) {
                        NearVertices vertices;
                        polytopes.near_vertices(vectors, reach, vertices);
                        for (std::size_t v = 0; v < vectors.size(); ++v) {
                          const std::size_t to = cells_from(rows[first + v], bands);
                          std::copy_n(&vertices.nearest[v * count], count, &table_.cells[to]);
                          std::copy_n(&vertices.near[v * count], count, &table_.near[to]);
                        }
                      });
}

void VectorBands::by_segments(const Step& step, std::span<const std::uint32_t> rows) {
  const SegmentLines::Component component = hashing_.family->component;
  const auto bits_before = static_cast<std::size_t>(hashing_.plan.bands) * band_rows();
  const SegmentLines of_keys(
      component, step.bands.size() * band_rows(), column_.dimension,
      {hashing_.plan.segment, hashing_.seed, step.bands.first * band_rows()});
  const SegmentLines of_sketches(
      component, (step.last_word - step.first_word) * kBandWordBits, column_.dimension,
      {hashing_.plan.segment, hashing_.seed, bits_before + step.first_word * kBandWordBits});
  for_each_as_doubles(
      [&](auto some) { return take_rows(column_, some); }, rows, {.of_length_one = false}, pool_,
      [&](std::span<const double* const> vectors, std::size_t first) {
        std::vector<double> cells;
        of_keys.cells(vectors, cells);
        for (std::size_t v = 0; v < vectors.size(); ++v) {
          keys_of_cells(std::span(cells).subspan(v * of_keys.count(), of_keys.count()), band_rows(),
                        keys_of(rows[first + v], step.bands), step.bands.first);
        }
        if (step.first_word == step.last_word) return;
        of_sketches.cells(vectors, cells);
        for (std::size_t v = 0; v < vectors.size(); ++v) {
          sketch_of_cells(std::span(cells).subspan(v * of_sketches.count(), of_sketches.count()),
                          words_of(rows[first + v], step), step.first_word);
        }
      });
}

double rounding_degrees(std::size_t dimension) {
  // Rounding error of up to one half in every component of both vectors, of length 32767
  // (VectorPanels); an arc is at most pi/2 times its chord.
  const double chord = 0.5001 * std::sqrt(static_cast<double>(dimension)) / 32767;
  return 2 * chord * (kPi / 2) * (180 / kPi);
}

}  // namespace sosie
