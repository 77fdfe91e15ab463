// Finds documents with equal normalised text, in memory or in scratch, compares texts with equal
// hashes byte by byte, and checks that ids are unique.
#include "corpus/identical.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "candidates/group_equal_keys.h"
#include "corpus/first_ids.h"
#include "corpus/rows/row_reader.h"
#include "corpus/rows_at_hand.h"
#include "corpus/spill/spilled_rows.h"
#include "options/items_as_file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << 40) - 1;

// Rows that may have the same text as their leader, the best-ranked one.
struct Suspects {
  Place leader;  // position in ranked order
  std::vector<Place> others;
};

Hash128 text_hash(const Corpus& corpus, RowId row) {
  const ScannedBlock& block = corpus.block_of(row);
  return block.text_hashes[row - block.first_row];
}

// Splits the positions in a bucket, which share part of the hash, by the full hash.
void add_suspects(const Corpus& corpus, const std::vector<RowId>& ranked,
                  std::span<const Place> bucket, std::vector<Suspects>& groups) {
  std::vector<std::pair<Hash128, Place>> members;
  for (const Place p : bucket) members.emplace_back(text_hash(corpus, ranked[p]), p);
  std::sort(members.begin(), members.end());
  for (std::size_t begin = 0; begin < members.size();) {
    std::size_t end = begin + 1;
    while (end < members.size() && members[end].first == members[begin].first) ++end;
    if (end - begin > 1) {
      groups.push_back({members[begin].second, {}});
      for (std::size_t j = begin + 1; j < end; ++j) {
        groups.back().others.push_back(members[j].second);
      }
    }
    begin = end;
  }
}

// Groups ranked positions by the full text hash; leaves out groups of one.
std::vector<Suspects> suspects_by_hash(const Corpus& corpus, const std::vector<RowId>& ranked,
                                       ThreadPool& pool) {
  constexpr std::size_t kAtOnce = 1 << 14;
  const auto in_shares = [&](std::size_t count, const auto& each) {
    pool.for_each((count + kAtOnce - 1) / kAtOnce, [&](unsigned /*worker*/, std::size_t share) {
      const std::size_t end = std::min(count, (share + 1) * kAtOnce);
      for (std::size_t i = share * kAtOnce; i < end; ++i) each(share, i);
    });
  };
  std::vector<std::uint64_t> keys(ranked.size());
  std::vector<Place> positions(ranked.size());
  in_shares(keys.size(), [&](std::size_t /*share*/, std::size_t i) {
    keys[i] = text_hash(corpus, ranked[i]).low & kKeyMask;
    positions[i] = static_cast<Place>(i);
  });
  const KeyColumn column{keys, positions};
  const Buckets buckets = group_equal_keys({&column, 1}, pool);
  std::vector<std::vector<Suspects>> of_share(buckets.size() / kAtOnce + 1);
  in_shares(buckets.size(), [&](std::size_t share, std::size_t i) {
    add_suspects(corpus, ranked, buckets[i], of_share[share]);
  });
  std::vector<Suspects> groups;
  for (std::vector<Suspects>& some : of_share) {
    std::move(some.begin(), some.end(), std::back_inserter(groups));
  }
  return groups;
}

// Some members of one group, which one worker confirms.
struct Share {
  const Suspects* group;
  std::size_t begin;
  std::size_t end;
};

std::vector<Share> cut_into_shares(const std::vector<Suspects>& groups) {
  constexpr std::size_t kShare = 1024;
  std::vector<Share> shares;
  for (const Suspects& group : groups) {
    for (std::size_t begin = 0; begin < group.others.size(); begin += kShare) {
      shares.push_back({&group, begin, std::min(group.others.size(), begin + kShare)});
    }
  }
  return shares;
}

// Takes the run's own rows out of groups led by a row of --against; the best of them leads the
// others. Returns, by position, which rows have the text of such a leader; empty without --against.
std::vector<Place> split_collections(const Corpus& corpus, const std::vector<RowId>& ranked,
                                     std::vector<Place>& leader_of) {
  if (corpus.first_own_row == 0) return {};
  std::vector<Place> twin_of(ranked.size(), kNoPlace);
  std::vector<Place> own_leader(ranked.size(), kNoPlace);
  for (Place i = 0; i < ranked.size(); ++i) {
    const Place leader = leader_of[i];
    if (leader == kNoPlace || ranked[i] < corpus.first_own_row ||
        ranked[leader] >= corpus.first_own_row) {
      continue;
    }
    if (own_leader[leader] == kNoPlace) {
      own_leader[leader] = i;
      twin_of[i] = leader;
      leader_of[i] = kNoPlace;
    } else {
      leader_of[i] = own_leader[leader];
    }
  }
  return twin_of;
}

