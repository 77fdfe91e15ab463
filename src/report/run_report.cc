// Page of --report: its data as JSON, and what it shows without them.
#include "report/run_report.h"

#include <fmt/format.h>

#include <map>

#include "core/count_text.h"
#include "core/cut_text.h"
#include "core/json_writer.h"
#include "report/run_overview.h"
#include "write/html_page.h"
#include "write/html_text.h"
#include "write/offline_page.h"

namespace sosie {
namespace {

// Bytes of texts that many rows share a page with.
constexpr std::size_t kBriefId = 240;
constexpr std::size_t kBriefLine = 200;
constexpr std::size_t kBriefField = 1200;

// A text of the data, cut.
std::string brief(std::string_view text, std::size_t bytes) {
  const std::string_view front = cut_text(text, bytes);
  return std::string(front) + (front.size() < text.size() ? "\u2026" : "");
}

void add_place(const ReportRow& row, JsonWriter& json) {
  json.members({{"id", brief(row.id, kBriefId)}, {"file", row.file}, {"row", row.row}});
}

// Parts of a text as lists, since there may be hundreds: 0 and words that both have, 1 and words
// that differ, 2 and the number of words left out.
void add_part_lists(const std::vector<DiffPart>& parts, JsonWriter& json) {
  json.begin_array("parts");
  for (const DiffPart& part : parts) {
    json.begin_array();
    json.value(static_cast<int>(part.kind));
    if (part.kind == DiffPart::Kind::left_out) {
      json.value(part.words);
    } else {
      json.value(part.text);
    }
    json.end_array();
  }
  json.end_array();
}

void add_side(std::string_view name, const ReportSide& side, JsonWriter& json) {
  json.begin_object(name);
  add_place(side.row, json);
  if (!side.parts.empty()) {
    json.member("words", side.words);
    add_part_lists(side.parts, json);
  }
  json.begin_array("fields");
  for (const ReportField& field : side.fields) {
    json.object(
        {{"name", brief(field.name, kBriefId)}, {"value", brief(field.value, kBriefField)}});
  }
  json.end_array();
  json.end_object();
}

// The removals that were closest calls.
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

// Rows of a group as lists, since there may be thousands: id, number of the file, row, bytes,
// value, and marks: 1 for an identical row, 2 for one of --against.
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
                {"kind", s.kind},
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

void append_count(std::string& out, std::string_view name, std::uint64_t count) {
  append_html(out, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", name, count_text(count));
}

std::string place_text(const ReportRow& row) {
  return fmt::format("<bdi>{}</bdi> <small><bdi>{}</bdi>, row {}</small>",
                     html_line(row.id, kNameCharacters), html_line(row.file, kNameCharacters),
                     row.row);
}

void append_closest(std::string& out, const ReportPage& page) {
  if (page.nearest.empty()) return;
  append_html(out,
              "<table class=\"plain\">\n<caption>Weakest edges: the removals that were closest "
              "calls</caption>\n"
              "<thead><tr><th scope=\"col\">{}</th><th scope=\"col\">removed</th>"
              "<th scope=\"col\">kept</th></tr></thead>\n<tbody>\n",
              page.value_name());
  for (const ReportPair& pair : page.nearest) {
    append_html(out, "<tr><th scope=\"row\">{:.6f}</th><td>{}</td><td>{}</td></tr>\n",
                pair.similarity, place_text(pair.removed.row), place_text(pair.kept.row));
  }
  out += "</tbody>\n</table>\n";
}

// The page where no script runs. Its own script puts its views in this place.
std::string plain_summary(const ReportPage& page, const std::string& names) {
  const RunSummary& s = page.summary;
  std::string out = "<main>\n<h1>What was kept and removed</h1>\n";
  if (!names.empty()) append_html(out, "<p class=\"subject\"><bdi>{}</bdi></p>\n", names);
  append_html(out, "<p id=\"resources\" class=\"soft\">{}</p>\n", html_line(resources(page)));
  out += "<table>\n<tbody>\n";
  append_count(out, "rows read", s.total.rows);
  append_count(out, s.dry_run ? "would be kept" : "kept", s.total.kept);
  append_count(out, s.removes_holders ? "removed: holding an item" : "removed: near-duplicates",
               s.total.near);
  append_count(out, page.measured ? "removed: identical" : "removed: same text", s.total.identical);
  append_count(out, "groups of two rows or more", s.groups);
  append_html(out, "</tbody>\n</table>\n<p>{}</p>\n", html_line(run_claim(page)));
  append_html(out, "<p>This command repeats the run (sosie {}):</p>\n<pre>{}</pre>\n",
              html_line(page.version), html_text(page.command));
  append_closest(out, page);
  return out +
         "<p class=\"soft\">Where the script of this page may run, it shows the groups and the "
         "words that changed.</p>\n</main>\n";
}

}  // namespace

std::string run_report(const ReportPage& page) {
  std::vector<std::string> inputs;
  for (const InputCounts& input : page.summary.inputs) inputs.push_back(input.name);
  const std::string names = data_names(inputs);
  OfflinePage out;
  out.title = "Sosie: what was kept and removed" + (names.empty() ? names : ": " + names);
  out.summary = plain_summary(page, names);
  out.data = data_of(page);
  return offline_page(out);
}

}  // namespace sosie
