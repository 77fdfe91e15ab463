#include "pipeline/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/audit_text.h"

namespace sosie {
namespace {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

const char* token_name(const RunSummary& summary) {
  return summary.shingle.starts_with("chars") ? "characters" : "words";
}

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

void add_line(std::string& out, std::string_view label, const std::string& text) {
  if (!text.empty()) out += fmt::format("{:<12}{}\n", label, text);
}

std::string rows_line(const RunSummary& s) {
  const InputCounts& t = s.total;
  if (s.verb == "pairs") {
    return fmt::format("{} read, {} found", plural(t.rows, "row", "rows"),
                       plural(s.pairs, "pair", "pairs"));
  }
  return fmt::format(
      "{} read, {} {}, {} {} ({} identical, {} near)", grouped(t.rows), grouped(t.kept),
      s.dry_run ? "would be kept" : "kept", grouped(t.identical + t.near),
      s.all_written ? "duplicates annotated" : "removed", grouped(t.identical), grouped(t.near));
}

std::string left_out_line(const InputCounts& t) {
  std::vector<std::string> parts;
  if (t.skipped > 0) parts.push_back(plural(t.skipped, "bad row left out", "bad rows left out"));
  if (t.unmatched > 0) {
    parts.push_back(plural(t.unmatched, "bad row passed through", "bad rows passed through"));
  }
  if (t.empty > 0) {
    parts.push_back(plural(t.empty, "row without a word (kept)", "rows without a word (kept)"));
  }
  if (t.blank_lines > 0) parts.push_back(plural(t.blank_lines, "blank line", "blank lines"));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string against_line(const RunSummary& s) {
  if (!s.against.given) return {};
  std::string text =
      fmt::format("{} ({}), compared with and not written", plural(s.against.rows, "row", "rows"),
                  bytes_text(s.against.bytes));
  if (s.verb == "dedup") text += fmt::format("; {} removed for them", grouped(s.against.removed));
  return text;
}

std::string groups_line(const RunSummary& s) {
  if (s.verb != "dedup") return {};
  if (s.groups == 0) return "none";
  return fmt::format("{}; the largest has {} rows: {}: {}", grouped(s.groups),
                     grouped(s.largest.rows), shown_line(s.largest.id, 40),
                     shown_line(s.largest.line, 60));
}

std::string method_line(const RunSummary& s) {
  if (s.method.method == "reuse") {
    return fmt::format("reuse: {}; nothing was compared again", shown_line(s.method.reused, 200));
  }
  if (s.method.method == "brute") {
    return fmt::format("brute: every pair of {} sets is looked at; recall 1", s.shingle);
  }
  return fmt::format(
      "lsh: {} bands of {} rows, {} minhashes of {} ({}); expected recall {:.4f} at {}",
      s.method.bands, s.method.rows, s.method.components, s.shingle, s.tokens,
      s.method.expected_recall, s.threshold);
}

std::string checked_line(const RunSummary& s) {
  if (s.method.method == "reuse") return {};
  std::string text = fmt::format("{} candidates, {} verified by their {} similarity",
                                 grouped(s.candidates), grouped(s.verified), s.measure);
  if (s.unverified_extra) {
    text += fmt::format("; unverified components would have removed {} more",
                        grouped(*s.unverified_extra));
  }
  return text;
}

std::string short_text_note(const RunSummary& s) {
  const std::uint64_t with_text =
      s.total.rows - s.total.empty - s.total.skipped - s.total.unmatched;
  if (s.short_limit == 0 || s.total.short_rows == 0 || s.total.short_rows * 10 < with_text)
    return {};
  return fmt::format(
      "note: {} of {} rows have fewer than {} {}: with {} at {}, one replaced word already takes "
      "them below the threshold. Try a lower --threshold or shorter shingles (words:2, chars:5).\n",
      grouped(s.total.short_rows), grouped(with_text), s.short_limit, token_name(s), s.shingle,
      s.threshold);
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
    std::string name = shown_line(input.name, 200);
    if (name.size() > 48) name = "..." + name.substr(name.size() - 45);
    out += fmt::format("{:<{}}  {:>12}  {:>10}", name, width, grouped(input.rows),
                       bytes_text(input.bytes));
    if (dedup) {
      out += fmt::format("  {:>12}  {:>10}  {:>10}", grouped(input.kept), grouped(input.identical),
                         grouped(input.near));
    }
    out += '\n';
  }
  return out;
}

std::string passed_over_note(const RunSummary& s) {
  if (s.passed_over.empty()) return {};
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kNamed, s.passed_over.size()); ++i) {
    names.push_back(shown_line(s.passed_over[i], 80));
  }
  return fmt::format("not read, no record files: {}{}\n", fmt::join(names, ", "),
                     s.passed_over.size() > kNamed
                         ? fmt::format(" and {} more", s.passed_over.size() - kNamed)
                         : "");
}

