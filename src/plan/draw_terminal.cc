// Draws the S-curve in braille characters for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "plan/curve.h"
#include "plan/curve_facts.h"

namespace sosie {
namespace {

// A terminal cell is a braille character of 2 x 4 dots.
constexpr int kDotColumns = 2;
constexpr int kDotRows = 4;
constexpr int kGutter = 9;             // columns left of the plot: "  100 % |"
constexpr int kFollowedPoints = 4096;  // points a curve is followed in
// Ghost lines show one in this many dots, counted along the line.
constexpr double kGhostSpacing = 3;

int nearest(double x) noexcept { return static_cast<int>(std::lround(x)); }

class Canvas {
 public:
  Canvas(int columns, int rows)
      : columns_(columns), rows_(rows), dots_(area(), 0), marks_(area(), U'\0') {}

  [[nodiscard]] int columns() const noexcept { return columns_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }

  // Dots are counted from the left and from the bottom; dots outside the picture are dropped.
  void dot(int x, int y) {
    const int from_top = rows_ * kDotRows - 1 - y;
    if (x < 0 || x >= columns_ * kDotColumns || from_top < 0 || y < 0) return;
    // Bits of U+2800 + n, by column and row of the cell.
    static constexpr unsigned char kBits[kDotColumns][kDotRows] = {{0x01, 0x02, 0x04, 0x40},
                                                                   {0x08, 0x10, 0x20, 0x80}};
    dots_[cell(x / kDotColumns, from_top / kDotRows)] |=
        kBits[x % kDotColumns][from_top % kDotRows];
  }

  // Puts a character into the cell of similarity s and probability p, hiding whatever is drawn
  // there.
  void mark(double s, double p, char32_t sign) { marks_[cell_of(s, p)] = sign; }
  [[nodiscard]] bool is_marked(double s, double p) const { return marks_[cell_of(s, p)] != 0; }
  // Puts a character only where nothing has been drawn.
  void background(int column, int row, char32_t sign) {
    if (dots_[cell(column, row)] == 0 && marks_[cell(column, row)] == 0) {
      marks_[cell(column, row)] = sign;
    }
  }

  [[nodiscard]] double dot_x(double s) const { return s * (columns_ * kDotColumns - 1); }
  [[nodiscard]] double dot_y(double p) const { return p * (rows_ * kDotRows - 1); }
  [[nodiscard]] int column_of(double s) const { return nearest(dot_x(s)) / kDotColumns; }

  [[nodiscard]] char32_t sign(int column, int row) const {
    const char32_t mark = marks_[cell(column, row)];
    if (mark != 0) return mark;
    const unsigned char dots = dots_[cell(column, row)];
    return dots == 0 ? U' ' : U'\u2800' + dots;
  }

 private:
  [[nodiscard]] std::size_t area() const {
    return static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  }
  [[nodiscard]] std::size_t cell(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }
  [[nodiscard]] std::size_t cell_of(double s, double p) const {
    return cell(column_of(s), rows_ - 1 - nearest(dot_y(p)) / kDotRows);
  }

  int columns_;
  int rows_;
  std::vector<unsigned char> dots_;
  std::vector<char32_t> marks_;
};

void append_utf8(std::string& text, char32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6));
  } else {
    text += static_cast<char>(0xE0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
  }
  text += static_cast<char>(0x80 | (c & 0x3F));
}

void draw_bold(Canvas& canvas, const Curve& curve) {
  int last_y = 0;
  for (int i = 0; i <= kFollowedPoints; ++i) {
    const double s = static_cast<double>(i) / kFollowedPoints;
    const int x = nearest(canvas.dot_x(s));
    const int y = nearest(canvas.dot_y(amplify(curve.construction, s).found));
    for (int filled = std::min(last_y, y); filled <= y + 1; ++filled) {
      canvas.dot(x - 1, filled);
      canvas.dot(x, filled);
    }
    last_y = y;
  }
}

double distance_along(double dx, double dy) noexcept {
  return std::max(dx < 0 ? -dx : dx, dy < 0 ? -dy : dy);
}

void draw_ghost(Canvas& canvas, const Curve& curve) {
  double last_x = -kGhostSpacing;
  double last_y = 0;
  for (int i = 0; i <= kFollowedPoints; ++i) {
    const double s = static_cast<double>(i) / kFollowedPoints;
    const double x = canvas.dot_x(s);
    const double y = canvas.dot_y(amplify(curve.construction, s).found);
    if (y < 0.5) continue;  // on the base line all ghosts look the same
    if (distance_along(x - last_x, y - last_y) < kGhostSpacing) continue;
    canvas.dot(nearest(x), nearest(y));
    last_x = x;
    last_y = y;
  }
}

double similarity_found_with(double p, const Curve& curve) noexcept {
  int i = 0;
  while (i < kFollowedPoints &&
         amplify(curve.construction, static_cast<double>(i) / kFollowedPoints).found < p) {
    ++i;
  }
  return static_cast<double>(i) / kFollowedPoints;
}

