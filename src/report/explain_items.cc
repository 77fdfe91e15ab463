// Explanation of two items in memory.
#include "report/explain_items.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "corpus/rows/row_reader.h"
#include "corpus/shown_text.h"

namespace sosie {
namespace {

// Name of a part of an item.
std::string part_of(const InMemoryJoiner& joiner) {
  const std::string components = joiner.facts().components;
  return components == "bit" || components == "character" ? components : "component";
}

}  // namespace

void explain_texts(const InMemoryJoiner& joiner, const ItemPlaces& places, RowId left, RowId right,
                   const ExplainedItems& items, Explanation& e) {
  const auto compared = joiner.compared_text();
  if (!compared) return;
  FieldRequest text = places.inputs.fields;
  text.others.clear();
  RowReader reader(places.inputs, places.corpus, std::move(text));
  for (const RowId row : {left, right}) {
    const std::string as_written(reader.read(row).text);
    const std::string as_compared = compared(row == left ? *items.left : *items.right);
    e.lines.push_back({row == left ? "left text" : "right text", shown_text(as_written, 320)});
    if (as_written == as_compared) continue;
    e.lines.push_back({"  compared", shown_text(as_compared, 320)});
  }
}

void explain_items(const InMemoryJoiner& joiner, const ExplainedItems& items, Explanation& e) {
  const BoundFacts& bound = joiner.bound().facts;
  e.of_text = false;
  e.measure = bound.measure;
  e.threshold = bound.bound;
  e.is_similarity = bound.is_similarity;
  e.is_count = bound.is_count;
  if (!items.left || !items.right) {
    e.has_nothing = true;
    e.lines = {{"candidate", fmt::format("no: {} is compared with nothing", e.nothing)}};
    return;
  }
  const std::array rows = {*items.left, *items.right};
  e.similarity = joiner.value(rows[0], rows[1]);
  e.reaches = joiner.measure(rows[0], rows[1]).has_value();
  for (ExplainedLine& line : joiner.describe(rows[0], rows[1])) e.lines.push_back(std::move(line));
  if (!joiner.hashes()) {
    e.lines.push_back({"method", joiner.facts().method.line});
  } else if (e.reaches && rows[0] != rows[1]) {
    e.is_candidate = false;
    (void)joiner.find(rows, 0,
                      [&](std::span<const ScoredPair> /*found*/) { e.is_candidate = true; });
    e.lines.push_back({"candidate", e.is_candidate
                                        ? "yes: they share a band"
                                        : "no: they share no band, or their sketches differ"});
  }
}

ItemInFull item_in_full(const InMemoryJoiner& joiner, const ItemNumbers& numbers,
                        std::optional<RowId> item) {
  ItemInFull full;
  full.part = part_of(joiner);
  if (!item) return full;
  full.parts = joiner.parts_of(*item);
  auto hashed = joiner.hashed(*item);
  if (!hashed) return full;
  full.signature_name = "sketch";
  for (const std::uint64_t word : hashed->sketch) full.signature += fmt::format("{:016x}", word);
  for (HashedRow::Band& band : hashed->bands) {
    for (RowId& other : band.rows) other = numbers.row_of(other);
    full.bands.push_back({std::move(band.key), std::move(band.rows), {}});
  }
  return full;
}

}  // namespace sosie
