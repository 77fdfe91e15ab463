// Plans runs on texts, sets and bags: method and reason, recall, cost.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/count_text.h"
#include "core/most_rows.h"
#include "corpus/asked_fields.h"
#include "corpus/count_inputs.h"
#include "data/kinds.h"
#include "join/sets/set_run.h"
#include "options/output_options.h"
#include "plan/candidate_probability.h"
#include "plan/find_banding.h"
#include "plan/run_costs.h"
#include "plan/set_costs.h"
#include "sketch/hash_families.h"
#include "sosie/error.h"
#include "store/saved_plan.h"
#include "verbs/plan/planned_rows.h"
#include "verbs/run_plan.h"

namespace sosie {
namespace {

// Costs that --method auto compares.
struct Predictions {
  SetCosts dedup;
  SetCosts pairs;
};

std::string banding_text(const BandingPlan& plan) {
  return fmt::format("{} bands of {} rows, {} minhashes, filter at {} agreements", plan.bands,
                     plan.rows, plan.components, plan.filter_agreements);
}

std::string method_text(const MethodChoice& choice) {
  if (choice.exact) return "exact: prefix index; recall 1";
  if (choice.brute) return "brute: every pair is compared; recall 1";
  return "lsh: " + banding_text(choice.banding);
}

std::string brief_method(const MethodChoice& choice) {
  if (choice.finds_every_pair()) return std::string(choice.name());
  return fmt::format("lsh of {} bands x {} rows", choice.banding.bands, choice.banding.rows);
}

std::string costs_text(std::string_view verbs, const SetCosts& costs) {
  return fmt::format("{}: exact {}, lsh {}, brute {}", verbs, seconds_of_method(costs.exact),
                     seconds_of_method(costs.lsh), seconds_of_method(costs.brute));
}

Predictions predict(const PlannedRows& rows, const std::optional<BandingPlan>& banding,
                    const Settings& settings) {
  const auto costs = [&](JoinUse use) {
    return set_costs(rows.facts_for(use), rows.sample.similarities,
                     {settings.threshold, use, banding});
  };
  return {costs(JoinUse::survivors), costs(JoinUse::every_pair)};
}

// The methods chosen for runs on these rows.
struct Choices {
  MethodChoice dedup;
  MethodChoice pairs;

