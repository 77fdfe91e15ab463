// Measures the recall of a run on texts and sets, using a sample of its rows whose shingles are
// indexed.
#include "decide/audit.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <numeric>

#include "corpus/rows/row_reader.h"
#include "decide/estimate_recall.h"
#include "io/sorted_records.h"
#include "kernels/intersection_size.h"
#include "represent/text_shingler.h"

namespace sosie {
namespace {

// t + 1/20, the similarity above which pairs no longer count as near the threshold; rounded to
// billionths if the terms of the fraction would be too large for exact comparisons.
Rational end_of_slice(const Rational& threshold) {
  __extension__ using Wide = unsigned __int128;
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 31;
  constexpr std::uint64_t kBillion = 1'000'000'000;
  const Wide num = 20 * Wide{threshold.num} + threshold.den;
  const Wide den = 20 * Wide{threshold.den};
  if (den < Wide{kLargest} * kLargest) {
    const auto divisor = static_cast<Wide>(
        std::gcd(static_cast<std::uint64_t>(num), static_cast<std::uint64_t>(den)));
    if (num / divisor < kLargest && den / divisor < kLargest) {
      return {static_cast<std::uint64_t>(num / divisor), static_cast<std::uint64_t>(den / divisor)};
    }
  }
  return {static_cast<std::uint64_t>(num * kBillion / den), kBillion};
}

// Overlaps of a sampled item with the other items, counted in rows.
struct ItemTally {
  PairTally all;
  PairTally slice;
  std::uint64_t reported = 0;
  std::uint64_t reported_true = 0;

  void add(const ItemTally& other) {
    all.true_pairs += other.all.true_pairs;
    all.found_pairs += other.all.found_pairs;
    slice.true_pairs += other.slice.true_pairs;
    slice.found_pairs += other.slice.found_pairs;
    reported += other.reported;
    reported_true += other.reported_true;
  }
};

// A pair reported by the run: a sampled item and another item.
struct ReportedPair {
  RowId other;         // the row that stands for the other item
  std::uint32_t item;  // in the index
  std::uint64_t rows;  // pairs of rows, over the sampled rows of the item
};

std::uint64_t sort_key(const ReportedPair& pair) noexcept {
  return std::uint64_t{pair.other} << 32 | pair.item;
}

// The items with which sampled documents are compared.
struct Partners {
  Place begin;
  Place end;
};

class Audit {
 public:
  Audit(const AuditedSets& run, Partners partners)
      : run_(run),
        partners_(partners),
        rows_(draw_rows(run.corpus, run.items, run.sample, run.settings.seed)),
        index_(run, sampled_places()),
        slice_end_(end_of_slice(run.settings.threshold)),
        is_sampled_(run.corpus.rows, false),
        workers_(run.pool.size()),
        reported_(run.scratch, MemoryBudget{run.settings.memory_bytes}.sorts()),
        most_at_once_(reported_at_once(run.settings.memory_bytes)) {
    for (const RowId row : rows_) is_sampled_[row] = true;
  }

  // Records a pair of rows that the run has reported.
  void add_reported(RowId left, RowId right) {
    if (is_sampled_[left]) add_reported_of(left, run_.items.place_of[right]);
    if (is_sampled_[right]) add_reported_of(right, run_.items.place_of[left]);
  }

  AuditFacts measure() {
    reported_.add(coming_);
    reported_.finish();
    stream();
    return facts();
  }

 private:
  // Buffers and counts of a worker.
  struct Worker {
    Worker(const AuditedSets& run, const AuditIndex& index)
        : reader(run.inputs, run.corpus, {run.inputs.fields.column, {}, {}}),
          shingler(run.settings.shingle),
          shared(index.places().size(), 0),
          tallies(index.places().size()) {
      if (!run.choice.finds_every_pair()) {
        sketcher.emplace(run.choice.banding, run.settings.seed, run.settings.sketch);
      }
    }
    RowReader reader;
    TextShingler shingler;
    std::optional<CandidateSketcher> sketcher;
    CandidateSketch sketch;
    std::vector<std::uint32_t> hits;    // numbers of indexed shingles
    std::vector<std::uint32_t> shared;  // by item; zero except for items in `touched`
    std::vector<std::uint32_t> touched;
    std::span<const std::uint64_t> shingles;  // shingles of the current set in the stream
    std::vector<std::uint64_t> set;
    std::vector<std::uint64_t> scratch;
    std::vector<ItemTally> tallies;
  };

  // Number of reported pairs kept in memory while their rows are streamed.
  static std::size_t reported_at_once(std::uint64_t memory_bytes) noexcept {
    constexpr std::uint64_t kLeastBytes = std::uint64_t{1} << 20;
    constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
    const std::uint64_t part = MemoryBudget{memory_bytes}.sorts() / 8;
    return std::clamp(part, kLeastBytes, kMostBytes) / sizeof(ReportedPair);
  }

