// Loads the rows of one part of a matching from sketch files: keys of its bands, and signatures of
// only the rows that share a key.
#include "join/sets/part_rows.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>

#include "candidates/hot_bucket_filter.h"
#include "core/count_text.h"
#include "core/most_rows.h"
#include "core/size_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kPartBlocks = 64;  // blocks that a worker reads at a time

// Hash of a column, from the hashes of its blocks.
ColumnHash column_hash(std::uint32_t band, const std::vector<std::uint64_t>& of_blocks) {
  return {band, XXH3_64bits(of_blocks.data(), of_blocks.size() * sizeof(std::uint64_t))};
}

std::uint64_t hash_of_keys(std::span<const std::uint64_t> keys) {
  return hash_of_column({reinterpret_cast<const char*>(keys.data()), keys.size_bytes()});
}

// Reads the keys of all rows in a band, block by block.
void read_key_column(const Sketches& sketches, std::size_t blocks, std::size_t band,
                     std::vector<std::uint64_t>& keys) {
  std::vector<RowState> states;
  std::vector<std::uint64_t> of_block;
  keys.clear();
  keys.reserve(sketches.rows());
  for (std::size_t i = 0; i < blocks; ++i) {
    sketches.read_keys(i, {band, band + 1}, states, of_block);
    keys.insert(keys.end(), of_block.begin(), of_block.end());
  }
}

// Larger buckets are left unchanged, because their treatment may depend on the number of rows.
constexpr std::size_t kMostCovered = 64;

// Keys shared by enough rows to form a hot bucket, which does not list all of its pairs.
class HotKeys {
 public:
  explicit HotKeys(const std::vector<std::uint64_t>& keys) {
    constexpr std::size_t kRowsPerSlot = 16;
    std::vector<Place> rows_of_slot(std::bit_ceil(keys.size() / kRowsPerSlot + 1));
    const std::uint64_t mask = rows_of_slot.size() - 1;
    for (const std::uint64_t key : keys) ++rows_of_slot[key & mask];
    const auto is_large = [](Place rows) { return rows > kMostSurvivors; };
    if (std::none_of(rows_of_slot.begin(), rows_of_slot.end(), is_large)) return;
    for (const std::uint64_t key : keys) {
      if (is_large(rows_of_slot[key & mask])) ++rows_[key];
    }
    std::erase_if(rows_, [&](const auto& of_key) { return !is_large(of_key.second); });
  }

  [[nodiscard]] bool hold(std::uint64_t key) const { return rows_.contains(key); }

 private:
  std::unordered_map<std::uint64_t, Place> rows_;
};

// Removes buckets whose rows share a key in another band, too; keys[r]: the key of row r there.
void leave_out(Buckets& buckets, const std::vector<std::uint64_t>& keys, const HotKeys& hot) {
  std::size_t kept = 0;
  std::uint64_t kept_members = 0;
  const std::size_t count = buckets.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const Place> members = buckets[i];
    const bool is_covered =
        members.size() <= kMostCovered &&
        std::all_of(members.begin(), members.end(),
                    [&](Place row) { return keys[row] == keys[members.front()]; }) &&
        !hot.hold(keys[members.front()]);
    if (!is_covered) {
      std::copy(members.begin(), members.end(),
                buckets.members.begin() + static_cast<std::ptrdiff_t>(kept_members));
      kept_members += members.size();
      buckets.starts[++kept] = kept_members;
    }
  }
  buckets.members.resize(kept_members);
  buckets.starts.resize(kept + 1);
}

using ReadColumn = std::function<void(std::size_t band, std::vector<std::uint64_t>& keys)>;

// Removes small buckets whose rows also share a key in an earlier band: any two of them already
// meet there, unless that bucket is hot. of_bands[i]: band `first` + i.
void leave_covered_out(std::vector<Buckets>& of_bands, std::size_t first, const ReadColumn& read,
                       ThreadPool& pool) {
  std::vector<std::uint64_t> keys;
  for (std::size_t earlier = 0; earlier + 1 < first + of_bands.size(); ++earlier) {
    read(earlier, keys);
    const HotKeys hot(keys);
    pool.for_each(of_bands.size(), [&](unsigned /*worker*/, std::size_t i) {
      if (earlier < first + i) leave_out(of_bands[i], keys, hot);
    });
  }
}

// The part of a block that is loaded first.
struct KeyBlock {
  std::uint32_t file = 0;
  RowId first_row = 0;
  std::vector<Place> places = {};  // numbers of its rows; kNoPlace for those that match nothing
  std::vector<std::uint64_t> keys = {};  // band by band of the part
  std::vector<std::uint32_t> text_bytes = {};
  std::vector<RankValue> rank_values = {};