  [[nodiscard]] bool find_every_pair() const noexcept {
    return dedup.finds_every_pair() && pairs.finds_every_pair();
  }
};

// The choice and the reason for it.
std::string describe_choice(const Predictions& predictions, const Choices& choices,
                            const std::optional<BandingPlan>& banding) {
  const auto& [dedup, pairs] = choices;
  std::string out;
  if (dedup.name() == pairs.name()) {
    add_plan_line(out, "method", method_text(dedup));
  } else {
    add_plan_line(out, "dedup method", method_text(dedup));
    add_plan_line(out, "pairs, query", method_text(pairs));
  }
  add_plan_line(out, "predicted",
                costs_text("dedup", predictions.dedup) + "; " +
                    costs_text("pairs", predictions.pairs) +
                    " (CPU seconds of the join, estimated from a sample)");
  if (choices.find_every_pair() && banding) {
    add_plan_line(out, "lsh would be", banding_text(*banding));
  }
  return out;
}

// Why --method auto chooses these methods.
std::string why_text(const Predictions& predictions, const Choices& choices,
                     const PlannedRows& rows) {
  if (rows.sample.similarities.documents == 0 && rows.survey.rows > 0) {
    return "no row of the sample has anything to compare";
  }
  const auto told = [](const SetCosts& costs) {
    return cheapest_text({costs.exact, costs.lsh, costs.brute});
  };
  const bool is_same = choices.dedup.name() == choices.pairs.name();
  return fmt::format("{} (sample of {})",
                     is_same ? told(predictions.dedup)
                             : of_both_verbs(told(predictions.dedup), told(predictions.pairs)),
                     plural_text(rows.sample.similarities.documents, "row", "rows"));
}

std::string most_rows_text(const Settings& settings) {
  return fmt::format("this method supports up to {} rows: {}", count_text(most_rows()),
                     settings.measure->distance.empty()
                         ? "deduplicate parts first, then their kept rows together"
                         : "--method lsh supports any number");
}

// An option that would find more pairs; empty if there is none.
std::string next_text(const std::optional<PlannedRows>& rows, const Settings& settings,
                      const Choices& choices) {
  const SampleFacts sample = rows ? rows->sample.similarities : SampleFacts{};
  const std::uint64_t limit = short_text_limit(settings);
  const auto size = static_cast<std::uint64_t>(settings.shingle.size);
  if (sample.median_shingles > 0 && sample.median_shingles + size <= limit) {
    return fmt::format(
        "shorter shingles or a lower --threshold: half of the rows are under {} {}, too short to "
        "differ by one word",
        limit, settings.shingle.unit == ShingleUnit::words ? "words" : "characters");
  }
  if (!choices.find_every_pair() && settings.method == Method::automatic) {
    return "--recall 1 to find every pair; " + std::string(kPlanNext);
  }
  return std::string(kPlanNext);
}

// The recall of methods that find every pair is 1; the recall of lsh is added.
std::string recall_text(const Options& options, const Choices& choices,
                        const BandingForecast& forecast) {
  std::string of_lsh = fmt::format("{:.4f} at similarity {}, {:.4f} above it (requested: {})",
                                   forecast.recall_at_threshold, options.threshold,
                                   forecast.recall_above, options.recall);
  if (choices.find_every_pair()) return "1; lsh would reach " + of_lsh;
  if (choices.pairs.finds_every_pair()) return "pairs, query 1; dedup " + of_lsh;
  if (choices.dedup.finds_every_pair()) return "dedup 1; pairs, query " + of_lsh;
  return of_lsh;
}

// Adds the cost of comparing every pair: estimated from a joined sample or, without one, as if no
// pair were found.
void add_brute_force(const PlannedRows& rows, const Settings& settings, PlanForecast& result) {
  CollectionFacts collection = rows.sample.collection;
  if (collection.rows == 0) {
    collection.rows = rows.survey.rows;
    collection.other_rows = rows.survey.other_rows;
    collection.elements = rows.survey.elements;
    collection.copied_rows = rows.survey.copied_rows;
    collection.copied_elements = rows.survey.copied_elements;
    collection.whole = rows.survey.whole;
  }
  if (collection.rows == 0) return;
  result.brute_pairs =
      pairs_among(static_cast<double>(collection.rows), static_cast<double>(collection.other_rows));
  result.brute_seconds = costs_of_every_method(collection, rows.sample.similarities,
                                               {settings.threshold, JoinUse::every_pair, {}})
                             .brute;
  result.rows_are_counted = collection.whole;
}

PlanForecast forecast_of(const Settings& settings, const BandingPlan& plan,
                         const std::optional<PlannedRows>& rows) {
  const double t = settings.threshold.value();
  PlanForecast result;
  result.half_point = half_point(plan.bands, plan.rows);
  result.approximate_half_point = approximate_threshold(plan.bands, plan.rows);
  result.error_area = error_area(t, plan.bands, plan.rows);
  result.least_errors = least_error_area(t, plan.bands * plan.rows);
  if (rows) add_brute_force(*rows, settings, result);
  return result;
}

std::string describe(const Options& options, const Settings& settings, const BandingPlan& plan,
                     const SampleFacts& sample, const Choices& choices,
                     const PlanForecast& planned) {
  const BandingForecast f = forecast(plan, settings.threshold, sample);
  const double t = settings.threshold.value();
  const double low = f.half_point / 2;
  std::string out;
  const auto line = [&out](std::string_view label, const std::string& text) {
    add_plan_line(out, label, text);
  };
  if (options.kind == kTextItems) {
    line("documents as", fmt::format("sets of {} ({} tokens)", options.shingle, options.tokens));
  } else {
    line("items are", settings.shingle.bag ? "bags of elements" : "sets of elements");
  }
  line("expected recall", recall_text(options, choices, f));
  add_forecast_lines(out, planned, [](double s) { return fmt::format("{:.4f}", s); });
  line("steepest slope", fmt::format("{:.3f} at {:.4f}", f.steepest_slope, f.steepest_point));
  const auto* sketch = usual_hash_family(settings.measure->distance);
  line("sensitivity", fmt::format("({:.4f}, {:.4f}, {:.4f}, {:.6f})-sensitive in Jaccard distance",
                                  1 - t, 1 - low, f.recall_at_threshold,
                                  candidate_probability(sketch->collision_probability(1 - low),
                                                        plan.bands, plan.rows)));
  if (sample.documents > 0) {
    line("sample", fmt::format("{} documents, {} shingles in the median one", sample.documents,
                               sample.median_shingles));
    line("false candidates", fmt::format("{:.3f} per document expected in the sample",
                                         f.false_candidates_per_document));
  }
  return out;
}

// The banding for lsh; empty if no banding is suitable and neither --method nor an output file
// requires one.
std::optional<BandingPlan> banding_of(const Options& options, const Settings& settings,
                                      const SampleFacts& similarities, bool decides) {
  if (settings.fixed_bands > 0) {
    return fixed_banding(settings.fixed_bands, settings.fixed_rows, settings.threshold,
                         settings.recall);
  }
  const bool asked = !decides || settings.method == Method::lsh || !options.output.empty() ||
                     !options.svg.empty() || options.index;
  if (asked) return choose_banding(settings.threshold, settings.recall, similarities);
  return find_banding(settings.threshold, settings.recall, similarities);
}

// The rows as items of an index.
PlannedIndex planned_index(const PlannedRows& rows, const BandingPlan& plan,
                           const Settings& settings) {
  const double count = std::max(1.0, static_cast<double>(rows.survey.rows));
  const auto documents = static_cast<double>(rows.sample.similarities.documents);
  PlannedRun run;
  run.banding = plan;
  run.by_characters = settings.shingle.unit == ShingleUnit::chars;
  PlannedIndex index;
  index.items = static_cast<double>(rows.survey.rows);
  index.keys = plan.bands;
  index.filter_bytes = plan.components;
  index.element_bytes = 8 * static_cast<double>(rows.survey.elements) / count;
  index.make_ns = sketch_ns(rows.survey, run) / count;
  index.candidate_part =
      forecast(plan, settings.threshold, rows.sample.similarities).false_candidates_per_document /
      std::max(1.0, documents - 1);
  return index;
}

// Rows of the inputs; empty if there are no inputs.
std::optional<PlannedRows> rows_of(const Options& options, const Settings& settings,
                                   const RunHooks& hooks) {
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    if (!is_given(options, "rows")) return std::nullopt;
    throw Error(ErrorKind::invalid_option, RefusedOption{"rows"}, "needs input rows",
                "sosie plan INPUT --rows N");
  }
  ThreadPool pool(settings.threads, hooks.cancel);
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  const Inputs inputs = open_inputs(options, settings, scratch, pool, hooks);
  check_outputs(inputs, options, hooks.result_descriptor);
  require_asked_fields(inputs, settings, pool);
  tell_unusual(inputs, options, hooks);
  tell_of_mixed_rows(inputs, options, hooks);
  PlannedRows rows = inspect_rows(inputs, options, settings, {scratch, pool, hooks});
  require_unchanged(inputs);
  return rows_asked_for(rows, options);
}

void tell_runs(RunPlan& plan, const PlannedRows& rows, const Choices& choices,
               const Options& options, const Settings& settings) {
  const PlannedCosts costs = planned_costs(rows, choices.dedup, choices.pairs, options, settings);
  plan.text += describe_runs(rows, costs, settings);
  tell_costs(plan.brief, {rows_text(rows), options}, &costs.dedup, costs.pairs, settings);
}

std::string why_every_pair(const Options& options, const Settings& settings) {
  if (is_given(options, "method")) return "set by --method";
  if (!settings.measure->distance.empty()) return "--recall 1 needs it";
  return "there is no lsh for " + std::string(settings.measure->name);
}

// Plan for a method that finds every pair regardless of the rows.
RunPlan plan_of_every_pair(const Options& options, const Settings& settings,
                           const std::optional<PlannedRows>& rows) {
  const bool exact = settings.method == Method::exact;
  const MethodChoice choice{.brute = !exact, .exact = exact, .banding = {}};
  RunPlan plan;
  add_plan_line(plan.text, "method", method_text(choice));
  plan.brief = {.time = {},
                .memory = {},
                .method = std::string(choice.name()),
                .recall = "1: every pair is found",
                .why = why_every_pair(options, settings),
                .next = rows && rows->survey.rows > most_rows() ? most_rows_text(settings)
                                                                : std::string(kPlanNext)};
  if (rows) tell_runs(plan, *rows, {choice, choice}, options, settings);
  return plan;
}

}  // namespace

