// Samples rows of a run and collects figures for the planner.
#include "corpus/rows/row_sample.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "candidates/order_tokens.h"
#include "core/mix64.h"
#include "corpus/row_parsers.h"
#include "corpus/rows/row_sketches.h"
#include "corpus/scan.h"
#include "corpus/sketches.h"
#include "data/kinds.h"
#include "kernels/intersection_size.h"
#include "plan/copy_sample.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// A row drawn by hash(seed, row).
struct SampledRow {
  std::uint64_t order;  // the hash: the least are taken first
  std::uint32_t file;
  RowView row;  // its bytes are gone
  bool operator<(const SampledRow& other) const noexcept { return order < other.order; }
};

// Rows drawn from the first 32 MiB (if rows are long: 8 MiB and more than 1,000 rows), lowest
// hashes first, and facts about all rows read.
struct Draw {
  std::vector<SampledRow> rows;
  std::uint64_t seen_rows = 0;
  std::uint64_t seen_others = 0;  // rows of --against that were seen
  std::uint64_t seen_bytes = 0;
  bool whole = true;  // there are no other rows
};

// Reads drawn rows as shingles. Use from one thread only.
class SampledRowReader {
 public:
  SampledRowReader(const Inputs& inputs, const Settings& settings);

  // Hashes of a row's shingles, including repetitions; empty if the row cannot be read. Valid until
  // the next call.
  [[nodiscard]] std::span<const std::uint64_t> read(const SampledRow& drawn);
  // Equal for copies of the row that was read; nullopt if it has no shingles.
  [[nodiscard]] std::optional<std::uint64_t> key() const noexcept { return key_; }

 private:
  const Inputs& inputs_;
  std::optional<std::uint64_t> key_;
  RowParsers parsers_;
  TextShingler shingler_;
  PaddedBytes bytes_;
  Record record_;
};

constexpr std::uint64_t kSeenBytes = std::uint64_t{32} << 20;
constexpr std::uint64_t kSeenLongBytes = std::uint64_t{8} << 20;
constexpr std::uint64_t kLongRowBytes = 4096;
constexpr std::uint64_t kDrawnBytes = std::uint64_t{2} << 20;
constexpr std::size_t kLeastRows = 128;
constexpr std::uint64_t kSalt = 0x5A3D1E5A3D1E5A3DULL;  // apart from the signatures' random numbers

// Keeps the `most` rows with the lowest hashes.
class LeastRows {
 public:
  using Rows = decltype(Draw::rows);

  LeastRows(std::size_t most, Rows& rows) : most_(most), rows_(rows) { rows_.reserve(2 * most); }

  [[nodiscard]] bool takes(std::uint64_t order) const noexcept { return order <= limit_; }
  void add(const Rows::value_type& row) {
    rows_.push_back(row);
    if (rows_.size() == 2 * most_) cut();
  }
  // Sorts the rows by their hashes.
  void finish() {
    if (rows_.size() > most_) cut();
    std::sort(rows_.begin(), rows_.end());
  }

 private:
  void cut() {
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(rows_.begin(), end - 1, rows_.end());
    limit_ = (end - 1)->order;
    rows_.erase(end, rows_.end());
  }

  std::size_t most_;
  Rows& rows_;
  std::uint64_t limit_ = ~std::uint64_t{0};
};

// For long rows, fewer suffice: their method is always lsh, and all plans that the sample may
// suggest take about the same time.
bool has_seen_enough(const Draw& draw) noexcept {
  const bool are_long = draw.seen_bytes > draw.seen_rows * kLongRowBytes;
  const bool are_many = draw.seen_rows > kFewRows && draw.seen_bytes >= kSeenLongBytes;
  return draw.seen_bytes >= kSeenBytes || (are_long && are_many);
}

// Draws at most `most` rows. Depends only on the order of the rows, not on how they are divided
// into files. Blank lines are not rows.
Draw draw_rows(const Inputs& inputs, std::uint64_t seed, std::size_t most) {
  Draw draw;
  LeastRows least(most, draw.rows);
  for (std::uint32_t i = 0; i < inputs.files.size(); ++i) {
    const auto is_blank = inputs.list[i].format->is_blank;
    RowStream stream(inputs.source(i));
    for (RowView row; stream.next(row);) {
      if (is_blank != nullptr && is_blank(row.bytes)) continue;
      if (has_seen_enough(draw)) {
        draw.whole = false;
        break;
      }
      draw.seen_bytes += row.bytes.size();
      const std::uint64_t order = random64(seed ^ kSalt, draw.seen_rows++);
      if (i < inputs.first_own_file) ++draw.seen_others;
      if (least.takes(order)) least.add({order, i, row});
    }
    if (!draw.whole) break;
  }
  least.finish();
  return draw;
}

