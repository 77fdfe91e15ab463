// Searches vectors by panels, within a bound or for the nearest.
#include "join/vectors/vector_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>

#include "corpus/items/vector_items.h"
#include "join/nearest_rows.h"
#include "join/vectors/vector_filter.h"
#include "kernels/products_reaching.h"
#include "sosie/error.h"
#include "verify/bring_into_range.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;
using kernels::panels_of;

constexpr std::size_t kStretchBytes = std::size_t{1} << 18;  // stays in the second cache
constexpr std::size_t kFirstPanels = 64;
constexpr std::size_t kParts = 8;  // that threads share; what is measured depends on it
constexpr std::size_t kBruteStretch = 64;
constexpr std::size_t kFetchedPanels = 16;
constexpr std::size_t kFetchedBytes = 1024;  // from each vector
constexpr std::size_t kCacheLine = 64;

void copy_as_doubles(const VectorColumn& column, std::size_t row, VectorColumn& out) {
  auto& doubles = std::get<std::vector<double>>(out.components);
  std::visit(
      [&](const auto& components) {
        const auto* begin = components.data() + row * column.dimension;
        std::copy_n(begin, column.dimension, doubles.begin());
      },
      column.components);
}

class VectorLookup final : public LookupAmong<VectorItems> {
 public:
  VectorLookup(const LookupTask& task, VectorSettings settings)
      : LookupAmong(task, settings.run,
                    [&](ItemReading reading) {
                      reading.without_zeros = settings.measure->without_zeros();
                      VectorItems data = read_vectors(reading, task.options.against);
                      erase_rows(data.column, data.left_out);
                      return data;
                    }),
        settings_(std::move(settings)) {
    places_.inputs.own_names = &data_.ids;
    if (settings_.measure->needs_length) bring_into_range(data_.column);
    const std::vector<double> squares = squared_lengths(data_.column, pool_);
    settle_method(data_.column, squares, settings_);
    most_ = task.options.top;
    searched_.emplace(data_.column, settings_, pool_);
    asked_.dimension = data_.column.rows == 0 ? 0 : data_.column.dimension;
    asked_.components = std::vector<double>();
  }

  [[nodiscard]] ItemRowSteps steps() override {
    return {[this](std::string_view text, std::string_view what) {
              append_components(text, what, components());
            },
            [this] { return end_row(); },
            [this] { components().resize(asked_.rows * asked_.dimension); }};
  }

  std::uint64_t find(std::vector<std::vector<ScoredPair>>& found) override {
    const std::uint64_t measured = searched_->find(asked_, most_, pool_, found);
    components().clear();
    asked_.rows = 0;
    return measured;
  }

  [[nodiscard]] JoinFacts facts() const override {
    return {asked_.dimension, component_name(asked_), method_of(settings_)};
  }

 private:
  [[nodiscard]] std::vector<double>& components() {
    return std::get<std::vector<double>>(asked_.components);
  }

  bool end_row() {
    const std::size_t found = components().size() - asked_.rows * asked_.dimension;
    if (found == 0) return false;
    const bool is_first = asked_.dimension == 0;  // and DATA has none
    check_dimension(found, is_first ? found : asked_.dimension,
                    data_.column.rows == 0 ? "the first row has" : "those of DATA have");
    const auto row = std::span(components()).last(found);
    if (settings_.measure->needs_length && !bring_into_range(row)) {
      throw RowError(has_no(settings_.measure->name));
    }
    asked_.dimension = found;
    ++asked_.rows;
    return true;
  }

  VectorSettings settings_;
  std::uint64_t most_ = 0;
  std::optional<VectorSearcher> searched_;
  VectorColumn asked_;
};

}  // namespace

struct VectorSearcher::Asked {
  const VectorColumn& column;
  std::vector<double> squares;
  bool has_own_type;  // the vectors are another
  std::optional<BytePanels> bytes;
  std::vector<std::int32_t> limits;  // whole panels
};

// State of a search for up to one panel of rows.
struct VectorSearcher::Panel {
  std::size_t first;                 // row
  std::vector<NearestRows> nearest;  // by row
  std::vector<std::int32_t> limits;
  VectorColumn vector;  // one vector at a time, as doubles
  std::uint64_t measured = 0;
};

