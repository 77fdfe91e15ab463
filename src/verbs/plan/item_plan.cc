// Plans runs on vectors and bit strings: method and reason, recall, cost.
#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "corpus/count_inputs.h"
#include "join/hashed_join.h"
#include "join/in_memory_joiner.h"
#include "join/sets/set_run.h"
#include "options/output_options.h"
#include "plan/candidate_probability.h"
#include "plan/construction.h"
#include "plan/run_costs.h"
#include "store/saved_plan.h"
#include "verbs/plan/planned_rows.h"
#include "verbs/run_plan.h"

namespace sosie {
namespace {

// Measured constants (see plan/banding_cost.cc): seconds to start; nanoseconds to read a byte of a
// vector file, a byte of text rows, and a row. The same follows for rows of bits.
constexpr double kStartSeconds = 0.01;
constexpr double kBinaryByteNs = 8;
constexpr double kTextByteNs = 15;
constexpr double kRowNs = 800;
constexpr double kBitTextByteNs = 3.2;
constexpr double kBitRowNs = 600;

class ItemPlanner {
 public:
  ItemPlanner(InMemoryJoiner& joiner, const Options& options, const RunHooks& hooks)
      : joiner_(joiner), options_(options), pool_(joiner.settings().threads, hooks.cancel) {
    if (options.index) index_ = planned_items(options, hooks);
    joiner.read(pool_, hooks, places_);
    check_outputs(places_.inputs, options, hooks.result_descriptor);
    tell_unusual(places_.inputs, options, hooks);
    tell_of_mixed_rows(places_.inputs, options, hooks);
    forecast_ =
        joiner.foresee({kDedupRowBytes, kDedupRowBytes}, {kEqualItemBytes, kEqualItemBytes});
    require_unchanged(places_.inputs);
    facts_ = joiner.facts();
  }

  [[nodiscard]] RunPlan plan() {
    describe_method();
    if (has_rows()) describe_runs();
    line("items are", fmt::format("{} of {} {}{}", are_bits() ? "bit strings" : "vectors",
                                  facts_.dimension, are_bits() ? "bits" : "components",
                                  has_rows() ? "" : " (assumed: there is no row)"));
    if (options_.index) add_index_lines(plan_.index_text, index_, joiner_.settings());
    plan_.brief.next = kPlanNext;
    if (forecast_.methods.plan && chooses_lsh()) add_lsh(*forecast_.methods.plan);
    return std::move(plan_);
  }

 private:
  void line(std::string_view label, const std::string& text) {
    add_plan_line(plan_.text, label, text);
  }
  [[nodiscard]] bool has_rows() const { return places_.corpus.rows > 0; }
  [[nodiscard]] bool are_bits() const { return facts_.components == "bit"; }
  // True if lsh is considered.
  [[nodiscard]] bool chooses_lsh() const {
    return options_.method == Method::automatic || options_.method == Method::lsh;
  }
  [[nodiscard]] bool takes_lsh() const { return forecast_.pairs.method.is_of(Method::lsh); }

  void describe_method() {
    const auto& [methods, dedup, pairs] = forecast_;
    // Without rows, no method is known to be cheaper.
    const bool assumed = !has_rows() && methods.plan && options_.method == Method::automatic;
    if (assumed) {
      line("method", facts_of(*methods.plan).line);
      plan_.brief.method = facts_of(*methods.plan).line;
      plan_.brief.why = "lsh is planned for any rows";
      return;
    }
    if (!dedup || dedup->method.line == pairs.method.line) {
      line("method", pairs.method.line);
    } else {
      line("dedup method", dedup->method.line);
      line("pairs, query", pairs.method.line);
    }
    plan_.brief.method =
        of_both_verbs(dedup ? dedup->method.line : pairs.method.line, pairs.method.line);
    if (!takes_lsh()) plan_.brief.recall = "1: every pair is found";
    plan_.brief.why = options_.method == Method::automatic ? "" : "set by --method";
    if (!has_rows() || options_.method != Method::automatic) return;
    const std::string costs = fmt::format(
        "exact {}, lsh {}, brute {}", seconds_of_method(methods.exact_ns / 1e9),
        seconds_of_method(methods.lsh_ns / 1e9), seconds_of_method(methods.brute_ns / 1e9));
    line("predicted", costs + " (CPU seconds of the join, estimated from a sample)");
    plan_.brief.why =
        (dedup && dedup->method.line != pairs.method.line ? "of pairs and query " : "") +
        cheapest_text({methods.exact_ns, methods.lsh_ns, methods.brute_ns}) + " (by a sample)";
    if (!takes_lsh() && methods.plan) line("lsh would be", facts_of(*methods.plan).line);
  }

