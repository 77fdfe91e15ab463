// Formats the differences of two vectors, bit strings or strings for people.
#include "corpus/items/explained.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/real_functions.h"
#include "corpus/shown_text.h"
#include "represent/strings.h"
#include "verify/edit_script.h"

namespace sosie {
namespace {

constexpr std::size_t kComponents = 5;    // that differ most
constexpr std::size_t kPositions = 16;    // positions of differing bits that are shown
constexpr std::size_t kEdits = 20;        // edits of a string that are shown
constexpr std::size_t kKeptLetters = 12;  // kept letters that are shown on each side of a change
constexpr std::size_t kLetters = 40;      // letters of a change that are shown

double length_of(std::span<const double> vector) {
  double square = 0;
  for (const double x : vector) square += x * x;
  return std::sqrt(square);
}

std::vector<ExplainedLine> differing_components(std::span<const double> left,
                                                std::span<const double> right) {
  std::vector<std::size_t> order(left.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto apart = [&](std::size_t i) { return std::abs(left[i] - right[i]); };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(kComponents, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return apart(a) != apart(b) ? apart(a) > apart(b) : a < b;
  });
  std::vector<ExplainedLine> lines;
  for (auto i = order.begin(); i != end && apart(*i) > 0; ++i) {
    lines.push_back({lines.empty() ? "differ most" : "",
                     fmt::format("component {}: {:.6g} and {:.6g}", *i, left[*i], right[*i])});
  }
  return lines;
}

using Letters = std::span<const char32_t>;

std::string shown_letters(Letters letters) {
  const std::string text = text_of(letters);
  // Spaces are characters too, and the text may consist of a single one.
  return letters.size() <= kLetters && text.find_first_not_of(' ') == std::string::npos
             ? text
             : shown_text(text, kLetters);
}

// The characters of a step in `text`, from `begin` to `end`, with "..." in place of the least
// important ones.
std::string shown_kept(Letters letters, bool is_first, bool is_last) {
  const std::size_t before = is_first ? 0 : kKeptLetters;
  const std::size_t behind = is_last ? 0 : kKeptLetters;
  if (letters.size() <= before + behind + 3) return text_of(letters);
  return text_of(letters.first(before)) + "..." + text_of(letters.last(behind));
}

// "[-K-]{+C+}atharin[-a-]{+e+}".
std::string shown_script(std::span<const EditStep> steps, Letters left, Letters right) {
  std::string shown;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i + 1;
    const bool kept = steps[i].kind == EditStep::Kind::keep;
    while (!kept && end < steps.size() && steps[end].kind != EditStep::Kind::keep) ++end;
    const Letters gone = left.subspan(steps[i].left, steps[end - 1].left_end - steps[i].left);
    const Letters come = right.subspan(steps[i].right, steps[end - 1].right_end - steps[i].right);
    if (kept) {
      shown += shown_kept(gone, i == 0, end == steps.size());
    } else {
      if (!gone.empty()) shown += "[-" + text_of(gone) + "-]";
      if (!come.empty()) shown += "{+" + text_of(come) + "+}";
    }
    i = end;
  }
  return shown;
}

// "character 1: "K" becomes "C"", counted in the left string from 1.
std::string shown_step(const EditStep& step, Letters left, Letters right) {
  const std::string gone = shown_letters(left.subspan(step.left, step.left_end - step.left));
  const std::string come = shown_letters(right.subspan(step.right, step.right_end - step.right));
  switch (step.kind) {
    case EditStep::Kind::insert:
      return step.left == 0
                 ? fmt::format("at the start: \"{}\" is inserted", come)
                 : fmt::format("after character {}: \"{}\" is inserted", step.left, come);
    case EditStep::Kind::remove:
      return fmt::format("character {}: \"{}\" is deleted", step.left_end, gone);
    case EditStep::Kind::swap:
      return fmt::format("characters {} and {}: \"{}\" becomes \"{}\", swapped{}", step.left + 1,
                         step.left_end, gone, come,
                         step.edits() == 1 ? "" : fmt::format(" ({} edits)", step.edits()));
    default:
      return fmt::format("character {}: \"{}\" is replaced with \"{}\"", step.left_end, gone, come);
  }
}

}  // namespace

