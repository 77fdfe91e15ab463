#include "plan/curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "plan/peer_bandings.h"

namespace sosie {
namespace {

constexpr BandingPlan kCurvePlan{128, 16, 6, 88};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Each character in the pictures is one column wide.
long columns(const std::string& line) {
  return std::count_if(line.begin(), line.end(),
                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DrawTerminal, FitsTheTerminal) {
  for (const int width : {60, 80, 133}) {
    const auto lines =
        lines_of(draw_terminal(curves_beside_peers(kCurvePlan, .8), .8, {width, 32}));
    EXPECT_EQ(lines.size(), 32U);
    for (const std::string& line : lines) EXPECT_LE(columns(line), std::max(width, 80)) << line;
    for (std::size_t i = 0; i < 25; ++i) EXPECT_LE(columns(lines[i]), width) << lines[i];
  }
}

TEST(DrawTerminal, SaysHowOftenThePeersFindAPairAtTheThreshold) {
  const std::string text = draw_terminal(curves_beside_peers(kCurvePlan, .8), .8);
  for (const char* found :
       {"16 x 6         99.23 %", "9 x 13         39.88 %", "14 x 8         92.35 %",
        "20 x 13         67.73 %", "26 x 11         90.32 %", "8 x 16         20.42 %"}) {
    EXPECT_TRUE(contains(text, found)) << found << "\n" << text;
  }
  EXPECT_TRUE(contains(text, "0.591 ●    0.612 ◆  3.67  this plan")) << text;
  EXPECT_TRUE(contains(text, "threshold 0.8 ▼")) << text;
}

TEST(DrawTerminal, NeverCallsCertainWhatIsNot) {
  EXPECT_TRUE(contains(draw_terminal({{"one", banding_construction(20, 5)}}, .8), "99.96 %"));
  EXPECT_TRUE(contains(draw_terminal({{"one", banding_construction(60, 5)}}, .9), ">99.99 %"));
  EXPECT_TRUE(contains(draw_terminal({{"one", banding_construction(1, 5)}}, 1), "100.00 %"));
}

TEST(DrawTerminal, DrawsAtTheEdges) {
  EXPECT_TRUE(contains(draw_terminal({}, .8), "threshold 0.8"));
  for (const auto& [bands, rows] : {std::pair{1, 1}, {1024, 1}, {1, 1024}}) {
    for (const double threshold : {.001, .5, 1.0}) {
      const std::string text =
          draw_terminal({{"edge", banding_construction(bands, rows)}}, threshold, {0, 0});
      EXPECT_EQ(lines_of(text).size(), 8U + 6U + 1U);
    }
  }
}

TEST(DrawTerminal, LeavesNoTrailingBlanks) {
  for (const std::string& line : lines_of(draw_terminal(curves_beside_peers(kCurvePlan, .8), .8))) {
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(DrawSvg, NamesWhatItShows) {
  const std::string svg = draw_svg(curves_beside_peers(kCurvePlan, .8), .8);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_TRUE(contains(svg, "role=\"img\" aria-labelledby=\"title desc\""));
  EXPECT_TRUE(contains(svg, "this plan (16 x 6) finds a pair at similarity 0.8 with 99.23 %"));
  EXPECT_TRUE(contains(svg, "prefers-color-scheme: dark"));
  EXPECT_FALSE(contains(svg, "<script"));
  for (const char* found : {"39.88 %", "92.35 %", "67.73 %", "90.32 %", "20.42 %"}) {
    EXPECT_TRUE(contains(svg, found)) << found;
  }
}

TEST(DrawSvg, EscapesNames) {
  const std::string svg = draw_svg({{"<a & \"b\">", banding_construction(5, 5)}}, .8);
  EXPECT_TRUE(contains(svg, "&lt;a &amp; &quot;b&quot;&gt;"));
  EXPECT_FALSE(contains(svg, "<a &"));
}

TEST(DrawSvg, DrawsNothingWithoutCurves) { EXPECT_TRUE(contains(draw_svg({}, .5), "</svg>")); }

TEST(DrawCurve, DatasketchChoosesItsBandsByTheThreshold) {
  const auto is = [](double threshold, int bands, int rows) {
    const NamedBanding banding = datasketch_banding(threshold);
    EXPECT_EQ(banding.bands, bands) << threshold;
    EXPECT_EQ(banding.rows, rows) << threshold;
  };
  is(.5, 25, 5);
  is(.7, 14, 9);
  is(.8, 9, 13);
}

}  // namespace
}  // namespace sosie