  void describe_runs() {
    const std::string size = bytes_text(bytes_of_inputs(places_.inputs));
    line("rows", fmt::format("{} in {}", count_text(places_.corpus.rows), size));
    line("dedup takes",
         forecast_.dedup ? run_text(*forecast_.dedup)
                         : "not possible: " + std::string(options_.measure) + " is not a distance");
    line("pairs takes", run_text(forecast_.pairs));
    line("", costs_note(joiner_.settings()));
    const RunCosts pairs = costs_of(forecast_.pairs);
    const std::optional<RunCosts> dedup =
        forecast_.dedup ? std::optional(costs_of(*forecast_.dedup)) : std::nullopt;
    const std::string rows = plural_text(places_.corpus.rows, "row", "rows") + " in " + size;
    tell_costs(plan_.brief, {rows, options_}, dedup ? &*dedup : nullptr, pairs, joiner_.settings());
  }

  [[nodiscard]] std::string run_text(const RunForecast& run) const {
    return costs_text(costs_of(run));
  }

  [[nodiscard]] RunCosts costs_of(const RunForecast& run) const {
    RunCosts costs = run.costs;
    costs.cpu_seconds += kStartSeconds + static_cast<double>(places_.corpus.rows) *
                                             (are_bits() ? kBitRowNs : kRowNs) / 1e9;
    const double text_byte_ns = are_bits() ? kBitTextByteNs : kTextByteNs;
    for (std::size_t i = 0; i < places_.inputs.list.size(); ++i) {
      const bool binary = places_.inputs.list[i].format->read_vectors != nullptr;
      costs.cpu_seconds += static_cast<double>(places_.inputs.files[i].size()) *
                           (binary ? kBinaryByteNs : text_byte_ns) / 1e9;
    }
    return costs;
  }

  // A distance of the family in the measure's unit, and its text with the unit.
  [[nodiscard]] double in_unit(double distance) const {
    return are_bits() ? distance * static_cast<double>(facts_.dimension) : distance;
  }
  [[nodiscard]] std::string with_unit(double value) const {
    const LshPlan& plan = *forecast_.methods.plan;
    if (are_bits()) return fmt::format("{:.4g} bits", value);
    return fmt::format("{:.4g}{}", value, plan.segment > 0 ? "" : plan.family->unit);
  }
  [[nodiscard]] std::string shown(double distance) const { return with_unit(in_unit(distance)); }

  void add_lsh(const LshPlan& plan) {
    LshTask task = forecast_.methods.task;
    task.sample = forecast_.methods.sample;
    const ItemSample sample = has_rows() ? item_sample(task, plan) : ItemSample{};
    const std::string of_lsh = recall_text(plan, sample);
    const bool is_taken = takes_lsh() || !has_rows();
    line("expected recall", is_taken ? of_lsh : "1; lsh would reach " + of_lsh);
    if (is_taken) plan_.brief.recall = of_lsh;
    const double half = half_point_of(plan);
    plan_.forecast = forecast_of(plan, half);
    add_forecast_lines(plan_.text, plan_.forecast,
                       [this](double value) { return with_unit(value); });
    const double far =
        std::min(2 * half, plan.segment > 0 ? 2 * half : plan.family->largest_distance);
    line("sensitivity", fmt::format("({}, {}, {:.4f}, {:.6f})-sensitive in {} distance",
                                    shown(task.bound), shown(far), plan.expected_recall,
                                    lsh_recall_at(task, plan, far), plan.family->distance));
    if (has_rows()) describe_sample(sample);
    add_curve(plan);
    if (!plan.over.empty()) {
      if (has_rows()) add_cascade(sample);
      return;
    }
    plan_.saved = saved_plan(options_, joiner_.bound(), plan, are_bits() ? facts_.dimension : 0);
  }

  [[nodiscard]] std::string recall_text(const LshPlan& plan, const ItemSample& sample) const {
    const BoundFacts& bound = joiner_.bound().facts;
    std::string text =
        fmt::format("{:.4f} at {} {}", plan.expected_recall, bound.value_name(), bound.bound);
    if (sample.near > 0) {
      text += fmt::format(", {:.4f} of pairs as close as those in the sample", sample.recall);
    }
    return text + fmt::format(" (asked: {})", options_.recall);
  }

