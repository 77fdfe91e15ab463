// Summary of a run as lines for people, followed by notes and the results of an audit.
#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "corpus/rank_rows.h"
#include "corpus/shown_text.h"
#include "data/kinds.h"
#include "report/input_notes_text.h"

namespace sosie {
namespace {

// Name of the form in which items are compared.
std::string sets_name(const RunSummary& summary) {
  return of_text(summary) ? summary.shingle + " sets"
                          : fmt::format("{} of elements", kind_name(summary.kind));
}

void add_line(std::string& out, std::string_view label, const std::string& text) {
  if (!text.empty()) out += fmt::format("{:<12}{}\n", label, text);
}

std::string empty_row(const RunSummary& s, std::string_view row, std::string_view set) {
  if (of_sets(s) && !of_text(s)) return fmt::format("empty {} (kept)", set);
  return fmt::format("{} without a {} (kept)", row, part_name(s.kind));
}

}  // namespace

std::vector<std::string> set_aside(const RunSummary& s) {
  const InputCounts& t = s.total;
  std::vector<std::string> parts;
  if (t.skipped > 0) {
    parts.push_back(plural_text(t.skipped, "bad row left out", "bad rows left out") +
                    bad_lines_text(t.skipped + t.unmatched, t.bad_lines));
  }
  if (t.unmatched > 0) {
    parts.push_back(plural_text(t.unmatched, "bad row passed through", "bad rows passed through") +
                    bad_lines_text(t.skipped + t.unmatched, t.bad_lines));
  }
  if (t.empty > 0) {
    parts.push_back(plural_text(t.empty, empty_row(s, "row", "set"), empty_row(s, "rows", "sets")));
  }
  if (t.blank_lines > 0) parts.push_back(plural_text(t.blank_lines, "blank line", "blank lines"));
  if (t.headers > 0) parts.push_back(plural_text(t.headers, "header", "headers"));
  return parts;
}

namespace {

std::string against_line(const RunSummary& s) {
  if (!s.against.given) return {};
  std::string text = fmt::format("{} ({})", plural_text(s.against.rows, "row", "rows"),
                                 bytes_text(s.against.bytes));
  if (s.against.bad > 0) {
    text += ", " + plural_text(s.against.bad, "bad row left out", "bad rows left out");
  }
  if (s.verb == kQuery) return text;
  text += ", compared with, not written";
  if (s.verb == kDedup) {
    text += fmt::format("; {} removed because of them", count_text(s.against.removed));
  }
  return text;
}

std::string items_line(const RunSummary& s) {
  const std::string bytes = bytes_text(s.total.bytes);
  if (of_sets(s)) {
    const std::string_view tokens = token_name(s);
    const std::string_view token = tokens.substr(0, tokens.size() - 1);
    return fmt::format("{}, {}", bytes, plural_text(s.total.words, token, tokens));
  }
  if (s.dimension == 0)
    return fmt::format("{}, {}", bytes,
                       plural_text(s.total.words, s.components, s.components + "s"));
  if (s.components == "bit") return fmt::format("{}, {} bits each", bytes, s.dimension);
  return fmt::format("{}, {} {} components each", bytes, s.dimension, s.components);
}

// "123 shingles that more than 0.5 of the rows have".
std::string ignored_line(const RunSummary& s) {
  if (s.ignore_common.empty()) return {};
  const bool of_texts = of_text(s);
  return fmt::format(
      "{} that more than {} of the rows have",
      plural_text(s.left_out, of_texts ? "shingle" : "element", of_texts ? "shingles" : "elements"),
      s.ignore_common);
}

std::string checked_line(const RunSummary& s) {
  if (s.method.is_reuse()) return {};
  std::string text = fmt::format(
      "{}, {} verified by their {} {}", plural_text(s.candidates, "candidate", "candidates"),
      count_text(s.verified), s.measure, s.is_similarity ? "similarity" : "distance");
  if (s.unverified_extra) {
    text += fmt::format("; {} in shared buckets failed verification",
                        plural_text(*s.unverified_extra, "further row", "further rows"));
  }
  return text;
}

std::string audited_items(const RunSummary& s) {
  return of_sets(s) ? "documents" : std::string(item_name(s.kind)) + "s";
}

// Describes texts that caused many comparisons, so that users can remove them.
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

// Suggests shingles shorter than the run's; empty if none would help.
std::string shorter_shingles(std::string_view shingle) {
  constexpr std::array<std::string_view, 6> kShortest = {"words:1", "chars:1", "chars:2",
                                                         "chars:3", "chars:4", "chars:5"};
  if (std::find(kShortest.begin(), kShortest.end(), shingle) != kShortest.end()) return {};
  if (shingle == "words:2") return " or shorter shingles (words:1)";
  return " or shorter shingles (words:2, chars:5)";
}

// Reports a collection without rows.
std::string nothing_there_note(const RunSummary& s) {
  if (!s.against.given || s.against.rows > 0) return {};
  if (s.verb == kQuery) return "note: DATA has no rows, so nothing is found there\n";
  return s.verb == kDedup ? "note: --against has no rows, so no row is removed for it\n"
                          : "note: --against has no rows, so there are no pairs\n";
}

std::string sample_line(const AuditFacts& a, const AuditWords& words) {
  const std::string_view items = words.items;
  if (a.sampled == a.documents && words.one_input) {
    return fmt::format("all {} {} compared with each other: {} true pairs", count_text(a.documents),
                       items, count_text(a.all.true_pairs / 2));
  }
  return fmt::format("{} of {} {} compared with all others: {} true pairs", count_text(a.sampled),
                     count_text(a.documents), items, count_text(a.all.true_pairs));
}

std::string recall_text(const RecallEstimate& estimate) {
  return fmt::format("{:.4f}, 95 % interval {:.4f} to {:.4f}", estimate.recall, estimate.low,
                     estimate.high);
}

std::string recall_line(const AuditFacts& a) {
  return fmt::format("recall {}; {} was requested{}", recall_text(a.all), a.asked,
                     a.below_recall ? ": THIS RUN FINDS LESS" : "");
}

std::string slice_text(const AuditFacts& a, const AuditWords& words) {
  if (!words.is_similarity) return fmt::format("({:.6g}, {}]", a.slice_end, words.bound);
  if (a.slice_end > 1) return fmt::format("[{}, 1]", words.bound);
  return fmt::format("[{}, {:.6g})", words.bound, a.slice_end);
}

std::string slice_line(const AuditFacts& a, const std::string& slice) {
  if (a.slice.true_pairs == 0) return fmt::format("none of them in {}", slice);
  return fmt::format("of those in {}: {}", slice, recall_text(a.slice));
}

std::string precision_line(const AuditFacts& a) {
  if (a.reported == 0) return "the run reports no pairs of these rows";
  return fmt::format("precision {:.4f}: {} of their {} reported pairs are true",
                     static_cast<double>(a.reported_true) / static_cast<double>(a.reported),
                     count_text(a.reported_true), count_text(a.reported));
}

void add_estimate(const RecallEstimate& estimate, JsonWriter& json) {
  json.members({{"true_pairs", estimate.true_pairs},
                {"found_pairs", estimate.found_pairs},
                {"recall", estimate.recall},
                {"recall_low", estimate.low},
                {"recall_high", estimate.high}});
}

JsonScalar precision_json(const AuditFacts& a) {
  if (a.reported == 0) return nullptr;
  return static_cast<double>(a.reported_true) / static_cast<double>(a.reported);
}

}  // namespace

std::string method_line(const RunSummary& s) {
  if (s.method.is_reuse()) {
    return fmt::format("reuse: {}; nothing was compared", shown_text(s.method.reused, 200));
  }
  if (!s.method.expected_recall) return s.method.line;
  const std::string recall =
      s.method.is_of(Method::lsh)
          ? fmt::format("expected recall {:.4f} at {}", *s.method.expected_recall, s.threshold)
          : "recall 1";
  if (!s.method.line.empty()) return fmt::format("{}; {}", s.method.line, recall);
  const std::string lowered = s.lowered ? "; thresholds down to " + s.threshold : "";
  if (s.method.is_of(Method::brute)) {
    return fmt::format("brute: every pair of {} is compared; {}{}", sets_name(s), recall, lowered);
  }
  if (s.method.is_of(Method::exact)) {
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
  if (s.verb == kPairs) {
    return fmt::format("{} read, {} found", count_text(t.rows),
                       plural_text(s.pairs, "pair", "pairs"));
  }
  if (s.verb == kQuery) {
    return fmt::format("{} looked up, {} with {}", count_text(t.rows),
                       count_text(s.rows_with_pairs), plural_text(s.pairs, "hit", "hits"));
  }
  return fmt::format("{} read, {} {}, {} {} ({} identical, {} {})", count_text(t.rows),
                     count_text(t.kept), s.dry_run ? "would be kept" : "kept",
                     count_text(t.identical + t.near),
                     s.all_written ? "duplicates annotated" : "removed", count_text(t.identical),
                     count_text(t.near), s.removes_holders ? "holding an item" : "near");
}

std::string groups_line(const RunSummary& s) {
  if (s.verb != kDedup) return {};
  if (s.groups == 0) return "none";
  std::string text = fmt::format("{}; the largest has {} rows: {}", count_text(s.groups),
                                 count_text(s.largest.rows), shown_text(s.largest.id, 40));
  if (s.largest.line.empty()) return text;
  return text + ": " + shown_text(s.largest.line, 60);
}

std::string input_table(const RunSummary& s) {
  if (s.inputs.size() < 2) return {};
  const bool dedup = s.verb == kDedup;
  const std::size_t widest = dedup ? 18 : 48;  // keeps lines within 80 columns
  std::size_t width = 5;
  for (const InputCounts& input : s.inputs) {
    width = std::max(width, std::min(widest, input.name.size()));
  }
  std::string out = fmt::format("\n{:<{}}  {:>12}  {:>10}", "input", width, "rows", "bytes");
  if (dedup)
    out += fmt::format("  {:>12}  {:>10}  {:>10}", "kept", "identical",
                       s.removes_holders ? "holding" : "near");
  out += '\n';
  for (const InputCounts& input : s.inputs) {
    std::string name = shown_text(input.name, 200);
    if (name.size() > width) {  // goes above its numbers
      out += name + '\n';
      name.clear();
    }
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
  add_line(out, "set aside", joined_text(set_aside(s), ", "));
  add_line(out, "encoding", encoding_line(s.encodings, s.total.ill_formed));
  add_line(out, "dialect", dialect_line(s.dialects));
  add_line(out, kind_name(s.kind), items_line(s));
  add_line(out, "ignored", ignored_line(s));
  add_line(out, s.verb == kQuery ? "data" : "against", against_line(s));
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
  out += input_notes_text(s.notes);
  out += damaged_note(s);
  out += nothing_there_note(s);
  out += rank_line(s);
  out += short_text_note(s);
  out += common_shingles_note(s);
  return out;
}

const char* token_name(const RunSummary& summary) {
  if (!of_text(summary)) return "elements";
  return summary.shingle.starts_with("chars") ? "characters" : "words";
}

// Models texts as random sequences of 20 different characters: if the number of possible shingles
// is not much larger than the length of a text, any two texts share most of them (MMDS 3.2.2).
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
      "note: texts of {:.0f} characters contain most of the roughly {:.0f} common {} shingles, "
      "related or not, so unrelated rows may pass for near-duplicates. Try chars:5 or words:2.\n",
      length, shingles, s.shingle);
}

std::string short_text_note(const RunSummary& s) {
  const std::uint64_t with_text =
      s.total.rows - s.total.empty - s.total.skipped - s.total.unmatched;
  if (s.short_limit == 0 || s.total.short_rows == 0 || s.total.short_rows * 10 < with_text)
    return {};
  const bool is_one = s.total.short_rows == 1;
  const std::string rows =
      with_text == 1
          ? "the only row"
          : fmt::format("{} of {} rows", count_text(s.total.short_rows), count_text(with_text));
  return fmt::format(
      "note: {} {} fewer than {} {}: with {} at {}, one replaced word already takes {} below the "
      "threshold. Try a lower --threshold{}.\n",
      rows, is_one ? "has" : "have", s.short_limit, token_name(s), s.shingle, s.threshold,
      is_one ? "it" : "them", shorter_shingles(s.shingle));
}

std::string rank_line(const RunSummary& s) {
  return s.number_like.empty() ? std::string()
                               : fmt::format("note: {}.\n", rank_note(s.number_like));
}

std::string damaged_note(const RunSummary& s) {
  if (s.damaged.empty()) return {};
  std::vector<std::string> names;
  for (const DamagedFile& file : s.damaged) {
    names.push_back(fmt::format("{} ({})", file.name, file.reason));
  }
  return fmt::format("{}, read up to the last complete row: {}\n",
                     plural_text(names.size(), "damaged input", "damaged inputs"),
                     first_paths(names));
}

std::string audit_text(const std::optional<AuditFacts>& audit, const AuditWords& words) {
  if (!audit) return {};
  const AuditFacts& a = *audit;
  std::string out = fmt::format("{:<12}{}\n", "audit", sample_line(a, words));
  const auto line = [&out](const std::string& text) { out += fmt::format("{:12}{}\n", "", text); };
  if (a.enough) {
    line(recall_line(a));
    line(slice_line(a, slice_text(a, words)));
  } else {
    line(fmt::format("too few to estimate recall: 30 are needed; --audit=N draws more {}",
                     words.items));
  }
  line(precision_line(a));
  return out;
}

void add_audit(const AuditFacts& a, JsonWriter& json) {
  json.begin_object("audit");
  json.members({{"sampled", a.sampled}, {"documents", a.documents}});
  add_estimate(a.all, json);
  json.member("slice_end", a.slice_end);
  json.begin_object("slice");
  add_estimate(a.slice, json);
  json.end_object();
  json.members({{"reported_pairs", a.reported},
                {"reported_true", a.reported_true},
                {"precision", precision_json(a)},
                {"recall_asked", a.asked},
                {"enough_pairs", a.enough},
                {"below_recall", a.below_recall},
                {"seconds", a.seconds}});
  json.end_object();
}

}  // namespace sosie