  [[nodiscard]] std::span<const std::uint64_t> keys_of(std::size_t band) const noexcept {
    return std::span(keys).subspan(band * places.size(), places.size());
  }
};

class PartReader {
 public:
  PartReader(const Sketches& sketches, const Settings& settings, const BandingPlan& plan,
             const PartKeys& keys, ThreadPool& pool)
      : sketches_(sketches),
        has_ranks_(settings.ranks_by_length() || !sketches.fields().ranks.empty()),
        components_(static_cast<std::size_t>(plan.components)),
        keys_(keys),
        pool_(pool) {}

  PartRows run() && {
    read_blocks();
    group();
    choose_rows();
    take_rows();
    if (has_ranks_) take_ranks();
    hash_keys();
    return std::move(out_);
  }

 private:
  void for_each_block(const std::function<void(std::size_t block)>& each) const {
    pool_.for_each((blocks_.size() + kPartBlocks - 1) / kPartBlocks,
                   [&](unsigned /*worker*/, std::size_t share) {
                     const std::size_t end = std::min(blocks_.size(), (share + 1) * kPartBlocks);
                     for (std::size_t i = share * kPartBlocks; i < end; ++i) each(i);
                   });
  }

  void read_blocks() {
    std::vector<BlockRange> ranges;
    sketches_.append_blocks(0, ranges);
    blocks_.resize(ranges.size());
    for_each_block([&](std::size_t i) {
      blocks_[i].file = ranges[i].file;
      std::vector<RowState> states;
      if (has_ranks_) {
        read_with_ranks(i, states);
      } else {
        sketches_.read_keys(i, keys_.bands(), states, blocks_[i].keys);
      }
      blocks_[i].places.resize(states.size());
      std::transform(states.begin(), states.end(), blocks_[i].places.begin(), [](RowState state) {
        return state == RowState::normal ? Place{0} : kNoPlace;
      });
    });
    for (KeyBlock& block : blocks_) {
      check_rows_of_run(out_.all_rows + block.places.size());
      block.first_row = out_.all_rows;
      for (Place& place : block.places) {
        if (place != kNoPlace) place = out_.all_rows;
        ++out_.all_rows;
      }
    }
  }

  // Values for ranking follow all signatures, so blocks with such values are read whole.
  void read_with_ranks(std::size_t number, std::vector<RowState>& states) {
    ScannedBlock all = sketches_.read(number, blocks_[number].file);
    const BandRange bands = keys_.bands();
    const auto keys =
        std::span(all.band_keys).subspan(bands.first * all.rows(), bands.size() * all.rows());
    blocks_[number].keys.assign(keys.begin(), keys.end());
    blocks_[number].text_bytes = std::move(all.text_bytes);
    blocks_[number].rank_values = std::move(all.rank_values);
    states = std::move(all.states);
  }

  // Builds the buckets of the run's own rows. Each band's range is further divided among the
  // workers.
  void group() {
    const std::size_t shares = pool_.size();
    const BandRange bands = keys_.bands();
    std::vector<std::vector<Buckets>> grouped(bands.size(), std::vector<Buckets>(shares));
    std::vector<GroupingScratch> scratch(pool_.size());
    pool_.for_each(bands.size() * shares, [&](unsigned worker, std::size_t i) {
      const std::size_t band = i / shares;
      std::vector<KeyColumn> columns;
      columns.reserve(blocks_.size());
      for (const KeyBlock& block : blocks_) {
        columns.push_back({block.keys_of(band), block.places});
      }
      const KeyRange range = keys_.of_band(bands.first + band);
      grouped[band][i % shares] = group_equal_keys(
          columns, scratch[worker],
          {range.index * shares + i % shares * range.width, range.count * shares, range.width});
    });
    std::vector<Buckets> of_bands;
    of_bands.reserve(bands.size());
    for (std::vector<Buckets>& band : grouped) of_bands.push_back(join_bands(std::move(band)));
    std::vector<GroupingScratch>().swap(scratch);
    leave_covered_out(
        of_bands, bands.first,
        [&](std::size_t band, std::vector<std::uint64_t>& keys) { read_column(band, keys); },
        pool_);
    out_.buckets = join_bands(std::move(of_bands));
  }

  // Keys of all rows in a band of this part or an earlier one.
  void read_column(std::size_t band, std::vector<std::uint64_t>& keys) const {
    const std::size_t first = keys_.bands().first;
    if (band < first) {
      read_key_column(sketches_, blocks_.size(), band, keys);
      return;
    }
    keys.clear();
    keys.reserve(out_.all_rows);
    for (const KeyBlock& block : blocks_) {
      const auto of_block = block.keys_of(band - first);
      keys.insert(keys.end(), of_block.begin(), of_block.end());
    }
  }

