// An index of texts, sets or bags; looks up rows by banding.
#include <algorithm>
#include <functional>
#include <mutex>
#include <shared_mutex>

#include "core/most_rows.h"
#include "core/rational.h"
#include "corpus/corpus.h"
#include "corpus/scan.h"
#include "data/method_name.h"
#include "join/sets/indexed_sets.h"
#include "sketch/band_keys.h"
#include "sketch/minhash.h"
#include "sosie/error.h"
#include "verbs/index/index_state.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::size_t kRowsATask = 64;

Options completed(const Options& options) {
  Options chosen = options;
  if (chosen.method == Method::automatic) chosen.method = Method::lsh;
  const auto recall = parse_rational(chosen.recall);
  if (recall && recall->num == recall->den) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"recall", "1"},
                "an index cannot guarantee every pair", "use a recall below 1, such as 0.999");
  }
  chosen.id = "row";  // ids are the index's numbers
  return chosen;
}

BandingPlan plan_of(const Settings& settings) {
  if (settings.fixed_bands > 0) {
    return fixed_banding(settings.fixed_bands, settings.fixed_rows, settings.threshold,
                         settings.recall);
  }
  return choose_banding(settings.threshold, settings.recall, SampleFacts{});
}

// The rows read so far, with access to one row after another.
class ScannedRows {
 public:
  ScannedRows(const Options& options, const Settings& settings, const BandingPlan& plan,
              ThreadPool& pool, const RunHooks& hooks)
      : scratch_(settings.scratch, settings.scratch_limit_bytes) {
    const Inputs inputs = open_inputs(options, settings, scratch_, pool, hooks);
    ScanRequest request;
    request.banding = plan;
    request.keep_sets = true;
    corpus_ = scan(inputs, settings, request, scratch_, pool, hooks);
  }

  [[nodiscard]] std::size_t size() const noexcept { return corpus_.rows; }

  // `keys` receives the row's keys, which remain valid until its next use.
  [[nodiscard]] SketchedSet at(std::size_t row, std::vector<std::uint64_t>& keys) const {
    const ScannedBlock& block = corpus_.block_of(static_cast<RowId>(row));
    return sketched_set(block, row - block.first_row, keys);
  }

 private:
  Scratch scratch_;
  Corpus corpus_;
};

// Sketches sets in the same way as a scan.
class SetSketcher {
 public:
  SetSketcher(const BandingPlan& plan, const Settings& settings)
      : plan_(plan),
        hasher_(plan.components, settings.seed, settings.sketch),
        signature_(static_cast<std::size_t>(plan.components)),
        keys_(static_cast<std::size_t>(plan.bands)),
        filter_(signature_.size()) {}

  // Views remain valid until the next call.
  [[nodiscard]] SketchedSet sketch(SetView set) {
    std::fill(keys_.begin(), keys_.end(), 0);
    std::fill(filter_.begin(), filter_.end(), 0);
    if (!set.empty()) {
      hasher_.sketch(set, signature_);
      band_keys(signature_, plan_.rows, keys_);
      filter_signature(signature_, filter_);
    }
    return {set, keys_, filter_};
  }

 private:
  const BandingPlan& plan_;
  MinHasher hasher_;
  std::vector<std::uint32_t> signature_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint8_t> filter_;
};

class SetIndex final : public IndexState {
 public:
  explicit SetIndex(const Options& options)
      : options_(completed(options)),
        settings_(resolve(options_)),
        plan_(plan_of(settings_)),
        sets_(plan_, *settings_.measure, settings_.threshold) {
    if (settings_.method != Method::lsh) {
      throw Error(ErrorKind::invalid_option,
                  RefusedOption{"method", std::string(method_name(options_.method))},
                  "not supported by an index");
    }
  }

  [[nodiscard]] const Options& options() const override { return options_; }

  [[nodiscard]] std::uint64_t size() const override {
    const std::shared_lock lock(mutex_);
    return sets_.size() - sets_.gaps();
  }

  [[nodiscard]] std::uint64_t next_number() const override {
    const std::shared_lock lock(mutex_);
    return next_number_;
  }

  [[nodiscard]] std::string value_name() const override { return "similarity"; }

  std::pair<std::uint64_t, std::uint64_t> add(const IndexRows& rows,
                                              const RunHooks& hooks) override {
    ThreadPool pool(settings_.threads, hooks.cancel);
    const ScannedRows scanned = read(rows, pool, hooks);
    const std::unique_lock lock(mutex_);
    require_capacity(scanned.size());
    const std::uint64_t first = next_number_;
    std::vector<std::uint64_t> keys;
    for (std::size_t row = 0; row < scanned.size(); ++row) append(scanned.at(row, keys));
    return {first, next_number_};
  }

