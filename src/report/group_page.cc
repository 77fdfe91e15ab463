// JSON pages about a saved run: overview, histogram, lists of groups, and one group with its rows.
#include "report/group_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/json_value.h"
#include "core/json_writer.h"
#include "core/rational.h"
#include "plan/banding_plan.h"
#include "report/add_parts.h"
#include "report/report_curves.h"
#include "report/review_status.h"
#include "report/run_overview.h"
#include "report/text_diff.h"
#include "sosie/error.h"
#include "write/html_text.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMembersOfPage = 100;

JsonValue overview_of(const RunFolder& run) {
  std::optional<JsonValue> overview = parse_json(run.facts().overview);
  if (overview) return std::move(*overview);
  throw Error(ErrorKind::malformed_input, run.path() + "/run.json: is not a run");
}

// Writes a member of the object, or `none` if it is missing.
void add_member(const char* name, const JsonValue& object, std::string_view none,
                JsonWriter& json) {
  const JsonValue* found = object.find(name);
  json.written(name, found == nullptr ? std::string(none) : found->written());
}

// True if the component belongs to the group of this kept row.
bool is_of(const JsonValue& component, const RunFolder& run, const RunMember& kept) {
  const JsonValue* id = component.find("id");
  const JsonValue* file = component.find("file");
  const JsonValue* row = component.find("row");
  return id != nullptr && id->is(run.id_of(kept)) && file != nullptr &&
         file->is(run.facts().files[kept.file].name) && row != nullptr && row->is_natural() &&
         row->natural() == kept.row();
}

// Adds the rows that connected components of shared buckets would have merged into this group, if
// known.
void add_component(const RunFolder& run, const RunMember& kept, JsonWriter& json) {
  const JsonValue overview = overview_of(run);
  const JsonValue* components = overview.find("components");
  if (components == nullptr || !components->is_list()) return;
  for (const JsonValue& each : components->list()) {
    if (!is_of(each, run, kept)) continue;
    json.begin_object("component");
    for (const char* name : {"rows", "kept"}) add_member(name, each, "null", json);
    json.end_object();
    return;
  }
}

// Adds the members of the JSON object for a group.
void add_group(const RunFolder& run, const RunGroups& groups, const RunDecisions& decisions,
               std::size_t number, JsonWriter& json) {
  const RunGroup& group = run.groups()[number];
  const RunMember kept = run.read_members(group.first_member, 1).front();
  json.members({{"group", number},
                {"kept_id", run.shown_id(kept)},
                {"line", run.line_of(group)},
                {"rows", group.members},
                {"saved_bytes", group.saved_bytes},
                {"weakest", group.weakest}});
  json.list("sources", groups.sources_of(group));
  json.members(
      {{"reviewed", decisions.is_reviewed(number)}, {"changed", decisions.is_changed(number)}});
}

// Writes the rows of one group.
class GroupRows {
 public:
  GroupRows(const RunFolder& run, const RunDecisions& decisions, RunRows& rows,
            const RunGroup& group)
      : run_(run),
        decisions_(decisions),
        rows_(rows),
        group_(group),
        kept_(run.read_members(group.first_member, 1).front()),
        kept_row_(rows.read(kept_)),
        diff_(rows.tokens()) {}

  [[nodiscard]] const RunMember& kept() const noexcept { return kept_; }

