// sosie plan --family: curves of amplified families without data.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "core/rational.h"
#include "io/output_file.h"
#include "options/output_names.h"
#include "plan/candidate_probability.h"
#include "plan/construction.h"
#include "plan/curve.h"
#include "plan/lsh_plan.h"
#include "sketch/cross_polytopes.h"
#include "sketch/grid_triples.h"
#include "sketch/hash_families.h"
#include "sosie/error.h"
#include "verbs/run_plan.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr double kUsualSegments = 4;  // d2 for families with unbounded distances

// The two distances in (d1, d2, p1, p2)-sensitivity.
struct Distances {
  double d1;
  double d2;
};

Distances distances_of(const Options& options, const HashFamily& family) {
  const double range =
      std::isinf(family.largest_distance) ? kUsualSegments * 5 / 4 : family.largest_distance;
  const auto read = [](const std::string& text, double otherwise) {
    return text.empty() ? otherwise : parse_rational(text)->value();
  };
  const Distances distances{read(options.d1, range / 5), read(options.d2, range * 4 / 5)};
  if (distances.d1 >= distances.d2) {
    throw Error(ErrorKind::invalid_option,
                RefusedOption{"d1", fmt::format("{} and --d2 {}", distances.d1, distances.d2)},
                "d1 must be less");
  }
  if (distances.d2 > family.largest_distance) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"d2", fmt::format("{}", distances.d2)},
                fmt::format("the {} distance of {} is at most {}{}", family.distance, family.name,
                            family.largest_distance, family.unit));
  }
  return distances;
}

// Seven significant digits for values between 0 and 1, including values close to 1.
std::string probability_text(double p) {
  return p > 0 && p < 0.001 ? fmt::format("{:.4g}", p) : fmt::format("{:.7f}", p);
}

std::string sensitivity_text(const Distances& d, double p1, double p2) {
  return fmt::format("({:.4g}, {:.4g}, {}, {})-sensitive", d.d1, d.d2, probability_text(p1),
                     probability_text(p2));
}

std::string fixed_point_text(const Construction& construction) {
  std::string text;
  for (const double point : fixed_points(construction)) {
    text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", point);
  }
  return text.empty() ? "none between 0 and 1" : text;
}

std::string half_point_text(const Construction& construction) {
  std::string text = fmt::format("{:.4f}", half_point(construction));
  if (const auto shape = as_banding(construction)) {
    text +=
        fmt::format("; by (1/b)^(1/r): {:.4f}", approximate_threshold(shape->bands, shape->rows));
  }
  return text;
}

// Banding of cross-polytopes with multiple probes.
struct Probed {
  double vertices = 1;
  BandShape shape;
};

std::optional<Probed> probed(const Options& options, const Construction& construction) {
  if (options.probes.empty() || options.probes == "1") return std::nullopt;
  if (!can_be_probed(options.family)) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"probes", options.probes},
                "works only with --family cross-polytope");
  }
  const auto shape = construction.empty() ? BandShape{1, 1} : as_banding(construction);
  if (!shape) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"probes", options.probes},
                "needs --construct and:ROWS,or:BANDS");
  }
  return Probed{parse_rational(options.probes)->value(), *shape};
}

double found_by(const Probed& probed, double distance) {
  const auto rows = static_cast<std::uint64_t>(probed.shape.rows);
  const double met = 2 * integer_power(near_one_collision(probed.vertices, distance), rows) -
                     integer_power(near_both_collision(probed.vertices, distance), rows);
  return amplify(banding_construction(probed.shape.bands, 1), met).found;
}

// The family named by --family, with the number of squares set by --squares.
HashFamily family_of(const Options& options) {
  HashFamily family = *hash_family_by_name(options.family);
  if (family.form == FunctionForm::squares) {
    family.collision_probability = grid_collision(std::stoi(options.squares));
  } else if (is_given(options, "squares")) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"squares", options.squares},
                "works only with --family grid-triples");
  }
  return family;
}

void add_construction(std::string& out, const Construction& construction) {
  add_plan_line(out, "construction",
                construction.empty()
                    ? "none"
                    : fmt::format("{}: {} functions", construction_text(construction),
                                  function_count(construction)));
}

// `p1`: probability that a single function finds a pair that should be found.
void add_shape(std::string& out, const Construction& construction, double p1) {
  const Steepest steepest = steepest_point(construction);
  add_plan_line(out, "fixed points", fixed_point_text(construction));
  add_plan_line(out, "half point", half_point_text(construction));
  const auto shape = as_banding(construction);
  if (shape && function_count(construction) <= kMostFunctions) {
    add_plan_line(out, "error area",
                  error_area_text(error_area(p1, shape->bands, shape->rows),
                                  least_error_area(p1, shape->bands * shape->rows)));
  }
  add_plan_line(out, "steepest slope",
                fmt::format("{:.3f} at {:.4f}", steepest.slope, steepest.at));
}

// The summary and a picture of the construction, which is also saved if requested.
RunReport drawn(const Options& options, std::string summary, const Construction& construction,
                double mark, std::string_view mark_name) {
  const std::vector<Curve> curves{{"this construction", construction}};
  const PictureText words{
      .title = "Probability that the construction finds a pair that one function finds with p",
      .axis = "p",
      .mark = std::string(mark_name)};
  RunReport report;
  report.summary = std::move(summary) + draw_terminal(curves, mark, {}, words);
  if (!options.svg.empty()) {
    OutputFile svg(options.svg);
    svg.write(draw_svg(curves, mark, words));
    svg.commit();
  }
  return report;
}

