// The sections that show why: similarities, groups and pairs.
#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "write/html_page.h"
#include "write/html_text.h"
#include "write/sections.h"
#include "write/similarity_chart.h"

namespace sosie {
namespace {

// "3 near-duplicates": the removed rows that are no copies.
std::string removed_rows(const RunSummary& summary) {
  return summary.removes_holders
             ? plural_text(summary.total.near, "row that holds an item", "rows that hold an item")
             : plural_text(summary.total.near, "near-duplicate", "near-duplicates");
}

void append_curve_table(std::string& out, const ReportPage& page) {
  append_html(
      out,
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Settings\">\n<table>\n"
      "<caption>What these settings find (before any verification)</caption>\n"
      "<thead><tr><th scope=\"col\">line</th><th scope=\"col\">setting</th>"
      "<th scope=\"col\">bands x rows</th><th scope=\"col\" class=\"number\">found at {}</th>"
      "<th scope=\"col\" class=\"number\">of these {}</th></tr></thead>\n<tbody>\n",
      html_line(page.summary.threshold, 12), removed_rows(page.summary));
  for (std::size_t i = 0; i < page.curves.size(); ++i) {
    const ReportCurve& curve = page.curves[i];
    const std::string line = i == 0 ? "bold" : std::string(1, curve_letter(i));
    append_html(
        out,
        "<tr{}><td>{}</td><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td></tr>\n",
        i == 0 ? " class=\"total\"" : "", line, html_line(curve.name, 40),
        curve.banding.empty() ? "every pair" : html_line(curve.banding),
        html_line(curve.at_threshold),
        i == 0 ? count_text(page.summary.total.near) : "about " + rounded_text(curve.expected));
  }
  out += "</tbody>\n</table>\n</div>\n";
}

// Describes the bands, and the rows that they would have removed without verification.
void append_bands(std::string& out, const RunSummary& summary) {
  if (summary.method.method == "lsh" && summary.method.bands > 0) {
    append_html(out, "<p>Candidates came from {} bands of {} rows.</p>\n", summary.method.bands,
                summary.method.rows);
  }
  if (!summary.unverified_extra) return;
  append_html(
      out,
      "<p>Connected components of the same bands <em>without verification</em> would have removed "
      "{} more.</p>\n",
      plural_text(*summary.unverified_extra, "row", "rows"));
}

// The values of a bin.
std::string range_text(const ReportPage& page, std::size_t bin) {
  if (bin == 100) {
    return page.measured ? fmt::format("{}, not identical", page.axis.last)
                         : std::string("1, not the same text");
  }
  return fmt::format("{} to {} {}", bin_text(page, bin),
                     page.axis.first > page.axis.last ? "over" : "under", bin_text(page, bin + 1));
}

void append_bins(std::string& out, const ReportPage& page) {
  const SimilarityBins& bins = page.bins;
  append_html(
      out,
      "<details><summary>The bars as numbers</summary>\n<table>\n<thead><tr><th scope=\"col\">"
      "{}</th><th scope=\"col\" class=\"number\">rows</th></tr></thead>\n<tbody>\n",
      value_name(page));
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] == 0) continue;
    const std::string range = range_text(page, i);
    append_html(out, "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td></tr>\n", range,
                count_text(bins[i]));
  }
  out += "</tbody>\n</table>\n</details>\n";
}

std::string weakest_text(const ReportPage& page, const ReportCluster& cluster) {
  if (!cluster.weakest) {
    return page.measured ? "<span class=\"faint\">all identical</span>"
                         : "<span class=\"faint\">all the same text</span>";
  }
  return fmt::format("{:.6f}: {}<br><span class=\"faint\">{}</span>", cluster.weakest->similarity,
                     html_id(cluster.weakest->removed.id), html_place(cluster.weakest->removed));
}

std::string component_text(const ReportCluster& cluster) {
  if (!cluster.component) return "<span class=\"faint\">no bands were used</span>";
  const ReportCluster::Component& component = *cluster.component;
  if (component.survivors == 1) return "the same group";
  return fmt::format("{}, {} of them survivors", plural_text(component.rows, "row", "rows"),
                     count_text(component.survivors));
}

constexpr std::string_view kComponentRemark =
    " The last column is what connected components of shared bands would have taken for one group "
    "had nothing been verified: all of its rows but one would be gone.";

std::string shared_text(const ReportPair& pair) {
  if (pair.of_root) {
    return fmt::format("<span class=\"faint\">({} / √{})</span> ", count_text(pair.shared),
                       count_text(pair.united));
  }
  return fmt::format("<span class=\"faint\">({} of {} shared)</span> ", count_text(pair.shared),
                     plural_text(pair.united, "shingle", "shingles"));
}

bool ends_with_blank(const std::string& text) noexcept {
  return !text.empty() && (text.back() == ' ' || (text.back() >= '\t' && text.back() <= '\r'));
}

void append_fields(std::string& out, const ReportSide& side, std::string_view role) {
  append_html(out, "<div>\n<p><strong>{}</strong> {}<br><span class=\"faint\">{}</span></p>\n",
              role, html_id(side.row.id), html_place(side.row));
  for (const ReportField& field : side.fields) {
    append_html(out,
                "<p class=\"text\"><span class=\"faint\"><bdi>{}</bdi></span> <bdi>{}</bdi></p>\n",
                html_line(field.name, kNameCharacters), html_line(field.value, kValueCharacters));
  }
  out += "</div>\n";
}