void keep_suspects_at_hand(const Inputs& inputs, const Corpus& corpus,
                           const std::vector<RowId>& ranked, const std::vector<Suspects>& groups,
                           ThreadPool& pool, const RunHooks& hooks) {
  RowsAtHand at_hand(inputs);
  if (!at_hand.is_needed()) return;
  for (const Suspects& group : groups) {
    at_hand.add(corpus.locator(ranked[group.leader]));
    for (const Place other : group.others) at_hand.add(corpus.locator(ranked[other]));
  }
  at_hand.keep(pool, hooks);
}

// For each ranked position, the leader of its group, confirmed by comparing texts; kNoPlace for
// leaders and for rows with a unique text.
std::vector<Place> confirmed_leaders(const Inputs& inputs, const Corpus& corpus,
                                     const Settings& settings, const std::vector<RowId>& ranked,
                                     ThreadPool& pool, const RunHooks& hooks) {
  const std::vector<Suspects> groups = suspects_by_hash(corpus, ranked, pool);
  keep_suspects_at_hand(inputs, corpus, ranked, groups, pool, hooks);
  const std::vector<Share> shares = cut_into_shares(groups);
  std::vector<Place> leader_of(ranked.size(), kNoPlace);
  std::vector<std::unique_ptr<TextComparer>> workers(pool.size());
  pool.for_each(shares.size(), [&](unsigned worker, std::size_t i) {
    auto& comparer = workers[worker];
    if (!comparer) comparer = std::make_unique<TextComparer>(inputs, corpus, settings);
    const Share& share = shares[i];
    comparer->set_leader(ranked[share.group->leader]);
    for (std::size_t j = share.begin; j < share.end; ++j) {
      const Place other = share.group->others[j];
      if (comparer->same_as_leader(ranked[other])) leader_of[other] = share.group->leader;
    }
  });
  return leader_of;
}

// Lists the rows of each item after its first one; the place of every row is known.
void list_copies(const std::vector<RowId>& ranked, const std::vector<Place>& leader_of,
                 Items& items) {
  std::vector<std::uint64_t> counts(items.rows.size());
  const auto is_copy = [&](std::size_t i) { return leader_of[i] != kNoPlace; };
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (is_copy(i)) ++counts[items.place_of[ranked[i]]];
  }
  items.copy_starts.assign(items.rows.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), items.copy_starts.begin() + 1);
  items.copies.resize(items.copy_starts.back());
  std::vector<std::uint64_t> next(items.copy_starts.begin(), items.copy_starts.end() - 1);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (is_copy(i)) items.copies[next[items.place_of[ranked[i]]]++] = ranked[i];
  }
}

}  // namespace

Items collapse_identical(const Inputs& inputs, const Corpus& corpus, const Settings& settings,
                         const std::vector<RowId>& ranked, ThreadPool& pool,
                         const RunHooks& hooks) {
  return collapse_under_leaders(corpus, ranked,
                                confirmed_leaders(inputs, corpus, settings, ranked, pool, hooks));
}

Items collapse_under_leaders(const Corpus& corpus, const std::vector<RowId>& ranked,
                             std::vector<Place> leader_of) {
  const std::vector<Place> twin_of = split_collections(corpus, ranked, leader_of);
  Items items;
  items.place_of.assign(corpus.rows, kNoPlace);
  items.rows.reserve(ranked.size());
  const bool stands_for_others = !corpus.copies_outside.empty();
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (leader_of[i] != kNoPlace) {  // leaders rank first, so theirs is known
      const Place place = items.place_of[ranked[leader_of[i]]];
      items.place_of[ranked[i]] = place;
      if (stands_for_others) items.copies_outside[place] += corpus.copies_outside[ranked[i]];
      continue;
    }
    items.place_of[ranked[i]] = items.size();
    items.rows.push_back(ranked[i]);
    if (stands_for_others) items.copies_outside.push_back(corpus.copies_outside[ranked[i]]);
    items.fixed += ranked[i] < corpus.first_own_row ? 1U : 0U;
    if (twin_of.empty()) continue;
    const Place twin = twin_of[i];
    items.twins.push_back(twin == kNoPlace ? kNoPlace : items.place_of[ranked[twin]]);
  }
  list_copies(ranked, leader_of, items);
  return items;
}

