// Searches vectors by panels, within a bound or for the nearest.
#include "join/searched_vectors.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

#include "join/nearest_filter.h"
#include "join/nearest_rows.h"
#include "kernels/panel_products.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;
using kernels::panels_of;

constexpr std::size_t kStretchBytes = std::size_t{1} << 18;  // stays in the second cache
constexpr std::size_t kFirstPanels = 64;
constexpr std::size_t kParts = 8;  // that threads share; what is measured depends on it
constexpr std::size_t kBruteStretch = 64;

void copy_as_doubles(const VectorColumn& column, std::size_t row, VectorColumn& out) {
  auto& doubles = std::get<std::vector<double>>(out.components);
  std::visit(
      [&](const auto& components) {
        const auto* begin = components.data() + row * column.dimension;
        std::copy_n(begin, column.dimension, doubles.begin());
      },
      column.components);
}

}  // namespace

struct SearchedVectors::Asked {
  const VectorColumn& column;
  std::vector<double> squares;
  bool has_own_type;  // the vectors are another
  std::optional<BytePanels> bytes;
  std::vector<std::int32_t> limits;  // whole panels
};

// State of a search for a panel of rows.
struct SearchedVectors::Panel {
  std::size_t number;
  std::vector<NearestRows> nearest;  // by row
  std::vector<std::int32_t> limits;
  VectorColumn vector;  // one vector at a time, as doubles
  std::uint64_t measured = 0;
};

SearchedVectors::SearchedVectors(const VectorColumn& data, const VectorSettings& settings,
                                 ThreadPool& pool)
    : data_(data),
      settings_(settings),
      squares_(squared_lengths(data, pool)),
      sides_(all_of(data, squares_), std::nullopt, *settings.measure),
      panel_count_(panels_of(data.rows)) {
  std::size_t stretch = kBruteStretch;
  if (!settings.brute && data.rows > 0) {
    scale_ = sides_.byte_scale();
    bytes_.emplace(sides_.left(), scale_, &pool);
    const double far = settings.nearest ? usual_distance(sides_)
                                        : sides_.byte_distance(settings.bound.bound.value());
    limits_ = bytes_->limits_of_nearest(far);
    stretch = std::max<std::size_t>(1, kStretchBytes / BytePanels::panel_bytes(data.dimension));
  }
  const std::size_t firsts = std::min(kFirstPanels, panel_count_);
  parts_.resize(std::min(kParts, firsts));
  for (std::size_t i = 0; i < firsts; ++i) {
    const std::size_t first = panel_count_ * i / firsts;
    const std::size_t end = panel_count_ * (i + 1) / firsts;
    firsts_.push_back({first, first + 1});
    for (std::size_t begin = first + 1; begin < end; begin += stretch) {
      parts_[i * parts_.size() / firsts].push_back({begin, std::min(end, begin + stretch)});
    }
  }
}