  [[nodiscard]] std::vector<Place> sampled_places() const {
    std::vector<Place> places;
    for (const RowId row : rows_) places.push_back(run_.items.place_of[row]);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  }

  [[nodiscard]] std::uint32_t item_of(RowId row) const {
    const std::vector<Place>& places = index_.places();
    const auto at = std::lower_bound(places.begin(), places.end(), run_.items.place_of[row]);
    return static_cast<std::uint32_t>(at - places.begin());
  }

  [[nodiscard]] std::uint64_t rows_of(Place place) const {
    return run_.items.copies_of(place).size() + 1;
  }

  void add_reported_of(RowId row, Place place) {
    if (place == kNoPlace) return;
    const RowId other = run_.items.rows[place];
    const std::uint32_t item = item_of(row);
    if (run_.others && other < run_.corpus.first_own_row) {
      of_others_.push_back({other, item, 1});
      return;
    }
    if (!coming_.empty() && coming_.back().other == other && coming_.back().item == item) {
      ++coming_.back().rows;
      return;
    }
    constexpr std::size_t kAtOnce = 4096;
    if (coming_.size() == kAtOnce) {
      reported_.add(coming_);
      coming_.clear();
    }
    coming_.push_back({other, item, 1});
  }

  // Streams every partner item, in input order, with the reported pairs that contain it.
  void stream() {
    if (run_.others) compare_others();
    RowId begin = 0;
    reported_.for_each([&](const ReportedPair& pair) {
      if (at_hand_.size() >= most_at_once_ && at_hand_.back().other != pair.other) {
        compare_rows(begin, pair.other);
        begin = pair.other;
        at_hand_.clear();
      }
      at_hand_.push_back(pair);
      return true;
    });
    compare_rows(begin, row_id(run_.corpus.rows));
    tallies_.resize(index_.places().size());
    for (const auto& worker : workers_) {
      for (std::size_t i = 0; worker && i < tallies_.size(); ++i) {
        tallies_[i].add(worker->tallies[i]);
      }
    }
  }

  void compare_rows(RowId from, RowId to) {
    constexpr std::size_t kMostInShare = 256;
    constexpr std::size_t kSharesOfWorker = 16;
    const std::size_t rows = to - from;
    const std::size_t in_share =
        std::clamp<std::size_t>(rows / (kSharesOfWorker * run_.pool.size()), 1, kMostInShare);
    run_.pool.for_each((rows + in_share - 1) / in_share, [&](unsigned number, std::size_t share) {
      auto& worker = workers_[number];
      if (!worker) worker = std::make_unique<Worker>(run_, index_);
      const auto begin = static_cast<RowId>(from + share * in_share);
      const auto end = static_cast<RowId>(std::min<std::size_t>(to, begin + in_share));
      for (RowId row = begin; row < end; ++row) {
        const Place place = run_.items.place_of[row];
        if (place < partners_.begin || place >= partners_.end) continue;
        if (run_.items.rows[place] == row) compare(*worker, row, place);
      }
      if (number == 0 && run_.hooks.on_progress) {
        run_.hooks.on_progress({"auditing", end, run_.corpus.rows});
      }
    });
  }

  void compare(Worker& worker, RowId row, Place place) {
    worker.shingler.read_set(worker.reader.read(row).text);
    worker.shingles = worker.shingler.shingles();
    compare(worker, row, place, at_hand_);
  }

  // Sets of OTHER without text are streamed first, in row order.
  void compare_others() {
    std::sort(of_others_.begin(), of_others_.end(),
              [](const ReportedPair& a, const ReportedPair& b) { return a.other < b.other; });
    auto& worker = workers_.front();
    if (!worker) worker = std::make_unique<Worker>(run_, index_);
    run_.others([&](SetView set, RowId row) {
      run_.pool.check_cancelled();
      worker->shingles = set;
      compare(*worker, row, kNoPlace, of_others_);
    });
  }

  // `place`: kNoPlace for a row of OTHER. `reported`: pairs sorted by row, including those with
  // this row.
  void compare(Worker& worker, RowId row, Place place, std::span<const ReportedPair> reported) {
    count_shared(worker);
    worker.set.clear();
    worker.sketch.keys.clear();
    for (const std::uint32_t item : worker.touched) {
      if (could_be_similar(worker, item)) count_pair(worker, item, place);
    }
    count_reported(worker, row, reported);
    for (const std::uint32_t item : worker.touched) worker.shared[item] = 0;
  }

