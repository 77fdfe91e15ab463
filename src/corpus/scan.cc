// Reads all inputs once: rows, states, hashes, sketches.
#include "corpus/scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/memory_budget.h"
#include "core/most_rows.h"
#include "core/piece_sizes.h"
#include "corpus/bad_lines.h"
#include "corpus/bad_row.h"
#include "corpus/byte_progress.h"
#include "corpus/identical.h"
#include "corpus/ill_formed.h"
#include "corpus/rows/block_scanner.h"
#include "corpus/sketches.h"
#include "corpus/spill/spilled_rows.h"
#include "io/packed_file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Amount of data saved to a checkpoint or passed on at once; a crash can lose this much.
std::uint64_t leaves_at_once() noexcept { return piece_size(std::uint64_t{32} << 20); }

// Scans blocks window by window. The results of a window stay in memory until the total is too
// large; from then on, they go to scratch.
class WindowedScan {
 public:
  WindowedScan(const Inputs& inputs, const Settings& settings, const ScanRequest& request,
               Scratch& scratch, ThreadPool& pool, const RunHooks& hooks)
      : inputs_(inputs),
        settings_(settings),
        request_(request),
        scratch_(scratch),
        pool_(pool),
        budget_{settings.memory_bytes},
        progress_(hooks, "reading", total_bytes(inputs)),
        workers_(pool.size()) {}

