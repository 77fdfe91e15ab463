// The runs of a diff turn the left words into the right words, in the documented order, and with as
// few edits as possible if that number is small. The first byte is the limit; a line feed separates
// the texts.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/input.h"
#include "verify/word_diff.h"

namespace {

using namespace sosie;
using fuzz::require;
using Words = std::vector<std::uint64_t>;

constexpr std::size_t kMostCompared = 300;  // words; the table of edits is quadratic

std::uint32_t least_edits(const Words& left, const Words& right) {
  std::vector<std::uint32_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::uint32_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::uint32_t above = row[j];
      row[j] = left[i - 1] == right[j - 1] ? diagonal : 1 + std::min(above, row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

// Number of words that the runs remove or add.
std::uint32_t checked_edits(const std::vector<DiffRun>& runs, const Words& left,
                            const Words& right) {
  std::uint32_t edits = 0;
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  const DiffRun* before = nullptr;
  for (const DiffRun& run : runs) {
    require(run.count > 0 && run.left == i && run.right == j);
    require(before == nullptr || before->kind != run.kind);
    require(before == nullptr || before->kind != DiffKind::added || run.kind == DiffKind::same);
    i += run.kind != DiffKind::added ? run.count : 0;
    j += run.kind != DiffKind::removed ? run.count : 0;
    require(i <= left.size() && j <= right.size());
    if (run.kind == DiffKind::same) {
      require(std::equal(&left[run.left], &left[run.left] + run.count, &right[run.right]));
    } else {
      edits += run.count;
    }
    before = &run;
  }
  require(i == left.size() && j == right.size());
  return edits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint32_t most_edits = input.byte();
  const std::string_view one = input.line();
  const Words left(one.begin(), one.end());
  const Words right(input.rest().begin(), input.rest().end());
  const std::uint32_t edits = checked_edits(word_diff(left, right, most_edits), left, right);
  if (left.size() > kMostCompared || right.size() > kMostCompared) return 0;
  const std::uint32_t least = least_edits(left, right);
  require(edits >= least);
  if (least <= most_edits) require(edits == least);
  return 0;
}