  // The distance at which a pair shares a bucket with probability 1/2, found by bisection.
  [[nodiscard]] double half_point_of(const LshPlan& plan) const {
    const LshTask& task = forecast_.methods.task;
    return farthest(plan,
                    [&](double distance) { return candidate_at(task, plan, distance) > 0.5; });
  }

  // The largest distance at which `near` is still true, found by bisection.
  template <typename Near>
  [[nodiscard]] static double farthest(const LshPlan& plan, const Near& is_near) {
    constexpr int kSteps = 60;
    double low = 0;
    double high = plan.segment > 0 ? plan.segment : plan.family->largest_distance;
    while (plan.segment > 0 && is_near(high)) high *= 2;
    for (int step = 0; step < kSteps; ++step) {
      const double middle = (low + high) / 2;
      (is_near(middle) ? low : high) = middle;
    }
    return low;
  }

  // `half`: the half point. Error areas refer to the collision probability of a single function.
  [[nodiscard]] PlanForecast forecast_of(const LshPlan& plan, double half) const {
    const LshTask& task = forecast_.methods.task;
    const double p_half = approximate_threshold(plan.bands, plan.rows);
    const double p_bound = one_function_at(task, plan, task.bound);
    PlanForecast result;
    result.half_point = in_unit(half);
    result.approximate_half_point = in_unit(farthest(
        plan, [&](double distance) { return one_function_at(task, plan, distance) > p_half; }));
    result.error_area = error_area(p_bound, plan.bands, plan.rows);
    result.least_errors = least_error_area(p_bound, plan.bands * plan.rows);
    if (has_rows()) {
      const JoinSides& sides = joiner_.sides();
      result.brute_pairs = static_cast<double>(sides.left.size()) * sides.partners();
      result.brute_seconds = forecast_.methods.brute_ns / 1e9;
    }
    return result;
  }

  void describe_sample(const ItemSample& sample) {
    const double drawn = sample.near + sample.far;
    line("sample", fmt::format("{} pairs, {} of them close enough",
                               count_text(static_cast<std::uint64_t>(drawn)),
                               count_text(static_cast<std::uint64_t>(sample.near))));
    const double in_vain =
        sample.far_measured * forecast_.methods.task.pairs_an_item / std::max(1.0, drawn);
    line("false candidates",
         fmt::format("{:.3f} per {} expected", in_vain, are_bits() ? "bit string" : "vector"));
  }

  // The pairs that a cascade finds, and its cost, which may exceed that of brute force.
  void add_cascade(const ItemSample& sample) {
    const JoinSides& sides = joiner_.sides();
    const double pairs = static_cast<double>(sides.left.size()) * sides.partners();
    const double part = (sample.near * sample.recall + sample.far_measured) /
                        std::max(1.0, sample.near + sample.far);
    line("candidates", candidates_text(part * pairs, pairs));
    const std::string dear = cost_warning(forecast_.methods);
    if (!dear.empty()) line("cost", dear);
  }

  // The axis shows the collision probability of a single function, because distances have different
  // ranges.
  void add_curve(const LshPlan& plan) {
    const LshTask& task = forecast_.methods.task;
    const Construction construction = construction_of(plan.shape());
    const Steepest steepest = steepest_point(construction);
    line("steepest slope", fmt::format("{:.3f} at p = {:.4f}", steepest.slope, steepest.at));
    plan_.curves = {{takes_lsh() || !has_rows() ? "this plan" : "lsh (not chosen)", construction}};
    plan_.words.title =
        "Probability that a pair shares a bucket, by the probability for one function";
    plan_.words.axis =
        plan.cells > 1 ? "p of one function, probed from one side" : "p of one function";
    plan_.words.mark = "p at the bound";
    plan_.mark = one_function_at(task, plan, task.bound);
  }

  InMemoryJoiner& joiner_;
  const Options& options_;
  ThreadPool pool_;
  ItemPlaces places_;
  JoinForecast forecast_;
  JoinFacts facts_;
  PlannedIndex index_;  // with --index
  RunPlan plan_;
};

}  // namespace

RunPlan plan_of_vectors(const Options& options, const RunHooks& hooks) {
  const auto joiner = vector_joiner(kPlan, options);
  return ItemPlanner(*joiner, options, hooks).plan();
}

RunPlan plan_of_bits(const Options& options, const RunHooks& hooks) {
  const auto joiner = bit_joiner(kPlan, options);
  return ItemPlanner(*joiner, options, hooks).plan();
}

}  // namespace sosie
