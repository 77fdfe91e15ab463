// Divides the rows in scratch into batches that fit into memory: components of rows that share
// buckets.
#include "corpus/spill/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/count_text.h"
#include "core/freed_memory.h"
#include "core/most_rows.h"
#include "core/size_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Measured memory per row while its batch is matched: locator, hash, places, decision and copies;
// twice the filter signature; values for --keep; what a worker remembers.
std::uint64_t bytes_of_row(const Settings& settings, const BandingPlan& banding, unsigned threads) {
  constexpr std::uint64_t kFixed = 144;
  return kFixed + 2 * static_cast<std::uint64_t>(banding.components) +
         settings.keep.size() * sizeof(RankValue) + std::uint64_t{4} * threads;
}

constexpr std::uint64_t kBytesOfMember = 40;  // a member of a bucket, in five lists
constexpr std::uint64_t kUnit = 16;           // bytes, in which weights are counted in 32 bits
constexpr std::uint32_t kMostWeight = ~std::uint32_t{0};  // or more

// Positions of these rows are stored in 32 bits.
void check_rows_of_batches(std::uint64_t rows, const char* what) {
  if (rows < kNoRow) return;
  throw Error(ErrorKind::limit_exceeded, fmt::format("{} rows {}", count_text(rows), what),
              fmt::format("at most {} may: deduplicate parts of the rows, then the kept rows "
                          "together (docs/scale.md)",
                          count_text(kNoRow - 1)));
}

// Writes the buckets of one band that have two or more rows: row << 1, plus 1 for the first row of
// a bucket.
class BucketWriter {
 public:
  // If `sharing` is given, adds the rows that share a bucket to it.
  explicit BucketWriter(RecordFile& file, RowBits* sharing = nullptr)
      : file_(file), sharing_(sharing) {}

  // Adds rows grouped by key; keys are ascending.
  void add(std::uint64_t key, RowNumber row) {
    if (first_ == kNoRowNumber || key != key_) {
      key_ = key;
      first_ = row;
      alone_ = true;
      return;
    }
    if (alone_) append(first_, 1);
    alone_ = false;
    append(row, 0);
  }

 private:
  void append(RowNumber row, std::uint64_t begins) {
    const std::uint64_t member = row << 1 | begins;
    file_.append(&member, 1);
    if (sharing_ != nullptr) sharing_->set(row);
  }

  RecordFile& file_;
  RowBits* sharing_;
  std::uint64_t key_ = 0;
  RowNumber first_ = kNoRowNumber;  // first row of the bucket
  bool alone_ = true;
};

// Calls each(first row, row) for every row of every bucket in a band.
template <class Each>
void for_each_member_of(const RecordFile& file, const Each& each) {
  ColumnReader<std::uint64_t> members(file);
  RowNumber first = kNoRowNumber;
  for (std::uint64_t i = 0; i < file.size(); ++i) {
    const std::uint64_t member = members[i];
    const RowNumber row = member >> 1;
    if ((member & 1) != 0) first = row;
    each(first, row);
  }
}

}  // namespace

std::unique_ptr<SpilledCopies> find_copies(const Inputs& inputs, const Corpus& corpus,
                                           const Settings& settings, const RunTools& tools,
                                           RecordFile& buckets) {
  RowBits suspects(corpus.rows);
  BucketWriter found(buckets, &suspects);
  corpus.spilled->drain_band(0, [&](std::uint64_t key, RowNumber row) { found.add(key, row); });
  buckets.finish();
  return std::make_unique<SpilledCopies>(inputs, corpus, settings, suspects, tools);
}

