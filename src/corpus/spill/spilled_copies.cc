// Finds rows in scratch with equal text by sorting hashes.
#include "corpus/spill/spilled_copies.h"

#include <algorithm>
#include <array>

#include "corpus/identical.h"
#include "corpus/rank_rows.h"
#include "corpus/rows_at_hand.h"
#include "corpus/spill/spilled_rows.h"

namespace sosie {
namespace {

// A row's number as stored in scratch, in 40 bits.
class StoredNumber {
 public:
  StoredNumber() = default;
  explicit StoredNumber(RowNumber row) noexcept {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      bytes_[i] = static_cast<std::uint8_t>(row >> (8 * i));
    }
  }
  [[nodiscard]] RowNumber number() const noexcept {
    RowNumber row = 0;
    for (std::size_t i = 0; i < bytes_.size(); ++i) row |= RowNumber{bytes_[i]} << (8 * i);
    return row;
  }

 private:
  std::array<std::uint8_t, 5> bytes_ = {};
};

}  // namespace

// Groups of rows of one collection with equal text hashes, and the best-ranked row of each.
class SameHashes {
 public:
  SameHashes(const Corpus& corpus, const Settings& settings, const RowBits& suspects,
             Scratch& scratch)
      : corpus_(corpus),
        settings_(settings),
        members_(scratch, sizeof(std::uint64_t), kLargePage),
        leaders_(scratch, sizeof(RowNumber), kLargePage) {
    ExternalSort<HashedRow> sorted(scratch, MemoryBudget{settings.memory_bytes}.sorts());
    ColumnReader<Hash128> hashes(corpus.spilled->text_hashes());
    suspects.for_each([&](RowNumber row) { sorted.add({hashes[row].low, hashes[row].high, row}); });
    sorted.drain([&](const HashedRow& row) { add(row); });
    end_group();
    members_.finish();
    leaders_.finish();
  }

  // Calls each(leader, row) for every member of a group except its leader.
  template <class Each>
  void for_each(const Each& each) const {
    ColumnReader<std::uint64_t> members(members_);
    ColumnReader<RowNumber> leaders(leaders_);
    std::uint64_t groups = 0;
    for (std::uint64_t i = 0; i < members_.size(); ++i) {
      const std::uint64_t member = members[i];
      groups += member & 1;
      const RowNumber row = member >> 1;
      const RowNumber leader = leaders[groups - 1];
      if (row != leader) each(leader, row);
    }
  }

  // All rows in groups, out of this many rows of the corpus.
  [[nodiscard]] RowBits rows(RowNumber of_corpus) const {
    RowBits rows(of_corpus);
    ColumnReader<std::uint64_t> members(members_);
    for (std::uint64_t i = 0; i < members_.size(); ++i) rows.set(members[i] >> 1);
    return rows;
  }

 private:
  struct HashedRow {
    std::uint64_t key;
    std::uint64_t high;
    RowNumber row;
  };

  [[nodiscard]] bool is_own(RowNumber row) const { return row >= corpus_.first_own_row; }

  void add(const HashedRow& row) {
    const bool same = size_ > 0 && row.key == last_.key && row.high == last_.high &&
                      is_own(row.row) == is_own(last_.row);
    if (!same) end_group();
    last_ = row;
    if (++size_ == 1) {
      first_ = row.row;
      unranked_.assign(1, first_);
      return;
    }
    if (size_ == 2) append(first_, true);
    append(row.row, false);
    unranked_.push_back(row.row);
    if (unranked_.size() == kMostUnranked) keep_best();
  }

  void append(RowNumber row, bool begins) {
    const std::uint64_t member = row << 1 | (begins ? 1U : 0U);
    members_.append(&member, 1);
  }

  void end_group() {
    if (size_ > 1) {
      keep_best();
      leaders_.append(unranked_.data(), 1);
    }
    size_ = 0;
  }

  // Keeps the best-ranked of the rows not yet ranked.
  void keep_best() {
    std::sort(unranked_.begin(), unranked_.end());
    const auto by = settings_.keep.front().by;
    RowNumber best = unranked_.front();
    if (is_own(best) && by == KeepRule::By::last) {
      best = unranked_.back();
    } else if (is_own(best) && by != KeepRule::By::first) {
      Corpus some;
      some.rows = unranked_.size();
      some.blocks.push_back(corpus_.spilled->load(unranked_));
      best = unranked_[rank_rows(some, settings_).front()];
    }
    unranked_.assign(1, best);
  }

  static constexpr std::size_t kMostUnranked = 1024;

