#include "pipeline/vector_summary.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "pipeline/run.h"

namespace sosie {
namespace {

constexpr std::array<std::string_view, 4> kComponentNames = {"int8", "uint8", "float32", "float64"};

void add_line(std::string& out, std::string_view label, const std::string& text) {
  out += fmt::format("{:<12}{}\n", label, text);
}

std::string method_text(const VectorSummary& s) {
  if (s.method == "brute") return "brute: every pair is measured; recall 1";
  return "exact: 16-bit products with a proven bound, then the measure itself; recall 1";
}

}  // namespace

VectorSummary summarize_vectors(const VectorItems& own, const VectorItems* against,
                                const VectorSettings& settings,
                                std::chrono::steady_clock::time_point started) {
  VectorSummary summary;
  summary.rows = own.column.rows;
  summary.has_against = against != nullptr;
  summary.bytes = own.bytes;
  if (against != nullptr) {
    summary.against_rows = against->column.rows;
    summary.bytes += against->bytes;
  }
  summary.dimension = own.column.dimension;
  summary.components = kComponentNames[own.column.components.index()];
  summary.measure = settings.measure->name;
  summary.bound = settings.bound_text;
  summary.is_similarity = settings.measure->is_similarity;
  summary.method = settings.brute ? "brute" : "exact";
  summary.threads = settings.run.threads;
  summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  summary.peak_bytes = peak_memory_bytes();
  return summary;
}

std::string vector_summary_text(const VectorSummary& s) {
  std::string out;
  add_line(out, "rows",
           fmt::format("{} read, {} found", plural_text(s.rows, "vector", "vectors"),
                       plural_text(s.pairs, "pair", "pairs")));
  add_line(
      out, "vectors",
      fmt::format("{}, {} {} components each", bytes_text(s.bytes), s.dimension, s.components));
  if (s.has_against) {
    add_line(out, "against",
             fmt::format("{}, compared with", plural_text(s.against_rows, "vector", "vectors")));
  }
  add_line(out, "method", method_text(s));
  add_line(out, "checked",
           fmt::format("{} measured by their {} {}",
                       plural_text(s.candidates, "candidate", "candidates"), s.measure,
                       s.is_similarity ? "similarity" : "distance"));
  add_line(out, "time",
           fmt::format("{:.2f} s, {}, peak memory {}", s.seconds,
                       plural_text(s.threads, "thread", "threads"), bytes_text(s.peak_bytes)));
  return out;
}

std::string vector_summary_json(const VectorSummary& s) {
  nlohmann::ordered_json json = {{"rows", s.rows},
                                 {"dimension", s.dimension},
                                 {"components", s.components},
                                 {"bytes", s.bytes}};
  if (s.has_against) json["against"] = {{"rows", s.against_rows}};
  json["pairs"] = s.pairs;
  json["candidates"] = s.candidates;
  json["measure"] = s.measure;
  json[s.is_similarity ? "threshold" : "within"] = s.bound;
  json["method"] = s.method;
  json["expected_recall"] = 1;
  json["seconds"] = s.seconds;
  json["threads"] = s.threads;
  json["peak_memory_bytes"] = s.peak_bytes;
  return json.dump(2) + "\n";
}

}  // namespace sosie
