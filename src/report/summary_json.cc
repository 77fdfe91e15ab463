// Summary of a run as JSON (--stats).
#include <nlohmann/json.hpp>

#include "report/audit_text.h"
#include "report/input_notes_text.h"
#include "report/summary.h"
#include "report/unusual_files.h"

namespace sosie {
namespace {

nlohmann::ordered_json counts_json(const InputCounts& c) {
  return {{"rows", c.rows},
          {"kept", c.kept},
          {"identical", c.identical},
          {"near", c.near},
          {"empty", c.empty},
          {"skipped", c.skipped},
          {"unmatched", c.unmatched},
          {"ill_formed", c.ill_formed},
          {"blank_lines", c.blank_lines},
          {"short", c.short_rows},
          {"bytes", c.bytes},
          {"words", c.words}};
}

void add_measure(const RunSummary& s, nlohmann::ordered_json& json) {
  json["measure"] = s.measure;
  const bool is_threshold = of_sets(s) || s.is_similarity;
  if (!s.threshold.empty()) json[is_threshold ? "threshold" : "within"] = s.threshold;
  if (!s.within.empty()) json["within"] = s.within;
  json["kind"] = s.kind;
  if (!of_sets(s)) {
    json["dimension"] = s.dimension;
    json["components"] = s.components;
  }
  if (of_text(s)) {
    json["shingle"] = s.shingle;
    json["tokens"] = s.tokens;
  }
  if (s.ignore_common.empty()) return;
  json["ignore_common"] = s.ignore_common;
  json["left_out"] = s.left_out;
}

void add_bands(const RunSummary& s, nlohmann::ordered_json& json) {
  json["bands"] = s.method.bands;
  json["band_rows"] = s.method.rows;
  if (!s.method.construct.empty()) json["construct"] = s.method.construct;
  if (!s.method.family.empty()) json["family"] = s.method.family;
  if (s.method.squares > 0) json["squares"] = s.method.squares;
  if (of_sets(s) && s.method.components > 0) {
    json["components"] = s.method.components;
    json["filter_agreements"] = s.method.filter_agreements;
  }
  if (s.method.segment > 0) json["segment"] = s.method.segment;
  if (s.method.probes > 1) json["probes"] = s.method.probes;
  if (s.method.sketch_bits > 0) {
    json["sketch_bits"] = s.method.sketch_bits;
    json["sketch_bits_that_may_differ"] = s.method.most_different;
  }
}

void add_inputs(const RunSummary& s, nlohmann::ordered_json& json) {
  json["inputs"] = nlohmann::ordered_json::array();
  for (const InputCounts& input : s.inputs) {
    nlohmann::ordered_json one = {{"name", input.name}};
    one.update(counts_json(input));
    json["inputs"].push_back(one);
  }
  add_unusual_files(s.encodings, s.dialects, json);
  add_input_notes(s.notes, json);
  json["damaged"] = nlohmann::ordered_json::array();
  for (const DamagedFile& file : s.damaged) {
    json["damaged"].push_back({{"name", file.name}, {"reason", file.reason}});
  }
}

}  // namespace

std::string summary_json(const RunSummary& s) {
  nlohmann::ordered_json json = counts_json(s.total);
  json["removed"] = s.total.identical + s.total.near;
  if (s.against.given) {
    json["against"] = {{"rows", s.against.rows}, {"bytes", s.against.bytes}};
    if (s.verb == "dedup") json["against"]["removed"] = s.against.removed;
    if (s.against.bad > 0) json["against"]["bad"] = s.against.bad;
  }
  json["groups"] = s.groups;
  if (s.groups > 0) {
    json["largest_group"] = {{"rows", s.largest.rows}, {"id", s.largest.id}};
  }
  json["pairs"] = s.pairs;
  if (s.verb == "query") json["rows_with_pairs"] = s.rows_with_pairs;
  json["candidates"] = s.candidates;
  json["verified"] = s.verified;
  for (const TemplateFacts& facts : s.templates) {
    json["templates"].push_back({{"rows", facts.rows},
                                 {"common", facts.common},
                                 {"candidates", facts.candidates},
                                 {"passage", facts.passage}});
  }
  if (s.join) {
    json["filters"] = {{"indexed", s.join->indexed},     {"length", s.join->length},
                       {"position", s.join->position},   {"suffix", s.join->suffix},
                       {"signature", s.join->signature}, {"verified", s.join->verified},
                       {"pairs", s.join->pairs}};
  }
  if (s.unverified_extra) json["unverified_extra"] = *s.unverified_extra;
  add_measure(s, json);
  json["method"] = s.method.method;
  if (!s.method.reused.empty()) json["reused"] = s.method.reused;
  if (s.method.method == "lsh") add_bands(s, json);
  if (s.method.method != "reuse" && s.method.expected_recall) {
    json["expected_recall"] = *s.method.expected_recall;
  }
  json["seed"] = s.seed;
  if (s.audit) json["audit"] = audit_json(*s.audit);
  add_inputs(s, json);
  json["seconds"] = s.seconds;
  json["threads"] = s.threads;
  json["peak_memory_bytes"] = s.peak_bytes;
  json["scratch_bytes"] = s.scratch_bytes;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sosie