nlohmann::ordered_json counts_json(const InputCounts& c) {
  return {{"rows", c.rows},           {"kept", c.kept},
          {"identical", c.identical}, {"near", c.near},
          {"empty", c.empty},         {"skipped", c.skipped},
          {"unmatched", c.unmatched}, {"blank_lines", c.blank_lines},
          {"short", c.short_rows},    {"bytes", c.bytes},
          {"words", c.words}};
}

}  // namespace

std::string shown_line(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size() && used < columns; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c1_control =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (byte < 0x20 || byte == 0x7F || c1_control) {
      out += byte == '\n' || byte == '\t' ? " " : fmt::format("\\x{:02x}", byte);
    } else {
      out += text[i];
    }
    const bool continues = i + 1 < text.size() && (text[i + 1] & 0xC0) == 0x80;
    if (!continues) ++used;
  }
  return out;
}

std::string summary_text(const RunSummary& s) {
  std::string out;
  add_line(out, "rows", rows_line(s));
  add_line(out, "left out", left_out_line(s.total));
  add_line(
      out, "text",
      fmt::format("{}, {} {}", bytes_text(s.total.bytes), grouped(s.total.words), token_name(s)));
  add_line(out, "against", against_line(s));
  add_line(out, "groups", groups_line(s));
  add_line(out, "method", method_line(s));
  add_line(out, "checked", checked_line(s));
  out += audit_text(s);
  add_line(out, "time",
           fmt::format("{:.2f} s, {}, peak memory {}, scratch {}", s.seconds,
                       plural(s.threads, "thread", "threads"), bytes_text(s.peak_bytes),
                       bytes_text(s.scratch_bytes)));
  out += input_table(s);
  out += passed_over_note(s);
  out += short_text_note(s);
  return out;
}

std::string summary_json(const RunSummary& s) {
  nlohmann::ordered_json json = counts_json(s.total);
  json["removed"] = s.total.identical + s.total.near;
  if (s.against.given) {
    json["against"] = {{"rows", s.against.rows}, {"bytes", s.against.bytes}};
    if (s.verb == "dedup") json["against"]["removed"] = s.against.removed;
  }
  json["groups"] = s.groups;
  if (s.groups > 0) {
    json["largest_group"] = {{"rows", s.largest.rows}, {"id", s.largest.id}};
  }
  json["pairs"] = s.pairs;
  json["candidates"] = s.candidates;
  json["verified"] = s.verified;
  if (s.unverified_extra) json["unverified_extra"] = *s.unverified_extra;
  json["measure"] = s.measure;
  json["threshold"] = s.threshold;
  json["shingle"] = s.shingle;
  json["tokens"] = s.tokens;
  json["method"] = s.method.method;
  if (!s.method.reused.empty()) json["reused"] = s.method.reused;
  if (s.method.method == "lsh") {
    json["bands"] = s.method.bands;
    json["band_rows"] = s.method.rows;
    json["components"] = s.method.components;
    json["filter_agreements"] = s.method.filter_agreements;
  }
  if (s.method.method != "reuse") json["expected_recall"] = s.method.expected_recall;
  json["seed"] = s.seed;
  if (s.audit) json["audit"] = audit_json(*s.audit);
  json["inputs"] = nlohmann::ordered_json::array();
  for (const InputCounts& input : s.inputs) {
    nlohmann::ordered_json one = {{"name", input.name}};
    one.update(counts_json(input));
    json["inputs"].push_back(one);
  }
  json["not_read"] = s.passed_over;
  json["seconds"] = s.seconds;
  json["threads"] = s.threads;
  json["peak_memory_bytes"] = s.peak_bytes;
  json["scratch_bytes"] = s.scratch_bytes;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace sosie