// Rows [first, end) of a draw in input order: at most `most`, and after 128 rows only up to 2
// MiB.
std::vector<SampledRow> rows_of_draw(const Draw& draw, std::size_t first, std::size_t most) {
  const std::size_t limit = std::min(draw.rows.size(), first + most);
  std::size_t end = std::min(first, limit);
  std::uint64_t bytes = 0;
  while (end < limit && (end < first + kLeastRows || bytes < kDrawnBytes)) {
    bytes += draw.rows[end++].row.bytes.size();
  }
  std::vector<SampledRow> rows(draw.rows.begin() + static_cast<std::ptrdiff_t>(first),
                               draw.rows.begin() + static_cast<std::ptrdiff_t>(end));
  std::sort(rows.begin(), rows.end(), [](const SampledRow& a, const SampledRow& b) {
    return a.file != b.file ? a.file < b.file : a.row.offset < b.row.offset;
  });
  return rows;
}

SampledRowReader::SampledRowReader(const Inputs& inputs, const Settings& settings)
    : inputs_(inputs),
      parsers_(inputs, fields_of_scan(inputs, settings)),
      shingler_(settings.shingle) {}

std::span<const std::uint64_t> SampledRowReader::read(const SampledRow& drawn) {
  key_.reset();
  bytes_.reserve(drawn.row.length);
  bytes_.set_size(drawn.row.bytes.size());
  inputs_.files[drawn.file].read_at(drawn.row.offset, bytes_.data(), drawn.row.bytes.size());
  try {
    parsers_.parse(drawn.file, bytes_.view(), record_);
  } catch (const RowError&) {
    return {};  // the scan will say so, with its place
  }
  shingler_.read_set(record_.text);
  const auto shingles = shingler_.shingles();
  if (!shingles.empty())
    key_ = copy_key(shingler_.text_hash(), drawn.file < inputs_.first_own_file);
  return shingles;
}

constexpr std::size_t kMostRows = 1024;
constexpr std::size_t kLeastSampled = 128;
constexpr std::uint64_t kFewBytes = std::uint64_t{16} << 20;

constexpr std::size_t kMostJoined = 16384;
// Elements of all joined rows, which need 28 bytes each during the join.
constexpr std::size_t kMostElementsJoined = 2'500'000;
// Maximum number of elements counted one by one in a row; longer rows are estimated from a part.
constexpr std::size_t kMostCounted = std::size_t{1} << 20;
// Rows of the larger of two collections that are looked up in the smaller one.
constexpr std::size_t kMostLookedUp = 4096;

// 4 sqrt(n) rows out of n form 8 n pairs: if each row had one similar row, eight of these pairs
// would show it. Fewer similar rows cost little under any plan.
std::size_t rows_to_draw(std::uint64_t rows) noexcept {
  std::size_t root = 0;
  while (root < kMostRows / 4 && root * root < rows) ++root;
  return std::max(kLeastSampled, 4 * root);
}

CopySample::Part part_of(std::size_t i, std::size_t size) noexcept {
  return i < size / 2 ? CopySample::Part::first : CopySample::Part::second;
}

// Estimates the similarities of the drawn rows from their sketches, of each text once.
class SampleSketcher {
 public:
  SampleSketcher(const Settings& settings, CopySample& copies)
      : sketches_(settings), copies_(copies) {}

  // `key`: of the row, see copy_key(). False if an earlier row has the text.
  bool add(std::span<const std::uint64_t> shingles, std::uint64_t key, CopySample::Part part) {
    copies_.add(key, part);
    if (!texts_.insert(key).second) return false;
    sketches_.add(shingles);
    sizes_.push_back(shingles.size());
    return true;
  }

  // `rows`: with shingles, in the part of the inputs from which rows were drawn.
  [[nodiscard]] SampleFacts facts(std::uint64_t rows) {
    SampleFacts facts;
    const std::size_t n = sizes_.size();
    if (n == 0) return facts;
    facts.documents = copies_.distinct_among(rows, rows);
    std::sort(sizes_.begin(), sizes_.end());
    facts.median_shingles = sizes_[n / 2];
    for (std::size_t i = 0; i + 1 < n; ++i) {
      for (const std::uint32_t similarity : sketches_.similarities(i, i + 1)) {
        ++facts.pairs_by_similarity[similarity];
      }
    }
    return facts;
  }

