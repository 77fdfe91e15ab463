// Summary of a run as JSON (--stats).
#include "core/json_writer.h"
#include "data/kinds.h"
#include "report/input_notes_text.h"
#include "report/summary.h"

namespace sosie {
namespace {

void add_counts(const InputCounts& c, JsonWriter& json) {
  json.members({{"rows", c.rows},
                {"kept", c.kept},
                {"identical", c.identical},
                {"near", c.near},
                {"empty", c.empty},
                {"skipped", c.skipped},
                {"unmatched", c.unmatched},
                {"bad_lines", c.bad_lines},
                {"ill_formed", c.ill_formed},
                {"blank_lines", c.blank_lines},
                {"headers", c.headers},
                {"short", c.short_rows},
                {"bytes", c.bytes},
                {"words", c.words}});
}

void add_measure(const RunSummary& s, JsonWriter& json) {
  json.member("measure", s.measure);
  const bool is_threshold = of_sets(s) || s.is_similarity;
  if (!s.threshold.empty()) json.member(is_threshold ? "threshold" : "within", s.threshold);
  if (!s.within.empty()) json.member("within", s.within);
  json.member("kind", kind_name(s.kind));
  if (!of_sets(s)) {
    json.member("dimension", s.dimension);
    json.member("components", s.components);
  }
  if (of_text(s)) {
    json.member("shingle", s.shingle);
    json.member("tokens", s.tokens);
  }
  if (s.ignore_common.empty()) return;
  json.member("ignore_common", s.ignore_common);
  json.member("left_out", s.left_out);
}

void add_bands(const RunSummary& s, JsonWriter& json) {
  json.member("bands", s.method.bands);
  json.member("band_rows", s.method.rows);
  if (!s.method.construct.empty()) json.member("construct", s.method.construct);
  if (!s.method.family.empty()) json.member("family", s.method.family);
  if (s.method.squares > 0) json.member("squares", s.method.squares);
  if (of_sets(s) && s.method.components > 0) {
    json.member("components", s.method.components);
    json.member("filter_agreements", s.method.filter_agreements);
  }
  if (s.method.segment > 0) json.member("segment", s.method.segment);
  if (s.method.probes > 1) json.member("probes", s.method.probes);
  if (s.method.sketch_bits > 0) {
    json.member("sketch_bits", s.method.sketch_bits);
    json.member("sketch_bits_that_may_differ", s.method.most_different);
  }
}

void add_against(const RunSummary& s, JsonWriter& json) {
  json.begin_object("against");
  json.members({{"rows", s.against.rows}, {"bytes", s.against.bytes}});
  if (s.verb == kDedup) json.member("removed", s.against.removed);
  if (s.against.bad > 0) json.member("bad", s.against.bad);
  json.end_object();
}

void add_templates(const RunSummary& s, JsonWriter& json) {
  json.begin_array("templates");
  for (const TemplateFacts& facts : s.templates) {
    json.object({{"rows", facts.rows},
                 {"common", facts.common},
                 {"candidates", facts.candidates},
                 {"passage", facts.passage}});
  }
  json.end_array();
}

void add_groups_and_pairs(const RunSummary& s, JsonWriter& json) {
  json.member("groups", s.groups);
  if (s.groups > 0) {
    json.object("largest_group", {{"rows", s.largest.rows}, {"id", s.largest.id}});
  }
  json.member("pairs", s.pairs);
  if (s.verb == kQuery) json.member("rows_with_pairs", s.rows_with_pairs);
  json.member("candidates", s.candidates);
  json.member("verified", s.verified);
  if (!s.templates.empty()) add_templates(s, json);
  if (s.join) {
    json.object("filters", {{"indexed", s.join->indexed},
                            {"length", s.join->length},
                            {"position", s.join->position},
                            {"suffix", s.join->suffix},
                            {"signature", s.join->signature},
                            {"verified", s.join->verified},
                            {"pairs", s.join->pairs}});
  }
  if (s.unverified_extra) json.member("unverified_extra", *s.unverified_extra);
}

void add_method(const RunSummary& s, JsonWriter& json) {
  json.member("method", s.method.name());
  if (s.method.is_reuse()) json.member("reused", s.method.reused);
  if (s.method.is_of(Method::lsh)) add_bands(s, json);
  if (!s.method.is_reuse() && s.method.expected_recall) {
    json.member("expected_recall", *s.method.expected_recall);
  }
}

void add_inputs(const RunSummary& s, JsonWriter& json) {
  json.begin_array("inputs");
  for (const InputCounts& input : s.inputs) {
    json.begin_object();
    json.member("name", input.name);
    add_counts(input, json);
    json.end_object();
  }
  json.end_array();
  add_unusual_files(s.encodings, s.dialects, json);
  add_input_notes(s.notes, json);
  json.begin_array("damaged");
  for (const DamagedFile& file : s.damaged) {
    json.object({{"name", file.name}, {"reason", file.reason}});
  }
  json.end_array();
}

}  // namespace

void write_summary(const RunSummary& s, JsonWriter& json, bool has_resources) {
  json.begin_object();
  add_counts(s.total, json);
  json.member("removed", s.total.identical + s.total.near);
  if (s.removes_holders) json.member("removes_holders", true);
  if (s.against.given) add_against(s, json);
  add_groups_and_pairs(s, json);
  add_measure(s, json);
  add_method(s, json);
  json.member("seed", s.seed);
  if (s.audit) add_audit(*s.audit, json);
  add_inputs(s, json);
  if (has_resources) {
    json.members({{"seconds", s.seconds},
                  {"threads", s.threads},
                  {"peak_memory_bytes", s.peak_bytes},
                  {"scratch_bytes", s.scratch_bytes}});
  }
  json.end_object();
}

std::string summary_json(const RunSummary& s) {
  JsonWriter json(2);
  write_summary(s, json);
  return json.text() + "\n";
}

}  // namespace sosie
