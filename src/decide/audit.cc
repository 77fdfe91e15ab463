#include "decide/audit.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "corpus/row_reader.h"
#include "decide/audit_interval.h"
#include "decide/audit_sample.h"
#include "kernels/sorted_set.h"

namespace sosie {
namespace {

// t + 1/20, above which pairs are no longer near the threshold; in billionths where the fraction's
// terms would grow too large to compare exactly.
Rational end_of_slice(const Rational& threshold) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 31;
  constexpr std::uint64_t kBillion = 1'000'000'000;
  Rational end{20 * threshold.num + threshold.den, 20 * threshold.den};
  const std::uint64_t divisor = std::gcd(end.num, end.den);
  end = {end.num / divisor, end.den / divisor};
  if (end.num < kLargest && end.den < kLargest) return end;
  return {end.num * (kBillion / 64) / (end.den / 64), kBillion};
}

// What one sampled item has in common with the others, in rows.
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

// A pair the run reports: a sampled item and another one.
struct ReportedPair {
  Place other;
  std::uint32_t item;  // in the index
  std::uint64_t rows;  // pairs of rows, over the sampled rows of the item
};

// The items that sampled documents are compared with.
struct Partners {
  Place begin;
  Place end;
};

class Audit {
 public:
  Audit(Run& run, Partners partners)
      : run_(run),
        partners_(partners),
        rows_(draw_rows(run.corpus, run.items, run.options.audit, run.settings.seed)),
        index_(run, sampled_places()),
        slice_end_(end_of_slice(run.settings.threshold)),
        is_sampled_(run.corpus.rows, false) {
    for (const RowId row : rows_) is_sampled_[row] = true;
  }

  // Takes note of a pair of rows that the run reports.
  void add_reported(RowId left, RowId right) {
    if (is_sampled_[left]) add_reported_of(left, run_.items.place_of[right]);
    if (is_sampled_[right]) add_reported_of(right, run_.items.place_of[left]);
  }

  AuditFacts measure() {
    merge_reported();
    stream();
    return facts();
  }

 private:
  // One worker's tools and what it has counted.
  struct Worker {
    Worker(const Run& run, const AuditIndex& index)
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
    std::vector<std::uint32_t> hits;    // shingles of the index, by number
    std::vector<std::uint32_t> shared;  // by item; zero but for those in `touched`
    std::vector<std::uint32_t> touched;
    std::vector<std::uint64_t> set;
    std::vector<std::uint64_t> scratch;
    std::vector<ItemTally> tallies;
  };

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

  void add_reported_of(RowId row, Place other) {
    const std::uint32_t item = item_of(row);
    if (!reported_.empty() && reported_.back().other == other && reported_.back().item == item) {
      ++reported_.back().rows;
    } else {
      reported_.push_back({other, item, 1});
    }
  }

  void merge_reported() {
    std::sort(reported_.begin(), reported_.end(), [](const ReportedPair& a, const ReportedPair& b) {
      return a.other != b.other ? a.other < b.other : a.item < b.item;
    });
  }

  // Every item that is a partner streams past, in input order.
  void stream() {
    constexpr std::size_t kShare = 256;
    const RowId rows = run_.corpus.rows;
    std::vector<std::unique_ptr<Worker>> workers(run_.pool.size());
    run_.pool.for_each((rows + kShare - 1) / kShare, [&](unsigned number, std::size_t share) {
      auto& worker = workers[number];
      if (!worker) worker = std::make_unique<Worker>(run_, index_);
      const auto begin = static_cast<RowId>(share * kShare);
      const auto end = static_cast<RowId>(std::min<std::size_t>(rows, (share + 1) * kShare));
      for (RowId row = begin; row < end; ++row) {
        const Place place = run_.items.place_of[row];
        if (place < partners_.begin || place >= partners_.end) continue;
        if (run_.items.rows[place] == row) compare(*worker, row, place);
      }
      if (number == 0 && run_.hooks.on_progress) run_.hooks.on_progress({"auditing", end, rows});
    });
    tallies_.resize(index_.places().size());
    for (const auto& worker : workers) {
      for (std::size_t i = 0; worker && i < tallies_.size(); ++i) {
        tallies_[i].add(worker->tallies[i]);
      }
    }
  }