 private:
  RowSketches sketches_;
  CopySample& copies_;
  std::unordered_set<std::uint64_t> texts_;
  std::vector<std::uint64_t> sizes_;
};

// Counts distinct elements in a table of occupied places, several times as fast as by sorting. For
// very many elements, it counts only every n-th possible hash and multiplies by n.
class DistinctCounter {
 public:
  [[nodiscard]] std::size_t count(std::span<const std::uint64_t> hashes) {
    const std::size_t stands_for = hashes.size() / kMostCounted + 1;
    const std::size_t most = hashes.size() / stands_for;
    const std::size_t places = std::bit_ceil(2 * most + 1);
    table_.assign(std::max(places, table_.size()), 0);
    const std::size_t mask = places - 1;
    std::size_t distinct = 0;
    bool zero = false;  // stands for a free place
    for (const std::uint64_t hash : hashes) {
      if (stands_for > 1 && hash / places % stands_for != 0) continue;
      zero = zero || hash == 0;
      std::size_t at = hash & mask;
      while (table_[at] != 0 && table_[at] != hash) at = (at + 1) & mask;
      distinct += table_[at] == hash ? 0 : 1;
      table_[at] = hash;
      if (distinct == places / 2) break;  // hashes of no chance
    }
    return stands_for * (distinct + (zero ? 1 : 0));
  }

 private:
  std::vector<std::uint64_t> table_;
};

// The sets of drawn rows, without repetitions, as long as there is space. The first one is cut to
// fit.
class DistinctSets {
 public:
  void add(std::span<const std::uint64_t> set) {
    if (sets_.hashes.empty()) set = set.first(std::min(set.size(), kMostElementsJoined));
    if (sets_.hashes.size() + set.size() > kMostElementsJoined) return;
    if (!seen_.insert(XXH3_64bits(set.data(), set.size_bytes())).second) return;
    sets_.hashes.insert(sets_.hashes.end(), set.begin(), set.end());
    sets_.starts.push_back(sets_.hashes.size());
  }

  [[nodiscard]] const HashedSets& sets() const noexcept { return sets_; }

 private:
  HashedSets sets_;
  std::unordered_set<std::uint64_t> seen_;
};

// Makes sets of rows with all workers, and adds them in order.
class SetMaker {
 public:
  using Row = SampledRow;

  SetMaker(const Inputs& inputs, const Settings& settings, ThreadPool& pool)
      : inputs_(inputs), settings_(settings), pool_(pool), workers_(pool.size()) {}

  // Also adds the rows to `copies`, unless it is null.
  void add(std::span<const Row> rows, DistinctSets& out, CopySample* copies) {
    for (std::size_t begin = 0; begin < rows.size();) {
      std::size_t end = begin;
      std::uint64_t bytes = 0;
      while (end < rows.size() && (end == begin || bytes < kBytesAtOnce)) {
        bytes += rows[end++].row.bytes.size();
      }
      add_some(rows.subspan(begin, end - begin), out);
      for (std::size_t i = begin; copies != nullptr && i < end; ++i) {
        if (const auto key = keys_[i - begin]) copies->add(*key, part_of(i, rows.size()));
      }
      begin = end;
    }
  }

 private:
  static constexpr std::uint64_t kBytesAtOnce = std::uint64_t{1} << 20;
  static constexpr std::size_t kRowsATask = 16;

  struct Worker {
    std::optional<SampledRowReader> reader;
    std::vector<std::uint64_t> scratch;
  };

  void add_some(std::span<const Row> rows, DistinctSets& out) {
    made_.resize(std::max(made_.size(), rows.size()));
    keys_.resize(made_.size());
    pool_.for_each((rows.size() + kRowsATask - 1) / kRowsATask,
                   [&](unsigned worker, std::size_t task) {
                     pool_.check_cancelled();
                     const std::size_t end = std::min(rows.size(), (task + 1) * kRowsATask);
                     for (std::size_t i = task * kRowsATask; i < end; ++i) {
                       keys_[i] = make(workers_[worker], rows[i], made_[i]);
                     }
                   });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out.add(made_[i]);
      if (made_[i].size() > kMostCounted) std::vector<std::uint64_t>().swap(made_[i]);
    }
  }

  // Returns the row's key.
  std::optional<std::uint64_t> make(Worker& worker, const Row& row,
                                    std::vector<std::uint64_t>& set) const {
    if (!worker.reader) worker.reader.emplace(inputs_, settings_);
    const auto shingles = worker.reader->read(row);
    set.assign(shingles.begin(), shingles.end());
    worker.scratch.resize(std::max(worker.scratch.size(), set.size()));
    set.resize(kernels::sort_unique_hashes(set.data(), set.size(), worker.scratch.data()));
    return worker.reader->key();
  }

  const Inputs& inputs_;
  const Settings& settings_;
  ThreadPool& pool_;
  std::vector<Worker> workers_;
  std::vector<std::vector<std::uint64_t>> made_;
  std::vector<std::optional<std::uint64_t>> keys_;
};

