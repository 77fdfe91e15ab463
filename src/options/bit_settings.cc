#include "options/bit_settings.h"

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kUsualMeasure = "hamming";

}  // namespace

const BitMeasure& measure_of_bits(const Options& options) {
  if (!is_given(options, "measure")) return *bit_measure_by_name(kUsualMeasure);
  if (const BitMeasure* measure = bit_measure_by_name(options.measure)) return *measure;
  throw Error(ErrorKind::invalid_option,
              "--measure " + options.measure + ": is not for items of kind bits",
              "bit strings are compared by hamming and jaccard");
}

BitSettings resolve_bits(const Options& options, std::string_view verb) {
  refuse_options_of_texts(options, "bits");
  BitSettings settings;
  settings.run = resolve_run(options);
  settings.measure = &measure_of_bits(options);
  settings.brute = options.method == "brute";
  settings.nearest = verb == "query" && asks_for_nearest(options);
  const BitMeasure& measure = *settings.measure;
  settings.bound = settings.nearest ? no_bound(measure.name, measure.is_similarity)
                                    : resolve_bound(options, measure.name, measure.is_similarity);
  if (settings.nearest) refuse_audit_of_nearest(options);
  settings.lsh = resolve_lsh(options, "bits", measure.name, settings.nearest);
  return settings;
}

}  // namespace sosie
