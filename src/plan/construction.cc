// AND- and OR-constructions: parsing, probabilities and equivalent bandings.
#include "plan/construction.h"

#include <fmt/format.h>

#include <charconv>

namespace sosie {
namespace {

using StepKind = ConstructionStep::Kind;

constexpr std::uint32_t kMostInStep = 65536;
constexpr std::uint64_t kMostConstructed = std::uint64_t{1} << 32;
constexpr int kGrid = 4096;      // steps in which [0, 1] is searched
constexpr int kBisections = 60;  // after which a double no longer changes

std::optional<ConstructionStep> parse_step(std::string_view text) {
  ConstructionStep step;
  if (text.starts_with("and:")) {
    text.remove_prefix(4);
  } else if (text.starts_with("or:")) {
    step.kind = StepKind::any_agrees;
    text.remove_prefix(3);
  } else {
    return std::nullopt;
  }
  const char* stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, step.count);
  if (error != std::errc{} || end != stop || step.count < 1 || step.count > kMostInStep) {
    return std::nullopt;
  }
  return step;
}

Amplified apply(const ConstructionStep& step, const Amplified& before) noexcept {
  if (step.kind == StepKind::all_agree) {
    const double found = integer_power(before.found, step.count);
    return {found, 1 - found};
  }
  const double missed = integer_power(before.missed, step.count);
  return {1 - missed, missed};
}

double gain(const Construction& construction, double p) noexcept {
  return amplify(construction, p).found - p;
}

// The point between low and high at which gain() changes its sign.
double fixed_point_between(const Construction& construction, double low, double high) noexcept {
  const bool rising = gain(construction, low) < 0;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = low + (high - low) / 2;
    ((gain(construction, middle) < 0) == rising ? low : high) = middle;
  }
  return high;
}

}  // namespace

std::optional<Construction> parse_construction(std::string_view text) {
  Construction construction;
  while (true) {
    const std::size_t comma = text.find(',');
    const auto step = parse_step(text.substr(0, comma));
    if (!step) return std::nullopt;
    construction.push_back(*step);
    if (function_count(construction) > kMostConstructed) return std::nullopt;
    if (comma == std::string_view::npos) return construction;
    text.remove_prefix(comma + 1);
  }
}

std::string construction_text(const Construction& construction) {
  std::string text;
  for (const ConstructionStep& step : construction) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",",
                        step.kind == StepKind::all_agree ? "and" : "or", step.count);
  }
  return text;
}

Construction banding_construction(int bands, int rows) {
  return {{StepKind::all_agree, static_cast<std::uint32_t>(rows)},
          {StepKind::any_agrees, static_cast<std::uint32_t>(bands)}};
}

BandShape as_bands(const Construction& construction) {
  Construction merged;
  for (const ConstructionStep& step : construction) {
    if (step.count == 1) continue;
    if (!merged.empty() && merged.back().kind == step.kind) {
      merged.back().count *= step.count;
    } else {
      merged.push_back(step);
    }
  }
  BandShape shape;
  if (!merged.empty() && merged.front().kind == StepKind::all_agree) {
    shape.rows = static_cast<int>(merged.front().count);
    merged.erase(merged.begin());
  }
  shape.bands = static_cast<int>(function_count(merged));
  if (merged.size() > 1) shape.over = merged;
  return shape;
}

std::optional<BandShape> as_banding(const Construction& construction) {
  if (construction.size() != 2 || construction[0].kind != StepKind::all_agree ||
      construction[1].kind != StepKind::any_agrees) {
    return std::nullopt;
  }
  return BandShape{static_cast<int>(construction[1].count),
                   static_cast<int>(construction[0].count)};
}

Construction over_bands(const BandShape& shape) {
  if (!shape.is_banding()) return shape.over;
  return {{StepKind::any_agrees, static_cast<std::uint32_t>(shape.bands)}};
}

Construction construction_of(const BandShape& shape) {
  Construction all;
  if (shape.rows > 1 || shape.is_banding()) {
    all.push_back({StepKind::all_agree, static_cast<std::uint32_t>(shape.rows)});
  }
  const Construction over = over_bands(shape);
  all.insert(all.end(), over.begin(), over.end());
  return all;
}

std::uint64_t bucketed_bands(const BandShape& shape) noexcept {
  if (shape.is_banding()) return static_cast<std::uint64_t>(shape.bands);
  std::uint64_t bands = 1;
  for (const ConstructionStep& step : shape.over) {
    if (step.kind == StepKind::any_agrees) bands *= step.count;
  }
  return bands;
}

std::uint64_t function_count(const Construction& construction) noexcept {
  std::uint64_t count = 1;
  for (const ConstructionStep& step : construction) count *= step.count;
  return count;
}

Amplified amplify(const Construction& construction, double p) noexcept {
  Amplified value{p, 1 - p};
  for (const ConstructionStep& step : construction) value = apply(step, value);
  return value;
}

double amplified_slope(const Construction& construction, double p) noexcept {
  Amplified value{p, 1 - p};
  double slope = 1;
  for (const ConstructionStep& step : construction) {  // the chain rule
    const double inner = step.kind == StepKind::all_agree ? value.found : value.missed;
    slope *= step.count * integer_power(inner, step.count - 1);
    value = apply(step, value);
  }
  return slope;
}

std::vector<double> fixed_points(const Construction& construction) {
  std::vector<double> points;
  for (int i = 1; i + 1 < kGrid; ++i) {
    const double low = static_cast<double>(i) / kGrid;
    const double high = static_cast<double>(i + 1) / kGrid;
    const double before = gain(construction, low);
    const double after = gain(construction, high);
    if (before == 0 && after != 0) {
      points.push_back(low);
    } else if ((before < 0 && after > 0) || (before > 0 && after < 0)) {
      points.push_back(fixed_point_between(construction, low, high));
    }
  }
  return points;
}

Steepest steepest_point(const Construction& construction) noexcept {
  Steepest best{0, amplified_slope(construction, 0)};
  double width = 1.0;
  for (double from = 0; width > 1e-8;) {  // a grid over [from, from + width], ever finer
    for (int i = 0; i <= kGrid; ++i) {
      const double p = from + width * i / kGrid;
      const double slope = p < 0 || p > 1 ? -1 : amplified_slope(construction, p);
      if (slope > best.slope) best = {p, slope};
    }
    width = 4 * width / kGrid;
    from = best.at - width / 2;
  }
  return best;
}

double half_point(const Construction& construction) noexcept {
  double low = 0;
  double high = 1;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = low + (high - low) / 2;
    (amplify(construction, middle).found < 0.5 ? low : high) = middle;
  }
  return high;
}

BestOr best_or(double p1, double p2) noexcept {
  BestOr best;
  double missed = 1;
  double not_found = 1;
  for (std::uint32_t n = 1; n <= kMostInStep; ++n) {
    missed *= 1 - p1;
    not_found *= 1 - p2;
    if (n == 1 || missed + (1 - not_found) < best.missed + best.found) {
      best = {n, missed, 1 - not_found};
    }
  }
  return best;
}

}  // namespace sosie