  void compare(Worker& worker, RowId row, Place place) {
    worker.shingler.read(worker.reader.read(row).text);
    count_shared(worker);
    worker.set.clear();
    worker.sketch.keys.clear();
    for (const std::uint32_t item : worker.touched) {
      if (could_be_similar(worker, item)) count_pair(worker, item, place);
    }
    count_reported(worker, place);
    for (const std::uint32_t item : worker.touched) worker.shared[item] = 0;
  }

  void count_shared(Worker& worker) {
    worker.hits.clear();
    for (const std::uint64_t shingle : worker.shingler.shingles()) {
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

  // Whether what they share would do if the streaming text had nothing else: its set need not be
  // made otherwise.
  [[nodiscard]] bool could_be_similar(const Worker& worker, std::uint32_t item) const {
    const std::uint32_t shared = worker.shared[item];
    return run_.settings.measure->reaches({shared, index_.set_size(item), index_.set_size(item)},
                                          run_.settings.threshold);
  }

  [[nodiscard]] Overlap overlap_with(Worker& worker, std::uint32_t item) const {
    if (worker.set.empty()) {
      const auto shingles = worker.shingler.shingles();
      worker.set.assign(shingles.begin(), shingles.end());
      worker.scratch.resize(std::max(worker.scratch.size(), worker.set.size()));
      worker.set.resize(
          kernels::sort_unique_hashes(worker.set.data(), worker.set.size(), worker.scratch.data()));
    }
    const std::uint32_t shared = worker.shared[item];
    const std::uint32_t size = index_.set_size(item);
    return {shared, static_cast<std::uint32_t>(worker.set.size()) + size - shared, size};
  }

  // Pairs of a sampled row with the rows of `place`; an item's own rows are its identical ones.
  void count_pair(Worker& worker, std::uint32_t item, Place place) {
    const Place own = index_.places()[item];
    const Overlap overlap = overlap_with(worker, item);
    if (!run_.settings.measure->reaches(overlap, run_.settings.threshold)) return;
    const std::uint64_t rows = rows_of(place) - (own == place ? 1 : 0);
    const std::uint64_t found =
        run_.items.same_text(own, place) || is_found(worker, item) ? rows : 0;
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
      worker.sketcher->sketch(worker.shingler.shingles(), worker.sketch);
    }
    return agreement_of(index_.sketch(item), worker.sketch).accepted_by(run_.choice.banding);
  }

  void count_reported(Worker& worker, Place place) {
    auto at = std::lower_bound(reported_.begin(), reported_.end(), place,
                               [](const ReportedPair& a, Place p) { return a.other < p; });
    for (; at != reported_.end() && at->other == place; ++at) {
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
  Run& run_;
  Partners partners_;
  std::vector<RowId> rows_;  // sampled, in input order
  AuditIndex index_;
  Rational slice_end_;
  std::vector<bool> is_sampled_;
  std::vector<ReportedPair> reported_;
  std::vector<ItemTally> tallies_;  // by sampled item
};

}  // namespace

AuditFacts audit_dedup(Run& run, const Decisions& decisions) {
  Audit audit(run, {0, run.items.size()});
  for (RowId row = run.corpus.first_own_row; row < run.corpus.rows; ++row) {
    const RowId survivor = decisions.of(row).survivor;
    if (survivor != row && survivor != kNoRow && run.items.place_of[row] != kNoPlace) {
      audit.add_reported(row, survivor);
    }
  }
  return audit.measure();
}

AuditFacts audit_pairs(Run& run, const PairRows& rows) {
  const Place end = run.inputs.has_against() ? run.items.fixed : run.items.size();
  Audit audit(run, {0, end});
  rows.for_each([&](std::span<const RowPair> pairs) {
    for (const RowPair& pair : pairs) audit.add_reported(pair.left, pair.right);
    return true;
  });
  return audit.measure();
}

}  // namespace sosie