  void count_shared(Worker& worker) {
    worker.hits.clear();
    for (const std::uint64_t shingle : worker.shingles) {
      const std::uint32_t number = index_.find(shingle);
      if (number != AuditIndex::kNoShingle) worker.hits.push_back(number);
    }
    std::sort(worker.hits.begin(), worker.hits.end());
    worker.hits.erase(std::unique(worker.hits.begin(), worker.hits.end()), worker.hits.end());
    worker.touched.clear();
    for (const std::uint32_t shingle : worker.hits) {
      for (const std::uint32_t item : index_.items_with(shingle)) {
        if (worker.shared[item]++ == 0) worker.touched.push_back(item);
      }
    }
  }

  // True if the shared shingles would suffice if the streamed text had no other shingles. Its set
  // must be built only in this case.
  [[nodiscard]] bool could_be_similar(const Worker& worker, std::uint32_t item) const {
    const std::uint32_t shared = worker.shared[item];
    return run_.settings.measure->reaches({shared, index_.set_size(item), index_.set_size(item)},
                                          run_.settings.threshold);
  }

  [[nodiscard]] Overlap overlap_with(Worker& worker, std::uint32_t item) const {
    if (worker.set.empty()) {
      worker.set.assign(worker.shingles.begin(), worker.shingles.end());
      worker.scratch.resize(std::max(worker.scratch.size(), worker.set.size()));
      worker.set.resize(
          kernels::sort_unique_hashes(worker.set.data(), worker.set.size(), worker.scratch.data()));
    }
    const std::uint32_t shared = worker.shared[item];
    const std::uint32_t size = index_.set_size(item);
    return {shared, static_cast<std::uint32_t>(worker.set.size()) + size - shared, size};
  }

  // Counts the pairs of a sampled row with the rows of `place`; the item's own rows are identical
  // to it.
  void count_pair(Worker& worker, std::uint32_t item, Place place) {
    const Place own = index_.places()[item];
    const Overlap overlap = overlap_with(worker, item);
    if (!run_.settings.measure->reaches(overlap, run_.settings.threshold)) return;
    const std::uint64_t rows = place == kNoPlace ? 1 : rows_of(place) - (own == place ? 1 : 0);
    const std::uint64_t found =
        (place != kNoPlace && run_.items.same_text(own, place)) || is_found(worker, item) ? rows
                                                                                          : 0;
    ItemTally& tally = worker.tallies[item];
    tally.all.true_pairs += rows;
    tally.all.found_pairs += found;
    if (run_.settings.measure->reaches(overlap, slice_end_)) return;
    tally.slice.true_pairs += rows;
    tally.slice.found_pairs += found;
  }

  [[nodiscard]] bool is_found(Worker& worker, std::uint32_t item) const {
    if (run_.choice.finds_every_pair()) return true;
    if (worker.sketch.keys.empty()) {
      worker.sketcher->sketch(worker.shingles, worker.sketch);
    }
    return agreement_of(index_.sketch(item), worker.sketch).accepted_by(run_.choice.banding);
  }

  void count_reported(Worker& worker, RowId row, std::span<const ReportedPair> reported) {
    auto at = std::lower_bound(reported.begin(), reported.end(), row,
                               [](const ReportedPair& a, RowId r) { return a.other < r; });
    for (; at != reported.end() && at->other == row; ++at) {
      const Overlap overlap = overlap_with(worker, at->item);
      const bool is_true = run_.settings.measure->reaches(overlap, run_.settings.threshold);
      worker.tallies[at->item].reported += at->rows;
      worker.tallies[at->item].reported_true += is_true ? at->rows : 0;
    }
  }

  [[nodiscard]] std::uint64_t documents() const {
    return std::accumulate(
        run_.items.rows.begin() + run_.items.fixed, run_.items.rows.end(), std::uint64_t{0},
        [&](std::uint64_t sum, RowId row) { return sum + rows_of(run_.items.place_of[row]); });
  }

  [[nodiscard]] AuditFacts facts() const {
    std::vector<PairTally> all;
    std::vector<PairTally> slice;
    for (const RowId row : rows_) {
      const ItemTally& tally = tallies_[item_of(row)];
      all.push_back(tally.all);
      slice.push_back(tally.slice);
    }
    AuditFacts facts;
    facts.sampled = rows_.size();
    facts.documents = documents();
    facts.asked = run_.settings.recall;
    conclude(all, slice, run_.settings.seed, run_.pool, facts);
    facts.slice_end = slice_end_.value();
    for (const ItemTally& tally : tallies_) {
      facts.reported += tally.reported;
      facts.reported_true += tally.reported_true;
    }
    facts.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    return facts;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const AuditedSets& run_;
  Partners partners_;
  std::vector<RowId> rows_;  // sampled, in input order
  AuditIndex index_;
  Rational slice_end_;
  std::vector<bool> is_sampled_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<ReportedPair> coming_;
  std::vector<ReportedPair> of_others_;  // pairs with rows of OTHER that have no text
  SortedRecords<ReportedPair> reported_;
  std::size_t most_at_once_;
  std::vector<ReportedPair> at_hand_;  // reported pairs of the streamed rows, by row
  std::vector<ItemTally> tallies_;     // by sampled item
};

// Buffers of a worker.
struct SetMaker {
  explicit SetMaker(const AuditedSets& run)
      : reader(run.inputs, run.corpus, {run.inputs.fields.column, {}, {}}),
        shingler(run.settings.shingle) {}

