// Prunes and verifies candidates, from sketches and sets.
#include "join/sets/matcher.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "candidates/group_equal_keys.h"
#include "core/freed_memory.h"
#include "core/memory_budget.h"
#include "core/mix64.h"
#include "kernels/agreement.h"

namespace sosie {
namespace {

constexpr std::size_t kMostOfNoTemplate = 1000;  // items of a bucket

// Flips bits of a set's parity signature according to its elements. popcount(parity(A) ^ parity(B))
// never exceeds |A xor B|, so dissimilar sets are rejected without reading them.
void add_parity(SetView set, std::span<std::uint64_t> parity) noexcept {
  for (const std::uint64_t element : set) {
    parity[element >> 6 & (parity.size() - 1)] ^= std::uint64_t{1} << (element & 63);
  }
}

// Signatures of about 4 bits per element reject most pairs; longer ones cost more than they save.
std::size_t parity_words(const std::vector<std::uint32_t>& sizes) {
  constexpr std::size_t kLeast = 4;
  constexpr std::size_t kMost = 128;
  const auto elements = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  const std::uint64_t mean = sizes.empty() ? 0 : elements / sizes.size();
  return std::clamp<std::size_t>(std::bit_ceil(mean / 16 + 1), kLeast, kMost);
}

// Repeats one in sixteen comparisons stored in a checkpoint, so that a forged checkpoint is
// detected.
bool is_drawn(RowId first, RowId second) noexcept {
  return mix64(std::uint64_t{first} << 32 | second) % 16 == 0;
}

}  // namespace

Matcher::Matcher(const Inputs& inputs, Corpus& corpus, const Items& items, const Settings& settings,
                 const MethodChoice& choice, ThreadPool& pool)
    : items_(items), settings_(settings), choice_(choice), workers_(pool.size()) {
  for (Worker& worker : workers_) {
    worker.sets =
        std::make_unique<ShingleSets>(inputs, corpus, items, settings.shingle,
                                      choice.brute ? 0 : MemoryBudget::kShingleSets / pool.size());
  }
  if (choice.brute) {
    buckets_ = single_bucket(items.size());
    load_all_sets(pool);
  } else {
    gather_filters(corpus, pool);
    group_bands(corpus, pool);
    templates_ = find_templates(buckets_, items.size(), kMostOfNoTemplate);
    for (Worker& worker : workers_) worker.of_templates.resize(templates_.largest.size() + 1);
    give_back_freed_memory();  // sketches are small pieces, sets come in large ones
  }
  buckets_of_ = buckets_of_items(buckets_, items.size(), pool);
}

void Matcher::group_bands(Corpus& corpus, ThreadPool& pool) {
  if (corpus.shared) {
    buckets_ = buckets_of_rows(*corpus.shared);
    corpus.shared.reset();
    return;
  }
  std::vector<std::vector<Place>> places(corpus.blocks.size());
  pool.for_each(places.size(), [&](unsigned /*worker*/, std::size_t i) {
    const ScannedBlock& block = corpus.blocks[i];
    places[i].resize(block.rows(), kNoPlace);
    for (std::size_t j = 0; j < block.rows(); ++j) {
      const RowId row = row_id(block.first_row + j);
      const Place place = items_.place_of[row];
      if (place != kNoPlace && items_.rows[place] == row) places[i][j] = place;
    }
  });
  // A worker groups a range of a band's keys: all of them, unless there are more workers than
  // bands.
  const auto bands = static_cast<std::size_t>(choice_.banding.bands);
  const std::size_t ranges =
      pool.size() == 1 ? 1 : (2 * std::size_t{pool.size()} + bands - 1) / bands;
  std::vector<Buckets> grouped(bands * ranges);
  std::vector<GroupingScratch> scratch(pool.size());
  pool.for_each(grouped.size(), [&](unsigned worker, std::size_t i) {
    const std::size_t band = i / ranges;
    std::vector<KeyColumn> columns;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const ScannedBlock& block = corpus.blocks[i];
      columns.push_back(
          {std::span(block.band_keys).subspan(band * block.rows(), block.rows()), places[i]});
    }
    grouped[i] = group_equal_keys(columns, scratch[worker], {i % ranges, ranges});
  });
  pool.for_each(corpus.blocks.size(), [&](unsigned /*worker*/, std::size_t i) {
    std::vector<std::uint64_t>().swap(corpus.blocks[i].band_keys);
  });
  buckets_ = join_bands(std::move(grouped));
}

