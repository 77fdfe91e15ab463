// Chart of the scores of pairs for the page of link --report, as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/count_text.h"
#include "write/html_link.h"
#include "write/html_page.h"

namespace sosie {
namespace {

// The box that the chart is drawn in, in user units.
constexpr int kPlotWidth = 860;
constexpr int kPlotHeight = 390;
constexpr int kPlotLeft = 70;
constexpr int kPlotRight = 800;
constexpr int kPlotTop = 40;
constexpr int kPlotBottom = 330;

// Height of a part, from 0 at the bottom to 1 at the top.
constexpr double plot_y(double part) noexcept {
  return kPlotBottom - part * (kPlotBottom - kPlotTop);
}

struct ScoreScale {
  double first = 0;
  double last = 1;
  double step = 1;  // between the axis' numbers
  int decades = 1;  // that the counts span

  [[nodiscard]] double x(double score) const noexcept {
    const double part = std::clamp((score - first) / (last - first), 0.0, 1.0);
    return kPlotLeft + part * (kPlotRight - kPlotLeft);
  }
  [[nodiscard]] double height(std::uint64_t count) const noexcept {
    // One pair is to be seen: a bar starts a third of a decade below it.
    constexpr double kBelowOne = 0.33;
    return (std::log10(static_cast<double>(count)) + kBelowOne) / (decades + kBelowOne) *
           (kPlotBottom - kPlotTop);
  }
};

ScoreScale scale_of(const LinkBins& bins) {
  ScoreScale scale;
  scale.first = bins.first;
  scale.last = bins.first + bins.width * static_cast<double>(bins.bins.size());
  // The least of 1, 2, 5, 10, 20 ... (or parts of ten) that makes at most ten steps.
  const double least = (scale.last - scale.first) / 10;
  scale.step = std::pow(10.0, std::floor(std::log10(least)));
  for (const double times : {2.0, 2.5, 2.0}) {
    if (scale.step < least) scale.step *= times;
  }
  std::uint64_t most = 1;
  for (const LinkBins::Bin& bin : bins.bins) most = std::max(most, bin.pairs);
  for (std::uint64_t power = 10; power < most; power *= 10) ++scale.decades;
  return scale;
}

void append_axes(std::string& svg, const LinkPage& page, const ScoreScale& scale) {
  std::uint64_t count = 1;
  for (int decade = 0; decade <= scale.decades; ++decade, count *= 10) {
    const double y = kPlotBottom - scale.height(count);
    append_html(svg, R"(<path class="grid" d="M{} {:.1f}H{}"/>)", kPlotLeft, y, kPlotRight);
    append_html(svg, "<text class=\"end faint\" x=\"{}\" y=\"{:.1f}\">{}</text>\n", kPlotLeft - 8,
                y + 4, count_text(count));
  }
  for (int i = 0; i <= 4; ++i) {
    append_html(svg, "<text class=\"plan-label\" x=\"{}\" y=\"{:.1f}\">{} %</text>\n",
                kPlotRight + 8, plot_y(i / 4.0) + 4, 25 * i);
  }
  const double begin = std::ceil(scale.first / scale.step);
  const int steps = static_cast<int>(std::floor(scale.last / scale.step) - begin);
  for (int i = 0; i <= steps; ++i) {
    const double at = (begin + i) * scale.step;
    append_html(svg, R"(<path class="axis" d="M{:.1f} {}v6"/>)", scale.x(at), kPlotBottom);
    append_html(svg, "<text class=\"middle faint\" x=\"{:.1f}\" y=\"{}\">{:.4g}</text>\n",
                scale.x(at), kPlotBottom + 22, std::abs(at) < scale.step / 2 ? 0.0 : at);
  }
  append_html(svg, R"(<path class="axis" d="M{} {}H{}"/>)", kPlotLeft, kPlotBottom, kPlotRight);
  append_html(svg, "<text class=\"faint\" x=\"{}\" y=\"{}\">pairs (bars)</text>\n", kPlotLeft - 46,
              kPlotTop - 18);
  append_html(svg, "<text class=\"plan-label end\" x=\"{}\" y=\"{}\">true part (lines)</text>\n",
              kPlotRight + 46, kPlotTop - 18);
  append_html(svg, "<text class=\"middle faint\" x=\"{}\" y=\"{}\">score{}</text>\n",
              (kPlotLeft + kPlotRight) / 2, kPlotBottom + 46, page.has_odds ? " in bits" : "");
}

struct Bar {
  double from;
  double to;
  std::uint64_t count;
};

void append_bar(std::string& svg, const ScoreScale& scale, const Bar& bar, std::string_view kind,
                std::string_view what) {
  if (bar.count == 0) return;
  const double height = scale.height(bar.count);
  const double left = scale.x(bar.from) + 0.5;
  append_html(svg,
              "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
              "<title>{:.4g} to {:.4g}: {} {}</title></rect>\n",
              kind, left, kPlotBottom - height, std::max(scale.x(bar.to) - 0.5 - left, 0.5), height,
              bar.from, bar.to, count_text(bar.count), what);
}

void append_bars(std::string& svg, const LinkBins& bins, const ScoreScale& scale) {
  for (std::size_t i = 0; i < bins.bins.size(); ++i) {
    const double from = bins.first + bins.width * static_cast<double>(i);
    append_bar(svg, scale, {from, from + bins.width, bins.bins[i].pairs}, "pairs", "pairs");
    append_bar(svg, scale, {from, from + bins.width, bins.bins[i].links}, "near", "of them links");
  }
}

// The true part by one method: level within a band, straight from band to band.
void append_line(std::string& svg, const LinkPageEstimate& estimate, const ScoreScale& scale,
                 std::size_t index) {
  if (estimate.bands.empty()) return;
  append_html(svg, R"(<path class="{}" d=")", index == 0 ? "plan" : "ghost");
  std::string_view step = "M";
  for (const LinkPageEstimate::Band& band : estimate.bands) {
    for (const double score : {band.high, band.low}) {
      append_html(svg, "{}{:.1f} {:.1f}", step, scale.x(score), plot_y(band.true_part));
      step = "L";
    }
  }
  svg += "\"/>\n";
  // Letters stand where the lines cross different heights, so that they do not run together.
  const double level = 0.5 + 0.12 * (static_cast<double>(index % 3) - 1);
  const auto crossing =
      std::find_if(estimate.bands.begin(), estimate.bands.end(),
                   [&](const LinkPageEstimate::Band& band) { return band.true_part < level; });
  const LinkPageEstimate::Band& band =
      crossing == estimate.bands.end() ? estimate.bands.back() : *crossing;
  append_html(svg, "<text class=\"middle halo\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
              scale.x(band.high), plot_y(band.true_part) + 4, line_letter(index));
}

}  // namespace

char line_letter(std::size_t i) noexcept { return static_cast<char>('a' + i % 26); }

std::string score_chart(const LinkPage& page) {
  const ScoreScale scale = scale_of(page.bins);
  std::string svg;
  append_html(svg,
              "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"chart-title chart-text\">"
              "\n<title id=\"chart-title\">Pairs by score, and the estimated part that is true"
              "</title>\n<desc id=\"chart-text\">The tables below hold the same numbers.</desc>\n",
              kPlotWidth, kPlotHeight);
  append_axes(svg, page, scale);
  append_bars(svg, page.bins, scale);
  if (page.cut) {
    append_html(svg, R"(<path class="threshold" d="M{:.1f} {}V{}"/>)", scale.x(*page.cut),
                kPlotTop - 6, kPlotBottom);
    append_html(svg,
                "<text class=\"middle threshold-label\" x=\"{:.1f}\" y=\"{}\">cut {:.2f}"
                "</text>\n",
                std::clamp(scale.x(*page.cut), kPlotLeft + 130.0, kPlotRight - 130.0),
                kPlotTop - 18, *page.cut);
  }
  std::size_t line = 0;
  for (const LinkPageEstimate& estimate : page.estimates) {
    if (estimate.refusal.empty()) append_line(svg, estimate, scale, line++);
  }
  return svg + "</svg>\n";
}

}  // namespace sosie
