// Labels for plots of curves, and the curves of other tools.
#include "plan/curve_facts.h"

#include <fmt/format.h>

#include "plan/peer_bandings.h"

namespace sosie {
namespace {

// Never returns "100.00 %" for what is not certain.
std::string percent_found(double missed) {
  if (missed > 0 && missed <= 0.00005) return ">99.99 %";
  return fmt::format("{:.2f} %", 100 * (1 - missed));
}

}  // namespace

NamedBanding datasketch_banding(double threshold) noexcept {
  constexpr int kFunctions = 128;
  NamedBanding best{"datasketch", 0, 0};
  double least = 0;
  for (int bands = 1; bands <= kFunctions; ++bands) {
    for (int rows = 1; rows <= kFunctions / bands; ++rows) {
      const double area = error_area(threshold, bands, rows);
      if (best.bands > 0 && area >= least) continue;
      best = {best.name, bands, rows};
      least = area;
    }
  }
  return best;
}

std::vector<Curve> curves_beside_peers(const BandingPlan& plan, double threshold) {
  std::vector<Curve> curves{{"this plan", banding_construction(plan.bands, plan.rows)}};
  const auto add = [&](const NamedBanding& peer) {
    curves.push_back({std::string(peer.name), banding_construction(peer.bands, peer.rows)});
  };
  add(datasketch_banding(threshold));
  for (const NamedBanding& peer : kPeerBandings) add(peer);
  return curves;
}

CurveFacts curve_facts(const Curve& curve, double threshold) {
  const Construction& construction = curve.construction;
  const auto shape = as_banding(construction);
  return {shape ? fmt::format("{} x {}", shape->bands, shape->rows)
                : fmt::format("{} in all", function_count(construction)),
          percent_found(amplify(construction, threshold).missed), half_point(construction),
          steepest_point(construction)};
}

char ghost_letter(std::size_t i) noexcept {
  return i == 0 ? ' ' : static_cast<char>('a' + static_cast<char>((i - 1) % 26));
}

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

}  // namespace sosie