Batches::Batches(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                 const BandingPlan& banding, const RunTools& tools, const JoinRows& join)
    : spilled_(corpus.spilled), first_own_row_(corpus.first_own_row), sharing_(corpus.rows) {
  for (std::size_t band = 0; band < spilled_->bands(); ++band) {
    buckets_.push_back(
        std::make_unique<RecordFile>(tools.scratch, sizeof(std::uint64_t), kLargePage));
  }
  give_back_freed_memory();  // the scan has freed much
  set_copies_aside(inputs, corpus, settings, tools);
  find_shared_buckets(tools.pool);
  give_back_freed_memory();
  if (join) add_pairs(join, tools.scratch);
  sharing_.count();
  tools.pool.check_cancelled();
  check_rows_of_batches(sharing_.size(), "share buckets");
  const std::uint64_t needed = sharing_.size() * 2 * sizeof(std::uint32_t);
  if (needed > settings.memory_bytes / 2) {
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("{} rows share buckets: too many for --memory {}", sharing_.size(),
                            limit_text(settings.memory_bytes)),
                fmt::format("--memory {} is enough for them", round_size_text(2 * needed)));
  }
  {
    const std::vector<std::uint32_t> batch_of =
        cut(components(), settings, banding, tools.pool.size());
    sort_buckets(batch_of, {settings.memory_bytes}, tools.scratch);
    sort_rows(batch_of, {settings.memory_bytes}, tools.scratch);
  }
  keep_rows_at_hand(inputs, corpus, sharing_, tools);
}

// All rows with the same text share their bucket in the first band.
void Batches::set_copies_aside(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                               const RunTools& tools) {
  RecordFile buckets(tools.scratch, sizeof(std::uint64_t), kLargePage);
  copies_ = find_copies(inputs, corpus, settings, tools, buckets);
  BucketWriter left(*buckets_.front(), &sharing_);
  for_each_member_of(buckets, [&](RowNumber first, RowNumber row) {
    if (!copies_->is_copy(row)) left.add(first, row);
  });
  buckets_.front()->finish();
  copies_->leaders().for_each([&](RowNumber row) { sharing_.set(row); });
}

void Batches::find_shared_buckets(ThreadPool& pool) {
  pool.for_each(buckets_.size() - 1, [&](unsigned, std::size_t i) {
    BucketWriter writer(*buckets_[i + 1], &sharing_);
    spilled_->drain_band(i + 1, [&](std::uint64_t key, RowNumber row) {
      if (!copies_->is_copy(row)) writer.add(key, row);
    });
    buckets_[i + 1]->finish();
  });
}

void Batches::add_pairs(const JoinRows& join, Scratch& scratch) {
  has_pairs_ = true;
  auto pairs = std::make_unique<RecordFile>(scratch, sizeof(std::uint64_t), kLargePage);
  join(*copies_, [&](RowNumber first, RowNumber second) {
    const std::uint64_t members[] = {first << 1 | 1, second << 1};
    pairs->append(members, 2);
    sharing_.set(first);
    sharing_.set(second);
  });
  pairs->finish();
  buckets_.push_back(std::move(pairs));
}

template <class Each>
void Batches::for_each_member(const Each& each) const {
  for (const auto& file : buckets_) for_each_member_of(*file, each);
}

std::uint32_t Batches::position_of(RowNumber row) const {
  return static_cast<std::uint32_t>(sharing_.rank(row));
}

std::vector<std::uint32_t> Batches::components() const {
  std::vector<std::uint32_t> component_of(sharing_.size());
  std::iota(component_of.begin(), component_of.end(), std::uint32_t{0});
  const auto root_of = [&](std::uint32_t p) {
    while (component_of[p] != p) {
      component_of[p] = component_of[component_of[p]];
      p = component_of[p];
    }
    return p;
  };
  for_each_member([&](RowNumber first, RowNumber row) {
    if (row == first) return;
    const std::uint32_t a = root_of(position_of(first));
    const std::uint32_t b = root_of(position_of(row));
    component_of[std::max(a, b)] = std::min(a, b);
  });
  for (std::uint32_t p = 0; p < component_of.size(); ++p) component_of[p] = root_of(p);
  return component_of;
}