  Corpus run() {
    const bool guesses =
        !outlives_run() && request_.sketches == nullptr && request_.against_sketches == nullptr;
    list_blocks(guesses ? FileEnds::likely : FileEnds::exact);
    make_places();
    if (request_.checkpoint != nullptr) request_.checkpoint->expect_blocks(corpus_.ranges.size());
    try {
      if (request_.steps.end) {
        scan_in_turn();
      } else {
        scan_windows(guesses);
      }
    } catch (const BadRow& bad) {
      if (!request_.steps.end) {
        forget_rows_from(bad);
        finish_window(corpus_.ranges.size());
        finish();
        check_unique_ids(inputs_, corpus_, pool_);  // an earlier row's fault comes first
      }
      throw_bad_row(inputs_, bad, kWaysRoundBadRows);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) save_scanned();
      throw;
    }
    finish();
    if (request_.checkpoint != nullptr) request_.checkpoint->flush();
    if (!ends_early()) check_encodings();
    return std::move(corpus_);
  }

 private:
  // Lists OTHER's blocks, then the run's own, each either sketched or to be scanned.
  void list_blocks(FileEnds ends) {
    if (request_.against_sketches != nullptr) {
      request_.against_sketches->append_blocks(0, corpus_.ranges);
      check_first_rows(0, 0, inputs_.first_own_file);
    }
    first_scanned_ = corpus_.ranges.size();
    const auto files = static_cast<std::uint32_t>(inputs_.list.size());
    const bool from_own = request_.against_sketches != nullptr || request_.rows == ScannedRows::own;
    const bool to_own = request_.sketches != nullptr || request_.rows == ScannedRows::of_against;
    const std::uint32_t begin = from_own ? inputs_.first_own_file : 0;
    const std::uint32_t end = to_own ? inputs_.first_own_file : files;
    std::vector<RowSource> sources;
    for (std::uint32_t i = begin; i < end; ++i) sources.push_back(inputs_.source(i));
    for (BlockRange range : cut_into_blocks(sources, block_bytes(), pool_, ends)) {
      range.file += begin;
      corpus_.ranges.push_back(range);
    }
    first_sketched_ = corpus_.ranges.size();
    if (request_.sketches == nullptr) return;
    request_.sketches->append_blocks(inputs_.first_own_file, corpus_.ranges);
    check_first_rows(first_sketched_, inputs_.first_own_file, files);
  }

  static std::uint64_t total_bytes(const Inputs& inputs) {
    std::uint64_t total = 0;
    for (const File& file : inputs.files) total += file.likely_size();
    return total;
  }

  // Small blocks yield little at a time, but a large number of them needs space itself.
  [[nodiscard]] std::uint64_t block_bytes() const {
    constexpr std::uint64_t kManyBlocks = std::uint64_t{1} << 16;
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 20;
    constexpr std::uint64_t kToBeTaken = std::uint64_t{128} << 10;
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 10;
    const std::uint64_t bytes =
        std::max(outlives_run() ? kToBeTaken : budget_.block_bytes(pool_.size()),
                 std::min(total_bytes(inputs_) / kManyBlocks, kLargest));
    return std::max(piece_size(bytes), kLeast);
  }

  [[nodiscard]] bool outlives_run() const noexcept {
    return request_.take_block || request_.steps.end || request_.checkpoint != nullptr;
  }

  void make_places() {
    corpus_.facts.resize(corpus_.ranges.size());
    corpus_.blocks.resize(corpus_.ranges.size());
    if (request_.column_hashes != nullptr) request_.column_hashes->resize(corpus_.ranges.size());
    was_known_.resize(corpus_.ranges.size());
    is_scanned_.resize(corpus_.ranges.size());
  }

  // Finishes the window begin .. end - 1, including compressed files that turned out larger than
  // expected: adds what follows the last block of such a file. Returns the next block.
  std::size_t finish_files(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t more = add_blocks_behind(i);
      if (more == 0) continue;
      finish_window(i + 1);
      for (std::size_t at = i + 1; at < i + 1 + more;) {
        const std::size_t stop = std::min(i + 1 + more, at + next_window(at));
        scan_window(at, stop);
        at = finish_window(stop);
      }
      i += more;
      end += more;
    }
    return finish_window(end);
  }

  // Adds the blocks after the last known one of a file, and returns their number.
  std::size_t add_blocks_behind(std::size_t last) {
    const BlockRange range = corpus_.ranges[last];
    const bool is_last =
        last + 1 == corpus_.ranges.size() || corpus_.ranges[last + 1].file != range.file;
    if (!is_last || range.row_ends != RowEnds::line) return 0;
    const std::uint64_t size = inputs_.files[range.file].size();
    std::vector<BlockRange> more;
    for (std::uint64_t begin = range.end; begin < size; begin += block_bytes()) {
      more.push_back(range);
      more.back().begin = begin;
      more.back().end = std::min(size, begin + block_bytes());
    }
    first_sketched_ += more.size();
    const auto behind = static_cast<std::ptrdiff_t>(last) + 1;
    corpus_.ranges.insert(corpus_.ranges.begin() + behind, more.begin(), more.end());
    corpus_.facts.insert(corpus_.facts.begin() + behind, more.size(), BlockFacts{});
    corpus_.blocks.resize(corpus_.blocks.size() + more.size());
    std::rotate(corpus_.blocks.begin() + behind,
                corpus_.blocks.end() - static_cast<std::ptrdiff_t>(more.size()),
                corpus_.blocks.end());
    make_places();
    return more.size();
  }

  // Number of blocks to scan before memory is checked again: based on the sizes of the blocks so
  // far, and small at first.
  [[nodiscard]] std::size_t next_window(std::size_t done) const {
    const std::size_t least = 2 * std::size_t{pool_.size()};
    if (done == 0) return least;
    const std::uint64_t of_block = all_bytes_ / done + 1;
    const std::uint64_t window =
        outlives_run() ? std::min(budget_.window(), leaves_at_once()) : budget_.window();
    return std::clamp<std::size_t>(window / of_block, least, 3 * done);
  }

  [[nodiscard]] bool ends_early() const noexcept {
    return corpus_.has_too_many_elements || corpus_.lacks_keys;
  }

  void scan_windows(bool guesses) {
    for (std::size_t begin = 0; begin < corpus_.ranges.size() && !ends_early();) {
      const std::size_t end = std::min(corpus_.ranges.size(), begin + next_window(begin));
      scan_window(begin, end);
      save_window(begin, end);
      begin = guesses ? finish_files(begin, end) : finish_window(end);
    }
  }

  void scan_window(std::size_t begin, std::size_t end) {
    window_begin_ = begin;
    pool_.for_each(end - begin,
                   [&](unsigned worker, std::size_t i) { scan_one(worker, begin + i); });
  }

  // Each block is scanned, numbered and consumed by one worker, and freed before the next one.
  void scan_in_turn() {
    const auto step = [this](const BlockSteps::Step& taken, unsigned worker, std::size_t i) {
      if (taken) taken(worker, i, corpus_.ranges[i], corpus_.blocks[i]);
    };
    pool_.for_each_in_turn(
        corpus_.ranges.size(),
        {.middle = [&](unsigned worker, std::size_t i) { scan_one(worker, i); },
         .turn = [&](unsigned /*worker*/, std::size_t i) { number_block(i); },
         .rest = [&](unsigned worker, std::size_t i) { step(request_.steps.take, worker, i); },
         .end =
             [&](unsigned worker, std::size_t i) {
               step(request_.steps.end, worker, i);
               corpus_.blocks[i] = ScannedBlock{};
             }});
  }

  void scan_one(unsigned worker, std::size_t i) {
    const BlockRange& range = corpus_.ranges[i];
    ScannedBlock& block = corpus_.blocks[i];
    if (i >= first_sketched_ || i < first_scanned_) {
      load_block(i, block);
    } else if (request_.checkpoint != nullptr && request_.checkpoint->load(i, range, block) &&
               has_columns_of_run(range.file, block)) {
      check_lengths(block);
      was_known_[i] = 1;
    } else {
      block = ScannedBlock{};
      scan_block(worker, range, block);
    }
    is_scanned_[i] = 1;
    progress_.add(range.end - range.begin);
  }

  void save_window(std::size_t begin, std::size_t end) {
    if (request_.checkpoint == nullptr) return;
    for (std::size_t i = begin; i < end; ++i) {
      saved_ = i + 1;
      if (was_known_[i] == 0) request_.checkpoint->save(i, corpus_.ranges[i], corpus_.blocks[i]);
    }
  }

  // Saves the finished part of an interrupted window: the blocks in a checkpoint are contiguous.
  void save_scanned() {
    std::size_t end = saved_;
    while (end < is_scanned_.size() && is_scanned_[end] != 0) ++end;
    save_window(saved_, end);
  }

  void scan_block(unsigned worker, const BlockRange& range, ScannedBlock& block) {
    auto& scanner = workers_[worker];
    if (!scanner) scanner = std::make_unique<BlockScanner>(inputs_, settings_, request_);
    scanner->scan(range, block);
  }

  // Checks that sketches begin with the first row of each file, after its header. `next`: the first
  // block of the files begin .. end - 1.
  void check_first_rows(std::size_t next, std::uint32_t begin_file, std::uint32_t end_file) const {
    for (std::uint32_t file = begin_file; file < end_file; ++file) {
      const bool has_rows = next < corpus_.ranges.size() && corpus_.ranges[next].file == file;
      const std::uint64_t end = inputs_.files[file].size();
      const std::uint64_t begin = has_rows ? corpus_.ranges[next].begin : end;
      if (begin != std::min(end, inputs_.source(file).begin)) {
        throw Error(ErrorKind::malformed_input,
                    inputs_.list[file].name + ": its sketches lack its first rows",
                    "recreate the sketches");
      }
      while (next < corpus_.ranges.size() && corpus_.ranges[next].file == file) ++next;
    }
  }

  void load_block(std::size_t number, ScannedBlock& block) const {
    const std::uint32_t file = corpus_.ranges[number].file;
    if (number < first_scanned_) {
      block = request_.against_sketches->read(number, file);
      forget_ranks(block);
    } else if (request_.column_hashes != nullptr) {
      const std::size_t own = number - first_sketched_;
      block = request_.sketches->read_keyless(own, file, (*request_.column_hashes)[own]);
    } else {
      block = request_.sketches->read(number - first_sketched_, file);
    }
    if (!has_columns_of_run(file, block)) {
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}: its sketches lack facts about its rows that this run needs",
                              inputs_.list[file].name),
                  "recreate the sketches");
    }
    check_lengths(block);
  }

  // OTHER's rows always rank before all others, whatever rules they were sketched for.
  void forget_ranks(ScannedBlock& block) const {
    block.text_bytes.assign(settings_.ranks_by_length() ? block.rows() : 0, 0);
    block.rank_values.assign(block.rows() * inputs_.fields.others.size(), RankValue{});
  }

  // True if the block has every field that the run requests; fields after its end could not be
  // read.
  [[nodiscard]] bool has_columns_of_run(std::uint32_t file, const ScannedBlock& block) const {
    const std::size_t rows = block.rows();
    const bool is_keyless = request_.column_hashes != nullptr && file >= inputs_.first_own_file;
    const auto banding = request_.banding.value_or(BandingPlan{.components = 0, .bands = 0});
    return block.id_hashes.size() == (inputs_.numbers_rows_of(file) ? 0 : rows) &&
           block.band_keys.size() ==
               (is_keyless ? 0 : rows * static_cast<std::size_t>(banding.bands)) &&
           block.filters.size() == rows * static_cast<std::size_t>(banding.components) &&
           block.text_bytes.size() == (settings_.ranks_by_length() ? rows : 0) &&
           block.rank_values.size() == rows * inputs_.fields.others.size();
  }

  // Less memory may be available than when the rows were read.
  void check_lengths(const ScannedBlock& block) const {
    for (const RowLocator& row : block.locators) check_length(inputs_, row);
  }

  // Numbers the rows of the window that ends at `end`, and makes space for the next one. Returns
  // the next block.
  std::size_t finish_window(std::size_t end) {
    for (std::size_t i = window_begin_; i < end; ++i) number_block(i);
    corpus_.has_too_many_elements =
        elements_ > request_.most_elements || (may_end_early() && corpus_.rows > most_rows());
    if (request_.keep_sets && request_.may_spill) spill_sets(end);
    const bool outgrows = request_.may_spill && has_too_many_rows();
    corpus_.lacks_keys = outgrows && request_.column_hashes != nullptr;
    if (!corpus_.spilled && outgrows && !corpus_.lacks_keys) {
      corpus_.spilled = std::make_shared<SpilledRows>(scratch_, inputs_, settings_,
                                                      request_.banding.value_or(kBandOfTextHashes));
      window_begin_ = 0;
    }
    if (corpus_.spilled) {
      const auto window = std::span(corpus_.blocks).subspan(window_begin_, end - window_begin_);
      corpus_.spilled->add(window, pool_);
      for (ScannedBlock& block : window) block = ScannedBlock{};
    }
    for (std::size_t i = window_begin_; request_.take_block && i < end; ++i) {
      request_.take_block(corpus_.blocks[i]);
      corpus_.blocks[i] = ScannedBlock{};
    }
    window_begin_ = end;
    return end;
  }

  void number_block(std::size_t i) {
    ScannedBlock& block = corpus_.blocks[i];
    block.first_row = corpus_.rows;
    corpus_.facts[i] = block_facts(block);
    corpus_.facts[i].first_row = block.first_row;
    corpus_.facts[i].bad_lines =
        lines_of_bad_rows(inputs_, block.bad_rows, settings_.bad_rows == BadRows::skip);
    if (corpus_.facts[i].ill_formed > 0) note_first_ill_formed(block);
    elements_ += block.sets.hashes.size();
    kept_bytes_ += memory_of(block);
    all_bytes_ += memory_of(block);
    corpus_.rows += block.rows();
    if (!may_be_any_number() && !may_end_early()) check_rows_of_run(corpus_.rows);
    if (corpus_.ranges[i].file < inputs_.first_own_file) corpus_.first_own_row = corpus_.rows;
  }

  void note_first_ill_formed(const ScannedBlock& block) {
    const auto bad = std::find_if(block.bad_rows.begin(), block.bad_rows.end(), is_ill_formed);
    auto& first = first_ill_formed_[bad->row.file >= inputs_.first_own_file ? 1 : 0];
    if (!first) first = *bad;
  }

  // True if there may be more rows than a RowId can distinguish, because they go to scratch or are
  // not kept.
  [[nodiscard]] bool may_be_any_number() const noexcept {
    const bool goes_to_scratch = request_.may_spill && request_.banding;
    return request_.any_number && (goes_to_scratch || request_.steps.end);
  }

  // True if another method takes over when there are too many elements.
  [[nodiscard]] bool may_end_early() const noexcept {
    return request_.most_elements != ScanRequest{}.most_elements;
  }

  // True if the rows do not fit in memory, even after their sets have been moved to scratch.
  [[nodiscard]] bool has_too_many_rows() const noexcept {
    if (corpus_.spilled_sets) return corpus_.rows > request_.most_rows;
    if (may_be_any_number() && corpus_.rows > most_rows()) return true;
    return request_.banding && kept_bytes_ > budget_.kept_by_scan() && corpus_.rows > kFewRows;
  }

  // Moves the sets of a window out of memory once the total is too large.
  void spill_sets(std::size_t end) {
    if (!corpus_.spilled_sets) {
      if (kept_bytes_ <= budget_.kept_by_scan()) return;
      corpus_.spilled_sets = std::make_shared<SpilledSets>(scratch_);
      window_begin_ = 0;
    }
    corpus_.spilled_sets->add(
        std::span(corpus_.blocks).subspan(window_begin_, end - window_begin_));
  }

  // Checks each collection once all of its rows are known, so that the result does not depend on
  // threads or memory.
  void check_encodings() const {
    for (const bool own : {false, true}) {
      IllFormedCount count;
      for (std::size_t i = 0; i < corpus_.facts.size(); ++i) {
        if ((corpus_.ranges[i].file >= inputs_.first_own_file) != own) continue;
        count.rows += corpus_.facts[i].rows;
        count.ill_formed += corpus_.facts[i].ill_formed;
      }
      const std::optional<BadRow>& bad = first_ill_formed_[own ? 1 : 0];
      if (bad) check_encoding(count, settings_, ill_formed_file(inputs_, *bad));
    }
  }

  // Rows of compressed files that are read again are kept in blocks of suitable size.
  void expect_rows() const {
    std::vector<std::array<std::uint64_t, 2>> of_file(inputs_.files.size());  // rows, bytes
    for (std::size_t i = 0; i < corpus_.ranges.size(); ++i) {
      const BlockRange& range = corpus_.ranges[i];
      of_file[range.file][0] += corpus_.facts[i].rows;
      of_file[range.file][1] += range.end - range.begin;
    }
    for (std::size_t file = 0; file < of_file.size(); ++file) {
      PackedFile* const packed = inputs_.files[file].packed();
      if (packed != nullptr) packed->expect_rows(of_file[file][0], of_file[file][1]);
    }
  }

  void finish() {
    workers_.clear();
    expect_rows();
    if (corpus_.spilled_sets) corpus_.spilled_sets->finish();
    if (!corpus_.spilled) return;
    corpus_.spilled->finish();
    std::vector<ScannedBlock>().swap(corpus_.blocks);
  }

  // Keeps only the rows before the bad row, whose block was not finished; it lacks keys, but they
  // will not be needed.
  void forget_rows_from(const BadRow& bad) {
    const int bands = request_.banding ? request_.banding->bands : 0;
    for (std::size_t i = window_begin_; i < corpus_.ranges.size(); ++i) {
      const BlockRange& range = corpus_.ranges[i];
      const bool behind =
          range.file != bad.row.file ? range.file > bad.row.file : range.begin > bad.row.offset;
      ScannedBlock& block = corpus_.blocks[i];
      if (behind) block = ScannedBlock{};
      block.band_keys.resize(block.rows() * static_cast<std::size_t>(bands));
    }
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const ScanRequest& request_;
  Scratch& scratch_;
  ThreadPool& pool_;
  MemoryBudget budget_;
  ByteProgress progress_;
  std::vector<std::unique_ptr<BlockScanner>> workers_;
  Corpus corpus_;
  std::vector<std::uint8_t> was_known_;   // by block, to the checkpoint
  std::vector<std::uint8_t> is_scanned_;  // by block
  std::size_t saved_ = 0;                 // blocks that the checkpoint has
  std::size_t first_scanned_ = 0;         // the blocks before it come from sketches of OTHER
  std::size_t first_sketched_ = 0;        // the first block that comes from sketches of own rows
  std::size_t window_begin_ = 0;          // the first block that is not numbered yet
  std::uint64_t kept_bytes_ = 0;          // bytes of all blocks while they are in memory
  std::uint64_t all_bytes_ = 0;           // bytes of all blocks
  std::uint64_t elements_ = 0;            // elements of the kept sets
  std::array<std::optional<BadRow>, 2> first_ill_formed_;  // first of OTHER's rows, first of the
                                                           // run's own
};

}  // namespace

Corpus scan(const Inputs& inputs, const Settings& settings, const ScanRequest& request,
            Scratch& scratch, ThreadPool& pool, const RunHooks& hooks) {
  return WindowedScan(inputs, settings, request, scratch, pool, hooks).run();
}

}  // namespace sosie