std::vector<std::string> explained_components(std::span<const double> vector) {
  std::vector<std::string> parts;
  parts.reserve(vector.size());
  for (const double x : vector) parts.push_back(fmt::format("{}", x));
  return parts;
}

std::vector<std::string> explained_positions(const BitColumn& column, std::size_t row) {
  std::vector<std::string> parts;
  for (std::size_t word = 0; word < column.words; ++word) {
    for (std::uint64_t bits = column.row(row)[word]; bits != 0; bits &= bits - 1) {
      parts.push_back(std::to_string(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
  return parts;
}

std::vector<ExplainedLine> explained_vectors(std::span<const double> left,
                                             std::span<const double> right) {
  const double left_length = length_of(left);
  const double right_length = length_of(right);
  double product = 0;
  double square = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    product += left[i] * right[i];
    square += (left[i] - right[i]) * (left[i] - right[i]);
  }
  std::vector<ExplainedLine> lines;
  if (left_length > 0 && right_length > 0) {
    const double cosine = std::clamp(product / left_length / right_length, -1.0, 1.0);
    lines.push_back({"angle", fmt::format("{:.6f} degrees, cosine {:.6f}",
                                          arc_cosine_degrees(cosine), cosine)});
  }
  lines.push_back({"apart", fmt::format("{:.6g} (euclidean)", std::sqrt(square))});
  lines.push_back({"lengths", fmt::format("{:.6g} and {:.6g}", left_length, right_length)});
  const auto most = differing_components(left, right);
  lines.insert(lines.end(), most.begin(), most.end());
  return lines;
}

std::vector<ExplainedLine> explained_bits(const BitColumn& column, std::size_t left,
                                          std::size_t right) {
  std::size_t different = 0;
  std::size_t both = 0;
  std::vector<std::size_t> positions;
  for (std::size_t word = 0; word < column.words; ++word) {
    const std::uint64_t a = column.row(left)[word];
    const std::uint64_t b = column.row(right)[word];
    both += static_cast<std::size_t>(std::popcount(a & b));
    different += static_cast<std::size_t>(std::popcount(a ^ b));
    for (std::uint64_t bits = a ^ b; bits != 0 && positions.size() < kPositions; bits &= bits - 1) {
      positions.push_back(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
  std::vector<ExplainedLine> lines = {
      {"differ", fmt::format("{} of {} bits; {} are set in both", different, column.bits, both)}};
  if (different > 0) {
    lines.push_back({"at", fmt::format("{}{}", fmt::join(positions, ", "),
                                       different > positions.size() ? ", ..." : "")});
  }
  return lines;
}

std::vector<ExplainedLine> explained_strings(EditMeasure measure, Letters left, Letters right) {
  std::vector<ExplainedLine> lines = {
      {"characters", fmt::format("{} and {}", left.size(), right.size())}};
  const auto steps = edit_script(measure, left, right);
  if (!steps) {
    lines.push_back({"edits", "too long to be shown character by character"});
    return lines;
  }
  std::vector<std::string> shown;
  for (const EditStep& step : *steps) {
    if (step.kind != EditStep::Kind::keep) shown.push_back(shown_step(step, left, right));
  }
  if (shown.empty()) return lines;
  lines.push_back({"edits", shown_text(shown_script(*steps, left, right), 8 * kLetters)});
  for (std::size_t i = 0; i < std::min(kEdits, shown.size()); ++i) lines.push_back({"", shown[i]});
  if (shown.size() > kEdits) {
    lines.push_back({"", fmt::format("and {} more", shown.size() - kEdits)});
  }
  return lines;
}

}  // namespace sosie
