// Sections of the page of --report that count and list.
#include "write/sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "write/html_page.h"
#include "write/html_text.h"
#include "write/similarity_chart.h"

namespace sosie {
namespace {

constexpr std::size_t kInputNameCharacters = 120;

// Kept, near and identical rows of an input as parts of one bar.
std::string parts_bar(const InputCounts& counts) {
  if (counts.rows == 0) return {};
  std::string out = "<div class=\"bar\" aria-hidden=\"true\">";
  const auto part = [&](std::string_view kind, std::uint64_t rows) {
    if (rows == 0) return;
    append_html(out, R"(<i class="{}" style="width:{:.2f}%"></i>)", kind,
                100 * static_cast<double>(rows) / static_cast<double>(counts.rows));
  };
  part("is-keep", counts.kept);
  part("is-near", counts.near);
  part("is-same", counts.identical);
  return out + "</div>";
}

void append_input_row(std::string& out, const InputCounts& c, const std::string& name, bool total) {
  append_html(out,
              "<tr{}><th scope=\"row\" class=\"name\">{}</th><td class=\"number\">{}</td>"
              "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
              "<td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td></tr>\n",
              total ? " class=\"total\"" : "", name, bytes_text(c.bytes), count_text(c.rows),
              count_text(c.kept), count_text(c.near), count_text(c.identical),
              html_percent(c.near + c.identical, c.rows), parts_bar(c));
}

std::string input_name(const InputCounts& counts) {
  return fmt::format("<bdi>{}</bdi>", html_line(counts.name, kInputNameCharacters));
}

void append_flow(std::string& out, const ReportFlow& flow) {
  const std::size_t n = flow.inputs.size();
  const std::uint64_t most = *std::max_element(flow.removed.begin(), flow.removed.end());
  open_table(out, "Rows removed (of the input at the left) against survivors of (above)");
  out += "<thead><tr><th scope=\"col\">removed from</th>";
  for (const InputCounts& input : flow.inputs) {
    append_html(out, "<th scope=\"col\" class=\"number\">{}</th>", input_name(input));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < n; ++i) {
    append_html(out, "<tr><th scope=\"row\" class=\"name\">{}</th>", input_name(flow.inputs[i]));
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint64_t rows = flow.removed[i * n + j];
      if (rows == 0) {
        out += "<td class=\"number faint\">0</td>";
        continue;
      }
      append_html(out, R"(<td class="number heat" style="--part:{:.2f}">{}</td>)",
                  0.08 + 0.42 * static_cast<double>(rows) / static_cast<double>(most),
                  count_text(rows));
    }
    out += "</tr>\n";
  }
  out += kCloseTable;
}

std::string left_out_remarks(const InputCounts& t) {
  std::string out;
  const auto remark = [&](std::uint64_t count, std::string_view one, std::string_view many,
                          const std::string& more = {}) {
    if (count > 0) append_html(out, "<li>{}{}</li>\n", plural_text(count, one, many), more);
  };
  const std::string lines = bad_lines_text(t.skipped + t.unmatched, t.bad_lines);
  remark(t.skipped, "bad row left out", "bad rows left out", lines);
  remark(t.unmatched, "bad row passed through unmatched", "bad rows passed through unmatched",
         lines);
  remark(t.empty, "row without a shingle (kept, matches nothing)",
         "rows without a shingle (kept, match nothing)");
  remark(t.blank_lines, "blank line", "blank lines");
  return out.empty() ? out : "<ul>\n" + out + "</ul>\n";
}

void append_templates(std::string& out, const RunSummary& s) {
  if (s.templates.empty()) return;
  open_table(out, "Templates: rows that share much, similar or not, and were compared most");
  out +=
      "<thead><tr><th scope=\"col\">passage</th><th scope=\"col\" class=\"number\">rows</th>"
      "<th scope=\"col\" class=\"number\">shingles in common</th>"
      "<th scope=\"col\" class=\"number\">candidates</th></tr></thead>\n<tbody>\n";
  for (const TemplateFacts& facts : s.templates) {
    append_html(out,
                "<tr><td class=\"name\"><bdi>{}</bdi></td><td class=\"number\">{}{}</td>"
                "<td class=\"number\">{:.0f} %</td><td class=\"number\">{}</td></tr>\n",
                html_line(facts.passage, 120), facts.may_be_more ? "≥ " : "",
                count_text(facts.rows), 100 * facts.common, count_text(facts.candidates));
  }
  out += kCloseTable;
}

// Noun phrase for the data that the measure compares.
std::string compared_text(const ReportPage& page) {
  if (page.measured) return page.measured->items;
  return fmt::format("texts ({})", html_line(page.summary.shingle));
}

void append_resources(std::string& out, const ReportPage& page) {
  const RunSummary& s = page.summary;
  append_html(out,
              "<p id=\"resources\" class=\"faint\">{}{:.2f} s up to this page, {}, peak memory {}",
              page.written.empty() ? "" : page.written + ". ", s.seconds,
              plural_text(s.threads, "thread", "threads"), bytes_text(s.peak_bytes));
  if (page.measured) {
    append_html(out, "; {} measured.</p>\n", plural_text(s.candidates, "candidate", "candidates"));
  } else {
    append_html(out, ", scratch {}; {} candidates, {} verified.</p>\n", bytes_text(s.scratch_bytes),
                count_text(s.candidates), count_text(s.verified));
  }
}

}  // namespace

