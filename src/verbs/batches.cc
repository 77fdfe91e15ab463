// Steps of a run on a single batch of rows: sketches, verified pairs, prefixes of rare elements.
#include "sosie/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "core/rational.h"
#include "corpus/identical.h"
#include "corpus/rows/row_reader.h"
#include "corpus/rows/row_sample.h"
#include "corpus/scan.h"
#include "data/kinds.h"
#include "join/in_memory_joiner.h"
#include "join/sets/templates.h"
#include "options/bounds.h"
#include "plan/saved_plan.h"
#include "sosie/error.h"
#include "store/saved_plan.h"
#include "store/sketch/sketch_file.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// Throws Error{invalid_option} for row numbers that are not in the batch.
void check_pairs(const BatchPairs& pairs, std::uint64_t rows) {
  if (pairs.left.size() != pairs.right.size()) {
    throw Error(ErrorKind::invalid_option, fmt::format("{} left rows, but {} right rows",
                                                       pairs.left.size(), pairs.right.size()));
  }
  for (const auto side : {pairs.left, pairs.right}) {
    for (const std::uint64_t row : side) {
      if (row < rows) continue;
      throw Error(ErrorKind::invalid_option, fmt::format("row {}: the batch has {}", row, rows));
    }
  }
}

// A batch; its rows are read only once.
class ItemBatch {
 public:
  // `options`: with_kind().
  ItemBatch(Options options, const RunHooks& hooks)
      : options_(std::move(options)),
        hooks_(hooks),
        joiner_(item_joiner(kPairs, options_)),
        pool_(joiner_->settings().threads, hooks.cancel) {
    joiner_->read(pool_, hooks_, places_);
    numbers_ = ItemNumbers(rows(), joiner_->left_out());
  }

  [[nodiscard]] InMemoryJoiner& joiner() const noexcept { return *joiner_; }
  [[nodiscard]] RowId rows() const noexcept { return row_id(places_.corpus.rows); }
  [[nodiscard]] RowId items() const noexcept {
    return static_cast<RowId>(rows() - joiner_->left_out().size());
  }
  [[nodiscard]] bool is_item(RowId row) const {
    return places_.corpus.state(row) == RowState::normal;
  }
  [[nodiscard]] RowId item_of(RowId row) const { return numbers_.item_of(row); }

 private:
  Options options_;
  RunHooks hooks_;
  std::unique_ptr<InMemoryJoiner> joiner_;
  ThreadPool pool_;
  ItemPlaces places_;
  ItemNumbers numbers_;
};

// Appends a copy of the `width` values of an item to `out`.
template <typename From, typename To>
void append_values(const std::vector<From>& table, std::size_t item, std::size_t width,
                   std::vector<To>& out) {
  const auto begin = table.begin() + static_cast<std::ptrdiff_t>(item * width);
  out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
}

// The sketch of an item; the item itself if it has no sketch.
std::string_view filter_of(const HashedItems& hashed, const HashShape& shape,
                           const InMemoryJoiner& joiner, std::size_t item) {
  if (shape.sketch_words == 0) return joiner.bytes_of(item);
  const std::size_t bytes = shape.sketch_words * sizeof(std::uint64_t);
  return {reinterpret_cast<const char*>(hashed.sketches.data()) + item * bytes, bytes};
}

// sketch_batch() and verify_batch() for items that are not compared as sets. `options`: the result
// of with_kind(), completed by the plan.
SketchedBatch sketch_items(const Options& options, const SavedPlan& plan, const RunHooks& hooks) {
  const HashShape shape = hash_shape(*plan.hashed);
  if (shape.functions > 0) {
    throw Error(ErrorKind::unsupported, "plan: it probes several cells per function",
                "batches are compared by one key per band; make a plan with --probes 1");
  }
  Options named = options;
  named.plan = "plan";  // its name in messages
  const ItemBatch batch(named, hooks);
  const HashedItems hashed = batch.joiner().hash(plan, {0, batch.items()});
  SketchedBatch out;
  out.bands = shape.bands;
  out.components = shape.sketch_words * sizeof(std::uint64_t);
  if (batch.items() > 0 && out.components == 0) out.components = batch.joiner().bytes_of(0).size();
  for (RowId row = 0; row < batch.rows(); ++row) {
    const bool is_item = batch.is_item(row);
    out.is_empty.push_back(!is_item);
    if (!is_item) {
      out.band_keys.resize(out.band_keys.size() + out.bands);
      out.filters.resize(out.filters.size() + out.components);
      out.text_hashes.resize(out.text_hashes.size() + 2);
      continue;
    }
    const std::size_t item = batch.item_of(row);
    append_values(hashed.keys, item, out.bands, out.band_keys);
    const std::string_view filter = filter_of(hashed, shape, batch.joiner(), item);
    out.filters.insert(out.filters.end(), filter.begin(), filter.end());
    out.text_hashes.push_back(hashed.identities[item].high);
    out.text_hashes.push_back(hashed.identities[item].low);
  }
  return out;
}