  void add(std::uint64_t number, const RunMember& member, JsonWriter& json) {
    const RunFacts& facts = run_.facts();
    const bool is_kept = member.has(RunMember::kept);
    const bool is_judged = !facts.is_of_links;  // in a link run, pairs are judged instead
    const bool beyond =
        facts.is_similarity ? member.value < facts.bound : member.value > facts.bound;
    json.begin_object();
    json.members({{"member", number},
                  {"id", run_.shown_id(member)},
                  {"file", facts.files[member.file].name},
                  {"row", member.row()},
                  {"bytes", member.length},
                  {"value", member.value},
                  {"kept_by_run", is_kept},
                  {"identical", member.has(RunMember::identical)},
                  {"of_against", member.has(RunMember::of_against)},
                  {"is_chained", facts.is_chained && !is_kept && beyond},
                  {"is_weakest",
                   !is_kept && !member.has(RunMember::identical) && member.value == group_.weakest},
                  {"verdict", name_of(is_judged ? decisions_.of(number) : Verdict::none)},
                  {"kept", is_judged ? decisions_.is_kept(number, member) : is_kept}});
    const RunRow row = is_kept ? kept_row_ : rows_.read(member);
    if (!row.trouble.empty()) json.member("trouble", row.trouble);
    add_text(row, is_kept, json);
    json.begin_array("fields");
    for (const ReportField& field : row.fields) {
      json.object({{"name", field.name}, {"value", field.value}});
    }
    json.end_array();
    json.end_object();
  }

 private:
  void add_text(const RunRow& row, bool is_kept, JsonWriter& json) {
    if (row.text.empty()) return;
    ReportSide left;
    ReportSide right;
    diff_.compare(row.text, is_kept ? row.text : kept_row_.text, left, right);
    json.members({{"words", left.words}, {"text_bytes", row.text.size()}});
    if (is_kept) {  // its runs of common words are shown in full
      ReportSide whole;
      diff_.compare(row.text, {}, whole, right);
      for (DiffPart& part : whole.parts) {
        if (part.kind == DiffPart::Kind::changed) part.kind = DiffPart::Kind::same;
      }
      add_parts("parts", whole, json);
      return;
    }
    add_parts("parts", left, json);
    if (!kept_row_.text.empty()) add_parts("kept_parts", right, json);
  }

  const RunFolder& run_;
  const RunDecisions& decisions_;
  RunRows& rows_;
  const RunGroup& group_;
  RunMember kept_;
  RunRow kept_row_;
  TextDiff diff_;
};

SimilarityBins bins_of(const JsonValue& overview) {
  SimilarityBins bins{};
  const JsonValue* found = overview.find("bins");
  if (found == nullptr || !found->is_list()) return bins;
  const JsonValue::List& counts = found->list();
  for (std::size_t i = 0; i < std::min(bins.size(), counts.size()); ++i) {
    if (counts[i].is_natural()) bins[i] = counts[i].natural();
  }
  return bins;
}

[[noreturn]] void refuse_number(const char* name, const std::string& value) {
  throw Error(ErrorKind::invalid_option, RefusedOption{name},
              fmt::format("'{}' is not a number above 0 and at most 1", value));
}

}  // namespace

std::string run_info(const RunFolder& run, const RunGroups& groups, const RunDecisions& decisions,
                     bool read_only) {
  const RunFacts& facts = run.facts();
  std::uint64_t saved = 0;
  std::uint64_t rows = 0;
  for (const RunGroup& group : run.groups()) {
    if (!run.lists(group)) continue;
    saved += group.saved_bytes;
    rows += group.members;
  }
  JsonWriter json;
  json.begin_object();
  json.members({{"type", "run"},
                {"name", run.path()},
                {"read_only", read_only},
                {"kind", facts.kind},
                {"value", facts.value_name},
                {"is_similarity", facts.is_similarity},
                {"bound", facts.bound},
                {"is_chained", facts.is_chained},
                {"groups", run.listed_groups()},
                {"grouped_rows", rows},
                {"saved_bytes", saved}});
  if (facts.is_of_links) json.member("pairs", run.pairs().size());
  json.begin_array("sources");
  const auto counts = groups.by_source();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    json.object({{"name", facts.sources[i]}, {"groups", counts[i]}});
  }
  json.end_array();
  json.written("review", review_status(run, decisions));
  json.begin_object("overview");
  const JsonValue overview = overview_of(run);
  for (const auto& [name, value] : overview.members()) {
    if (name == "curves" || name == "bins") continue;
    json.name(name);
    value.write_to(json);
  }
  json.end_object();
  json.end_object();
  return json.text();
}

