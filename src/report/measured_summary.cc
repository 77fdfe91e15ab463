#include "report/measured_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "join/run.h"
#include "report/audit_text.h"
#include "report/summary.h"

namespace sosie {
namespace {

void add_line(std::string& out, std::string_view label, const std::string& text) {
  out += fmt::format("{:<12}{}\n", label, text);
}

std::string pairs_line(const MeasuredSummary& s) {
  if (s.verb == "query") {
    return fmt::format("{} looked up, {} with {}", plural_text(s.rows, "row", "rows"),
                       count_text(s.pairs.lefts), plural_text(s.pairs.pairs, "hit", "hits"));
  }
  return fmt::format("{} read, {} found", plural_text(s.rows, "row", "rows"),
                     plural_text(s.pairs.pairs, "pair", "pairs"));
}

std::string against_line(const MeasuredSummary& s) {
  std::string text = plural_text(s.against_rows, "row", "rows");
  if (s.verb == "pairs") text += ", compared with";
  if (s.dedup) {
    text += fmt::format(", compared with and not written; {} removed for them",
                        count_text(s.dedup->against.removed));
  }
  return text;
}

void add_lsh(const LshPlan& plan, std::uint64_t seed, nlohmann::ordered_json& json) {
  json["bands"] = plan.bands;
  json["band_rows"] = plan.rows;
  if (plan.segment > 0) json["segment"] = plan.segment;
  if (plan.cells > 1) json["probes"] = plan.cells;
  if (plan.sketch_bits > 0) {
    json["sketch_bits"] = plan.sketch_bits;
    json["sketch_bits_that_may_differ"] = plan.most_different;
  }
  json["seed"] = seed;
}

// What dedup has counted.
void add_counts(const RunSummary& counts, nlohmann::ordered_json& json) {
  const auto add = [](const InputCounts& c, nlohmann::ordered_json& to) {
    to["rows"] = c.rows;
    to["kept"] = c.kept;
    to["identical"] = c.identical;
    to["near"] = c.near;
    to["bytes"] = c.bytes;
  };
  add(counts.total, json);
  json["removed"] = counts.total.identical + counts.total.near;
  if (counts.against.given) json["against"]["removed"] = counts.against.removed;
  json["groups"] = counts.groups;
  if (counts.groups > 0) {
    json["largest_group"] = {{"rows", counts.largest.rows}, {"id", counts.largest.id}};
  }
  json["inputs"] = nlohmann::ordered_json::array();
  for (const InputCounts& input : counts.inputs) {
    nlohmann::ordered_json one = {{"name", input.name}};
    add(input, one);
    json["inputs"].push_back(one);
  }
}

}  // namespace

void measure_run(MeasuredSummary& summary, std::chrono::steady_clock::time_point started) {
  summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  summary.peak_bytes = peak_memory_bytes();
}

std::string recall_text(const MeasuredSummary& s) {
  if (!s.lsh) return "recall 1";
  return fmt::format("expected recall {:.4f} at {}", s.lsh->expected_recall, s.facts.bound);
}

std::string measured_summary_text(const MeasuredSummary& s) {
  std::string out;
  add_line(out, "rows", s.dedup ? rows_line(*s.dedup) : pairs_line(s));
  add_line(out, s.kind,
           fmt::format("{}, {} {} each", bytes_text(s.bytes), s.dimension,
                       s.kind == "bits" ? "bits" : s.components + " components"));
  if (s.has_against) {
    add_line(out, s.verb == "query" ? "data" : "against", against_line(s));
  }
  if (s.dedup) add_line(out, "groups", groups_line(*s.dedup));
  add_line(out, "method", fmt::format("{}; {}", s.method_line, recall_text(s)));
  add_line(out, "checked",
           fmt::format("{} measured by their {} {}",
                       plural_text(s.candidates, "candidate", "candidates"), s.facts.measure,
                       s.facts.value_name()));
  out += audit_text(s.audit, {s.kind == "bits" ? "bit strings" : s.kind, s.facts.bound,
                              s.facts.is_similarity, !s.has_against});
  add_line(out, "time",
           fmt::format("{:.2f} s, {}, peak memory {}", s.seconds,
                       plural_text(s.threads, "thread", "threads"), bytes_text(s.peak_bytes)));
  if (s.dedup) out += input_table(*s.dedup);
  return out;
}

std::string measured_summary_json(const MeasuredSummary& s) {
  nlohmann::ordered_json json = {{"kind", s.kind},
                                 {"rows", s.rows},
                                 {"dimension", s.dimension},
                                 {"components", s.components},
                                 {"bytes", s.bytes}};
  if (s.has_against) json["against"] = {{"rows", s.against_rows}};
  if (s.dedup) add_counts(*s.dedup, json);
  json["pairs"] = s.pairs.pairs;
  if (s.verb == "query") json["rows_with_pairs"] = s.pairs.lefts;
  json["candidates"] = s.candidates;
  json["measure"] = s.facts.measure;
  if (!s.facts.bound.empty()) json[s.facts.is_similarity ? "threshold" : "within"] = s.facts.bound;
  json["method"] = s.method;
  if (s.lsh) add_lsh(*s.lsh, s.seed, json);
  json["expected_recall"] = s.lsh ? s.lsh->expected_recall : 1;
  if (s.audit) json["audit"] = audit_json(*s.audit);
  json["seconds"] = s.seconds;
  json["threads"] = s.threads;
  json["peak_memory_bytes"] = s.peak_bytes;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sosie