// Converts buckets of rows to buckets of items, dropping rows for which another row stands.
Buckets Matcher::buckets_of_rows(const Buckets& shared) const {
  std::vector<Place> item_of(items_.place_of.size(), kNoPlace);
  for (Place item = 0; item < items_.size(); ++item) item_of[items_.rows[item]] = item;
  Buckets buckets;
  buckets.members.reserve(shared.members.size());
  buckets.starts.reserve(shared.starts.size());
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(buckets.members.size());
    for (const RowId row : shared[i]) {
      if (item_of[row] != kNoPlace) buckets.members.push_back(item_of[row]);
    }
    if (buckets.members.size() < static_cast<std::size_t>(begin) + 2) {
      buckets.members.resize(static_cast<std::size_t>(begin));
      continue;
    }
    const auto first = buckets.members.begin() + begin;
    if (!std::is_sorted(first, buckets.members.end())) std::sort(first, buckets.members.end());
    buckets.starts.push_back(buckets.members.size());
  }
  return buckets;
}

void Matcher::gather_filters(Corpus& corpus, ThreadPool& pool) {
  const auto k = static_cast<std::size_t>(choice_.banding.components);
  // Its pages are allocated when the workers write to them.
  filters_ = std::make_unique_for_overwrite<std::uint8_t[]>(items_.rows.size() * k);
  pool.for_each(corpus.blocks.size(), [&](unsigned /*worker*/, std::size_t at) {
    ScannedBlock& block = corpus.blocks[at];
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const RowId row = row_id(block.first_row + i);
      const Place place = items_.place_of[row];
      if (place == kNoPlace || items_.rows[place] != row) continue;
      std::copy_n(block.filters.begin() + static_cast<std::ptrdiff_t>(i * k), k,
                  &filters_[place * k]);
    }
    std::vector<std::uint8_t>().swap(block.filters);
  });
}

void Matcher::load_all_sets(ThreadPool& pool) {
  constexpr std::uint64_t kSetOverheadBytes = 80;
  const std::uint64_t most_bytes = settings_.memory_bytes / 4;
  std::atomic<std::uint64_t> bytes = 0;
  all_sets_.resize(items_.rows.size());
  set_sizes_.resize(all_sets_.size());
  pool.for_each(all_sets_.size(), [&](unsigned worker, std::size_t i) {
    ShingleSet set = workers_[worker].sets->get(static_cast<Place>(i));
    set_sizes_[i] = static_cast<std::uint32_t>(set.size());
    const std::uint64_t own = set.size() * sizeof(std::uint64_t) + kSetOverheadBytes;
    if (bytes.fetch_add(own) + own <= most_bytes) all_sets_[i] = std::move(set);
  });
  parity_words_ = parity_words(set_sizes_);
  parities_.resize(all_sets_.size() * parity_words_);
  pool.for_each(all_sets_.size(), [&](unsigned worker, std::size_t i) {
    add_parity(set_of(workers_[worker], static_cast<Place>(i)).hashes(),
               std::span(parities_).subspan(i * parity_words_, parity_words_));
  });
}

ShingleSet Matcher::set_of(Worker& worker, Place item) const {
  if (choice_.brute && all_sets_[item]) return all_sets_[item];
  return worker.sets->get(item);
}

Matcher::OrderedRows Matcher::rows_of(Place left, Place right) const {
  const RowId first = items_.rows[left];
  const RowId second = items_.rows[right];
  if (settings_.measure->is_ordered() || first <= second) return {first, second, false};
  return {second, first, true};
}

void Matcher::prune(unsigned worker_index, Place item, std::vector<Place>& candidates) {
  Worker& worker = workers_[worker_index];
  worker.candidates += candidates.size();
  if (!templates_.empty()) worker.of_templates[templates_.of_item[item]] += candidates.size();
  worker.counts.resize(candidates.size());
  if (choice_.brute) {
    prune_by_parity(worker, item, candidates);
  } else {
    prune_by_signature(worker, item, candidates);
  }
}

void Matcher::prune_by_signature(Worker& worker, Place item, std::vector<Place>& candidates) const {
  const auto k = static_cast<std::size_t>(choice_.banding.components);
  if (k == 0) return;  // pairs of an exact join
  kernels::agreements(&filters_[item * k], filters_.get(), k, candidates.data(), candidates.size(),
                      worker.counts.data());
  const auto least = static_cast<std::uint32_t>(choice_.banding.filter_agreements);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (worker.counts[i] >= least) candidates[kept++] = candidates[i];
  }
  candidates.resize(kept);
}

void Matcher::prune_by_parity(Worker& worker, Place item, std::vector<Place>& candidates) const {
  kernels::hamming_distances(&parities_[item * parity_words_], parities_.data(), parity_words_,
                             candidates.data(), candidates.size(), worker.counts.data());
  const Measure& measure = *settings_.measure;
  const std::size_t size = set_sizes_[item];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::size_t other = set_sizes_[candidates[i]];
    if (measure.sizes_can_reach(size, other, settings_.threshold) &&
        worker.counts[i] <= measure.largest_difference(size, other, settings_.threshold)) {
      candidates[kept++] = candidates[i];
    }
  }
  candidates.resize(kept);
}

