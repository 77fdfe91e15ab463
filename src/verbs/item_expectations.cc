// Messages that announce the expected size of a run of items.
#include "verbs/item_expectations.h"

#include <fmt/format.h>

#include <cmath>

#include "core/count_text.h"
#include "join/pair_selection.h"
#include "options/tells.h"

namespace sosie {
namespace {

constexpr double kManyPairs = 1e8;
constexpr double kManyChecks = 1e10;
constexpr double kLongValueSeconds = 30;

std::string_view way_to_fewer(const ItemExpectations& run) {
  return run.joiner.bound().facts.is_similarity ? "raise --threshold" : "lower --within";
}

}  // namespace

void tell_of_checks(const ItemExpectations& run) {
  const double checks = run.joiner.expected_checks();
  if (checks < kManyChecks || !tells(run.options, run.hooks)) return;
  run.hooks.on_message(
      fmt::format("about {} pairs are checked one by one; {}, or use a smaller input",
                  count_text(static_cast<std::uint64_t>(checks)), way_to_fewer(run)));
}

void tell_of_pairs(const ItemExpectations& run) {
  const auto forecast = run.joiner.forecast();
  const PairSelection wanted = pair_selection(run.options);
  if (forecast && wanted.all()) {
    check_pair_limit(wanted, run.joiner.bound().facts, forecast->least);
  }
  tell_of_checks(run);
  if (!forecast || !wanted.all() || run.options.limit > 0 || forecast->expected < kManyPairs ||
      !tells(run.options, run.hooks)) {
    return;
  }
  run.hooks.on_message(
      fmt::format("about {} pairs are expected; {}, or use --top, --top-pairs or --limit",
                  count_text(static_cast<std::uint64_t>(forecast->expected)), way_to_fewer(run)));
}

void tell_of_long_value(const ItemExpectations& run, std::optional<RowId> left,
                        std::optional<RowId> right) {
  if (!left || !right || !tells(run.options, run.hooks)) return;
  const double seconds = run.joiner.value_seconds(*left, *right);
  if (seconds < kLongValueSeconds || run.joiner.measure(*left, *right)) return;
  run.hooks.on_message(fmt::format(
      "the whole distance of two long strings is computed, which takes about {}; "
      "`sosie pairs` is faster: it only decides whether they are a pair",
      plural_text(static_cast<std::uint64_t>(std::ceil(seconds / 60)), "minute", "minutes")));
}

}  // namespace sosie
