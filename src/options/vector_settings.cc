// Settings of runs on vectors: measure, bound and method.
#include "options/vector_settings.h"

#include <fmt/format.h>

#include "core/rational.h"
#include "data/kinds.h"
#include "options/refuse_options_of_others.h"
#include "sosie/error.h"
#include "verify/bring_into_range.h"

namespace sosie {
namespace {

std::string name_of_measure(const Options& options) {
  return is_given(options, "measure") ? options.measure
                                      : std::string(default_measure(kVectorItems));
}

}  // namespace

VectorMeasure measure_of_vectors(const Options& options) {
  const std::string name = name_of_measure(options);
  if (const auto measure = vector_measure(name)) return *measure;
  refuse_measure(name, kVectorItems);
}

void settle_method(const VectorColumn& column, std::span<const double> squares,
                   VectorSettings& settings) {
  if (settings.measure->needs_length || !are_out_of_range(column, squares)) return;
  if (settings.lsh.required) {
    throw Error(ErrorKind::unsupported, RefusedOption{"method", "lsh"},
                fmt::format("cannot hash vectors longer than 1e120, or all shorter "
                            "than 1e-120, for {} distances",
                            settings.measure->name),
                "--method exact measures every pair; or multiply all vectors by the same number");
  }
  settings.lsh.family = nullptr;
  settings.brute = true;
}

bool wants_lists(const Options& options) {
  return options.kind == kVectorItems && options.method == Method::lsh &&
         !is_given(options, "threshold") && options.within.empty();
}

double recall_of_lists(const Options& options) {
  const auto recall = *parse_rational(options.recall);
  if (recall.num == recall.den) {
    refuse_option({"recall", "1"}, "method lsh cannot guarantee every pair",
                  "use --method exact, or a recall below 1");
  }
  const VectorMeasure measure = measure_of_vectors(options);
  if (!measure.can_filter) {
    refuse_option({"measure", std::string(measure.name)}, "there is no lsh for it",
                  "--method exact finds every pair");
  }
  return recall.value();
}

VectorSettings resolve_vectors(const Options& options, VerbBit verb) {
  refuse_options_of_texts(options, kVectorItems);
  VectorSettings settings;
  settings.run = resolve_run(options);
  settings.measure = measure_of_vectors(options);
  const std::string name = name_of_measure(options);
  settings.brute = options.method == Method::brute || !settings.measure->can_filter;
  settings.nearest = verb != kDedup && asks_for_nearest(options);
  settings.bound = settings.nearest ? no_bound(name, settings.measure->is_similarity)
                                    : resolve_bound(options, name, settings.measure->is_similarity);
  if (!settings.nearest && parse_signed_rational(settings.bound.facts.bound)->negative) {
    take_bounds_below_zero(*settings.measure);
  }
  if (settings.nearest) refuse_audit_of_nearest(options);
  settings.lsh = resolve_lsh(options, *typed_measure(name, kVectorItems)->row, settings.nearest);
  return settings;
}

}  // namespace sosie