// Ghost labels are placed at the half point, or further up if another label is already there.
void name_ghost(Canvas& canvas, const Curve& curve, std::size_t index) {
  for (int up = 0; up < canvas.rows() / 2; ++up) {
    const double p = 0.5 + static_cast<double>(up) / canvas.rows();
    const double s = similarity_found_with(p, curve);
    if (s >= 1 || canvas.is_marked(s, p)) continue;
    canvas.mark(s, p, static_cast<char32_t>(ghost_letter(index)));
    return;
  }
}

void draw_threshold(Canvas& canvas, double threshold) {
  for (int row = 0; row < canvas.rows(); ++row) {
    canvas.background(canvas.column_of(threshold), row, U'\u250A');
  }
}

Canvas draw_curves(const std::vector<Curve>& curves, double threshold, int columns, int rows) {
  Canvas canvas(columns, rows);
  for (std::size_t i = 1; i < curves.size(); ++i) draw_ghost(canvas, curves[i]);
  if (!curves.empty()) {
    const Curve& main = curves.front();
    const Steepest steepest = steepest_point(main.construction);
    draw_bold(canvas, main);
    canvas.mark(steepest.at, amplify(main.construction, steepest.at).found, U'\u25C6');
    canvas.mark(half_point(main.construction), 0.5, U'\u25CF');
  }
  for (std::size_t i = 1; i < curves.size(); ++i) name_ghost(canvas, curves[i], i);
  draw_threshold(canvas, threshold);
  return canvas;
}

// "75 %" next to the row nearest to it, blank next to other rows.
std::string gutter(int row, int rows) {
  for (const int quarter : {0, 1, 2, 3, 4}) {
    if (row == (rows - 1) * (4 - quarter) / 4) return fmt::format("{:>5} % \u2524", 25 * quarter);
  }
  return fmt::format("{:>9}", "\u2502");
}

void append_axis(std::string& text, const Canvas& canvas) {
  std::vector<char32_t> line(static_cast<std::size_t>(canvas.columns()), U'\u2500');
  std::string numbers(static_cast<std::size_t>(canvas.columns() + kGutter), ' ');
  for (int tenth = 0; tenth <= 10; ++tenth) {
    const int column = canvas.column_of(tenth / 10.0);
    line[static_cast<std::size_t>(column)] = tenth == 0 ? U'\u2500' : U'\u252C';
    const std::string number = tenth == 0 ? "0" : tenth == 10 ? "1" : fmt::format(".{}", tenth);
    const int start = kGutter + column + 1 - static_cast<int>(number.size());
    numbers.replace(static_cast<std::size_t>(start), number.size(), number);
  }
  text += fmt::format("{:>9}", "\u2514");
  for (const char32_t sign : line) append_utf8(text, sign);
  numbers.erase(numbers.find_last_not_of(' ') + 1);
  text += fmt::format("\n{}\n", numbers);
}

void append_title(std::string& text, const Canvas& canvas, double threshold,
                  const PictureText& words) {
  std::string title = words.title;
  if (!title.empty() && title[0] >= 'A' && title[0] <= 'Z') title[0] += 'a' - 'A';
  text += fmt::format("  {}\n", title);
  const std::string label = fmt::format("{} {}", words.mark, short_number(threshold));
  const int column = kGutter + canvas.column_of(threshold);
  if (column > static_cast<int>(label.size()) + kGutter) {
    text += fmt::format("{:>{}} \u25BC\n", label, column - 1);
  } else {
    text += fmt::format("{:>{}} {}\n", "\u25BC", column + 1, label);
  }
}

void append_legend(std::string& text, const std::vector<Curve>& curves, double threshold) {
  const std::string found = fmt::format("found at {}", short_number(threshold));
  text += fmt::format("\n{:>15}{:>16}{:>14}{:>11}{:>7}\n", "b x r", found, "half point", "steepest",
                      "slope");
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const CurveFacts facts = curve_facts(curves[i], threshold);
    const std::string key =
        i == 0 ? "\u2501\u2501\u2501" : fmt::format("\u00B7{}\u00B7", ghost_letter(i));
    text += fmt::format("  {} {:>9}{:>16}{:>12.3f} {}{:>9.3f} {}{:>6.2f}  {}\n", key, facts.banding,
                        facts.at_threshold, facts.half, i == 0 ? "\u25CF" : " ", facts.steepest.at,
                        i == 0 ? "\u25C6" : " ", facts.steepest.slope, curves[i].name);
  }
}

}  // namespace

std::string draw_terminal(const std::vector<Curve>& curves, double threshold, PictureSize size,
                          const PictureText& words) {
  // Lines besides the plot: title, threshold, axis, its numbers, a blank line, a heading, and one
  // line per curve.
  constexpr int kOtherLines = 6;
  const int columns = std::clamp(size.width, 60, 240) - kGutter;
  const int rows = std::clamp(size.height - kOtherLines - static_cast<int>(curves.size()), 8, 100);
  const Canvas canvas = draw_curves(curves, threshold, columns, rows);
  std::string text;
  append_title(text, canvas, threshold, words);
  for (int row = 0; row < rows; ++row) {
    std::string line = gutter(row, rows);
    for (int column = 0; column < columns; ++column) append_utf8(line, canvas.sign(column, row));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  append_axis(text, canvas);
  append_legend(text, curves, threshold);
  return text;
}

}  // namespace sosie
