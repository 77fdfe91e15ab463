// Resolves the options of runs on bit strings: measure, bound and method.
#include "options/bit_settings.h"

#include "data/kinds.h"
#include "sosie/error.h"

namespace sosie {

BitMeasure measure_of_bits(const Options& options) {
  const std::string_view name =
      is_given(options, "measure") ? options.measure : default_measure(kBitItems);
  if (const auto measure = bit_measure(name)) return *measure;
  refuse_measure(name, kBitItems);
}

BitSettings resolve_bits(const Options& options, VerbBit verb) {
  refuse_options_of_texts(options, kBitItems);
  BitSettings settings;
  settings.run = resolve_run(options);
  settings.made_measure = std::make_shared<const BitMeasure>(measure_of_bits(options));
  settings.measure = settings.made_measure.get();
  settings.brute = options.method == Method::brute;
  settings.nearest = verb != kDedup && asks_for_nearest(options);
  const BitMeasure& measure = *settings.measure;
  settings.bound = settings.nearest ? no_bound(measure.name, measure.is_similarity)
                                    : resolve_bound(options, measure.name, measure.is_similarity);
  if (settings.nearest) refuse_audit_of_nearest(options);
  settings.lsh =
      resolve_lsh(options, *typed_measure(measure.name, kBitItems)->row, settings.nearest);
  return settings;
}

}  // namespace sosie
