// The page of --report: its data as JSON, and the sections shown without scripts.
#include "report/run_report.h"

#include <fmt/format.h>

#include <map>

#include "core/count_text.h"
#include "core/json_writer.h"
#include "data/kinds.h"
#include "report/add_parts.h"
#include "report/run_overview.h"
#include "write/offline_page.h"

namespace sosie {
namespace {

constexpr std::size_t kBriefLine = 200;

void add_place(const ReportRow& row, JsonWriter& json) {
  json.members({{"id", brief(row.id, kBriefId)}, {"file", row.file}, {"row", row.row}});
}

void add_side(std::string_view name, const ReportSide& side, JsonWriter& json) {
  json.begin_object(name);
  add_place(side.row, json);
  if (!side.parts.empty()) {
    json.member("words", side.words);
    add_part_lists("parts", side, json);
  }
  json.begin_array("fields");
  for (const ReportField& field : side.fields) {
    json.object(
        {{"name", brief(field.name, kBriefId)}, {"value", brief(field.value, kBriefField)}});
  }
  json.end_array();
  json.end_object();
}

// Adds the removals that were the closest calls.
void add_closest(const ReportPage& page, JsonWriter& json) {
  json.begin_array("closest");
  for (const ReportPair& pair : page.nearest) {
    json.begin_object();
    json.member("value", pair.similarity);
    if (!page.measured) {
      json.members({{"shared", pair.shared}, {"united", pair.united}, {"of_root", pair.of_root}});
    }
    add_side("removed", pair.removed, json);
    add_side("kept", pair.kept, json);
    json.end_object();
  }
  json.end_array();
}

// Rows of a group as lists, because there may be thousands: id, file number, row, bytes, value, and
// flags (1: identical row, 2: row of --against).
class GroupLists {
 public:
  void add(const ReportPage& page, JsonWriter& json) {
    json.begin_array("groups");
    for (const ReportCluster& cluster : page.clusters) add(page, cluster, json);
    json.end_array();
    json.list("files", names_);
  }

 private:
  void add(const ReportPage& page, const ReportCluster& cluster, JsonWriter& json) {
    const double same = page.axis.last;
    json.begin_object();
    json.members({{"line", brief(cluster.line, kBriefLine)},
                  {"rows", cluster.rows},
                  {"identical", cluster.identical},
                  {"saved_bytes", cluster.saved_bytes},
                  {"weakest", cluster.weakest ? cluster.weakest->similarity : same}});
    if (cluster.weakest) {
      json.begin_object("weakest_row");
      add_place(cluster.weakest->removed, json);
      json.end_object();
    }
    if (cluster.component) {
      json.object("component",
                  {{"rows", cluster.component->rows}, {"kept", cluster.component->survivors}});
    }
    json.begin_array("members");
    add_row({cluster.survivor, cluster.bytes, same, true}, cluster.of_against, json);
    for (const ReportCluster::Member& member : cluster.members) add_row(member, false, json);
    json.end_array();
    json.end_object();
  }

  void add_row(const ReportCluster::Member& member, bool of_against, JsonWriter& json) {
    const auto [at, added] = files_.emplace(member.row.file, names_.size());
    if (added) names_.push_back(member.row.file);
    json.begin_array();
    json.value(brief(member.row.id, kBriefId));
    json.value(at->second);
    json.value(member.row.row);
    json.value(member.bytes);
    json.value(member.value);
    json.value((member.identical ? 1 : 0) + (of_against ? 2 : 0));
    json.end_array();
  }

  std::map<std::string, std::size_t> files_;
  std::vector<std::string> names_;
};

std::string data_of(const ReportPage& page) {
  const RunSummary& s = page.summary;
  JsonWriter json;
  json.begin_object();
  json.begin_object("info");
  json.members({{"type", "run"},
                {"read_only", true},
                {"kind", kind_name(s.kind)},
                {"value", page.value_name()},
                {"is_similarity", !page.measured || page.measured->is_similarity},
                {"bound", page.threshold},
                {"is_chained", page.is_chained},
                {"groups", s.groups},
                {"grouped_rows", s.groups + s.total.identical + s.total.near}});
  json.begin_object("overview");
  add_run_overview(page, false, json);
  json.end_object();
  json.end_object();
  json.begin_object("histogram");
  json.members({{"value", page.value_name()},
                {"is_similarity", !page.measured || page.measured->is_similarity},
                {"bound", page.threshold}});
  add_histogram(page, json);
  json.end_object();
  add_closest(page, json);
  GroupLists().add(page, json);
  json.end_object();
  return json.text();
}

std::string resources(const ReportPage& page) {
  const RunSummary& s = page.summary;
  std::string out =
      fmt::format("{}{:.2f} s up to this page, {}, peak memory {}",
                  page.written.empty() ? "" : page.written + ". ", s.seconds,
                  plural_text(s.threads, "thread", "threads"), bytes_text(s.peak_bytes));
  if (page.measured) {
    return out +
           fmt::format("; {} measured.", plural_text(s.candidates, "candidate", "candidates"));
  }
  return out + fmt::format(", scratch {}; {} candidates, {} verified.", bytes_text(s.scratch_bytes),
                           count_text(s.candidates), count_text(s.verified));
}

OfflinePage::Row place_of(const ReportRow& row) { return {row.id, row.file, row.row}; }

}  // namespace

std::string run_report(const ReportPage& page) {
  const RunSummary& s = page.summary;
  OfflinePage out;
  out.title = "what was kept and removed";
  out.heading = "What was kept and removed";
  for (const InputCounts& input : s.inputs) out.inputs.push_back(input.name);
  out.resources = resources(page);
  out.counts = {
      {"rows read", count_text(s.total.rows)},
      {s.dry_run ? "would be kept" : "kept", count_text(s.total.kept)},
      {s.removes_holders ? "removed: holding an item" : "removed: near-duplicates",
       count_text(s.total.near)},
      {page.measured ? "removed: identical" : "removed: same text", count_text(s.total.identical)},
      {"groups of two rows or more", count_text(s.groups)}};
  out.claim = run_claim(page);
  out.version = page.version;
  out.command = page.command;
  out.pairs_title = "Weakest edges: the closest calls among the removals";
  out.value_name = page.value_name();
  out.left_name = "removed";
  out.right_name = "kept";
  for (const ReportPair& pair : page.nearest) {
    out.pairs.push_back({fmt::format("{:.6f}", pair.similarity), place_of(pair.removed.row),
                         place_of(pair.kept.row)});
  }
  out.data = data_of(page);
  return offline_page(out);
}

}  // namespace sosie