std::vector<std::uint32_t> Batches::cut(const std::vector<std::uint32_t>& component_of,
                                        const Settings& settings, const BandingPlan& banding,
                                        unsigned threads) {
  const MemoryBudget budget{settings.memory_bytes};
  std::vector<std::uint32_t> batch_of(component_of.size());
  // The weights of components come first, at their lowest positions.
  std::vector<std::uint32_t>& weights = batch_of;
  const auto row_weight =
      static_cast<std::uint32_t>(bytes_of_row(settings, banding, threads) / kUnit);
  const auto add = [&](std::uint32_t p, std::uint64_t weight) {
    std::uint32_t& sum = weights[component_of[p]];
    sum = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum + weight, kMostWeight));
  };
  for (std::uint32_t p = 0; p < component_of.size(); ++p) add(p, row_weight);
  for_each_member(
      [&](RowNumber, RowNumber row) { add(position_of(row), kBytesOfMember / kUnit + 1); });
  const std::uint64_t most_of_row =
      kUnit * (row_weight + buckets_.size() * (kBytesOfMember / kUnit + 1));
  most_rows_at_once_ = rows_that_fit(budget.batch(), most_of_row);
  // A batch has no more rows than a RowId can distinguish; each row has a weight.
  const std::uint64_t numbered = std::max<std::uint64_t>(most_rows(), 2) * row_weight * kUnit;
  const std::uint64_t largest = std::min(budget.largest_batch(), numbered);
  const std::uint64_t most = std::min(budget.batch(), numbered);
  std::uint64_t in_batch = 0;
  for (std::uint32_t p = 0; p < component_of.size(); ++p) {
    if (component_of[p] != p) {  // its least row came before
      batch_of[p] = batch_of[component_of[p]];
      continue;
    }
    const std::uint64_t bytes = weights[p] * kUnit;
    const bool too_large = bytes > largest || weights[p] == kMostWeight;
    if (too_large) largest_bytes_ = std::max(largest_bytes_, bytes);
    if (too_large || too_large_.empty() || too_large_.back() || in_batch + bytes > most) {
      too_large_.push_back(too_large);
      in_batch = 0;
    }
    in_batch += bytes;
    batch_of[p] = static_cast<std::uint32_t>(too_large_.size()) - 1;
  }
  return batch_of;
}

template <class RecordOf>
std::unique_ptr<Batches::RunsByBatch> Batches::write_runs(ExternalSort<KeyedRow>& by_batch,
                                                          Scratch& scratch,
                                                          const RecordOf& record_of) const {
  auto written = std::make_unique<RunsByBatch>(scratch);
  by_batch.drain([&](const KeyedRow& sorted) {
    while (written->of.size() < sorted.key) written->of.push_back(written->runs.end_run());
    const KeyedRow record = record_of(sorted);
    written->runs.append({&record, 1});
  });
  while (written->of.size() < size()) written->of.push_back(written->runs.end_run());
  written->runs.finish();
  return written;
}

// All rows of a bucket are in the same batch. With buckets sorted by batch, each is read only once,
// regardless of the number of batches.
void Batches::sort_buckets(const std::vector<std::uint32_t>& batch_of, const MemoryBudget& budget,
                           Scratch& scratch) {
  ExternalSort<KeyedRow> by_batch(scratch, budget.sorts());
  for (auto& file : buckets_) {
    std::uint32_t batch = 0;
    for_each_member_of(*file, [&](RowNumber first, RowNumber row) {
      const std::uint32_t position = position_of(row);
      const bool begins = row == first;
      if (begins) batch = batch_of[position];
      by_batch.add({batch, std::uint64_t{position} << 1 | (begins ? 1 : 0)});
    });
    file.reset();
  }
  buckets_.clear();
  std::uint64_t bucket = 0;
  members_ = write_runs(by_batch, scratch, [&](const KeyedRow& member) {
    bucket += member.row & 1;
    return KeyedRow{bucket, member.row >> 1};
  });
}