std::uint64_t SearchedVectors::find(const VectorColumn& asked, std::uint64_t most, ThreadPool& pool,
                                    std::vector<std::vector<ScoredPair>>& found) const {
  if (most == 0) most = std::numeric_limits<std::uint64_t>::max();
  found.assign(asked.rows, {});
  if (asked.rows == 0 || data_.rows == 0) return 0;
  Asked rows{.column = asked,
             .squares = squared_lengths(asked, pool),
             .has_own_type = asked.components.index() != data_.components.index(),
             .bytes = {},
             .limits = {}};
  rows.limits.assign(panels_of(asked.rows) * kPanelVectors, BytePanels::kEveryPair);
  if (bytes_) {
    rows.bytes.emplace(all_of(asked, rows.squares), scale_, &pool);
    if (!settings_.nearest) {
      for (std::size_t row = 0; row < asked.rows; ++row) {
        rows.limits[row] = limit(rows, row, settings_.bound.bound.value());
      }
    }
  }
  const bool is_similarity = settings_.measure->is_similarity;
  std::vector<Panel> firsts(panels_of(asked.rows));
  const auto begin = [&](std::size_t number, const std::vector<std::int32_t>& limits) {
    const std::size_t count = std::min(kPanelVectors, asked.rows - number * kPanelVectors);
    return Panel{number,
                 {count, NearestRows(most, is_similarity)},
                 limits,
                 {1, data_.dimension, std::vector<double>(data_.dimension)}};
  };
  pool.for_each(firsts.size(), [&](unsigned /*worker*/, std::size_t i) {
    pool.check_cancelled();
    const auto* limits = rows.limits.data() + i * kPanelVectors;
    firsts[i] = begin(i, {limits, limits + kPanelVectors});
    search(rows, firsts_, firsts[i]);
  });
  std::vector<Panel> others(firsts.size() * parts_.size());
  pool.for_each(others.size(), [&](unsigned /*worker*/, std::size_t i) {
    pool.check_cancelled();
    const Panel& first = firsts[i / parts_.size()];
    others[i] = begin(first.number, first.limits);
    search(rows, parts_[i % parts_.size()], others[i]);
  });
  std::uint64_t measured = 0;
  const auto take = [&](const Panel& panel) {
    measured += panel.measured;
    for (std::size_t x = 0; x < panel.nearest.size(); ++x) {
      const auto& pairs = panel.nearest[x].pairs();
      auto& all = found[panel.number * kPanelVectors + x];
      all.insert(all.end(), pairs.begin(), pairs.end());
    }
  };
  for (const Panel& panel : firsts) take(panel);
  for (const Panel& panel : others) take(panel);
  pool.for_each(found.size(), [&](unsigned /*worker*/, std::size_t i) {
    std::sort(found[i].begin(), found[i].end(), [&](const ScoredPair& a, const ScoredPair& b) {
      return IsNearer{is_similarity}(a, b);
    });
    if (found[i].size() > most) found[i].resize(most);
  });
  return measured;
}

std::int32_t SearchedVectors::limit(const Asked& asked, std::size_t row, double bound) const {
  return asked.bytes->nearer_than(sides_.byte_distance(bound), row, limits_);
}

void SearchedVectors::search(const Asked& asked, std::span<const PanelStretch> stretches,
                             Panel& panel) const {
  std::vector<std::uint32_t> hits;
  for (const PanelStretch& rights : stretches) {
    hits.assign((rights.end - rights.begin) * kPanelVectors, ~std::uint32_t{0});
    if (bytes_) {
      asked.bytes->candidates(panel.number, panel.limits, {*bytes_, rights, limits_.limits}, hits);
    }
    measure(asked, rights, hits, panel);
  }
}

// Measures the candidates in a stretch, row by row: what is found raises the row's limit for the
// next stretch.
void SearchedVectors::measure(const Asked& asked, const PanelStretch& rights,
                              std::span<const std::uint32_t> hits, Panel& panel) const {
  const VectorMeasure& measure = *settings_.measure;
  for (std::size_t x = 0; x < panel.nearest.size(); ++x) {
    const std::size_t row = panel.number * kPanelVectors + x;
    NearestRows& nearest = panel.nearest[x];
    bool is_nearer = false;
    for (std::size_t at = rights.begin; at < rights.end; ++at) {
      for (std::uint32_t bits = hits[(at - rights.begin) * kPanelVectors + x]; bits != 0;
           bits &= bits - 1) {
        const std::size_t right =
            at * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
        if (right >= data_.rows) break;
        ++panel.measured;
        const VectorSums between = sums(asked, row, right, panel);
        if (!settings_.nearest &&
            !measure.reaches(between, settings_.bound.bound, has_integer_sums(asked.column))) {
          continue;
        }
        is_nearer |= nearest.add({static_cast<std::uint32_t>(row),
                                  static_cast<std::uint32_t>(right), measure.value(between)});
      }
    }
    if (!bytes_ || !is_nearer || !nearest.is_full()) continue;
    panel.limits[x] = std::max(panel.limits[x], limit(asked, row, nearest.farthest()));
  }
}

VectorSums SearchedVectors::sums(const Asked& asked, std::size_t row, std::size_t right,
                                 Panel& panel) const {
  if (asked.has_own_type) copy_as_doubles(data_, right, panel.vector);
  const VectorColumn& vectors = asked.has_own_type ? panel.vector : data_;
  const std::size_t place = asked.has_own_type ? 0 : right;
  VectorSums sums = sums_between(*settings_.measure, asked.column, row, vectors, place);
  sums.left_square = asked.squares[row];
  sums.right_square = squares_[right];
  return sums;
}

}  // namespace sosie
