// Chart of similarities for the page of --report, as SVG.
#include "write/similarity_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "write/html_page.h"
#include "write/html_text.h"

namespace sosie {
namespace {

constexpr int kShownBelow = 30;  // hundredths below the threshold, where curves still matter

// Positions of the axis from first/100 to 1.01, from left to right: the bar of exactly 1 is as wide
// as all others.
struct Scale {
  int first = 0;
  std::uint64_t most = 4;  // rows of the tallest bar, rounded up

  [[nodiscard]] double x(double position) const noexcept {
    const double from = first / 100.0;
    return kPlotLeft + (position - from) / (1.01 - from) * (kPlotRight - kPlotLeft);
  }
};

// The least of 4, 8, 20, 40, 80, 200 ... that is not below count: its quarters are whole numbers.
std::uint64_t round_up(std::uint64_t count) noexcept {
  std::uint64_t power = 1;
  while (true) {
    for (const std::uint64_t step : {4U, 8U, 20U}) {
      if (power * step >= count) return power * step;
    }
    power *= 10;
  }
}

void append_axes(std::string& svg, const ReportPage& page, const Scale& scale) {
  for (int i = 0; i <= 4; ++i) {
    const double y = plot_y(i / 4.0);
    append_html(svg, R"(<path class="grid" d="M{} {:.1f}H{}"/>)", kPlotLeft, y, kPlotRight);
    if (!page.curves.empty()) {
      append_html(svg, "<text class=\"plan-label\" x=\"{}\" y=\"{:.1f}\">{} %</text>\n",
                  kPlotRight + 8, y + 4, 25 * i);
    }
    append_html(svg, "<text class=\"end faint\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", kPlotLeft - 8,
                y + 4, count_text(scale.most / 4 * static_cast<unsigned>(i)));
  }
  for (int tenth = (scale.first + 9) / 10; tenth <= 10; ++tenth) {
    const double x = scale.x(tenth / 10.0);
    append_html(svg, R"(<path class="axis" d="M{:.1f} {}v6"/>)", x, kPlotBottom);
    const double value = page.axis.value(tenth / 10.0);
    append_html(svg, "<text class=\"middle faint\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", x,
                kPlotBottom + 22,
                page.measured ? fmt::format("{:.4g}", value) : fmt::format("{:.1f}", value));
  }
  append_html(svg, R"(<path class="axis" d="M{} {}H{}"/>)", kPlotLeft, kPlotBottom, kPlotRight);
  append_html(svg, "<text class=\"faint\" x=\"{}\" y=\"{}\">rows removed (bars)</text>\n",
              kPlotLeft - 46, kPlotTop - 18);
  if (!page.curves.empty()) {
    append_html(svg, "<text class=\"plan-label end\" x=\"{}\" y=\"{}\">found with (lines)</text>\n",
                kPlotRight + 46, kPlotTop - 18);
  }
  append_html(svg, "<text class=\"middle faint\" x=\"{}\" y=\"{}\">{}</text>\n",
              (kPlotLeft + kPlotRight) / 2, kPlotBottom + 46, value_name(page));
}

void append_bars(std::string& svg, const ReportPage& page, const Scale& scale) {
  const SimilarityBins& bins = page.bins;
  for (auto i = static_cast<std::size_t>(scale.first); i < bins.size(); ++i) {
    if (bins[i] == 0) continue;
    const double left = scale.x(static_cast<double>(i) / 100) + 0.5;
    const double right = scale.x(static_cast<double>(i + 1) / 100) - 0.5;
    // A bar of few rows is still to be seen.
    const double height =
        std::max(1.5, static_cast<double>(bins[i]) / static_cast<double>(scale.most) *
                          (kPlotBottom - kPlotTop));
    append_html(svg, R"(<rect class="near" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}">)",
                left, kPlotBottom - height, right - left, height);
    append_html(svg, "<title>{}: {}</title></rect>\n", bin_text(page, i),
                plural_text(bins[i], "row", "rows"));
  }
}

void append_curve(std::string& svg, const ReportCurve& curve, const Scale& scale, bool is_plan) {
  append_html(svg, R"(<path class="{}" d=")", is_plan ? "plan" : "ghost");
  const std::size_t steps = curve.probabilities.size() - 1;
  bool first = true;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(steps);
    if (s < scale.first / 100.0) continue;
    append_html(svg, "{}{:.1f} {:.1f}", first ? "M" : "L", scale.x(s),
                plot_y(curve.probabilities[i]));
    first = false;
  }
  svg += "\"/>\n";
}

// Letters of neighbouring curves stand at different heights, so that they do not run together.
void append_letter(std::string& svg, const ReportCurve& curve, const Scale& scale,
                   std::size_t index) {
  const double level = 0.5 + 0.09 * (static_cast<double>(index % 3) - 1);
  const std::size_t steps = curve.probabilities.size() - 1;
  std::size_t i = 0;
  while (i < steps && curve.probabilities[i] < level) ++i;
  const double x = scale.x(static_cast<double>(i) / static_cast<double>(steps));
  if (x < kPlotLeft) return;
  append_html(svg, "<text class=\"middle halo\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x,
              plot_y(curve.probabilities[i]) + 4, curve_letter(index));
}

void append_threshold(std::string& svg, const ReportPage& page, const Scale& scale) {
  const double x = scale.x(page.axis.position(page.threshold));
  append_html(svg, R"(<path class="threshold" d="M{:.1f} {}V{}"/>)", x, kPlotTop - 6, kPlotBottom);
  const bool is_within = page.measured && !page.measured->is_similarity;
  append_html(svg, "<text class=\"middle threshold-label\" x=\"{:.1f}\" y=\"{}\">{} {}</text>\n",
              std::clamp(x, kPlotLeft + 130.0, kPlotRight - 130.0), kPlotTop - 18,
              is_within ? "within" : "threshold", html_line(page.summary.threshold, 12));
}

}  // namespace

std::string value_name(const ReportPage& page) {
  return page.measured ? page.measured->value : "similarity";
}

std::string bin_text(const ReportPage& page, std::size_t bin) {
  const double value = page.axis.value(static_cast<double>(bin) / 100);
  return page.measured ? fmt::format("{:.5g}", value) : fmt::format("{:.2f}", value);
}

char curve_letter(std::size_t i) noexcept {
  return i == 0 ? ' ' : static_cast<char>('a' + (i - 1) % 26);
}

std::string similarity_chart(const ReportPage& page) {
  Scale scale;
  if (!page.measured) {
    scale.first = std::max(0, static_cast<int>(page.threshold * 100) - kShownBelow) / 10 * 10;
  }
  scale.most = round_up(*std::max_element(page.bins.begin(), page.bins.end()));
  std::string svg;
  append_html(
      svg,
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"chart-title chart-text\">\n"
      "<title id=\"chart-title\">Near-duplicates by {}{}</title>\n"
      "<desc id=\"chart-text\">The tables below hold the same numbers.</desc>\n",
      kPlotWidth, kPlotHeight, value_name(page),
      page.curves.empty() ? "" : ", and how likely each setting finds them");
  append_axes(svg, page, scale);
  append_bars(svg, page, scale);
  append_threshold(svg, page, scale);
  for (std::size_t i = 1; i < page.curves.size(); ++i) {
    append_curve(svg, page.curves[i], scale, false);
  }
  for (std::size_t i = 1; i < page.curves.size(); ++i) {
    append_letter(svg, page.curves[i], scale, i);
  }
  if (!page.curves.empty()) append_curve(svg, page.curves.front(), scale, true);
  return svg + "</svg>\n";
}

}  // namespace sosie