VerifiedBatch verify_items(const Options& options, const BatchPairs& pairs, const RunHooks& hooks) {
  const ItemBatch batch(options, hooks);
  check_pairs(pairs, batch.rows());
  InMemoryJoiner& joiner = batch.joiner();
  if (batch.items() > 0) joiner.prepare({.only_measures = true});
  const bool is_similarity = joiner.bound().facts.is_similarity;
  VerifiedBatch out;
  for (std::size_t i = 0; i < pairs.left.size(); ++i) {
    const auto left = static_cast<RowId>(pairs.left[i]);
    const auto right = static_cast<RowId>(pairs.right[i]);
    if (!batch.is_item(left) || !batch.is_item(right)) {  // such rows match nothing
      out.similarity.push_back(is_similarity ? 0 : std::numeric_limits<double>::infinity());
      out.reaches.push_back(false);
      out.is_identical.push_back(false);
      continue;
    }
    const RowId one = batch.item_of(left);
    const RowId other = batch.item_of(right);
    const std::optional<double> found = joiner.measure(one, other);
    out.similarity.push_back(found ? *found : joiner.value(one, other));
    out.reaches.push_back(found.has_value());
    out.is_identical.push_back(joiner.bytes_of(one) == joiner.bytes_of(other));
  }
  return out;
}

constexpr int kHashBits = 64;
constexpr int kMostCounterBits = 28;

// Options for rows hashed with this plan; the plan supplies whatever the options leave open.
Options with_hashing(const Options& options, const SavedPlan& plan) {
  Options chosen = options;
  if (plan.hashed) {
    if (!is_given(chosen, "kind")) set_option(chosen, "kind", kind_name(plan.kind));
    if (!is_given(chosen, "family")) set_option(chosen, "family", plan.hashed->family);
    chosen.method = Method::lsh;
  }
  return with_plan(chosen, plan);
}

// A batch; its rows are read only once.
class Batch {
 public:
  Batch(const Options& options, const RunHooks& hooks)
      : options_(with_kind_of_sets(options, "batches")),
        settings_(resolve(options_)),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes),
        pool_(settings_.threads, hooks.cancel),
        hooks_(hooks),
        inputs_(open_inputs(options_, settings_, scratch_, pool_, hooks_)) {
    if (!settings_.measure->is_ordered()) return;
    throw Error(ErrorKind::unsupported, RefusedOption{"measure", options_.measure},
                "not supported for batches: its pairs are ordered");
  }

  void read(const ScanRequest& request) {
    corpus_ = scan(inputs_, settings_, request, scratch_, pool_, hooks_);
  }

  [[nodiscard]] const Options& options() const noexcept { return options_; }
  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const Corpus& corpus() const noexcept { return corpus_; }

  [[nodiscard]] SetView set(RowId row) const noexcept {
    const ScannedBlock& block = corpus_.block_of(row);
    const std::size_t i = row - block.first_row;
    const std::uint64_t begin = block.sets.starts[i];
    return SetView(block.sets.hashes).subspan(begin, block.sets.starts[i + 1] - begin);
  }
  [[nodiscard]] Hash128 text_hash(RowId row) const noexcept {
    const ScannedBlock& block = corpus_.block_of(row);
    return block.text_hashes[row - block.first_row];
  }

 private:
  Options options_;
  Settings settings_;
  Scratch scratch_;
  ThreadPool pool_;
  const RunHooks& hooks_;
  Inputs inputs_;
  Corpus corpus_;
};

void append_sketches(const ScannedBlock& block, SketchedBatch& out) {
  const std::size_t rows = block.rows();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t band = 0; band < out.bands; ++band) {
      out.band_keys.push_back(block.band_keys[band * rows + row]);
    }
    out.text_hashes.push_back(block.text_hashes[row].high);
    out.text_hashes.push_back(block.text_hashes[row].low);
    out.is_empty.push_back(block.state(row) != RowState::normal);
  }
  out.filters.insert(out.filters.end(), block.filters.begin(), block.filters.end());
}

std::size_t counter_of(std::uint64_t element, std::size_t counters) noexcept {
  return element >> (kHashBits - std::countr_zero(counters));
}

// Sorts the elements of a set by their counts, rarest first (ties: by hash).
void order_rarest_first(SetView set, std::span<const std::uint32_t> counts,
                        std::vector<std::pair<std::uint32_t, std::uint64_t>>& out) {
  out.clear();
  for (const std::uint64_t element : set) {
    out.emplace_back(counts[counter_of(element, counts.size())], element);
  }
}

