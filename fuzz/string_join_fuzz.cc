// Every way to join strings finds the same pairs as the definition. The first four bytes are the
// measure, the distance, the alphabet, and the position at which the right side begins; each of the
// following lines is a string.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fuzz/input.h"
#include "join/strings/string_join.h"
#include "reference/edit_distance.h"

namespace {

using namespace sosie;
using fuzz::require;
using Found = std::vector<std::tuple<RowId, RowId, std::uint32_t>>;

constexpr std::uint32_t kMostWithin = 6;
constexpr std::size_t kMostStrings = 40;  // enough for all, and quick

// Maximum length of strings: n symbols have C(n, D) deletions, and the reference for damerau takes
// time n^4.
std::size_t most_length(const EditBound& bound) {
  if (bound.within > 2) return 12;
  return bound.measure == EditMeasure::damerau ? 20 : 70;
}

std::uint32_t reference_of(EditMeasure measure, std::string_view x, std::string_view y) {
  switch (measure) {
    case EditMeasure::levenshtein:
      return reference::levenshtein(x, y);
    case EditMeasure::indel:
      return reference::indel(x, y);
    case EditMeasure::osa:
      return reference::osa(x, y);
    case EditMeasure::damerau:
      return reference::damerau(x, y);
  }
  return 0;
}

Found expected_pairs(const std::vector<std::string>& strings, const JoinSides& sides,
                     const EditBound& bound) {
  Found found;
  for (RowId left = sides.left.begin; left < sides.left.end; ++left) {
    const RowRange rights = sides.right.value_or(RowRange{left + 1, sides.left.end});
    for (RowId right = rights.begin; right < rights.end; ++right) {
      const std::uint32_t distance = reference_of(bound.measure, strings[left], strings[right]);
      if (distance <= bound.within) found.emplace_back(left, right, distance);
    }
  }
  return found;
}

Found joined(const StringColumn& column, const JoinSides& sides, const EditBound& bound,
             std::optional<std::uint32_t> segments_from) {
  static Scratch scratch("/tmp");
  static ThreadPool pool(1, nullptr);
  StringJoinTask task{.column = &column,
                      .sides = sides,
                      .bound = bound,
                      .scratch = &scratch,
                      .memory_bytes = std::uint64_t{1} << 20};
  if (segments_from) {
    task.plan.emplace();
    task.plan->segments_from = *segments_from;
  }
  Found found;
  join_strings(task, pool, [&](std::span<const ScoredPair> pairs) {
    for (const ScoredPair& pair : pairs) {
      found.emplace_back(pair.left, pair.right, static_cast<std::uint32_t>(pair.value));
    }
  });
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const EditBound bound{.measure = static_cast<EditMeasure>(input.byte() % 4),
                        .within = input.byte() % (kMostWithin + 1)};
  const std::uint32_t alphabet = 1U + input.byte();
  const std::uint32_t split = input.byte();
  std::vector<std::string> strings;
  StringColumn column{1, alphabet, {0}, {}};
  while (!input.rest().empty() && strings.size() < kMostStrings) {
    std::string string(input.line().substr(0, most_length(bound)));
    for (char& symbol : string) {
      symbol = static_cast<char>(static_cast<unsigned char>(symbol) % alphabet);
      column.symbols.push_back(static_cast<std::byte>(symbol));
    }
    column.starts.push_back(column.symbols.size());
    strings.push_back(std::move(string));
  }
  const auto rows = static_cast<RowId>(strings.size());
  const RowId lefts = rows == 0 ? 0 : split % rows;
  const JoinSides sides =
      lefts == 0 ? JoinSides{{0, rows}} : JoinSides{{0, lefts}, RowRange{lefts, rows}};
  const Found expected = expected_pairs(strings, sides, bound);
  for (const std::optional<std::uint32_t> from :
       {std::optional<std::uint32_t>(), std::optional(0U), std::optional(8U),
        std::optional(StringJoinPlan::kNever)}) {
    require(joined(column, sides, bound, from) == expected);
  }
  return 0;
}