  const Corpus& corpus_;
  const Settings& settings_;
  RecordFile members_;  // row << 1, + 1 for the first of a group
  RecordFile leaders_;  // leaders of groups
  HashedRow last_{};
  RowNumber first_ = kNoRowNumber;
  std::uint64_t size_ = 0;           // size of the group so far
  std::vector<RowNumber> unranked_;  // its rows that may lead it
};

// A single pass over compressed inputs serves all readings.
void keep_rows_at_hand(const Inputs& inputs, const Corpus& corpus, const RowBits& rows,
                       const RunTools& tools) {
  RowsAtHand at_hand(inputs);
  if (!at_hand.is_needed()) return;
  corpus.spilled->for_each_row(0, corpus.rows,
                               [&](RowNumber row, const RowLocator& locator, RowState) {
                                 if (rows.test(row)) at_hand.add(locator);
                               });
  at_hand.keep(tools.pool, tools.hooks);
}

SpilledCopies::SpilledCopies(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                             const RowBits& suspects, const RunTools& tools)
    : copies_(corpus.rows),
      leaders_(corpus.rows),
      ends_(tools.scratch, sizeof(std::uint64_t), kSmallPage),
      rows_(tools.scratch, sizeof(StoredNumber), kSmallPage) {
  ExternalSort<KeyedRow> found(tools.scratch, MemoryBudget{settings.memory_bytes}.sorts());
  {
    const SameHashes groups(corpus, settings, suspects, tools.scratch);
    keep_rows_at_hand(inputs, corpus, groups.rows(corpus.rows), tools);
    confirm(inputs, corpus, settings, groups, found, tools.pool);
  }
  store(found);
}

void SpilledCopies::confirm(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                            const SameHashes& groups, ExternalSort<KeyedRow>& found,
                            ThreadPool& pool) {
  struct Suspect {
    RowNumber leader;
    RowNumber row;
    bool same;
  };
  constexpr std::size_t kShare = 1024;
  std::vector<std::unique_ptr<TextComparer>> workers(pool.size());
  std::vector<Suspect> open;
  const auto compare = [&] {
    pool.for_each((open.size() + kShare - 1) / kShare, [&](unsigned worker, std::size_t share) {
      auto& comparer = workers[worker];
      if (!comparer) comparer = std::make_unique<TextComparer>(inputs, corpus, settings);
      RowNumber leader = kNoRowNumber;
      const std::size_t end = std::min(open.size(), (share + 1) * kShare);
      for (std::size_t i = share * kShare; i < end; ++i) {
        if (open[i].leader != leader) comparer->set_leader(leader = open[i].leader);
        open[i].same = comparer->same_as_leader(open[i].row);
      }
    });
    for (const Suspect& suspect : open) {
      if (!suspect.same) continue;
      copies_.set(suspect.row);
      leaders_.set(suspect.leader);
      found.add({suspect.leader, suspect.row});
    }
    open.clear();
  };
  groups.for_each([&](RowNumber leader, RowNumber row) {
    open.push_back({leader, row, false});
    if (open.size() == 16 * kShare) compare();
  });
  compare();
  copies_.count();
  leaders_.count();
}

void SpilledCopies::store(ExternalSort<KeyedRow>& found) {
  RowNumber leader = kNoRowNumber;
  const auto end_leader = [&] {
    const std::uint64_t end = rows_.size();
    if (leader != kNoRowNumber) ends_.append(&end, 1);
  };
  found.drain([&](const KeyedRow& copy) {
    if (copy.key != leader) end_leader();
    leader = copy.key;
    const StoredNumber row(copy.row);
    rows_.append(&row, 1);
  });
  end_leader();
  ends_.finish();
  rows_.finish();
}

std::pair<std::uint64_t, std::uint64_t> SpilledCopies::range_of(RowNumber leader) const {
  if (!leaders_.test(leader)) return {0, 0};
  const std::uint64_t position = leaders_.rank(leader);
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  if (position > 0) ends_.read(position - 1, 1, &begin);
  ends_.read(position, 1, &end);
  return {begin, end};
}

std::uint64_t SpilledCopies::copies_of(RowNumber leader) const {
  const auto [begin, end] = range_of(leader);
  return end - begin;
}

void SpilledCopies::for_each_copy(RowNumber leader,
                                  const std::function<void(RowNumber)>& each) const {
  const auto [begin, end] = range_of(leader);
  std::vector<StoredNumber> some(std::min<std::uint64_t>(end - begin, 1024));
  for (std::uint64_t at = begin; at < end;) {
    const std::size_t count = std::min<std::uint64_t>(some.size(), end - at);
    rows_.read(at, count, some.data());
    for (std::size_t i = 0; i < count; ++i) each(some[i].number());
    at += count;
  }
}

}  // namespace sosie