void check_family_outputs(const Options& options, std::string_view with) {
  if (!options.output.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"output"},
                fmt::format("there is no plan to save with {}", with),
                "--svg FILE saves the curve");
  }
  check_output_name("--svg", options.svg, "the picture", {".svg"});
}

Construction asked_construction(const Options& options) {
  return options.construct.empty() ? Construction{} : *parse_construction(options.construct);
}

// Probabilities that a function finds a pair that should be found, and one that should not.
struct Probabilities {
  double p1;
  double p2;
};

Probabilities asked_probabilities(const Options& options) {
  const auto refuse = [](std::string_view option, const std::string& why,
                         const std::string& hint = {}) {
    throw Error(ErrorKind::invalid_option, RefusedOption{std::string(option)}, why, hint);
  };
  if (options.p1.empty()) refuse("p2", "needs --p1");
  if (options.p2.empty()) refuse("p1", "needs --p2");
  for (const std::string_view name : {"family", "d1", "d2", "probes", "bands", "squares"}) {
    if (is_given(options, name))
      refuse(name, "cannot be combined with --p1 and --p2, which define the family");
  }
  if (!options.inputs.empty() || !options.files_from.empty() || options.table) {
    refuse("p1", "cannot be combined with INPUT", "--family NAME INPUT plans for rows");
  }
  const Probabilities p{parse_rational(options.p1)->value(), parse_rational(options.p2)->value()};
  if (p.p1 <= p.p2) {
    throw Error(ErrorKind::invalid_option,
                RefusedOption{"p1", fmt::format("{} and --p2 {}", options.p1, options.p2)},
                "p1 must be greater");
  }
  return p;
}

std::string errors_text(double missed, double found) {
  return fmt::format("{} missed, {} found in vain: {:.4f}", probability_text(missed),
                     probability_text(found), missed + found);
}

std::string transform_table(const HashFamily& family, const Construction& construction,
                            const Distances& distances, const std::optional<Probed>& probes) {
  constexpr int kRows = 11;
  const double end =
      std::isinf(family.largest_distance) ? 2 * distances.d2 : family.largest_distance;
  std::string out = fmt::format("\n{:>12}{:>18}{:>18}{}\n", "distance", "one function",
                                "construction", probes ? fmt::format("{:>18}", "with probes") : "");
  for (int i = 0; i < kRows; ++i) {
    const double d = end * i / (kRows - 1);
    const double p = family.collision_probability(d);
    out += fmt::format("{:>12.4g}{:>18}{:>18}{}\n", d, probability_text(p),
                       probability_text(amplify(construction, p).found),
                       probes ? fmt::format("{:>18}", probability_text(found_by(*probes, d))) : "");
  }
  return out + "\n";
}

std::string describe(const HashFamily& family, const Construction& construction, const Distances& d,
                     const std::optional<Probed>& probes) {
  const double p1 = family.collision_probability(d.d1);
  const double p2 = family.collision_probability(d.d2);
  std::string out;
  add_plan_line(
      out, "family",
      fmt::format("{}: {} in {} distance{}", family.name, sensitivity_text(d, p1, p2),
                  family.distance, family.unit.empty() ? "" : fmt::format(" (in{})", family.unit)));
  add_plan_line(out, "source", std::string(family.source));
  add_construction(out, construction);
  add_plan_line(
      out, "gives",
      sensitivity_text(d, amplify(construction, p1).found, amplify(construction, p2).found));
  if (probes) {
    add_plan_line(out, "with probes",
                  sensitivity_text(d, found_by(*probes, d.d1), found_by(*probes, d.d2)));
    add_plan_line(
        out, "probes",
        fmt::format("{:.4g} keys per vector and band on average, {:g} vertices per function",
                    probes_of(probes->vertices, probes->shape.rows), probes->vertices));
  }
  add_shape(out, construction, p1);
  return out + transform_table(family, construction, d, probes);
}

}  // namespace

RunReport plan_family(const Options& options, const RunHooks& /*hooks*/) {
  check_family_outputs(options, "--family");
  const HashFamily family = family_of(options);
  const Construction construction = asked_construction(options);
  const Distances distances = distances_of(options, family);
  return drawn(options, describe(family, construction, distances, probed(options, construction)),
               construction, family.collision_probability(distances.d1), "p of d1");
}

RunReport plan_probabilities(const Options& options) {
  check_family_outputs(options, "--p1");
  const auto [p1, p2] = asked_probabilities(options);
  const Construction construction = asked_construction(options);
  const Amplified good = amplify(construction, p1);
  const Amplified bad = amplify(construction, p2);
  const BestOr best = best_or(p1, p2);
  std::string out;
  add_plan_line(
      out, "family",
      fmt::format("one function finds a pair with {}, and one that should not be found with {}",
                  probability_text(p1), probability_text(p2)));
  add_construction(out, construction);
  add_plan_line(
      out, "gives",
      fmt::format("{} and {}", probability_text(good.found), probability_text(bad.found)));
  add_plan_line(out, "errors", errors_text(good.missed, bad.found));
  if (bad.found > 0)
    add_plan_line(out, "examined",
                  fmt::format("1 in {:.1f} pairs that should not be found", 1 / bad.found));
  add_plan_line(out, "best OR",
                fmt::format("or:{}, {}", best.functions, errors_text(best.missed, best.found)));
  add_shape(out, construction, p1);
  return drawn(options, out + "\n", construction, p1, "p1");
}

}  // namespace sosie
