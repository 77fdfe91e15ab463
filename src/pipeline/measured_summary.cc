#include "pipeline/measured_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "pipeline/run.h"

namespace sosie {
namespace {

void add_line(std::string& out, std::string_view label, const std::string& text) {
  out += fmt::format("{:<12}{}\n", label, text);
}

}  // namespace

void measure_run(MeasuredSummary& summary, std::chrono::steady_clock::time_point started) {
  summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  summary.peak_bytes = peak_memory_bytes();
}

std::string measured_summary_text(const MeasuredSummary& s) {
  std::string out;
  add_line(out, "rows",
           fmt::format("{} read, {} found", plural_text(s.rows, "row", "rows"),
                       plural_text(s.pairs, "pair", "pairs")));
  add_line(out, s.kind,
           fmt::format("{}, {} {} each", bytes_text(s.bytes), s.dimension,
                       s.kind == "bits" ? "bits" : s.components + " components"));
  if (s.has_against) {
    add_line(out, "against",
             fmt::format("{}, compared with", plural_text(s.against_rows, "row", "rows")));
  }
  add_line(out, "method", s.method_line + "; recall 1");
  add_line(out, "checked",
           fmt::format("{} measured by their {} {}",
                       plural_text(s.candidates, "candidate", "candidates"), s.facts.measure,
                       s.facts.value_name()));
  add_line(out, "time",
           fmt::format("{:.2f} s, {}, peak memory {}", s.seconds,
                       plural_text(s.threads, "thread", "threads"), bytes_text(s.peak_bytes)));
  return out;
}

std::string measured_summary_json(const MeasuredSummary& s) {
  nlohmann::ordered_json json = {{"kind", s.kind},
                                 {"rows", s.rows},
                                 {"dimension", s.dimension},
                                 {"components", s.components},
                                 {"bytes", s.bytes}};
  if (s.has_against) json["against"] = {{"rows", s.against_rows}};
  json["pairs"] = s.pairs;
  json["candidates"] = s.candidates;
  json["measure"] = s.facts.measure;
  json[s.facts.is_similarity ? "threshold" : "within"] = s.facts.bound;
  json["method"] = s.method;
  json["expected_recall"] = 1;
  json["seconds"] = s.seconds;
  json["threads"] = s.threads;
  json["peak_memory_bytes"] = s.peak_bytes;
  return json.dump(2) + "\n";
}

}  // namespace sosie