RunPlan plan_of_sets(const Options& options, const RunHooks& hooks) {
  const Settings settings = resolve(options);
  if (options.index) require_index_of_sets(options, settings);
  if (settings.cascade) return plan_of_cascade(options, settings, hooks);
  const std::optional<PlannedRows> rows = rows_of(options, settings, hooks);
  if (options.index && (!rows || rows->survey.rows == 0)) refuse_index_of_nothing();
  if (settings.method == Method::exact || settings.method == Method::brute) {
    return plan_of_every_pair(options, settings, rows);
  }
  RunPlan plan;
  const SampleFacts similarities = rows ? rows->sample.similarities : SampleFacts{};
  const bool decides = rows && rows->sample.collection.rows > 0;
  const std::optional<BandingPlan> found = banding_of(options, settings, similarities, decides);
  Choices choices;
  if (decides) {
    const Predictions predictions = predict(*rows, found, settings);
    choices = {cheapest_method(predictions.dedup, found),
               cheapest_method(predictions.pairs, found)};
    plan.text = describe_choice(predictions, choices, found);
    plan.brief.why = why_text(predictions, choices, *rows);
  } else {
    choices = {{.banding = *found}, {.banding = *found}};
    add_plan_line(plan.text, "method", "lsh: " + banding_text(*found));
    plan.brief.why =
        settings.method == Method::lsh ? "set by --method" : "lsh is planned for any rows";
  }
  if (rows) tell_runs(plan, *rows, choices, options, settings);
  plan.brief.method = of_both_verbs(brief_method(choices.dedup), brief_method(choices.pairs));
  plan.brief.next = next_text(rows, settings, choices);
  plan.brief.recall =
      choices.find_every_pair()
          ? "1: every pair is found"
          : recall_text(options, choices, forecast(*found, settings.threshold, similarities));
  if (options.index) {
    add_index_lines(plan.index_text, planned_index(*rows, *found, settings), settings);
  }
  if (!found) return plan;
  plan.curves = curves_beside_peers(*found, settings.threshold.value());
  if (choices.find_every_pair()) plan.curves.front().name = "lsh (not chosen)";
  plan.mark = settings.threshold.value();
  plan.forecast = forecast_of(settings, *found, rows);
  plan.text += describe(options, settings, *found, similarities, choices, plan.forecast);
  plan.saved = saved_plan(options, settings, *found);
  return plan;
}

}  // namespace sosie