std::string html_place(const ReportRow& row) {
  return fmt::format("<bdi>{}</bdi>, row {}", html_line(row.file, kInputNameCharacters), row.row);
}

std::string html_id(const std::string& id) {
  return fmt::format("<code><bdi>{}</bdi></code>", html_line(id, 80));
}

std::string_view same_name(const ReportPage& page) noexcept {
  return page.measured ? "identical" : "same text";
}

void append_totals_section(std::string& out, const ReportPage& page) {
  const RunSummary& s = page.summary;
  const InputCounts& t = s.total;
  out += "<dl class=\"totals\">\n";
  append_total(out, "", "rows read", count_text(t.rows), bytes_text(t.bytes));
  append_total(out, "is-keep", s.dry_run ? "would be kept" : "kept", count_text(t.kept),
               html_percent(t.kept, t.rows));
  append_total(out, "is-near",
               s.removes_holders ? "removed: holding an item" : "removed: near-duplicates",
               count_text(t.near), html_percent(t.near, t.rows));
  append_total(out, "is-same", fmt::format("removed: {}", same_name(page)), count_text(t.identical),
               html_percent(t.identical, t.rows));
  append_total(out, "", "groups", count_text(s.groups), "of two rows or more");
  out += "</dl>\n";
  append_html(
      out, "<p>{} {} {}{}, computed from both {}, is at {} {}. ",
      page.is_chained ? "Groups are chains: every removed row reaches its survivor over pairs whose"
      : s.removes_holders ? "Every row that was removed holds an item of --against whose"
                          : "Every near-duplicate was removed against a survivor whose",
      html_line(s.measure), value_name(page), page.is_chained ? "" : " to it", compared_text(page),
      page.measured && !page.measured->is_similarity ? "most" : "least", html_line(s.threshold));
  if (page.measured) {
    append_html(out, "Method {}.</p>\n", html_line(page.measured->method));
  } else if (s.method.method == "brute") {
    out += "Every pair was compared: recall is 1.</p>\n";
  } else if (s.method.method == "exact") {
    out += "Candidates came from a prefix index, which loses no pair: recall is 1.</p>\n";
  } else if (s.method.method == "reuse") {
    append_html(out, "Pairs or groups are those of <bdi>{}</bdi>.</p>\n",
                html_line(s.method.reused, kInputNameCharacters));
  } else {
    append_html(out, "Of the pairs at the threshold {} are expected to be found.</p>\n",
                recall_text(s.method.expected_recall.value_or(0)));
  }
  out += left_out_remarks(t);
  append_templates(out, s);
  append_resources(out, page);
}

void append_inputs_section(std::string& out, const ReportPage& page) {
  const ReportFlow& flow = page.flow;
  open_table(out, "What became of the rows of each input");
  append_html(
      out,
      "<thead><tr><th scope=\"col\">input</th><th scope=\"col\" class=\"number\">size</th>"
      "<th scope=\"col\" class=\"number\">rows</th><th scope=\"col\" class=\"number\">kept"
      "</th><th scope=\"col\" class=\"number\">{0}</th><th scope=\"col\" class=\"number\">{1}"
      "</th><th scope=\"col\" class=\"number\">removed</th><th scope=\"col\">kept, {0}, same"
      "</th></tr></thead>\n<tbody>\n",
      page.summary.removes_holders ? "holding" : "near", same_name(page));
  for (const InputCounts& input : flow.inputs) {
    append_input_row(out, input, input_name(input), false);
  }
  if (flow.inputs.size() > 1) append_input_row(out, page.summary.total, "all", true);
  out += kCloseTable;
  if (flow.inputs.size() > 1) append_flow(out, flow);
}

void append_sizes_section(std::string& out, const ReportPage& page) {
  if (page.sizes.empty()) {
    out += "<p>There are no groups: no row was removed.</p>\n";
    return;
  }
  std::uint64_t most = 1;
  for (const ReportSizes& sizes : page.sizes) most = std::max(most, sizes.groups);
  open_table(out, "Groups by the number of their rows, the survivor included");
  out +=
      "<thead><tr><th scope=\"col\" class=\"number\">rows in a group</th>"
      "<th scope=\"col\" class=\"number\">groups</th><th scope=\"col\" class=\"number\">rows in "
      "all</th><th scope=\"col\">groups</th></tr></thead>\n<tbody>\n";
  for (const ReportSizes& sizes : page.sizes) {
    const std::string range =
        sizes.first == sizes.last
            ? count_text(sizes.first)
            : fmt::format("{} to {}", count_text(sizes.first), count_text(sizes.last));
    append_html(out,
                "<tr><th scope=\"row\" class=\"number\">{}</th><td class=\"number\">{}</td>"
                "<td class=\"number\">{}</td><td><div class=\"bar\" aria-hidden=\"true\">"
                "<i class=\"is-near\" style=\"width:{:.2f}%\"></i></div></td></tr>\n",
                range, count_text(sizes.groups), count_text(sizes.rows),
                100 * static_cast<double>(sizes.groups) / static_cast<double>(most));
  }
  out += kCloseTable;
}

}  // namespace sosie
