// dedup --part: matches one part of the keys of sketched rows and writes the results to a file.
#include <fmt/format.h>

#include <array>

#include "core/count_text.h"
#include "corpus/sketches.h"
#include "options/bounds.h"
#include "options/output_options.h"
#include "options/outputs_among_inputs.h"
#include "sosie/error.h"
#include "store/part_verdicts.h"
#include "verbs/engine.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// Options that need all verdicts.
constexpr std::array<std::string_view, 5> kOfWholeRuns = {"annotate", "dry-run", "audit",
                                                          "checkpoint", "fail-if-duplicates"};

[[noreturn]] void refuse_of_whole_runs(const Options& options, std::string_view flag) {
  throw Error(ErrorKind::invalid_option, RefusedOption{"part", options.part},
              fmt::format("cannot be combined with {}", flag),
              "give it to the run with --parts, which has all verdicts");
}

}  // namespace

void check_parts(const Options& options) {
  if (options.part.empty() && options.parts.empty()) return;
  const std::string name = options.part.empty() ? "parts" : "part";
  if (has_other(options)) {
    throw Error(ErrorKind::invalid_option, RefusedOption{name}, "cannot be combined with --against",
                "parts cover a single collection");
  }
  if (!options.sketches) {
    throw Error(ErrorKind::invalid_option, RefusedOption{name}, "needs sketches: --reuse S...",
                "sosie sketch INPUT --plan P.json -o S makes one");
  }
  if (options.part.empty()) {
    refuse_outputs_in_folder(options, {"parts", options.parts});
    return;
  }
  if (!options.parts.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"part", options.part},
                "cannot be combined with --parts",
                "--part makes one part; a separate run with --parts combines them all");
  }
  for (const std::string_view other : kOfWholeRuns) {
    if (is_given(options, other)) refuse_of_whole_runs(options, fmt::format("--{}", other));
  }
  for (const OutputOption& output : output_options(options)) {
    if (output.flag != "-o") refuse_of_whole_runs(options, output.flag);
  }
  if (options.output.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"part", options.part},
                "needs a folder for the parts: -o DIR");
  }
}

RunReport dedup_part(Engine& engine, const Options& options, const RunHooks& hooks) {
  const MatchPart part = *parse_part(options.part);
  prepare_part_folder(options.output);
  const PartVerdicts verdicts = engine.match_part(part);
  engine.require_unchanged();
  engine.pool().check_cancelled();
  RunReport report;
  report.rows = options.sketches->rows();
  const std::uint64_t bytes =
      write_part(options.output, part, subject_of(*options.sketches), verdicts, hooks.cancel);
  const std::uint64_t compared =
      verdicts.overlaps.size() + verdicts.pairs.size() + verdicts.far_pairs.size();
  report.stats =
      fmt::format("{{\"part\": \"{}\", \"rows\": {}, \"compared\": {}, \"bytes\": {}}}\n",
                  part_text(part), report.rows, compared, bytes);
  report.summary = fmt::format("part {}: {} compared: {}, {}\n", part_text(part),
                               plural_text(compared, "pair", "pairs"),
                               part_path(options.output, part), bytes_text(bytes));
  return report;
}

}  // namespace sosie