// rows * part / whole, for parts of a sample.
std::uint64_t share_of(std::uint64_t rows, std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0
             ? 0
             : static_cast<std::uint64_t>(static_cast<double>(rows) * static_cast<double>(part) /
                                          static_cast<double>(whole));
}

// Number of all rows: known, or estimated from the rows per byte so far.
CollectionFacts facts_of(const Draw& draw, const Inputs& inputs) {
  CollectionFacts facts{
      .rows = draw.seen_rows, .other_rows = draw.seen_others, .whole = draw.whole};
  facts.few = draw.whole && draw.seen_rows <= kFewRows && draw.seen_bytes <= kFewBytes;
  if (draw.whole) return facts;
  double bytes = 0;
  double others = 0;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto size = static_cast<double>(inputs.files[i].likely_size());
    bytes += size;
    others += i < inputs.first_own_file ? size : 0;
  }
  const double rows =
      bytes * static_cast<double>(draw.seen_rows) / static_cast<double>(draw.seen_bytes);
  facts.rows = static_cast<std::uint64_t>(rows);
  facts.other_rows = static_cast<std::uint64_t>(rows * others / bytes);
  return facts;
}

}  // namespace

void check_plan(const SavedPlan& saved, const std::string& name, const Options& options,
                const Settings& settings) {
  const auto expect = [&](const char* what, std::string_view in_plan, std::string_view asked) {
    if (in_plan == asked) return;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: was made for {} {}, this run has {}", name, what, in_plan, asked));
  };
  if (saved.hashed) expect("kind", kind_name(saved.kind), kind_name(options.kind));
  expect("measure", saved.measure, options.measure);
  ShingleRecipe whole = settings.shingle;
  whole.common = nullptr;  // a plan counts on no shingle being left out
  expect("shingle", saved.shingle, shingle_name(whole));
  expect("tokens", saved.tokens, options.tokens);
  expect("sketch", saved.sketch, options.sketch);
  expect("threshold", bound_text(saved.threshold), bound_text(settings.threshold));
  expect("seed", std::to_string(saved.seed), std::to_string(settings.seed));
}

SampleFacts draw_sample(const Inputs& inputs, const Settings& settings) {
  const Draw draw = draw_rows(inputs, settings.seed, kMostRows);
  const std::vector<SampledRow> rows = rows_of_draw(draw, 0, rows_to_draw(draw.seen_rows));
  SampledRowReader reader(inputs, settings);
  CopySample copies;
  SampleSketcher sketcher(settings, copies);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto shingles = reader.read(rows[i]);
    if (const auto key = reader.key()) sketcher.add(shingles, *key, part_of(i, rows.size()));
  }
  return sketcher.facts(share_of(draw.seen_rows, copies.rows(), rows.size()));
}

class RowSample::State {
 public:
  State(const Inputs& inputs, const Settings& settings)
      : inputs_(inputs),
        settings_(settings),
        draw_(draw_rows(inputs, settings.seed, kMostJoined)) {}