VectorSearcher::VectorSearcher(const VectorColumn& data, const VectorSettings& settings,
                               ThreadPool& pool, std::span<const std::uint32_t> order)
    : data_(data),
      settings_(settings),
      squares_(squared_lengths(data, pool)),
      sides_(order.empty() ? all_of(data, squares_) : some_of(data, squares_, order), std::nullopt,
             *settings.measure),
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

VectorSearcher::Asked VectorSearcher::prepared(const VectorColumn& asked, ThreadPool& pool) const {
  Asked rows{.column = asked,
             .squares = squared_lengths(asked, pool),
             .has_own_type = asked.components.index() != data_.components.index(),
             .bytes = {},
             .limits = {}};
  rows.limits.assign(panels_of(asked.rows) * kPanelVectors, BytePanels::kEveryPair);
  if (!bytes_) return rows;
  rows.bytes.emplace(all_of(asked, rows.squares), scale_, &pool);
  if (settings_.nearest) return rows;
  for (std::size_t row = 0; row < asked.rows; ++row) {
    rows.limits[row] = limit(rows, row, settings_.bound.bound.value());
  }
  return rows;
}

VectorSearcher::Panel VectorSearcher::panel_of(const Asked& asked, std::size_t first,
                                               std::size_t count, std::uint64_t most) const {
  Panel panel{first,
              {count, NearestRows(most, settings_.measure->is_similarity)},
              std::vector<std::int32_t>(kPanelVectors, BytePanels::kEveryPair),
              {1, data_.dimension, std::vector<double>(data_.dimension)}};
  std::copy_n(asked.limits.begin() + static_cast<std::ptrdiff_t>(first), count,
              panel.limits.begin());
  return panel;
}

void VectorSearcher::sort_nearest(std::uint64_t most, std::vector<ScoredPair>& pairs) const {
  std::sort(pairs.begin(), pairs.end(), IsNearer{settings_.measure->is_similarity});
  if (pairs.size() > most) pairs.resize(most);
}

std::uint64_t VectorSearcher::find(const VectorColumn& asked, std::uint64_t most, ThreadPool& pool,
                                   std::vector<std::vector<ScoredPair>>& found) const {
  if (most == 0) most = std::numeric_limits<std::uint64_t>::max();
  found.assign(asked.rows, {});
  if (asked.rows == 0 || data_.rows == 0) return 0;
  const Asked rows = prepared(asked, pool);
  std::vector<Panel> firsts(panels_of(asked.rows));
  pool.for_each(firsts.size(), [&](unsigned /*worker*/, std::size_t i) {
    pool.check_cancelled();
    const std::size_t first = i * kPanelVectors;
    firsts[i] = panel_of(rows, first, std::min(kPanelVectors, asked.rows - first), most);
    search(rows, firsts_, firsts[i]);
  });
  std::vector<Panel> others(firsts.size() * parts_.size());
  pool.for_each(others.size(), [&](unsigned /*worker*/, std::size_t i) {
    pool.check_cancelled();
    const Panel& first = firsts[i / parts_.size()];
    others[i] = panel_of(rows, first.first, first.nearest.size(), most);
    others[i].limits = first.limits;
    search(rows, parts_[i % parts_.size()], others[i]);
  });
  std::uint64_t measured = 0;
  const auto take = [&](const Panel& panel) {
    measured += panel.measured;
    for (std::size_t x = 0; x < panel.nearest.size(); ++x) {
      const auto& pairs = panel.nearest[x].pairs();
      auto& all = found[panel.first + x];
      all.insert(all.end(), pairs.begin(), pairs.end());
    }
  };
  for (const Panel& panel : firsts) take(panel);
  for (const Panel& panel : others) take(panel);
  pool.for_each(found.size(),
                [&](unsigned /*worker*/, std::size_t i) { sort_nearest(most, found[i]); });
  return measured;
}