void Batches::sort_rows(const std::vector<std::uint32_t>& batch_of, const MemoryBudget& budget,
                        Scratch& scratch) {
  ExternalSort<KeyedRow> by_batch(scratch, budget.sorts());
  if (size() > 1) rows_by_batch_ = std::make_unique<RowsByBatch>(scratch, *spilled_, size());
  std::size_t at = 0;
  sharing_.for_each([&](RowNumber row) {
    const std::uint32_t batch = batch_of[at++];
    by_batch.add({batch, row});
    if (rows_by_batch_ && !too_large_[batch]) rows_by_batch_->add(batch, row);
  });
  if (rows_by_batch_) rows_by_batch_->finish();
  rows_ = write_runs(by_batch, scratch, [](const KeyedRow& row) { return KeyedRow{row.row, 0}; });
}

ScannedBlock Batches::load_block(const RowsOfBatch& some) const {
  const bool is_whole = rows_by_batch_ && rows_by_batch_->rows_of(some.batch) == some.rows.size();
  return is_whole ? rows_by_batch_->load(some.batch) : spilled_->load(some.rows);
}

// A row may have any number of pairs: in the worst case, with all other rows.
RowId Batches::rows_that_fit(std::uint64_t bytes, std::uint64_t row_bytes) const {
  std::uint64_t rows = bytes / row_bytes;
  if (has_pairs_) {
    std::uint64_t most = 1;
    while (most * most * kBytesOfMember < bytes) most *= 2;
    rows = std::min(rows, most / 2);
  }
  return static_cast<RowId>(std::max<std::uint64_t>(std::min(rows, most_rows()), 2));
}

std::vector<RowNumber> Batches::rows_of(std::uint32_t batch) const {
  std::vector<RowNumber> rows;
  PackedRuns::Reader reader(rows_->runs, rows_->of[batch]);
  for (KeyedRow row; reader.next(row);) rows.push_back(row.key);
  return rows;
}

RowId Batches::count_others(std::span<const RowNumber> rows) const {
  return static_cast<RowId>(std::lower_bound(rows.begin(), rows.end(), first_own_row_) -
                            rows.begin());
}

Corpus Batches::load(const RowsOfBatch& some, RowId others) const {
  const std::span<const RowNumber> rows = some.rows;
  Corpus corpus;
  corpus.rows = rows.size();
  corpus.first_own_row = others;
  corpus.blocks.push_back(load_block(some));
  corpus.copies_outside.reserve(rows.size());
  for (const RowNumber row : rows) {
    const std::uint64_t copies = copies_->copies_of(row);
    check_rows_of_group(copies);
    corpus.copies_outside.push_back(static_cast<RowId>(copies));
  }
  corpus.shared = buckets_among(some);
  return corpus;
}

RowBits Batches::rows_of_pairs() const {
  RowBits rows = sharing_;
  copies_->copies().for_each([&](RowNumber row) { rows.set(row); });
  rows.count();
  check_rows_of_batches(rows.size(), "are like others");
  return rows;
}

Buckets Batches::buckets_among(const RowsOfBatch& some) const {
  const std::span<const RowNumber> rows = some.rows;
  Buckets shared;
  if (rows.empty()) return shared;
  RowBits among(sharing_.size());
  for (const RowNumber row : rows) among.set(position_of(row));
  among.count();
  std::vector<Place> number_of(rows.size());
  for (Place i = 0; i < rows.size(); ++i) number_of[among.rank(position_of(rows[i]))] = i;
  const auto end_bucket = [&] {
    const std::uint64_t members = shared.members.size() - shared.starts.back();
    if (members == 1) shared.members.pop_back();
    if (members > 1) shared.starts.push_back(shared.members.size());
  };
  PackedRuns::Reader members(members_->runs, members_->of[some.batch]);
  std::uint64_t bucket = 0;
  for (KeyedRow member; members.next(member);) {
    if (!among.test(member.row)) continue;
    if (member.key != bucket) end_bucket();
    bucket = member.key;
    shared.members.push_back(number_of[among.rank(member.row)]);
  }
  end_bucket();
  return shared;
}

}  // namespace sosie