  void choose_rows() {
    std::vector<Place> number_of(out_.all_rows, kNoPlace);
    for (const Place row : out_.buckets.members) number_of[row] = 0;
    for (RowId row = 0; row < out_.all_rows; ++row) {
      if (number_of[row] == kNoPlace) continue;
      number_of[row] = static_cast<Place>(out_.rows.size());
      out_.rows.push_back(row);
    }
    out_.corpus.rows = static_cast<RowId>(out_.rows.size());
    out_.corpus.shared = out_.buckets;
    for (Place& member : out_.corpus.shared->members) member = number_of[member];
  }

  // Selects, from a list of rows, the numbers of the rows in a block.
  [[nodiscard]] static RowSpan rows_in(const KeyBlock& block, const std::vector<RowId>& rows) {
    const auto first = std::lower_bound(rows.begin(), rows.end(), block.first_row);
    const auto last = std::lower_bound(first, rows.end(), block.first_row + block.places.size());
    return {static_cast<std::size_t>(first - rows.begin()),
            static_cast<std::size_t>(last - rows.begin())};
  }

  // Reads the places and text hashes of all rows, for their combined hash.
  void take_rows() {
    ScannedBlock& all = out_.corpus.blocks.emplace_back();
    const std::size_t count = out_.rows.size();
    all.locators.resize(count);
    all.states.assign(count, RowState::normal);
    all.text_hashes.resize(count);
    all.filters.resize(count * components_);
    out_.keys.resize(count * keys_.bands().size());
    std::vector<std::uint64_t> hashes(blocks_.size());
    for_each_block([&](std::size_t i) {
      thread_local std::string bytes;
      sketches_.read_rows(i, blocks_[i].places.size(), bytes);
      hashes[i] = hash_of_column(bytes);
      const RowSpan chosen = rows_in(blocks_[i], out_.rows);
      take_rows_of(blocks_[i], chosen, bytes);
      take_filters_of(i, chosen);
    });
    out_.columns.push_back(column_hash(ColumnHash::kRows, hashes));
  }

  void take_rows_of(const KeyBlock& block, const RowSpan& chosen, const std::string& bytes) {
    ScannedBlock& all = out_.corpus.blocks.front();
    for (std::size_t to = chosen.begin; to < chosen.end; ++to) {
      const std::size_t from = out_.rows[to] - block.first_row;
      const SketchedRow row = sketched_row(bytes, block.places.size(), from);
      all.locators[to] = row.locator;
      all.locators[to].file = block.file;
      all.text_hashes[to] = row.text_hash;
      for (std::size_t band = 0; band < keys_.bands().size(); ++band) {
        out_.keys[band * out_.rows.size() + to] = block.keys_of(band)[from];
      }
    }
  }

  // If only a few rows of a block are needed, they are read one by one.
  void take_filters_of(std::size_t number, const RowSpan& chosen) {
    constexpr std::size_t kFew = 16;  // one row in so many
    thread_local std::vector<std::uint8_t> filters;
    const KeyBlock& block = blocks_[number];
    const std::size_t rows = block.places.size();
    const bool reads_all = (chosen.end - chosen.begin) * kFew > rows;
    if (reads_all) sketches_.read_filters(number, rows, {0, rows}, filters);
    for (std::size_t to = chosen.begin; to < chosen.end; ++to) {
      const std::size_t from = out_.rows[to] - block.first_row;
      if (!reads_all) sketches_.read_filters(number, rows, {from, from + 1}, filters);
      std::copy_n(&filters[reads_all ? from * components_ : 0], components_,
                  &out_.corpus.blocks.front().filters[to * components_]);
    }
  }

  void take_ranks() {
    ScannedBlock& all = out_.corpus.blocks.front();
    auto at = out_.rows.begin();
    for (const KeyBlock& block : blocks_) {
      const std::size_t rows = block.places.size();
      const std::size_t fields = rows == 0 ? 0 : block.rank_values.size() / rows;
      for (; at != out_.rows.end() && *at - block.first_row < rows; ++at) {
        const std::size_t from = *at - block.first_row;
        if (!block.text_bytes.empty()) all.text_bytes.push_back(block.text_bytes[from]);
        for (std::size_t field = 0; field < fields; ++field) {
          all.rank_values.push_back(block.rank_values[from * fields + field]);
        }
      }
    }
  }