std::uint64_t VectorSearcher::find_in(const Places& places, const VectorColumn& asked,
                                      std::uint64_t most, ThreadPool& pool,
                                      std::vector<std::vector<ScoredPair>>& found) const {
  found.assign(asked.rows, {});
  if (asked.rows == 0 || data_.rows == 0) return 0;
  const Asked rows = prepared(asked, pool);
  std::vector<std::uint64_t> measured(asked.rows);
  pool.for_each(asked.rows, [&](unsigned /*worker*/, std::size_t row) {
    pool.check_cancelled();
    std::vector<PanelStretch> stretches;
    places(row, stretches);
    Panel panel = panel_of(rows, row, 1, most);
    search(rows, stretches, panel);
    found[row] = panel.nearest.front().pairs();
    sort_nearest(most, found[row]);
    measured[row] = panel.measured;
  });
  return std::accumulate(measured.begin(), measured.end(), std::uint64_t{0});
}

std::int32_t VectorSearcher::limit(const Asked& asked, std::size_t row, double bound) const {
  return asked.bytes->nearer_than(sides_.byte_distance(bound), row, limits_);
}

void VectorSearcher::search(const Asked& asked, std::span<const PanelStretch> stretches,
                            Panel& panel) const {
  std::vector<std::uint32_t> hits;
  std::optional<BytePanels::Lefts> lefts;
  if (bytes_) lefts = asked.bytes->lefts(panel.first, panel.nearest.size());
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const PanelStretch& rights = stretches[i];
    hits.assign((rights.end - rights.begin) * kPanelVectors, ~std::uint32_t{0});
    if (lefts) {
      if (i + 1 < stretches.size()) fetch_panels(stretches[i + 1]);
      BytePanels::candidates(*lefts, panel.limits, {*bytes_, rights, limits_.limits}, hits);
    }
    if (panel.nearest.size() == 1) fetch_vectors(rights, hits);
    measure(asked, rights, hits, panel);
  }
}

void VectorSearcher::fetch_panels(const PanelStretch& panels) const noexcept {
  if (panels.end - panels.begin <= kFetchedPanels) bytes_->fetch(panels);
}

// Compares one row with vectors at arbitrary positions.
void VectorSearcher::fetch_vectors(const PanelStretch& rights,
                                   std::span<const std::uint32_t> hits) const noexcept {
  for (std::size_t at = rights.begin; at < rights.end; ++at) {
    for (std::uint32_t bits = hits[(at - rights.begin) * kPanelVectors]; bits != 0;
         bits &= bits - 1) {
      const std::size_t place =
          at * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
      if (place >= data_.rows) return;
      const std::string_view bytes = bytes_of_row(data_, sides_.left().row(place));
      for (std::size_t i = 0; i < std::min(bytes.size(), kFetchedBytes); i += kCacheLine) {
        __builtin_prefetch(bytes.data() + i);
      }
    }
  }
}

// Measures the candidates in a range, row by row; the results raise the row's limit for the next
// range.
void VectorSearcher::measure(const Asked& asked, const PanelStretch& rights,
                             std::span<const std::uint32_t> hits, Panel& panel) const {
  const VectorMeasure& measure = *settings_.measure;
  for (std::size_t x = 0; x < panel.nearest.size(); ++x) {
    const std::size_t row = panel.first + x;
    NearestRows& nearest = panel.nearest[x];
    bool is_nearer = false;
    for (std::size_t at = rights.begin; at < rights.end; ++at) {
      for (std::uint32_t bits = hits[(at - rights.begin) * kPanelVectors + x]; bits != 0;
           bits &= bits - 1) {
        const std::size_t place =
            at * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
        if (place >= data_.rows) break;
        const std::size_t right = sides_.left().row(place);
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

VectorSums VectorSearcher::sums(const Asked& asked, std::size_t row, std::size_t right,
                                Panel& panel) const {
  if (asked.has_own_type) copy_as_doubles(data_, right, panel.vector);
  const VectorColumn& vectors = asked.has_own_type ? panel.vector : data_;
  const std::size_t place = asked.has_own_type ? 0 : right;
  VectorSums sums = sums_between(*settings_.measure, asked.column, row, vectors, place);
  sums.left_square = asked.squares[row];
  sums.right_square = squares_[right];
  return sums;
}

MethodFacts method_of(const VectorSettings& settings) {
  if (settings.brute) return {.method = Method::brute, .line = "brute: every pair is measured"};
  return {.method = Method::exact,
          .line = "exact: integer products with a proven bound, then the measure itself"};
}

std::unique_ptr<ItemLookup> vector_lookup(const LookupTask& task, const VectorSettings& settings) {
  return std::make_unique<VectorLookup>(task, settings);
}

}  // namespace sosie
