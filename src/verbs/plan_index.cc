// plan --index: bytes, time and memory of an index of the inputs, and of larger collections like
// them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "core/count_text.h"
#include "data/kinds.h"
#include "options/set_cascade.h"
#include "plan/run_costs.h"
#include "sketch/band_keys.h"
#include "sosie/error.h"
#include "verbs/index/item_index_run.h"
#include "verbs/run_plan.h"

namespace sosie {
namespace {

constexpr std::uint64_t kLeastItems = 100'000;
constexpr std::uint64_t kMostItems = 10'000'000'000;

std::uint64_t whole(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 10 * kMinute) return fmt::format("{:.3g} s", seconds);
  if (seconds < 10 * kHour) return fmt::format("{:.3g} min", seconds / kMinute);
  return fmt::format("{:.3g} h", seconds / kHour);
}

std::string look_up_text(const PlannedIndex& index, const IndexCosts& costs) {
  return index.keys == 0 ? "-" : duration_text(costs.look_up_cpu_seconds);
}

std::string candidates_text(const PlannedIndex& index, double candidates) {
  if (index.keys == 0) return "all";
  return candidates < 10 ? fmt::format("{:.2g}", candidates) : count_text(whole(candidates));
}

// The numbers of items to plan for: the actual number, and higher powers of ten.
std::vector<double> sizes(double items) {
  std::vector<double> all = {items};
  for (std::uint64_t size = kLeastItems; size <= kMostItems; size *= 10) {
    if (static_cast<double>(size) > items) all.push_back(static_cast<double>(size));
  }
  return all;
}

// The plan itself also reads the items, so they must be readable again.
void expect_readable_again(const Inputs& inputs, const Options& options) {
  for (const InputFile& input : inputs.list) {
    if (options.memory_files.contains(input.path) || options.table ||
        std::filesystem::is_regular_file(input.path)) {
      continue;
    }
    throw Error(ErrorKind::invalid_option,
                fmt::format("plan --index: {} cannot be read twice", input.name),
                "write the rows to a file, and plan with that");
  }
}

}  // namespace

void refuse_index_of_nothing() {
  throw Error(ErrorKind::invalid_option, "plan --index: there are no items to extrapolate from",
              "sosie plan INPUT --index");
}

void add_index_lines(std::string& text, const PlannedIndex& index, const Settings& settings) {
  const IndexCosts here = index_costs(index, index.items, settings.memory_bytes);
  add_plan_line(text, "an index",
                fmt::format("{:.0f} bytes per item, {:.0f} of them keys; ids of {:.3g} bytes",
                            here.item_bytes, here.key_bytes, index.id_bytes));
  constexpr auto* kRow = "{:>16}{:>10}{:>11}{:>10}{:>10}{:>11}{:>12}\n";
  text += fmt::format(fmt::runtime(kRow), "items", "disk", "build CPU", "memory", "open", "look-up",
                      "candidates");
  double indexes = 1;
  for (const double items : sizes(index.items)) {
    const IndexCosts costs = index_costs(index, items, settings.memory_bytes);
    indexes = costs.indexes;
    text +=
        fmt::format(fmt::runtime(kRow), count_text(whole(items)), bytes_text(whole(costs.bytes)),
                    duration_text(costs.build_cpu_seconds),
                    bytes_text(whole(costs.build_peak_bytes)), bytes_text(whole(costs.open_bytes)),
                    look_up_text(index, costs), candidates_text(index, costs.candidates));
  }
  add_plan_line(text, "a look-up",
                index.keys == 0 ? "reads all items; CPU time assumes they are in the page cache"
                                : fmt::format("reads {} of keys, and one of items per candidate; "
                                              "CPU time assumes they are in the page cache",
                                              plural_text(static_cast<std::uint64_t>(index.keys),
                                                          "block", "blocks")));
  add_plan_line(text, "", "(memory: for the build; open: for a process that looks up items)");
  if (indexes > 1) {
    add_plan_line(text, "",
                  fmt::format("(an index holds up to 4,294,967,295 items; here {} are needed, and "
                              "a look-up searches each)",
                              indexes));
  }
}

PlannedIndex planned_items(const Options& options, const RunHooks& hooks) {
  // Time to read and hash an item (docs/scale.md).
  constexpr double kItemNs = 2500;
  constexpr double kByteNs = 2;
  constexpr double kLetterNs = 120;
  constexpr double kKeyNs = 400;
  constexpr double kHeldBytes = 60;  // for its place, state and hash, besides the item itself
  refuse_cascade(options, "an index");
  ReadItems rows(options, hooks);
  expect_readable_again(rows.inputs(), options);
  if (rows.rows() == 0) refuse_index_of_nothing();
  const IndexManifest manifest = manifest_of_items(options, rows);
  PlannedIndex index;
  index.items = static_cast<double>(rows.rows());
  index.keys = static_cast<int>(manifest.shape().bands);
  if (manifest.keys == IndexKeys::blocks) index.key_bits = kBandKeyBits;
  double bytes = 0;
  double id_bytes = 0;
  double id_bytes_in_common = 0;
  std::string last_id;
  rows.for_each(manifest, [&](const ReadItems::Item& item) {
    bytes += static_cast<double>(item.payload.size());
    const std::string_view id = item.name.id;
    const auto [differ, _] = std::mismatch(id.begin(), id.end(), last_id.begin(), last_id.end());
    id_bytes += static_cast<double>(id.size());
    id_bytes_in_common += static_cast<double>(differ - id.begin());
    last_id = id;
  });
  index.element_bytes = bytes / index.items;
  index.held_bytes = index.element_bytes + kHeldBytes;
  index.id_bytes = rows.is_named() ? id_bytes / index.items : 0;
  index.id_bytes_in_common = id_bytes_in_common / index.items;
  const double byte_ns = options.kind == kStringItems ? kLetterNs : kByteNs;
  index.make_ns = kItemNs + byte_ns * index.element_bytes + kKeyNs * index.keys;
  return index;
}

}  // namespace sosie