  RowReader reader;
  TextShingler shingler;
  std::vector<std::uint64_t> scratch;
};

}  // namespace

AuditedSets audited_sets(SetRun& run) {
  return {run.inputs, run.corpus,   run.items, run.settings,     run.choice,
          run.pool,   *run.scratch, run.hooks, run.options.audit};
}

AuditFacts audit_dedup(const AuditedSets& run, const Decisions& decisions) {
  Audit audit(run, {run.others ? run.items.fixed : 0, run.items.size()});
  for (RowNumber row = run.corpus.first_own_row; row < run.corpus.rows; ++row) {
    const RowNumber survivor = decisions.of(row).survivor;
    if (survivor != row && survivor != kNoRowNumber && run.items.place_of[row] != kNoPlace) {
      audit.add_reported(row_id(row), row_id(survivor));
    }
  }
  return audit.measure();
}

AuditFacts audit_pairs(const AuditedSets& run,
                       const std::function<void(const TakeRowPairs& take)>& pairs) {
  const Place end = run.others ? 0 : run.inputs.has_against() ? run.items.fixed : run.items.size();
  Audit audit(run, {0, end});
  pairs([&](std::span<const RowPair> some) {
    for (const RowPair& pair : some) audit.add_reported(pair.left, pair.right);
  });
  return audit.measure();
}

AuditFacts audit_pairs(SetRun& run, const RowPairCollector& rows) {
  return audit_pairs(audited_sets(run), [&](const auto& take) {
    rows.for_each([&](std::span<const RowPair> some) {
      take(some);
      return true;
    });
  });
}

std::vector<RowId> draw_rows(const Corpus& corpus, const Items& items, std::uint64_t count,
                             std::uint64_t seed) {
  return draw_numbers(
      row_id(corpus.first_own_row), row_id(corpus.rows),
      [&](RowId row) { return items.place_of[row] != kNoPlace; }, count, seed);
}

AuditIndex::AuditIndex(const AuditedSets& run, std::vector<Place> places)
    : places_(std::move(places)), sizes_(places_.size()), sketches_(places_.size()) {
  std::vector<std::unique_ptr<SetMaker>> workers(run.pool.size());
  std::vector<std::vector<std::uint64_t>> sets(places_.size());
  run.pool.for_each(places_.size(), [&](unsigned worker, std::size_t i) {
    auto& tools = workers[worker];
    if (!tools) tools = std::make_unique<SetMaker>(run);
    tools->shingler.read_set(tools->reader.read(run.items.rows[places_[i]]).text);
    const auto shingles = tools->shingler.shingles();
    if (!run.choice.finds_every_pair() && !shingles.empty()) {
      CandidateSketcher(run.choice.banding, run.settings.seed, run.settings.sketch)
          .sketch(shingles, sketches_[i]);
    }
    sets[i].assign(shingles.begin(), shingles.end());
    tools->scratch.resize(std::max(tools->scratch.size(), sets[i].size()));
    sets[i].resize(
        kernels::sort_unique_hashes(sets[i].data(), sets[i].size(), tools->scratch.data()));
    sizes_[i] = static_cast<std::uint32_t>(sets[i].size());
  });
  invert(sets);
}

void AuditIndex::invert(const std::vector<std::vector<std::uint64_t>>& sets) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries;
  for (std::uint32_t item = 0; item < sets.size(); ++item) {
    for (const std::uint64_t shingle : sets[item]) entries.emplace_back(shingle, item);
  }
  std::sort(entries.begin(), entries.end());
  std::size_t shingles = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    shingles += i == 0 || entries[i].first != entries[i - 1].first ? 1U : 0U;
  }
  slots_.resize(std::bit_ceil(2 * shingles + 2));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || entries[i].first != entries[i - 1].first) {
      add_slot(entries[i].first, static_cast<std::uint32_t>(starts_.size()));
      starts_.push_back(i);
    }
    members_.push_back(entries[i].second);
  }
  starts_.push_back(entries.size());
}

void AuditIndex::add_slot(std::uint64_t shingle, std::uint32_t number) {
  std::size_t at = shingle & (slots_.size() - 1);
  while (slots_[at].number != kNoShingle) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {shingle, number};
}

std::uint32_t AuditIndex::find(std::uint64_t shingle) const noexcept {
  std::size_t at = shingle & (slots_.size() - 1);
  while (slots_[at].number != kNoShingle && slots_[at].shingle != shingle) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at].number;
}

}  // namespace sosie
