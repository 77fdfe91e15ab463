// Head, navigation and foot of pages, and their shared pieces.
#include "write/html_page.h"

#include <algorithm>

#include "core/count_text.h"
#include "write/html_text.h"

namespace sosie {
namespace {

constexpr std::string_view kStyle = R"(:root { color-scheme: light dark;
  --ground: #ffffff; --raised: #f6f8fa; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0;
  --plan: #0969da; --near: #54aeff; --warn: #bc4c00;
  --ghost: #818b98; }
@media screen and (prefers-color-scheme: dark) { :root {
  --ground: #0d1117; --raised: #161b22; --ink: #e6edf3; --faint: #9da7b3; --line: #30363d;
  --plan: #58a6ff; --near: #1f6feb; --warn: #f0883e;
  --ghost: #7d8590; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: .75rem;
  border-top: 1px solid var(--line); }
p { margin: .5rem 0; max-width: 52rem; }
.faint { color: var(--faint); }
.subject { font-size: 1.1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
a { color: var(--plan); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: .75rem 0;
  list-style: none; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--raised); }
:focus-visible { outline: 3px solid var(--warn); outline-offset: 2px; border-radius: 3px; }
code, pre { font: .875em/1.45 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
  padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
bdi { unicode-bidi: isolate; overflow-wrap: anywhere; }
.totals { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0; padding: 0; }
.totals div { flex: 1 1 8rem; padding: .6rem .9rem; background: var(--raised);
  border: 1px solid var(--line); border-top: 4px solid var(--colour, var(--line));
  border-radius: 6px; }
.totals dt { color: var(--faint); font-size: .875rem; }
.totals dd { margin: 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.totals small { display: block; font-size: .8rem; font-weight: 400; color: var(--faint); }
.is-more { --colour: var(--near); } .is-less { --colour: var(--warn); }
.scroll { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; color: var(--faint); padding: .25rem 0; }
th, td { padding: .3rem .6rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.name { min-width: 9rem; max-width: 22rem; overflow-wrap: anywhere; }
.word { white-space: nowrap; }
.total th, .total td { font-weight: 600; }
.bar { display: flex; width: 11rem; height: .9rem; margin-top: .25rem; background: var(--raised); }
.bar i { display: block; height: 100%; min-width: 1px; background: var(--colour); }
svg { display: block; width: 100%; min-width: 50rem; height: auto; margin: .75rem 0; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .faint { fill: var(--faint); } svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg .plan-label { fill: var(--plan); } svg .threshold-label { fill: var(--warn); }
svg .halo { stroke: var(--ground); stroke-width: 5; paint-order: stroke; stroke-linejoin: round; }
svg .near { fill: var(--near); }
svg .pairs { fill: var(--raised); stroke: var(--faint); }
svg .grid { stroke: var(--line); fill: none; } svg .axis { stroke: var(--faint); fill: none; }
svg .plan { stroke: var(--plan); stroke-width: 3.5; fill: none; stroke-linejoin: round; }
svg .ghost { stroke: var(--ghost); stroke-width: 1.5; stroke-dasharray: 5 3; fill: none; }
svg .threshold { stroke: var(--warn); stroke-width: 1.5; stroke-dasharray: 2 3; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; }
summary { padding: .45rem .75rem; cursor: pointer; }
details > :not(summary) { margin-left: .75rem; margin-right: .75rem; }
details[open] > summary { border-bottom: 1px solid var(--line); }
@page { size: A4; margin: 14mm 12mm; }
@media print {
  :root { color-scheme: light; }
  body { padding: 0; max-width: none; font-size: 9.5pt; }
  nav, .skip, details:not([open]) { display: none; }
  h2 { margin-top: 1.2rem; break-after: avoid; }
  .scroll { overflow: visible; }
  svg { min-width: 0; }
  table { max-width: 100%; font-size: .85em; }
  th, td { padding: .15rem .35rem; overflow-wrap: anywhere; }
  .number, .word { white-space: normal; overflow-wrap: normal; }
  .name { min-width: 0; }
  .bar { width: 5rem; }
  tr, svg, summary, .totals div { break-inside: avoid; }
  caption, thead, summary { break-after: avoid; }
  .bar, .bar i, .totals div, svg { print-color-adjust: exact; }
}
)";

// The style sheet of our pages: light or dark as the reader's system is, system fonts, focus to be
// seen, tables that scroll by themselves on narrow screens.
std::string_view html_style() noexcept { return kStyle; }

// No source of anything is allowed but the page's own style: whatever a document smuggled in could
// neither run nor call out.
constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n";

}  // namespace

std::string html_page(const PageFrame& frame) {
  std::string out(kHead);
  append_html(out,
              "<title>{}{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
              "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n"
              "<header>\n<h1>{}</h1>\n{}<nav aria-label=\"On this page\"><ul>\n",
              frame.title, frame.subject.empty() ? "" : ": " + frame.subject, html_style(),
              frame.heading,
              frame.subject.empty()
                  ? ""
                  : fmt::format("<p class=\"subject\"><bdi>{}</bdi></p>\n", frame.subject));
  for (const PageSection& section : frame.sections) {
    append_html(out, "<li><a href=\"#{}\">{}</a></li>\n", section.id, section.title);
  }
  out += "</ul></nav>\n</header>\n<main id=\"content\" tabindex=\"-1\">\n" + frame.before;
  for (const PageSection& section : frame.sections) {
    append_html(out, "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n",
                section.id, section.title, section.body);
  }
  append_html(out, "</main>\n<footer class=\"faint\"><p>{}</p></footer>\n</body>\n</html>\n",
              frame.foot);
  return out;
}

std::string data_names(std::span<const std::string> inputs) {
  constexpr std::size_t kNamed = 2;
  std::string out;
  for (std::size_t i = 0; i < std::min(kNamed, inputs.size()); ++i) {
    if (i > 0) out += inputs.size() > kNamed ? ", " : " and ";
    out += html_line(inputs[i], kNameCharacters);
  }
  if (inputs.size() > kNamed)
    out += fmt::format(" and {} more", count_text(inputs.size() - kNamed));
  return out;
}

void append_total(std::string& out, std::string_view kind, std::string_view name,
                  std::string_view value, std::string_view remark) {
  append_html(out, "<div class=\"{}\"><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", kind, name,
              value, remark);
}

void open_table(std::string& out, std::string_view caption) {
  append_html(out,
              "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\n"
              "<table>\n<caption>{0}</caption>\n",
              caption);
}

}  // namespace sosie
