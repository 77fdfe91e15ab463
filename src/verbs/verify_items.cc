// Kernels of a run on one batch of vectors, bit strings or strings.
#include "verbs/verify_items.h"

#include <limits>
#include <utility>

#include "join/in_memory_joiner.h"
#include "plan/saved_plan.h"
#include "sosie/error.h"
#include "store/sketch/item_block.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// A batch, read once.
class ItemBatch {
 public:
  // `options`: with_kind().
  ItemBatch(Options options, const RunHooks& hooks)
      : options_(std::move(options)),
        hooks_(hooks),
        joiner_(item_joiner("pairs", options_)),
        pool_(joiner_->settings().threads, hooks.cancel) {
    joiner_->read(pool_, hooks_, places_);
    numbers_ = ItemNumbers(rows(), joiner_->left_out());
  }

  [[nodiscard]] InMemoryJoiner& joiner() const noexcept { return *joiner_; }
  [[nodiscard]] RowId rows() const noexcept { return places_.corpus.rows; }
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

// Copies the `width` values of an item behind `out`.
template <typename From, typename To>
void append_values(const std::vector<From>& table, std::size_t item, std::size_t width,
                   std::vector<To>& out) {
  const auto begin = table.begin() + static_cast<std::ptrdiff_t>(item * width);
  out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
}

// The sketch of an item, which is the item itself where it has none.
std::string_view filter_of(const HashedItems& hashed, const HashShape& shape,
                           const InMemoryJoiner& joiner, std::size_t item) {
  if (shape.sketch_words == 0) return joiner.bytes_of(item);
  const std::size_t bytes = shape.sketch_words * sizeof(std::uint64_t);
  return {reinterpret_cast<const char*>(hashed.sketches.data()) + item * bytes, bytes};
}

}  // namespace

SketchedBatch sketch_items(const Options& options, const SavedPlan& plan, const RunHooks& hooks) {
  const HashShape shape = hash_shape(*plan.hashed);
  if (shape.functions > 0) {
    throw Error(ErrorKind::unsupported, "plan: rows are near several cells of a function",
                "batches are compared by keys: plan with --probes 1");
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
    if (!batch.is_item(left) || !batch.is_item(right)) {  // they match nothing
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

}  // namespace sosie