void append_side(std::string& out, const ReportSide& side, std::string_view role,
                 std::string_view tag) {
  append_html(
      out, "<div>\n<p><strong>{}</strong> {}<br><span class=\"faint\">{}, {}</span></p>\n", role,
      html_id(side.row.id), html_place(side.row),
      side.parts.empty() ? "its text is not at hand" : plural_text(side.words, "word", "words"));
  out += "<p class=\"text\">";
  for (const DiffPart& part : side.parts) {
    switch (part.kind) {
      case DiffPart::Kind::same:
        out += html_line(part.text);
        break;
      case DiffPart::Kind::changed:
        append_html(out, "<{0}>{1}</{0}>", tag, html_line(part.text));
        break;
      case DiffPart::Kind::left_out:
        append_html(out, "<span class=\"gap\">[{}]</span> ",
                    plural_text(part.words, "word not shown", "words not shown"));
        break;
    }
    if (ends_with_blank(part.text)) out += ' ';
  }
  out += "</p>\n</div>\n";
}

}  // namespace

void append_similarities_section(std::string& out, const ReportPage& page) {
  const std::uint64_t same = page.summary.total.identical;
  append_html(
      out, "<p>Bars: the {} removed, by their {} to their survivor; the {} {} not among them.",
      removed_rows(page.summary), value_name(page),
      page.measured ? plural_text(same, "identical row", "identical rows")
                    : plural_text(same, "row with the same text", "rows with the same text"),
      same == 1 ? "is" : "are");
  if (!page.curves.empty()) {
    out +=
        " Lines: how likely a pair of that similarity is found, by this run (bold) and by settings "
        "that other tools run with.";
  }
  out += "</p>\n";
  append_bands(out, page.summary);
  // On a phone the chart scrolls: shrunk to the screen its letters could not be read.
  out += "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Chart\">\n";
  out += similarity_chart(page) + "</div>\n";
  if (!page.curves.empty()) append_curve_table(out, page);
  append_bins(out, page);
}

void append_clusters_section(std::string& out, const ReportPage& page) {
  if (page.clusters.empty()) {
    out += "<p>There are no groups: no row was removed.</p>\n";
    return;
  }
  append_html(
      out,
      "<p>The survivor stands for the others; the weakest edge is the removed row least similar "
      "to it.{}</p>\n"
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Largest "
      "groups\">\n<table class=\"wide\">\n"
      "<caption>The largest groups, at most 20</caption>\n"
      "<thead><tr><th scope=\"col\" class=\"number\">rows</th><th scope=\"col\" "
      "class=\"number\">{}</th><th scope=\"col\">survivor</th><th scope=\"col\">weakest edge"
      "</th>{}</tr></thead>\n<tbody>\n",
      page.measured ? "" : kComponentRemark, same_name(page),
      page.measured ? "" : "<th scope=\"col\">unverified component</th>");
  for (const ReportCluster& cluster : page.clusters) {
    append_html(out,
                "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><th scope=\"row\" "
                "class=\"name\">{}<div class=\"light\"><span "
                "class=\"faint\">{}</span><br><bdi>{}</bdi></div></th>"
                "<td class=\"name\">{}</td>{}</tr>\n",
                count_text(cluster.rows), count_text(cluster.identical),
                html_id(cluster.survivor.id), html_place(cluster.survivor),
                html_line(cluster.line, 160), weakest_text(page, cluster),
                page.measured ? std::string{}
                              : fmt::format("<td class=\"name\">{}</td>", component_text(cluster)));
  }
  out += "</tbody>\n</table>\n</div>\n";
}

void append_nearest_section(std::string& out, const ReportPage& page) {
  if (page.nearest.empty()) {
    out += page.summary.removes_holders ? "<p>Only identical rows were removed.</p>\n"
                                        : "<p>No near-duplicate was removed.</p>\n";
    return;
  }
  append_html(
      out,
      "<p>The removals that were closest calls, the least similar first: if these are right, all "
      "are.{}</p>\n",
      page.measured
          ? ""
          : " Case and punctuation are ignored, so words that differ only in them are not marked.");
  for (std::size_t i = 0; i < page.nearest.size(); ++i) {
    const ReportPair& pair = page.nearest[i];
    append_html(out,
                "<details{}><summary>{:.6f} {}{} "
                "<span class=\"faint\">against</span> {}</summary>\n<div class=\"sides\">\n",
                i < kOpenPairs ? " open" : "", pair.similarity,
                page.measured ? std::string{} : shared_text(pair), html_id(pair.removed.row.id),
                html_id(pair.kept.row.id));
    if (page.measured) {
      append_fields(out, pair.removed, "removed");
      append_fields(out, pair.kept, "kept");
    } else {
      append_side(out, pair.removed, "removed", "del");
      append_side(out, pair.kept, "kept", "ins");
    }
    out += "</div>\n</details>\n";
  }
}

void append_repeat_section(std::string& out, const ReportPage& page) {
  append_html(
      out,
      "<p>The same input, options and seed give the same result with any number of threads and "
      "any memory. This line repeats the run (sosie {}, recipe {}):</p>\n"
      "<pre tabindex=\"0\"><code>{}</code></pre>\n",
      html_line(page.version), page.recipe, html_text(page.command));
  out +=
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Parameters\">\n<table>\n"
      "<caption>All that decides the result; what differs from the default is bold</caption>\n"
      "<thead><tr><th scope=\"col\">option</th><th scope=\"col\">value</th><th scope=\"col\">"
      "meaning</th></tr></thead>\n<tbody>\n";
  for (const ReportParameter& parameter : page.parameters) {
    if (parameter.is_output) continue;
    append_html(
        out,
        "<tr{}><th scope=\"row\"><code>--{}</code></th><td class=\"name\"><code><bdi>{}</bdi>"
        "</code></td><td>{}</td></tr>\n",
        parameter.is_default ? "" : " class=\"total\"", html_line(parameter.name),
        html_line(parameter.value, 200), html_line(parameter.help));
  }
  out += "</tbody>\n</table>\n</div>\n";
}

}  // namespace sosie
