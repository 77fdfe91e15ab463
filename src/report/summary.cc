#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "core/number_text.h"
#include "corpus/shown_text.h"
#include "data/kinds.h"
#include "report/audit_text.h"

namespace sosie {
namespace {

bool of_text(const RunSummary& summary) { return summary.kind == "text"; }

bool of_sets(const RunSummary& summary) { return summary.components.empty(); }

// What the items are compared as.
std::string sets_name(const RunSummary& summary) {
  return of_text(summary) ? summary.shingle + " sets" : summary.kind + " of elements";
}

const char* token_name(const RunSummary& summary) {
  if (!of_text(summary)) return "elements";
  return summary.shingle.starts_with("chars") ? "characters" : "words";
}

void add_line(std::string& out, std::string_view label, const std::string& text) {
  if (!text.empty()) out += fmt::format("{:<12}{}\n", label, text);
}

std::string empty_row(const RunSummary& s, std::string_view row, std::string_view set) {
  if (of_text(s)) return fmt::format("{} without a shingle (kept)", row);
  return kind_bit(s.kind) == kStringItems ? fmt::format("{} without a string (kept)", row)
                                          : fmt::format("empty {} (kept)", set);
}

std::string left_out_line(const RunSummary& s) {
  const InputCounts& t = s.total;
  std::vector<std::string> parts;
  if (t.skipped > 0) {
    parts.push_back(plural_text(t.skipped, "bad row left out", "bad rows left out"));
  }
  if (t.unmatched > 0) {
    parts.push_back(plural_text(t.unmatched, "bad row passed through", "bad rows passed through"));
  }
  if (t.empty > 0) {
    parts.push_back(plural_text(t.empty, empty_row(s, "row", "set"), empty_row(s, "rows", "sets")));
  }
  if (t.blank_lines > 0) parts.push_back(plural_text(t.blank_lines, "blank line", "blank lines"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string encoding_line(const RunSummary& s) {
  std::map<std::string, std::vector<const FileInEncoding*>> files;
  for (const FileInEncoding& each : s.encodings) files[each.encoding].push_back(&each);
  std::vector<std::string> parts;
  parts.reserve(files.size() + 1);
  for (const auto& [encoding, of] : files) {
    parts.push_back(fmt::format(
        "{}: {}", encoding,
        of.size() == 1 ? shown_text(of.front()->name, 80) : count_text(of.size()) + " files"));
  }
  if (s.total.ill_formed > 0) {
    parts.push_back(plural_text(s.total.ill_formed, "row is", "rows are") + " not in " +
                    (s.encodings.empty() ? "UTF-8" : "the encoding") +
                    ", each such byte a letter of its own");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string against_line(const RunSummary& s) {
  if (!s.against.given) return {};
  std::string text = fmt::format("{} ({})", plural_text(s.against.rows, "row", "rows"),
                                 bytes_text(s.against.bytes));
  if (s.against.bad > 0) {
    text += ", " + plural_text(s.against.bad, "bad row left out", "bad rows left out");
  }
  if (s.verb == "query") return text;
  text += ", compared with and not written";
  if (s.verb == "dedup") {
    text += fmt::format("; {} removed for them", count_text(s.against.removed));
  }
  return text;
}

std::string items_line(const RunSummary& s) {
  const std::string bytes = bytes_text(s.total.bytes);
  if (of_sets(s)) return fmt::format("{}, {} {}", bytes, count_text(s.total.words), token_name(s));
  if (s.dimension == 0)
    return fmt::format("{}, {} {}s", bytes, count_text(s.total.words), s.components);
  if (s.components == "bit") return fmt::format("{}, {} bits each", bytes, s.dimension);
  return fmt::format("{}, {} {} components each", bytes, s.dimension, s.components);
}

std::string checked_line(const RunSummary& s) {
  if (s.method.method == "reuse") return {};
  std::string text =
      fmt::format("{} candidates, {} verified by their {} {}", count_text(s.candidates),
                  count_text(s.verified), s.measure, s.is_similarity ? "similarity" : "distance");
  if (s.unverified_extra) {
    text += fmt::format("; unverified components would have removed {} more",
                        count_text(*s.unverified_extra));
  }
  return text;
}

std::string audited_items(const RunSummary& s) {
  return of_sets(s) ? "documents" : std::string(item_name(s.kind)) + "s";
}

// What made many comparisons: so that one can cut it out of the texts.
std::string templates_text(const RunSummary& s) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(kShown, s.templates.size()); ++i) {
    const TemplateFacts& facts = s.templates[i];
    add_line(out, i == 0 ? "templates" : "",
             fmt::format("{}{} rows have {:.0f} % of their shingles in common, {} of the "
                         "candidates: \"{}\"",
                         facts.may_be_more ? "at least " : "", count_text(facts.rows),
                         100 * facts.common, count_text(facts.candidates),
                         shown_text(facts.passage, 60)));
  }
  return out;
}

// Shorter shingles than those of the run; empty when there are none that help.
std::string shorter_shingles(std::string_view shingle) {
  constexpr std::array<std::string_view, 6> kShortest = {"words:1", "chars:1", "chars:2",
                                                         "chars:3", "chars:4", "chars:5"};
  if (std::find(kShortest.begin(), kShortest.end(), shingle) != kShortest.end()) return {};
  if (shingle == "words:2") return " or shorter shingles (words:1)";
  return " or shorter shingles (words:2, chars:5)";
}

// Texts are as if they were written with 20 characters: where there are not many more shingles than
// a text is long, any two texts share most of them (MMDS 3.2.2).
std::string common_shingles_note(const RunSummary& s) {
  constexpr std::string_view kChars = "chars:";
  constexpr double kCharacters = 20;
  const std::uint64_t with_text =
      s.total.rows - s.total.empty - s.total.skipped - s.total.unmatched;
  if (!of_text(s) || !s.shingle.starts_with(kChars) || with_text < 2) return {};
  const double length = static_cast<double>(s.total.words) / static_cast<double>(with_text);
  const auto size = std::min<std::size_t>(9, std::stoul(s.shingle.substr(kChars.size())));
  double shingles = 1;
  for (std::size_t i = 0; i < size; ++i) shingles *= kCharacters;
  if (shingles >= length) return {};
  return fmt::format(
      "note: texts of {:.0f} characters share most of the about {:.0f} {} shingles in common use, "
      "related or not: unrelated rows may pass for near-duplicates. Try chars:5 or words:2.\n",
      length, shingles, s.shingle);
}

std::string short_text_note(const RunSummary& s) {
  const std::uint64_t with_text =
      s.total.rows - s.total.empty - s.total.skipped - s.total.unmatched;
  if (s.short_limit == 0 || s.total.short_rows == 0 || s.total.short_rows * 10 < with_text)
    return {};
  return fmt::format(
      "note: {} of {} rows have fewer than {} {}: with {} at {}, one replaced word already takes "
      "them below the threshold. Try a lower --threshold{}.\n",
      count_text(s.total.short_rows), count_text(with_text), s.short_limit, token_name(s),
      s.shingle, s.threshold, shorter_shingles(s.shingle));
}

// The first of these paths, and how many more there are.
std::string first_paths(const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kNamed, paths.size()); ++i) {
    names.push_back(shown_text(paths[i], 120));
  }
  return fmt::format(
      "{}{}", fmt::join(names, ", "),
      paths.size() > kNamed ? fmt::format(" and {} more", paths.size() - kNamed) : "");
}

std::string passed_over_note(const RunSummary& s) {
  std::string note;
  if (!s.passed_over.empty()) {
    note += fmt::format("not read, no record files: {}\n", first_paths(s.passed_over));
  }
  if (!s.damaged.empty()) {
    std::vector<std::string> names;
    for (const DamagedFile& file : s.damaged) {
      names.push_back(fmt::format("{} ({})", file.name, file.reason));
    }
    note += fmt::format("{}, read as far as whole rows go: {}\n",
                        plural_text(names.size(), "damaged input", "damaged inputs"),
                        first_paths(names));
  }
  if (!s.links.empty()) {
    note +=
        fmt::format("not read, symbolic links (--follow reads them): {}\n", first_paths(s.links));
  }
  return note;
}

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
}

void add_bands(const RunSummary& s, nlohmann::ordered_json& json) {
  json["bands"] = s.method.bands;
  json["band_rows"] = s.method.rows;
  if (of_sets(s)) {
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
  for (const FileInEncoding& each : s.encodings) {
    json["encodings"].push_back({{"name", each.name}, {"encoding", each.encoding}});
  }
  json["not_read"] = s.passed_over;
  json["links_not_read"] = s.links;
  json["damaged"] = nlohmann::ordered_json::array();
  for (const DamagedFile& file : s.damaged) {
    json["damaged"].push_back({{"name", file.name}, {"reason", file.reason}});
  }
}

}  // namespace

std::string method_line(const RunSummary& s) {
  if (s.method.method == "reuse") {
    return fmt::format("reuse: {}; nothing was compared again", shown_text(s.method.reused, 200));
  }
  const std::string recall =
      s.method.method == "lsh"
          ? fmt::format("expected recall {:.4f} at {}", s.method.expected_recall, s.threshold)
          : "recall 1";
  if (!s.method.line.empty()) return fmt::format("{}; {}", s.method.line, recall);
  const std::string lowered = s.lowered ? "; thresholds down to " + s.threshold : "";
  if (s.method.method == "brute") {
    return fmt::format("brute: every pair of {} is looked at; {}{}", sets_name(s), recall, lowered);
  }
  if (s.method.method == "exact") {
    return fmt::format("exact: prefix index of {}; {}{}", sets_name(s), recall, lowered);
  }
  return fmt::format("lsh: {} bands of {} rows, {} minhashes of {}; {}", s.method.bands,
                     s.method.rows, s.method.components,
                     of_text(s) ? fmt::format("{} ({})", s.shingle, s.tokens) : sets_name(s),
                     recall);
}

RunReport report_of(const RunSummary& summary) {
  RunReport report;
  report.rows = summary.total.rows;
  report.kept = summary.total.kept;
  report.removed = summary.total.identical + summary.total.near;
  report.pairs = summary.pairs;
  report.audit_below_recall = summary.audit && summary.audit->below_recall;
  report.value_name = summary.is_similarity ? "similarity" : "distance";
  report.stats = summary_json(summary);
  report.summary = summary_text(summary);
  return report;
}

std::string rows_line(const RunSummary& s) {
  const InputCounts& t = s.total;
  if (s.verb == "pairs") {
    return fmt::format("{} read, {} found", plural_text(t.rows, "row", "rows"),
                       plural_text(s.pairs, "pair", "pairs"));
  }
  if (s.verb == "query") {
    return fmt::format("{} looked up, {} with {}", plural_text(t.rows, "row", "rows"),
                       count_text(s.rows_with_pairs), plural_text(s.pairs, "hit", "hits"));
  }
  return fmt::format("{} read, {} {}, {} {} ({} identical, {} near)", count_text(t.rows),
                     count_text(t.kept), s.dry_run ? "would be kept" : "kept",
                     count_text(t.identical + t.near),
                     s.all_written ? "duplicates annotated" : "removed", count_text(t.identical),
                     count_text(t.near));
}

std::string groups_line(const RunSummary& s) {
  if (s.verb != "dedup") return {};
  if (s.groups == 0) return "none";
  std::string text = fmt::format("{}; the largest has {} rows: {}", count_text(s.groups),
                                 count_text(s.largest.rows), shown_text(s.largest.id, 40));
  if (!of_sets(s) && s.largest.line.empty()) return text;
  return text + ": " + shown_text(s.largest.line, 60);
}

std::string input_table(const RunSummary& s) {
  if (s.inputs.size() < 2) return {};
  std::size_t width = 5;
  for (const InputCounts& input : s.inputs) {
    width = std::max(width, std::min<std::size_t>(48, input.name.size()));
  }
  const bool dedup = s.verb == "dedup";
  std::string out = fmt::format("\n{:<{}}  {:>12}  {:>10}", "input", width, "rows", "bytes");
  if (dedup) out += fmt::format("  {:>12}  {:>10}  {:>10}", "kept", "identical", "near");
  out += '\n';
  for (const InputCounts& input : s.inputs) {
    std::string name = shown_text(input.name, 200);
    if (name.size() > 48) name = "..." + name.substr(name.size() - 45);
    out += fmt::format("{:<{}}  {:>12}  {:>10}", name, width, count_text(input.rows),
                       bytes_text(input.bytes));
    if (dedup) {
      out += fmt::format("  {:>12}  {:>10}  {:>10}", count_text(input.kept),
                         count_text(input.identical), count_text(input.near));
    }
    out += '\n';
  }
  return out;
}

std::string summary_text(const RunSummary& s) {
  std::string out;
  add_line(out, "rows", rows_line(s));
  add_line(out, "left out", left_out_line(s));
  add_line(out, "encoding", encoding_line(s));
  add_line(out, s.kind, items_line(s));
  add_line(out, s.verb == "query" ? "data" : "against", against_line(s));
  add_line(out, "groups", groups_line(s));
  add_line(out, "method", method_line(s));
  add_line(out, "checked", checked_line(s));
  out += templates_text(s);
  out += audit_text(
      s.audit, {audited_items(s), s.threshold, of_sets(s) || s.is_similarity, !s.against.given});
  add_line(out, "time",
           fmt::format("{:.2f} s, {}, peak memory {}, scratch {}", s.seconds,
                       plural_text(s.threads, "thread", "threads"), bytes_text(s.peak_bytes),
                       bytes_text(s.scratch_bytes)));
  out += input_table(s);
  out += passed_over_note(s);
  out += short_text_note(s);
  out += common_shingles_note(s);
  return out;
}

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
  if (s.method.method != "reuse") json["expected_recall"] = s.method.expected_recall;
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