void append_prefix(RowId row, std::span<std::pair<std::uint32_t, std::uint64_t>> elements,
                   const Settings& settings, PrefixBatch& out) {
  const std::uint64_t size = elements.size();
  const Measure& measure = *settings.measure;
  const std::uint64_t least = measure.least_overlap(
      size, measure.smallest_partner(size, settings.threshold), settings.threshold);
  const std::uint64_t of_equal = measure.least_overlap(size, size, settings.threshold);
  if (least > size) return;
  const std::uint64_t length = size - std::max<std::uint64_t>(least, 1) + 1;
  std::partial_sort(elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(length),
                    elements.end());
  const std::uint64_t by_larger = of_equal > size ? 0 : size - of_equal + 1;
  for (std::uint64_t position = 0; position < length; ++position) {
    if (elements[position].first <= 1) continue;  // no other row has it
    out.row.push_back(row);
    out.element.push_back(elements[position].second);
    out.position.push_back(static_cast<std::uint32_t>(position));
    out.size.push_back(static_cast<std::uint32_t>(size));
    out.met_by_larger.push_back(static_cast<std::uint32_t>(by_larger));
  }
}

ScanRequest request_of_sets() {
  ScanRequest request;
  request.keep_sets = true;
  return request;
}

}  // namespace

SketchedBatch sketch_batch(const Options& options, std::string_view plan, const RunHooks& hooks) {
  const SavedPlan saved = plan_from_json(plan, "plan");
  const Options chosen = with_hashing(options, saved);
  if (saved.hashed) return sketch_items(with_kind(chosen), saved, hooks);
  Batch batch(chosen, hooks);
  check_plan(saved, "plan", batch.options(), batch.settings());
  ScanRequest request;
  request.banding = saved.banding;
  batch.read(request);
  SketchedBatch out;
  out.bands = static_cast<std::size_t>(saved.banding.bands);
  out.components = static_cast<std::size_t>(saved.banding.components);
  for (const ScannedBlock& block : batch.corpus().blocks) append_sketches(block, out);
  return out;
}

VerifiedBatch verify_batch(const Options& options, std::string_view plan, const BatchPairs& pairs,
                           const RunHooks& hooks) {
  const Options chosen =
      plan.empty() ? options : with_hashing(options, plan_from_json(plan, "plan"));
  if (const Options items = with_kind(chosen); is_item_kind(items.kind)) {
    return verify_items(items, pairs, hooks);
  }
  Batch batch(chosen, hooks);
  batch.read(request_of_sets());
  check_pairs(pairs, batch.corpus().rows);
  const Settings& settings = batch.settings();
  TextComparer texts(batch.inputs(), batch.corpus(), settings);
  VerifiedBatch out;
  for (std::size_t i = 0; i < pairs.left.size(); ++i) {
    const auto left = static_cast<RowId>(pairs.left[i]);
    const auto right = static_cast<RowId>(pairs.right[i]);
    const SetView one = batch.set(left);
    const SetView other = batch.set(right);
    const Overlap overlap = settings.measure->overlap(one, other);
    const bool both = !one.empty() && !other.empty();
    bool identical = both && batch.text_hash(left) == batch.text_hash(right);
    if (identical) {
      texts.set_leader(left);
      identical = texts.same_as_leader(right);
    }
    out.similarity.push_back(settings.measure->shown(overlap));
    out.reaches.push_back(both && settings.measure->reaches(overlap, settings.threshold));
    out.is_identical.push_back(identical);
  }
  return out;
}

std::vector<std::uint32_t> count_elements(const Options& options, int bits, const RunHooks& hooks) {
  if (bits < 1 || bits > kMostCounterBits) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("2^{} counters: 2^1 to 2^{} are possible", bits, kMostCounterBits));
  }
  Batch batch(options, hooks);
  batch.read(request_of_sets());
  std::vector<std::uint32_t> counts(std::size_t{1} << bits);
  for (const ScannedBlock& block : batch.corpus().blocks) {
    for (const std::uint64_t element : block.sets.hashes)
      ++counts[counter_of(element, counts.size())];
  }
  return counts;
}

PrefixBatch prefixes_of_batch(const Options& options, std::span<const std::uint32_t> counts,
                              const RunHooks& hooks) {
  if (counts.size() < 2 || !std::has_single_bit(counts.size())) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} counters are not a power of two", counts.size()));
  }
  Batch batch(options, hooks);
  batch.read(request_of_sets());
  PrefixBatch out;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> elements;
  for (RowId row = 0; row < batch.corpus().rows; ++row) {
    order_rarest_first(batch.set(row), counts, elements);
    if (!elements.empty()) append_prefix(row, elements, batch.settings(), out);
  }
  return out;
}

BatchTemplate template_of_batch(const Options& options, const RunHooks& hooks) {
  Batch batch(options, hooks);
  batch.read(request_of_sets());
  const Corpus& corpus = batch.corpus();
  std::vector<SetView> sets;
  std::optional<RowId> first;
  for (RowId row = 0; row < corpus.rows; ++row) {
    if (batch.set(row).empty()) continue;
    if (!first) first = row;
    sets.push_back(batch.set(row));
  }
  if (!first) return {};
  RowReader reader(batch.inputs(), corpus, batch.inputs().fields);
  TemplateFacts facts = template_of(sets, reader.read(*first).text, batch.settings().shingle);
  return {facts.common, std::move(facts.passage)};
}

}  // namespace sosie
