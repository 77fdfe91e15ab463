// Draws the S-curve as a self-contained SVG.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "plan/curve.h"
#include "plan/curve_facts.h"

namespace sosie {
namespace {

// The picture in user units; the plot is the box from (kLeft, kTop) to (kRight, kBottom).
constexpr int kWidth = 760;
constexpr int kLeft = 64;
constexpr int kRight = 730;
constexpr int kTop = 64;
constexpr int kBottom = 424;
constexpr int kTableTop = 500;
constexpr int kLineHeight = 22;
constexpr int kSteps = 200;  // points of a curve

double x_of(double s) noexcept { return kLeft + s * (kRight - kLeft); }
double y_of(double p) noexcept { return kBottom - p * (kBottom - kTop); }

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

template <typename... Args>
void append(std::string& svg, fmt::format_string<Args...> pattern, Args&&... args) {
  svg += fmt::format(pattern, std::forward<Args>(args)...);
}

// Colours are set by classes, so that they follow the reader's light or dark mode.
constexpr std::string_view kStyle = R"(<style>
text { font: 14px system-ui, sans-serif; fill: #24292f; }
.title { font-size: 18px; font-weight: 600; }
.faint { fill: #57606a; }
.number { text-anchor: end; font-variant-numeric: tabular-nums; }
.middle { text-anchor: middle; }
.ground { fill: #ffffff; }
.grid { stroke: #d8dee4; fill: none; }
.axis { stroke: #57606a; fill: none; }
.plan { stroke: #0969da; stroke-width: 4; stroke-linejoin: round; fill: none; }
.ghost { stroke: #8c959f; stroke-width: 1.5; stroke-dasharray: 5 3; fill: none; }
.threshold { stroke: #bc4c00; stroke-width: 1.5; stroke-dasharray: 2 3; }
.label { fill: #bc4c00; }
.point { fill: #ffffff; stroke: #0969da; stroke-width: 2.5; }
.ours { font-weight: 600; fill: #0969da; }
.halo { stroke: #ffffff; stroke-width: 5; stroke-linejoin: round; paint-order: stroke; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.faint { fill: #9da7b3; }
.ground { fill: #0d1117; }
.grid { stroke: #30363d; }
.axis { stroke: #9da7b3; }
.plan { stroke: #58a6ff; }
.ghost { stroke: #7d8590; }
.threshold { stroke: #f0883e; }
.label { fill: #f0883e; }
.point { fill: #0d1117; stroke: #58a6ff; }
.ours { fill: #58a6ff; }
.halo { stroke: #0d1117; }
}
</style>
)";

std::string description(const std::vector<Curve>& curves, double threshold) {
  std::string text;
  for (const Curve& curve : curves) {
    const CurveFacts facts = curve_facts(curve, threshold);
    append(text, "{} ({}) finds a pair at similarity {} with {}, half of the pairs at {:.3f}. ",
           curve.name, facts.banding, short_number(threshold), facts.at_threshold, facts.half);
  }
  return text;
}

void append_head(std::string& svg, const std::vector<Curve>& curves, double threshold, int height,
                 const PictureText& words) {
  append(svg,
         "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
         "height=\"{1}\" role=\"img\" aria-labelledby=\"title desc\">\n",
         kWidth, height);
  append(svg, "<title id=\"title\">S-curves of banding</title>\n<desc id=\"desc\">{}</desc>\n",
         escape_xml(description(curves, threshold)));
  svg += kStyle;
  append(svg, "<rect class=\"ground\" width=\"{}\" height=\"{}\"/>\n", kWidth, height);
  append(svg, "<text class=\"title\" x=\"{}\" y=\"30\">{}</text>\n", kLeft, words.title);
}

void append_axes(std::string& svg, const PictureText& words) {
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const double y = y_of(quarter / 4.0);
    append(svg, R"(<path class="{}" d="M{} {:.1f}H{}"/>)", quarter == 0 ? "axis" : "grid", kLeft, y,
           kRight);
    append(svg, "<text class=\"number faint\" x=\"{}\" y=\"{:.1f}\">{} %</text>\n", kLeft - 8,
           y + 5, 25 * quarter);
  }
  for (int tenth = 0; tenth <= 10; ++tenth) {
    const double x = x_of(tenth / 10.0);
    append(svg, R"(<path class="axis" d="M{:.1f} {}v6"/>)", x, kBottom);
    append(svg, "<text class=\"middle faint\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", x, kBottom + 22,
           short_number(tenth / 10.0));
  }
  append(svg, "<text class=\"middle faint\" x=\"{}\" y=\"{}\">{}</text>\n", (kLeft + kRight) / 2,
         kBottom + 44, words.axis);
}

void append_threshold(std::string& svg, double threshold, const PictureText& words) {
  const double x = x_of(threshold);
  append(svg, R"(<path class="threshold" d="M{:.1f} {}V{}"/>)", x, kTop - 6, kBottom);
  const bool at_left = threshold < 0.1;
  append(svg, "<text class=\"label{}\" x=\"{:.1f}\" y=\"{}\">{} {}</text>\n",
         at_left ? "" : " middle", at_left ? x : std::min(x, x_of(0.96)), kTop - 12, words.mark,
         short_number(threshold));
}

void append_curve(std::string& svg, const Curve& curve, bool is_plan) {
  append(svg, R"(<path class="{}" d="M)", is_plan ? "plan" : "ghost");
  for (int i = 0; i <= kSteps; ++i) {
    const double s = static_cast<double>(i) / kSteps;
    append(svg, "{}{:.1f} {:.1f}", i == 0 ? "" : "L", x_of(s),
           y_of(amplify(curve.construction, s).found));
  }
  svg += "\"/>\n";
}

// Labels of neighbouring curves are placed at different heights, so that they do not overlap.
void append_letter(std::string& svg, const Curve& curve, std::size_t index) {
  const double p = 0.5 + 0.08 * (static_cast<double>(index % 3) - 1);
  double s = 0;
  while (s < 1 && amplify(curve.construction, s).found < p) s += 1.0 / kSteps / 4;
  append(svg, "<text class=\"middle halo\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x_of(s),
         y_of(p) + 5, ghost_letter(index));
}

void append_points(std::string& svg, const Curve& plan) {
  const Steepest steepest = steepest_point(plan.construction);
  append(svg, R"(<circle class="point" cx="{:.1f}" cy="{:.1f}" r="5"/>)",
         x_of(half_point(plan.construction)), y_of(0.5));
  append(svg, "<path class=\"point\" d=\"M{:.1f} {:.1f}l6 6l-6 6l-6 -6z\"/>\n", x_of(steepest.at),
         y_of(amplify(plan.construction, steepest.at).found) - 6);
}

// Right edges of the table's columns.
constexpr int kColumns[] = {kLeft + 110, kLeft + 220, kLeft + 320, kLeft + 420, kLeft + 490};

void append_heading(std::string& svg, double threshold) {
  const std::string found = fmt::format("found at {}", short_number(threshold));
  const std::string_view names[] = {"b x r", found, "half point \u25CB", "steepest \u25C7",
                                    "slope"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    append(svg, "<text class=\"number faint\" x=\"{}\" y=\"{}\">{}</text>\n", kColumns[i],
           kTableTop, names[i]);
  }
}

void append_row(std::string& svg, const Curve& curve, std::size_t index, double threshold) {
  const CurveFacts facts = curve_facts(curve, threshold);
  const int y = kTableTop + kLineHeight * static_cast<int>(index + 1);
  const std::string_view weight = index == 0 ? " ours" : "";
  append(svg, R"(<path class="{}" d="M{} {}h34"/>)", index == 0 ? "plan" : "ghost", kLeft, y - 5);
  if (index != 0) {
    append(svg, R"(<text class="middle halo" x="{}" y="{}">{}</text>)", kLeft + 17, y,
           ghost_letter(index));
  }
  const std::string cells[] = {facts.banding, facts.at_threshold, fmt::format("{:.3f}", facts.half),
                               fmt::format("{:.3f}", facts.steepest.at),
                               fmt::format("{:.2f}", facts.steepest.slope)};
  for (std::size_t i = 0; i < std::size(cells); ++i) {
    append(svg, R"(<text class="number{}" x="{}" y="{}">{}</text>)", weight, kColumns[i], y,
           escape_xml(cells[i]));
  }
  append(svg, "<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", index == 0 ? "ours" : "faint",
         kColumns[4] + 24, y, escape_xml(curve.name));
}

}  // namespace

std::string draw_svg(const std::vector<Curve>& curves, double threshold, const PictureText& words) {
  const int height = kTableTop + kLineHeight * static_cast<int>(curves.size()) + 20;
  std::string svg;
  append_head(svg, curves, threshold, height, words);
  append_axes(svg, words);
  append_threshold(svg, threshold, words);
  for (std::size_t i = 1; i < curves.size(); ++i) append_curve(svg, curves[i], false);
  for (std::size_t i = 1; i < curves.size(); ++i) append_letter(svg, curves[i], i);
  if (!curves.empty()) {
    append_curve(svg, curves.front(), true);
    append_points(svg, curves.front());
  }
  append_heading(svg, threshold);
  for (std::size_t i = 0; i < curves.size(); ++i) append_row(svg, curves[i], i, threshold);
  svg += "</svg>\n";
  return svg;
}

}  // namespace sosie
