// Writes the facts about a whole link run that a page shows, as JSON.
#include "report/link_overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "report/repeat_command.h"
#include "report/report_page.h"
#include "sosie/version.h"

namespace sosie {
namespace {

void add_scores(const LinkFacts& facts, const LinkBins& bins, JsonWriter& json) {
  json.begin_object("scores");
  json.members({{"first", bins.first},
                {"width", bins.width},
                {"cut", facts.cut.links > 0 ? JsonScalar(facts.cut.score) : JsonScalar(nullptr)}});
  json.list("pairs", bins.pairs);
  json.list("links", bins.links);
  json.end_object();
}

}  // namespace

std::vector<std::string> linked_inputs(const Options& options) {
  std::vector<std::string> names = options.inputs;
  names.insert(names.end(), options.against.begin(), options.against.end());
  return names;
}

std::string cut_sentence(const LinkFacts& facts) {
  if (facts.linker->counts().pairs == 0) return "There are no candidates.";
  if (facts.cut.links == 0) return "No pair reaches the cut.";
  return fmt::format("Cut: {}.", cut_words(facts));
}

void add_link_overview(const Options& options, const LinkFacts& facts, const LinkBins& bins,
                       JsonWriter& json) {
  json.name("summary");
  write_link_summary(facts, json, true);
  const std::vector<std::string> inputs = linked_inputs(options);
  json.member("all_inputs", inputs.size());
  json.list("inputs", std::span(inputs).first(std::min(inputs.size(), kReportInputs)));
  json.list("notes", facts.notes);
  json.member("cut", cut_sentence(facts));
  add_scores(facts, bins, json);
  json.members({{"rules", link_rules_text(*facts.rules, {})},
                {"command", repeat_command(kLink, options)},
                {"version", version()}});
}

}  // namespace sosie