  void hash_keys() {
    std::vector<std::uint64_t> hashes(blocks_.size());
    for (std::size_t band = 0; band < keys_.bands().size(); ++band) {
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        hashes[i] = hash_of_keys(blocks_[i].keys_of(band));
      }
      out_.columns.push_back(
          column_hash(static_cast<std::uint32_t>(keys_.bands().first + band), hashes));
    }
  }

  const Sketches& sketches_;
  bool has_ranks_;
  std::size_t components_;
  const PartKeys& keys_;
  ThreadPool& pool_;
  std::vector<KeyBlock> blocks_;
  PartRows out_;
};

// Rows that share no key also need this memory.
void check_memory_of_part(std::uint64_t rows, const PartKeys& keys, const Settings& settings) {
  constexpr std::uint64_t kBytesOfPlaces = 8;
  constexpr std::uint64_t kBytesOfGrouping = 8;
  const std::uint64_t columns = keys.bands().size() + 1;  // one at a time of earlier bands
  const std::uint64_t bytes =
      rows * (kBytesOfPlaces + kBytesOfGrouping + columns * sizeof(std::uint64_t));
  if (bytes <= settings.memory_bytes) return;
  throw Error(
      ErrorKind::limit_exceeded, RefusedOption{"part"},
      fmt::format("its keys of {} need about {}; --memory is {}", plural_text(rows, "row", "rows"),
                  bytes_text(bytes), limit_text(settings.memory_bytes)),
      fmt::format("make more parts, or --memory {} is enough", round_size_text(2 * bytes)));
}

}  // namespace

BandRange PartKeys::bands() const noexcept {
  const std::size_t first = part_.index * bands_ / part_.count;
  const std::size_t end = (part_.index + 1) * bands_;
  return {first, (end + part_.count - 1) / part_.count};
}

KeyRange PartKeys::of_band(std::size_t band) const noexcept {
  const std::size_t begin = std::max(part_.index * bands_, band * part_.count);
  const std::size_t end = std::min((part_.index + 1) * bands_, (band + 1) * part_.count);
  return {begin - band * part_.count, part_.count, end - begin};
}

PartRows read_part_rows(const Sketches& sketches, const Settings& settings, const BandingPlan& plan,
                        const PartKeys& keys, ThreadPool& pool) {
  check_memory_of_part(sketches.rows(), keys, settings);
  return PartReader(sketches, settings, plan, keys, pool).run();
}

std::vector<ColumnHash> hashes_of_columns(const std::vector<ColumnsOfBlock>& blocks,
                                          std::size_t bands) {
  std::vector<ColumnHash> hashes;
  for (std::uint32_t column = 0; column <= bands; ++column) {
    std::vector<std::uint64_t> of_blocks;
    of_blocks.reserve(blocks.size());
    for (const ColumnsOfBlock& block : blocks) of_blocks.push_back(block[column]);
    hashes.push_back(column_hash(column < bands ? column : ColumnHash::kRows, of_blocks));
  }
  return hashes;
}

namespace {

// Buckets of a band, combined from its parts.
Buckets buckets_of_band(const Sketches& sketches, std::size_t band, ThreadPool& pool) {
  std::vector<BlockRange> blocks;
  sketches.append_blocks(0, blocks);
  std::vector<std::vector<std::uint64_t>> keys(blocks.size());
  std::vector<std::vector<Place>> places(blocks.size());
  std::vector<KeyColumn> columns;
  Place row = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<RowState> states;
    sketches.read_keys(i, {band, band + 1}, states, keys[i]);
    for (const RowState state : states) {
      places[i].push_back(state == RowState::normal ? row : kNoPlace);
      ++row;
    }
    columns.push_back({keys[i], places[i]});
  }
  std::vector<Buckets> of_band = {group_equal_keys(columns, pool)};
  leave_covered_out(
      of_band, band,
      [&](std::size_t earlier, std::vector<std::uint64_t>& of_rows) {
        read_key_column(sketches, blocks.size(), earlier, of_rows);
      },
      pool);
  return std::move(of_band.front());
}

}  // namespace

bool holds_buckets(const Buckets& all, const Sketches& sketches, std::size_t band,
                   ThreadPool& pool) {
  Buckets some = buckets_of_band(sketches, band, pool);
  while (some.size() == 0 && band > 0) some = buckets_of_band(sketches, band /= 2, pool);
  const auto is_equal = [&](std::size_t i, std::size_t j) {
    return std::equal(all[i].begin(), all[i].end(), some[j].begin(), some[j].end());
  };
  std::vector<std::size_t> numbers(std::max(all.size(), some.size()));
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto end_of_all = numbers.begin() + static_cast<std::ptrdiff_t>(all.size());
  const auto end_of_some = numbers.begin() + static_cast<std::ptrdiff_t>(some.size());
  return some.size() == 0 || std::search(numbers.begin(), end_of_all, numbers.begin(), end_of_some,
                                         is_equal) != end_of_all;
}

}  // namespace sosie
