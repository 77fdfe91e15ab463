// The page of link --report: its data as JSON, and the sections shown without scripts.
#include "report/link_report.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "core/count_text.h"
#include "core/json_writer.h"
#include "report/add_parts.h"
#include "report/link_overview.h"
#include "report/record_explanation.h"
#include "report/repeat_command.h"
#include "report/text_diff.h"
#include "sosie/version.h"
#include "write/offline_page.h"

namespace sosie {
namespace {

constexpr std::size_t kBriefValue = 400;                    // bytes of a value
constexpr std::size_t kPairBytes = std::size_t{256} << 10;  // bytes of all pairs except the last

void add_fields(const LinkFacts& facts, const CandidateLink& link, TextDiff& diff,
                JsonWriter& json) {
  const bool has_bits = facts.method == ScoreMethod::fellegi_sunter;
  json.begin_array("fields");
  for (const RecordExplanation::Field& field :
       explained_fields(*facts.rules, *facts.table, *facts.linker, link, has_bits)) {
    const std::string left = brief(field.values[0], kBriefValue);
    const std::string right = brief(field.values[1], kBriefValue);
    ReportSide left_side;
    ReportSide right_side;
    diff.compare(left, right, left_side, right_side);
    json.begin_object();
    json.members({{"name", brief(field.name, kBriefId)},
                  {"same", field.values[0] == field.values[1]},
                  {"level", field.level}});
    if (field.bits) json.member("bits", *field.bits);
    add_part_lists("left", left_side, json);
    add_part_lists("right", right_side, json);
    json.end_object();
  }
  json.end_array();
}

void add_pairs(const LinkFacts& facts, const LinkSample& sample, JsonWriter& json) {
  TextDiff diff(TokenMode::unicode);
  const LinkRules& rules = *facts.rules;
  const std::size_t begin = json.text().size();
  json.begin_array("pairs");
  for (const ShownLink& shown : sample.shown) {
    if (json.text().size() - begin > kPairBytes) break;
    const ScoredLink& link = shown.link.link;
    json.begin_object();
    json.members({{"why", shown.why},
                  {"left_id", brief(facts.names->of(link.left), kBriefId)},
                  {"right_id", brief(facts.names->of(link.right), kBriefId)},
                  {"score", link.score},
                  {"probability",
                   link.probability < 0 ? JsonScalar(nullptr) : JsonScalar(link.probability)}});
    json.begin_array("rules");
    for (std::size_t r = 0; r < rules.candidates.size(); ++r) {
      if ((shown.link.rules >> r & 1U) != 0) {
        json.value(rule_name(rules.candidates[r], rules.fields));
      }
    }
    json.end_array();
    add_fields(facts, shown.link, diff, json);
    json.end_object();
  }
  json.end_array();
}

std::string data_of_links(const Options& options, const LinkFacts& facts,
                          const LinkSample& sample) {
  JsonWriter json;
  json.begin_object();
  json.begin_object("info");
  json.members({{"type", "run"},
                {"read_only", true},
                {"kind", "records"},
                {"value", facts.has_odds ? "probability" : "score"},
                {"pairs", facts.links}});
  json.begin_object("overview");
  add_link_overview(options, facts, sample.bins, json);
  json.end_object();
  json.end_object();
  add_pairs(facts, sample, json);
  json.end_object();
  return json.text();
}

std::vector<std::pair<std::string, std::string>> link_counts(const LinkFacts& facts) {
  const RecordTable& table = *facts.table;
  std::vector<std::pair<std::string, std::string>> counts;
  counts.emplace_back("records", table.across ? fmt::format("{} and {}", count_text(table.left),
                                                            count_text(table.right))
                                              : count_text(table.size()));
  if (facts.skipped > 0) counts.emplace_back("records left out", count_text(facts.skipped));
  counts.emplace_back("candidates", count_text(facts.linker->counts().pairs));
  if (!table.across) {
    counts.emplace_back("groups", count_text(facts.groups));
    counts.emplace_back("records in groups", count_text(facts.grouped));
  }
  counts.emplace_back(table.across ? "links" : "pairs in groups", count_text(facts.links));
  if (const auto f1 = facts.confidence.estimated_f1) {
    counts.emplace_back("estimated F1", fmt::format("{:.3f}", *f1));
  }
  counts.emplace_back("confidence", facts.confidence.is_low() ? "low" : "ok");
  if (facts.truth) {
    counts.emplace_back("F1 by the truth", facts.truth->output_pairs == 0
                                               ? "nothing is linked"
                                               : fmt::format("{:.3f}", facts.truth->f1));
  }
  return counts;
}

OfflinePage::Pair plain_pair(const LinkFacts& facts, const ShownLink& shown) {
  const ScoredLink& link = shown.link.link;
  std::string value =
      fmt::format("{}: {:.2f}{}", shown.why, link.score, facts.has_odds ? " bits" : "");
  if (link.probability >= 0) value += fmt::format(", probability {:.6f}", link.probability);
  return {std::move(value), {facts.names->of(link.left)}, {facts.names->of(link.right)}};
}

}  // namespace

std::string link_report(const Options& options, const LinkFacts& facts, const LinkSample& sample) {
  OfflinePage page;
  page.title = "what was linked, and why";
  page.heading = "What was linked, and why";
  page.inputs = linked_inputs(options);
  page.resources = fmt::format("{}. {:.1f} s up to this page, peak memory {}.", date_text(),
                               facts.seconds, bytes_text(facts.peak_memory));
  page.counts = link_counts(facts);
  page.claim = cut_sentence(facts);
  page.version = version();
  page.command = repeat_command(kLink, options);
  page.pairs_title = "Pairs nearest the decision";
  page.value_name = "score";
  page.left_name = "left";
  page.right_name = "right";
  for (const ShownLink& shown : sample.shown) page.pairs.push_back(plain_pair(facts, shown));
  page.data = data_of_links(options, facts, sample);
  return offline_page(page);
}

}  // namespace sosie