std::optional<Overlap> Matcher::compare(SetView left, SetView right) const {
  const Measure& measure = *settings_.measure;
  if (!measure.sizes_can_reach(left.size(), right.size(), settings_.threshold)) return {};
  const Overlap overlap = measure.overlap(left, right);
  if (!measure.reaches(overlap, settings_.threshold)) return {};
  return overlap;
}

std::optional<Overlap> Matcher::verify(Worker& worker, Place left, ShingleSet& left_set,
                                       Place right) {
  const auto [first, second, flipped] = rows_of(left, right);
  const std::optional<Overlap> known = known_ ? known_->find(first, second) : std::nullopt;
  if (known && is_plausible(left, right, *known) && !is_drawn(first, second)) {
    if (*known == Overlap{}) return std::nullopt;
    return flipped ? known->flipped() : *known;
  }
  if (!left_set) left_set = set_of(worker, left);
  const std::optional<Overlap> overlap = compare(left_set.hashes(), set_of(worker, right).hashes());
  Overlap counted = overlap.value_or(Overlap{});
  if (flipped) counted = counted.flipped();
  if (known && *known != counted) known_->refuse();
  if (known_ != nullptr && !known) known_->add(first, second, counted);
  return overlap;
}

bool Matcher::is_plausible(Place left, Place right, const Overlap& known) const {
  const auto k = static_cast<std::size_t>(choice_.banding.components);
  std::uint32_t agreements = 0;
  kernels::agreements(&filters_[left * k], filters_.get(), k, &right, 1, &agreements);
  if (known == Overlap{}) return agreements < k;
  const double expected = static_cast<double>(k) * known.jaccard();
  const double off = static_cast<double>(agreements) - expected;
  const double deviation = 6 * 0.5;  // times sqrt(k): six standard deviations or more
  return settings_.measure->reaches(known, settings_.threshold) &&
         off * off <= deviation * deviation * static_cast<double>(k);
}

std::optional<Match> Matcher::first_match(unsigned worker_index, Place item,
                                          std::span<const Place> candidates) {
  Worker& worker = workers_[worker_index];
  ShingleSet set;
  for (const Place candidate : candidates) {
    if (const auto overlap = verify(worker, item, set, candidate)) {
      return Match{candidate, *overlap};
    }
  }
  return std::nullopt;
}

void Matcher::all_matches(unsigned worker_index, Place item, std::span<const Place> candidates,
                          std::vector<VerifiedPair>& out) {
  Worker& worker = workers_[worker_index];
  worker.verified += candidates.size();
  ShingleSet set;
  for (const Place candidate : candidates) {
    if (const auto overlap = verify(worker, item, set, candidate)) {
      out.push_back({item, candidate, *overlap});
    }
  }
}

std::vector<std::uint64_t> Matcher::candidates_of_templates() const {
  std::vector<std::uint64_t> counts(templates_.largest.size() + 1);
  for (const Worker& worker : workers_) {
    for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += worker.of_templates[i];
  }
  return counts;
}

std::uint64_t Matcher::candidate_count() const noexcept {
  std::uint64_t count = 0;
  for (const Worker& worker : workers_) count += worker.candidates;
  return count;
}

std::uint64_t Matcher::verified_count() const noexcept {
  std::uint64_t count = 0;
  for (const Worker& worker : workers_) count += worker.verified;
  return count;
}

HotBucketRule hot_bucket_rule(const Settings& settings) {
  HotBucketRule rule;
  rule.measure = settings.measure;
  rule.threshold = settings.threshold;
  rule.most_bytes = MemoryBudget{settings.memory_bytes}.hot_buckets();
  return rule;
}

SetOfItem sets_of(Matcher& matcher) {
  return [&matcher](unsigned worker, Place item) { return matcher.set_of(worker, item); };
}

HotBucketSteps hot_bucket_steps(HotBucketFilter& filter) {
  HotBucketSteps steps;
  steps.most_survivors = filter.most_survivors();
  steps.begin_batch = [&filter](Place begin, Place end) { filter.begin_batch(begin, end); };
  steps.prepare = [&filter](unsigned worker, Place item, std::uint64_t survivors) {
    return filter.prepare(worker, item, survivors);
  };
  steps.list_earlier = [&filter](unsigned worker, Place item, std::vector<Place>& candidates) {
    filter.list_earlier(worker, item, candidates);
  };
  steps.list_latest = [&filter](Place item, std::vector<Place>& candidates) {
    filter.list_latest(item, candidates);
  };
  steps.add = [&filter](Place item) { filter.add(item); };
  steps.end_batch = [&filter](std::span<const Place> newcomers) {
    filter.end_batch(newcomers);
    return filter.is_open();
  };
  return steps;
}

}  // namespace sosie