std::string run_histogram(const RunFolder& run, const std::string& threshold,
                          const std::string& recall) {
  const JsonValue overview = overview_of(run);
  const SimilarityBins bins = bins_of(overview);
  JsonWriter json;
  json.begin_object();
  json.members({{"value", run.facts().value_name},
                {"is_similarity", run.facts().is_similarity},
                {"bound", run.facts().bound}});
  add_member("axis", overview, "null", json);
  json.list("bins", bins);
  if (threshold.empty()) {
    add_member("curves", overview, "[]", json);
    json.end_object();
    return json.text();
  }
  const auto bound = parse_rational(threshold);
  if (!bound || bound->num == 0 || bound->num > bound->den) refuse_number("threshold", threshold);
  const auto wanted = parse_rational(recall.empty() ? "0.99" : recall);
  if (!wanted || wanted->num == 0 || wanted->num >= wanted->den) refuse_number("recall", recall);
  const BandingPlan plan = choose_banding(*bound, wanted->value(), {});
  const double expected = forecast(plan, *bound, {}).recall_at_threshold;
  std::vector<ReportCurve> curves = planned_curves(plan, bound->value(), bins);
  curves.front().at_threshold = recall_text(expected);  // a single recall, including the filter
  add_curves(curves, json);
  json.object("plan", {{"threshold", threshold},
                       {"recall", wanted->value()},
                       {"bands", plan.bands},
                       {"band_rows", plan.rows},
                       {"components", plan.components},
                       {"expected_recall", expected}});
  json.end_object();
  return json.text();
}

std::vector<std::pair<std::string, std::string>> given_options(const RunFolder& run) {
  std::vector<std::pair<std::string, std::string>> options;
  const JsonValue overview = overview_of(run);
  const JsonValue* parameters = overview.find("parameters");
  if (parameters == nullptr || !parameters->is_list()) return options;
  for (const JsonValue& each : parameters->list()) {
    const JsonValue* is_default = each.find("is_default");
    const JsonValue* name = each.find("name");
    const JsonValue* value = each.find("value");
    if (is_default == nullptr || is_default->is_true()) continue;
    if (name == nullptr || !name->is_text() || value == nullptr || !value->is_text()) {
      throw Error(ErrorKind::malformed_input, run.path() + "/run.json: is not a run");
    }
    options.emplace_back(name->text(), value->text());
  }
  return options;
}

std::string groups_page(const RunFolder& run, RunGroups& groups, const RunDecisions& decisions,
                        const GroupsAsked& asked) {
  expect_limit(asked.limit, kListedAtOnce);
  return list_page({"groups", run.listed_groups(), groups.select(asked), asked.offset, asked.limit},
                   [&](std::uint32_t number, JsonWriter& json) {
                     add_group(run, groups, decisions, number, json);
                   });
}

std::string group_page(const RunFolder& run, const RunGroups& groups, const RunDecisions& decisions,
                       RunRows& rows, const MembersAsked& asked) {
  expect_limit(asked.limit, kMembersOfPage);
  const RunGroup& group = run.groups()[asked.group];
  JsonWriter json;
  json.begin_object();
  add_group(run, groups, decisions, asked.group, json);
  const std::uint64_t begin = std::min<std::uint64_t>(asked.offset, group.members);
  const std::uint64_t count = std::min(asked.limit, std::uint64_t{group.members} - begin);
  json.members({{"offset", begin}, {"value", run.facts().value_name}});
  GroupRows writer(run, decisions, rows, group);
  add_component(run, writer.kept(), json);
  json.begin_array("members");
  const auto members = run.read_members(group.first_member + begin, count);
  for (std::size_t i = 0; i < members.size(); ++i) {
    writer.add(group.first_member + begin + i, members[i], json);
  }
  json.end_array();
  json.end_object();
  return json.text();
}

}  // namespace sosie