namespace {

// The earliest row of a collection whose id occurred before, and the row that had it.
struct SameId {
  RowNumber first = kNoRowNumber;
  RowNumber second = kNoRowNumber;
  std::string id;
};

// Searches rows whose ids have equal hashes for such a pair; `rows` are ascending.
template <class Row>
void look_among(std::span<const Row> rows, RowReader& reader, SameId& found) {
  if (rows.size() < 2 || rows[1] >= found.second) return;
  std::vector<std::pair<std::string, RowNumber>> ids;
  for (const Row row : rows) ids.emplace_back(reader.id_of(row), row);
  std::sort(ids.begin(), ids.end());
  for (std::size_t j = 1; j < ids.size(); ++j) {
    if (ids[j].first == ids[j - 1].first && ids[j].second < found.second) {
      found = {ids[j - 1].second, ids[j].second, ids[j].first};
    }
  }
}

void refuse(const Inputs& inputs, const Corpus& corpus, const SameId& same) {
  if (same.second == kNoRowNumber) return;
  refuse_same_id(inputs, same.id, corpus.locator(same.first), corpus.locator(same.second));
}

// Throws if two rows in the blocks begin .. end - 1 have the same id.
void check_unique_ids_of(const Inputs& inputs, const Corpus& corpus, std::size_t begin,
                         std::size_t end, ThreadPool& pool) {
  std::vector<std::vector<std::uint64_t>> keys(end - begin);
  std::vector<std::vector<Place>> rows(end - begin);
  std::vector<KeyColumn> columns(end - begin);
  pool.for_each(columns.size(), [&](unsigned /*worker*/, std::size_t at) {
    const ScannedBlock& block = corpus.blocks[begin + at];
    keys[at].resize(block.rows());
    rows[at].resize(block.rows());
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const RowState state = block.state(i);
      const bool bad = state == RowState::skipped || state == RowState::unmatched;
      keys[at][i] = block.id_hashes[i] & kKeyMask;
      rows[at][i] = bad ? kNoPlace : row_id(block.first_row + i);
    }
    columns[at] = {keys[at], rows[at]};
  });
  const Buckets buckets = group_equal_keys(columns, pool);
  RowReader reader(inputs, corpus, inputs.fields);
  SameId same;
  for (std::size_t i = 0; i < buckets.size(); ++i) look_among(buckets[i], reader, same);
  refuse(inputs, corpus, same);
}

// True if a file holds the items of an index, or of several indexes, in which two items may have
// the same id.
bool are_index_items(const Inputs& inputs, std::uint32_t file) {
  return file < inputs.list.size() && index_items_of(inputs.list[file]) != nullptr;
}

// Checks the ids of rows in scratch, in both collections.
void check_unique_spilled_ids(const Inputs& inputs, const Corpus& corpus) {
  constexpr std::size_t kMostOfOneHash = 1024;  // so many different ids never share one
  RowReader reader(inputs, corpus, inputs.fields);
  SameId in_other;
  SameId in_own;
  std::vector<RowNumber> rows;
  std::uint64_t hash = 0;
  const auto look = [&] {
    const auto own = std::lower_bound(rows.begin(), rows.end(), corpus.first_own_row);
    look_among(std::span<const RowNumber>(rows.begin(), own), reader, in_other);
    look_among(std::span<const RowNumber>(own, rows.end()), reader, in_own);
    rows.clear();
  };
  corpus.spilled->drain_ids([&](std::uint64_t key, RowNumber row) {
    if (key != hash) look();
    hash = key;
    if (rows.size() < kMostOfOneHash) rows.push_back(row);
  });
  look();
  if (!are_index_items(inputs, 0)) refuse(inputs, corpus, in_other);
  refuse(inputs, corpus, in_own);
}

}  // namespace

void check_unique_ids(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool) {
  if (corpus.spilled) {
    check_unique_spilled_ids(inputs, corpus);
    return;
  }
  std::size_t own = 0;  // the first block of the run's own rows
  while (own < corpus.ranges.size() && corpus.ranges[own].file < inputs.first_own_file) ++own;
  const bool checks_other = own > 0 && !inputs.numbers_rows_of(0) && !are_index_items(inputs, 0);
  if (checks_other) check_unique_ids_of(inputs, corpus, 0, own, pool);
  if (inputs.ids_are_rows || are_index_items(inputs, inputs.first_own_file)) return;
  check_unique_ids_of(inputs, corpus, own, corpus.blocks.size(), pool);
}

TextComparer::TextComparer(const Inputs& inputs, const Corpus& corpus, const Settings& settings)
    : reader_(inputs, corpus, {inputs.fields.column, {}, {}}), shingler_(settings.shingle) {}

void TextComparer::set_leader(RowNumber row) {
  raw_ = reader_.read(row).text;
  normalized_.reset();
}

bool TextComparer::same_as_leader(RowNumber row) {
  const std::string_view text = reader_.read(row).text;
  if (text == raw_) return true;
  shingler_.read(text);
  const std::string other = shingler_.normalized_text();
  if (!normalized_) {
    padded_.assign(raw_);
    shingler_.read(padded_.view());
    normalized_ = shingler_.normalized_text();
  }
  return *normalized_ == other;
}

}  // namespace sosie
