// Page of link --report: its sections.
#include "write/html_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/count_text.h"
#include "write/html_page.h"
#include "write/html_text.h"

namespace sosie {
namespace {

std::string bdi(const std::string& text, std::size_t characters = kNameCharacters) {
  return fmt::format("<bdi>{}</bdi>", html_line(text, characters));
}

// <thead> of columns; those that begin with '#' are of numbers.
void append_head(std::string& out, std::initializer_list<std::string_view> columns) {
  out += "<thead><tr>";
  for (const std::string_view column : columns) {
    if (column.starts_with('#')) {
      append_html(out, "<th scope=\"col\" class=\"number\">{}</th>", column.substr(1));
    } else {
      append_html(out, "<th scope=\"col\">{}</th>", column);
    }
  }
  out += "</tr></thead>\n<tbody>\n";
}

void append_number(std::string& out, std::string_view text) {
  append_html(out, "<td class=\"number\">{}</td>", text);
}

std::string before_sections(const LinkPage& page) {
  std::string out = "<dl class=\"totals\">\n";
  for (const LinkPage::Total& total : page.totals) {
    append_total(out, "", total.name, total.value, total.remark);
  }
  out += "</dl>\n";
  append_html(out, "<p>{}{}.</p>\n", page.cut ? "Cut: " : "", html_line(page.cut_text));
  if (!page.notes.empty()) {
    out += "<ul>\n";
    for (const std::string& note : page.notes) {
      append_html(out, "<li>{}</li>\n", bdi(note, kValueCharacters));
    }
    out += "</ul>\n";
  }
  append_html(out, "<p id=\"resources\" class=\"faint\">{}</p>\n", html_line(page.resources));
  return out;
}

void append_estimate(std::string& out, const LinkPageEstimate& estimate, char letter) {
  append_html(out, "<tr><td>{}</td><th scope=\"row\">{}</th>", letter, bdi(estimate.method));
  if (!estimate.refusal.empty()) {
    append_html(out, "<td colspan=\"6\">none: {}</td></tr>\n",
                bdi(estimate.refusal, kValueCharacters));
    return;
  }
  const auto known = [&](std::string text) {
    return estimate.knows_recall ? std::move(text) : "unknown";
  };
  append_number(out, known(rounded_text(estimate.matches)));
  append_number(out, estimate.interval);
  append_number(out, fmt::format("{:.3f}", estimate.precision));
  append_number(out, known(fmt::format("{:.3f}", estimate.recall)));
  append_number(out, known(fmt::format("{:.3f}", estimate.f1)));
  append_number(out, estimate.cut ? fmt::format("{:.2f}", *estimate.cut) : std::string());
  out += "</tr>\n";
}

void append_truth(std::string& out, const LinkPageTruth& truth) {
  append_html(out, "<p>By the truth, {}: precision {:.3f}, recall {:.3f}, F1 {:.3f}.</p>\n",
              plural_text(truth.true_pairs, "true pair", "true pairs"), truth.precision,
              truth.recall, truth.f1);
  open_table(out, "True pairs that are not in the output, by the step that lost them");
  append_head(out, {"lost by", "#pairs", "for example"});
  for (const LinkPageTruth::Step& step : truth.lost) {
    append_html(out, "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td>{}</td></tr>\n",
                step.name, count_text(step.pairs), bdi(step.examples, kValueCharacters));
  }
  out += kCloseTable;
}

std::string quality_section(const LinkPage& page) {
  std::string out;
  if (page.estimates.empty()) {
    out += "<p>There is no estimate.</p>\n";
  } else {
    open_table(out, "Estimated quality of the output, without labels, by each method");
    append_head(
        out, {"line", "method", "#matches", "#95 %", "#precision", "#recall", "#F1", "#its cut"});
    std::size_t line = 0;
    for (const LinkPageEstimate& estimate : page.estimates) {
      append_estimate(out, estimate, estimate.refusal.empty() ? line_letter(line++) : '-');
    }
    out += kCloseTable;
  }
  for (const std::string& reason : page.low_confidence) {
    append_html(out, "<p>Low confidence: {}.</p>\n", reason);
  }
  if (!page.low_confidence.empty()) append_html(out, "<p>Next: {}.</p>\n", page.next_step);
  if (page.truth) append_truth(out, *page.truth);
  return out;
}

std::string scores_section(const LinkPage& page) {
  if (page.bins.bins.empty()) return "<p>No pair was likely enough to be judged.</p>\n";
  std::string out = fmt::format(
      "<p>Pale bars: candidates that are not hopeless, by their score; full bars: the {} among "
      "them. Lines: the part of the pairs of a score that is true, by each method above.</p>\n",
      page.are_groups ? "pairs of one group" : "links");
  // On a phone the chart scrolls: shrunk to the screen its letters could not be read.
  out += "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Chart\">\n";
  out += score_chart(page) + "</div>\n<details><summary>The numbers of the chart</summary>\n";
  open_table(out, "Pairs by score");
  append_head(out, {"#from", "#to", "#pairs", page.are_groups ? "#in groups" : "#links"});
  for (std::size_t i = 0; i < page.bins.bins.size(); ++i) {
    const LinkBins::Bin& bin = page.bins.bins[i];
    if (bin.pairs == 0) continue;
    const double from = page.bins.first + page.bins.width * static_cast<double>(i);
    out += "<tr>";
    append_number(out, fmt::format("{:.4g}", from));
    append_number(out, fmt::format("{:.4g}", from + page.bins.width));
    append_number(out, count_text(bin.pairs));
    append_number(out, count_text(bin.links));
    out += "</tr>\n";
  }
  out += kCloseTable;
  open_table(out, "Estimated true part by score");
  append_head(out, {"method", "#from", "#to", "#true part"});
  for (const LinkPageEstimate& estimate : page.estimates) {
    for (const LinkPageEstimate::Band& band : estimate.bands) {
      append_html(out, "<tr><th scope=\"row\">{}</th>", bdi(estimate.method));
      append_number(out, fmt::format("{:.4g}", band.low));
      append_number(out, fmt::format("{:.4g}", band.high));
      append_number(out, fmt::format("{:.3f}", band.true_part));
      out += "</tr>\n";
    }
  }
  out += kCloseTable;
  return out + "</details>\n";
}

// A bar from one sum of bits to another, on an axis from `least` to `most`.
std::string fall_bar(double from, double to, double least, double most) {
  const double width = std::max(most - least, 1e-9);
  return fmt::format(
      "<div class=\"bar\" aria-hidden=\"true\"><i class=\"{}\" style=\"margin-left:{:.2f}%;"
      "width:{:.2f}%\"></i></div>",
      to < from ? "is-less" : "is-more", 100 * (std::min(from, to) - least) / width,
      100 * std::abs(to - from) / width);
}

std::string weights_section(const LinkPage& page) {
  std::string out = fmt::format("<p>Score: {}.</p>\n", bdi(page.method, kValueCharacters));
  if (page.weights.empty()) return out;
  double least = 0;
  double most = 0;
  for (const LinkPageLevel& level : page.weights) {
    least = std::min(least, level.bits);
    most = std::max(most, level.bits);
  }
  open_table(out,
             "What each level of agreement says: bits are log2(m / u); what is missing says "
             "nothing");
  append_head(out, {"field", "level", "#m: of matches", "#u: of others", "#bits", "against, for"});
  for (const LinkPageLevel& level : page.weights) {
    append_html(out, "<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"word\">{}</td>",
                bdi(level.field), html_line(level.level));
    append_number(out, fmt::format("{:.4f}", level.m));
    append_number(out, fmt::format("{:.6f}", level.u));
    append_number(out, fmt::format("{:+.2f}", level.bits));
    append_html(out, "<td>{}</td></tr>\n", fall_bar(0, level.bits, least, most));
  }
  return out + std::string(kCloseTable);
}

// Sums of the bits as they grow field by field, beside the values.
void append_fields(std::string& out, const LinkPagePair& pair) {
  double least = 0;
  double most = 0;
  double sum = 0;
  for (const LinkPagePair::Field& field : pair.fields) {
    sum += field.bits.value_or(0);
    least = std::min(least, sum);
    most = std::max(most, sum);
  }
  const bool has_bits = std::any_of(pair.fields.begin(), pair.fields.end(),
                                    [](const auto& field) { return field.bits.has_value(); });
  open_table(out, has_bits ? "Values, and the bits that their agreement adds" : "Values");
  if (has_bits) {
    append_head(out, {"field", "left", "right", "level", "#bits", "sum so far"});
  } else {
    append_head(out, {"field", "left", "right", "level"});
  }
  sum = 0;
  for (const LinkPagePair::Field& field : pair.fields) {
    append_html(out, "<tr><th scope=\"row\" class=\"name\">{}</th>", bdi(field.name));
    for (const std::string* value : {&field.left, &field.right}) {
      append_html(
          out, "<td class=\"name\">{}</td>",
          value->empty() ? "<span class=\"faint\">missing</span>" : bdi(*value, kValueCharacters));
    }
    append_html(out, "<td class=\"word\">{}</td>", html_line(field.level));
    if (has_bits) {
      append_number(out, field.bits ? fmt::format("{:+.2f}", *field.bits) : std::string());
      const double next = sum + field.bits.value_or(0);
      append_html(out, "<td>{}</td>", field.bits ? fall_bar(sum, next, least, most) : "");
      sum = next;
    }
    out += "</tr>\n";
  }
  out += kCloseTable;
}

std::string pairs_section(const LinkPage& page) {
  if (page.pairs.empty()) return "<p>There are no pairs to show.</p>\n";
  std::string out;
  std::size_t shown = 0;
  for (const LinkPagePair& pair : page.pairs) {
    append_html(out,
                "<details{}><summary>{}: <code>{}</code> and <code>{}</code>, {:.2f}{}{}"
                "</summary>\n<p class=\"faint\">{}</p>\n",
                shown++ < kOpenPairs ? " open" : "", html_line(pair.why), bdi(pair.left),
                bdi(pair.right), pair.score, page.has_odds ? " bits" : "",
                pair.probability < 0 ? std::string()
                                     : fmt::format(", probability {:.6f}", pair.probability),
                pair.rules.empty() ? "No rule found it; it was compared on demand."
                                   : "Found by " + bdi(pair.rules, kValueCharacters) + ".");
    append_fields(out, pair);
    out += "</details>\n";
  }
  return out;
}

std::string rules_section(const LinkPage& page) {
  std::string out;
  open_table(out, "Rules that find candidates, and what each is worth");
  append_head(out,
              {"rule", "#pairs", "#found by no other", "#links among these", "#largest block"});
  for (const LinkPageRule& rule : page.rules) {
    append_html(out, "<tr><th scope=\"row\" class=\"name\">{}</th>", bdi(rule.name));
    for (const std::uint64_t count : {rule.pairs, rule.only, rule.only_links}) {
      append_number(out, count_text(count));
    }
    append_number(out, rule.largest_block == 0 ? "" : count_text(rule.largest_block));
    out += "</tr>\n";
  }
  out += kCloseTable;
  for (const LinkPageRule& rule : page.rules) {
    if (!rule.blocks.empty()) append_html(out, "<p>{}</p>\n", bdi(rule.blocks, kValueCharacters));
  }
  return out;
}

std::string repeat_section(const LinkPage& page) {
  return fmt::format(
      "<p>The same input, rules and options give the same links with any number of threads and any "
      "memory. This line repeats the run (sosie {}):</p>\n"
      "<pre tabindex=\"0\"><code>{}</code></pre>\n<details><summary>The rules, as a file for "
      "<code>--rules</code></summary>\n<pre tabindex=\"0\"><code>{}</code></pre>\n</details>\n",
      html_line(page.version), html_text(page.command), html_text(page.rules_text));
}

}  // namespace

std::string html_link_page(const LinkPage& page) {
  const std::array sections = {
      PageSection{"quality", "How sure", quality_section(page)},
      PageSection{"scores", "Scores", scores_section(page)},
      PageSection{"weights", "Weights", weights_section(page)},
      PageSection{"pairs", "Pairs nearest the decision", pairs_section(page)},
      PageSection{"rules", "Candidates", rules_section(page)},
      PageSection{"repeat", "Rules, and how to repeat the run", repeat_section(page)},
  };
  PageFrame frame;
  frame.title = "Sosie: what was linked, and why";
  frame.heading = "What was linked, and why";
  frame.subject = data_names(page.data);
  frame.before = before_sections(page);
  frame.sections = sections;
  frame.foot = fmt::format("sosie {}.", html_line(page.version));
  return html_page(frame);
}

}  // namespace sosie