  std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks) override {
    ThreadPool pool(settings_.threads, hooks.cancel);
    const ScannedRows scanned = read(rows, pool, hooks);
    const std::unique_lock lock(mutex_);
    require_capacity(scanned.size());
    const Place before = sets_.size();
    std::vector<std::uint8_t> is_new(scanned.size(), 1);
    look_up(scanned, pool, /*one=*/true,
            [&](std::size_t row, const auto& hits) { is_new[row] = hits.empty() ? 1 : 0; });
    IndexedSets::Finder finder;
    std::vector<IndexedSets::Hit> hits;
    std::vector<std::uint64_t> keys;
    for (std::size_t row = 0; row < scanned.size(); ++row) {
      if (is_new[row] == 0) continue;
      const SketchedSet set = scanned.at(row, keys);
      hits.clear();
      sets_.find(set, before, /*one=*/true, finder, hits);
      is_new[row] = hits.empty() ? 1 : 0;
      if (hits.empty()) append(set);
    }
    return {is_new.begin(), is_new.end()};
  }

  [[nodiscard]] RowPairs query(const IndexRows& rows, std::uint64_t top,
                               const RunHooks& hooks) const override {
    ThreadPool pool(settings_.threads, hooks.cancel);
    const ScannedRows scanned = read(rows, pool, hooks);
    const std::shared_lock lock(mutex_);
    std::vector<std::vector<IndexedSets::Hit>> found(scanned.size());
    look_up(scanned, pool, /*one=*/false, [&](std::size_t row, const auto& hits) {
      const bool all = top == 0 || top >= hits.size();
      const auto most = static_cast<std::ptrdiff_t>(all ? hits.size() : top);
      found[row].assign(hits.begin(), hits.begin() + most);
    });
    RowPairs pairs;
    for (std::size_t row = 0; row < found.size(); ++row) {
      for (const IndexedSets::Hit& hit : found[row]) {
        pairs.left.push_back(row);
        pairs.right.push_back(numbers_[hit.position]);
        pairs.similarity.push_back(settings_.measure->similarity(hit.overlap));
      }
    }
    return pairs;
  }

  std::uint64_t remove(std::span<const std::uint64_t> numbers) override {
    const std::unique_lock lock(mutex_);
    std::uint64_t count = 0;
    for (const std::uint64_t number : numbers) {
      const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
      if (at == numbers_.end() || *at != number) continue;
      count += sets_.take_out(static_cast<Place>(at - numbers_.begin())) ? 1U : 0U;
    }
    if (sets_.gaps() > sets_.size() / 4) compact();
    return count;
  }

  void save(PackedWriter& out) const override {
    const std::shared_lock lock(mutex_);
    out.value(next_number_);
    out.value(std::uint64_t{sets_.size() - sets_.gaps()});
    for (Place position = 0; position < sets_.size(); ++position) {
      if (!sets_.is_there(position)) continue;
      const SetView set = sets_.set(position);
      out.value(numbers_[position]);
      out.value(std::uint64_t{set.size()});
      out.column(std::span<const std::uint64_t>(set));
    }
  }

  void load(PackedReader& in) override {
    next_number_ = in.value<std::uint64_t>();
    const std::uint64_t count = in.count(2 * sizeof(std::uint64_t));
    if (count >= kNoPlace) in.refuse();
    SetSketcher sketcher(plan_, settings_);
    for (std::uint64_t i = 0; i < count; ++i) {
      numbers_.push_back(in.value<std::uint64_t>());
      const auto set = in.column<std::uint64_t>(in.count(sizeof(std::uint64_t)));
      const bool ascends =
          std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) == set.end();
      if (!ascends) in.refuse();
      sets_.add(sketcher.sketch(set));
    }
    check_numbers(numbers_, next_number_, in);
  }

 private:
  [[nodiscard]] ScannedRows read(const IndexRows& rows, ThreadPool& pool,
                                 const RunHooks& hooks) const {
    Options options = options_;
    if (rows.array) {
      throw Error(ErrorKind::malformed_input,
                  "an array contains vectors or bits, but this index contains " +
                      std::string(kind_name(options.kind)));
    }
    options.table = rows.table;
    options.inputs = rows.paths;
    options.memory_files = rows.memory_files;
    return {options, settings_, plan_, pool, hooks};
  }

  void require_capacity(std::size_t rows) const { check_items_of_index(rows + sets_.size()); }

  void compact() {
    std::size_t kept = 0;
    for (Place position = 0; position < sets_.size(); ++position) {
      if (sets_.is_there(position)) numbers_[kept++] = numbers_[position];
    }
    numbers_.resize(kept);
    sets_.compact();
  }

  void append(const SketchedSet& set) {
    sets_.add(set);
    numbers_.push_back(next_number_++);
  }

  // Calls take(row, hits) for every row, from any worker; hits are best first (ties: by position).
  template <typename Take>
  void look_up(const ScannedRows& rows, ThreadPool& pool, bool one, const Take& take) const {
    std::vector<IndexedSets::Finder> finders(pool.size());
    std::vector<std::vector<IndexedSets::Hit>> hits(pool.size());
    std::vector<std::vector<std::uint64_t>> keys(pool.size());
    pool.for_each((rows.size() + kRowsATask - 1) / kRowsATask,
                  [&](unsigned worker, std::size_t task) {
                    const std::size_t end = std::min(rows.size(), (task + 1) * kRowsATask);
                    for (std::size_t row = task * kRowsATask; row < end; ++row) {
                      hits[worker].clear();
                      sets_.find(rows.at(row, keys[worker]), 0, one, finders[worker], hits[worker]);
                      sort_hits(hits[worker]);
                      take(row, hits[worker]);
                    }
                  });
  }

  void sort_hits(std::vector<IndexedSets::Hit>& hits) const {
    std::sort(hits.begin(), hits.end(), [&](const auto& a, const auto& b) {
      if (settings_.measure->is_above(a.overlap, b.overlap)) return true;
      if (settings_.measure->is_above(b.overlap, a.overlap)) return false;
      return a.position < b.position;
    });
  }

  Options options_;
  Settings settings_;
  BandingPlan plan_;
  mutable std::shared_mutex mutex_;
  IndexedSets sets_;
  std::vector<std::uint64_t> numbers_;  // by position, ascending
  std::uint64_t next_number_ = 0;
};

}  // namespace

std::unique_ptr<IndexState> index_of_sets(const Options& options) {
  return std::make_unique<SetIndex>(options);
}

}  // namespace sosie