  [[nodiscard]] Sample sketch() {
    const std::vector<SampledRow> rows = rows_of_draw(draw_, 0, rows_to_draw(draw_.seen_rows));
    SampledRowReader reader(inputs_, settings_);
    SampleSketcher sketcher(settings_, copies_);
    DistinctCounter counter;
    std::uint64_t elements = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto shingles = reader.read(rows[i]);
      const std::uint64_t count = counter.count(shingles);
      elements += count;
      if (!reader.key() || !sketcher.add(shingles, *reader.key(), part_of(i, rows.size())))
        continue;
      ++distinct_.rows;
      distinct_.elements += count;
    }
    sketched_ = rows.size();
    read_texts_ = copies_.rows();
    Sample sample{sketcher.facts(texts_of(draw_.seen_rows)), facts_of(draw_, inputs_)};
    sample.collection.elements =
        sample.collection.rows * elements / std::max<std::size_t>(1, sketched_);
    count_copies(sample.collection);
    return sample;
  }

  // Adds the rows of the larger collection to facts.partners; false if none was sampled.
  [[nodiscard]] bool look_up(const PartnerElements& elements, ScannedRows larger,
                             CollectionFacts& facts) const {
    std::vector<SampledRow> rows = rows_of_draw(draw_, 0, kMostLookedUp);
    std::erase_if(rows, [&](const SampledRow& row) {
      return (row.file >= inputs_.first_own_file) != (larger == ScannedRows::own);
    });
    if (rows.empty()) return false;
    SampledRowReader reader(inputs_, settings_);
    std::uint64_t kept_rows = 0;
    std::uint64_t kept_elements = 0;
    std::vector<std::uint64_t> set;
    std::vector<std::uint64_t> scratch;
    for (const SampledRow& row : rows) {
      const auto shingles = reader.read(row);
      set.assign(shingles.begin(), shingles.end());
      scratch.resize(std::max(scratch.size(), set.size()));
      set.resize(kernels::sort_unique_hashes(set.data(), set.size(), scratch.data()));
      if (set.empty() || !elements.may_be_similar(set)) continue;
      ++kept_rows;
      kept_elements += set.size();
    }
    const std::uint64_t all =
        larger == ScannedRows::own ? facts.rows - facts.other_rows : facts.other_rows;
    facts.partners->rows += all * kept_rows / rows.size();
    facts.partners->elements += all * kept_elements / rows.size();
    return true;
  }

  void join(ThreadPool& pool, CollectionFacts& facts) {
    const std::size_t joined = rows_to_join(facts.rows, facts.other_rows, sketched_);
    const std::size_t first = std::min(joined, sketched_);
    DistinctSets distinct;
    {
      SetMaker maker(inputs_, settings_, pool);
      maker.add(rows_of_draw(draw_, 0, first), distinct, nullptr);
      maker.add(rows_of_draw(draw_, first, joined - first), distinct, &copies_);
    }
    count_copies(facts);
    facts.joined_rows = distinct.sets().size();
    const PrefixJoin join{settings_.measure, settings_.threshold};
    prefix_join(
        order_tokens(distinct.sets(), pool), join, pool, [](std::span<const VerifiedPair>) {},
        [](std::size_t) {}, facts.joined);
  }

 private:
  // Number of rows with shingles among so many rows.
  [[nodiscard]] std::uint64_t texts_of(std::uint64_t rows) const noexcept {
    return share_of(rows, read_texts_, sketched_);
  }

  // Estimates how many of all rows are copies, and the elements of their sets.
  void count_copies(CollectionFacts& facts) const {
    const std::uint64_t texts = texts_of(facts.rows);
    const std::uint64_t distinct = copies_.distinct_among(texts, texts_of(draw_.seen_rows));
    facts.copied_rows = texts - distinct;
    facts.copied_elements =
        facts.copied_rows == 0
            ? 0
            : facts.elements -
                  std::min(facts.elements, share_of(distinct, distinct_.elements, distinct_.rows));
  }

  struct Distinct {
    std::uint64_t rows = 0;
    std::uint64_t elements = 0;
  };

  const Inputs& inputs_;
  const Settings& settings_;
  Draw draw_;
  std::size_t sketched_ = 0;
  std::uint64_t read_texts_ = 0;  // sketched rows with shingles
  Distinct distinct_;             // the sketched rows, each text once
  CopySample copies_;
};

RowSample::RowSample(const Inputs& inputs, const Settings& settings)
    : state_(std::make_unique<State>(inputs, settings)), sample_(state_->sketch()) {}

RowSample::~RowSample() = default;

void RowSample::look_up(const PartnerElements& elements, ScannedRows larger,
                        const RowsWithPartners& of_smaller) {
  sample_.collection.partners = of_smaller;
  if (!state_->look_up(elements, larger, sample_.collection)) sample_.collection.partners.reset();
}

void RowSample::join(ThreadPool& pool) { state_->join(pool, sample_.collection); }

BandingPlan banding_for(const Options& options, const Settings& settings, const Inputs& inputs,
                        const std::atomic<bool>* cancel) {
  if (const Sketches* sketches = deciding_sketches(options)) {
    const SavedPlan& saved = sketches->plan();
    check_plan(saved, sketches->paths().front(), options, settings);
    return saved.banding;
  }
  if (!options.plan.empty()) {
    const SavedPlan saved = load_plan(options.plan, cancel);
    check_plan(saved, options.plan, options, settings);
    return saved.banding;
  }
  if (settings.fixed_bands > 0) {
    return fixed_banding(settings.fixed_bands, settings.fixed_rows, settings.threshold,
                         settings.recall);
  }
  return choose_banding(settings.threshold, settings.recall, draw_sample(inputs, settings));
}

}  // namespace sosie
