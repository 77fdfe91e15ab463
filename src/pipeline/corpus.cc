#include "pipeline/corpus.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/memory_budget.h"
#include "core/nearest_name.h"
#include "pipeline/identical.h"
#include "pipeline/row_parsers.h"
#include "pipeline/spilled_rows.h"
#include "represent/text_shingles.h"
#include "sketch/band_keys.h"
#include "sketch/minhash.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

bool asks_for_length(const Settings& settings) {
  return std::any_of(settings.keep.begin(), settings.keep.end(), [](const KeepRule& rule) {
    return rule.by == KeepRule::By::longest || rule.by == KeepRule::By::shortest;
  });
}

// Adds up bytes read and tells the caller of the run now and then.
class ByteProgress {
 public:
  ByteProgress(const RunHooks& hooks, std::uint64_t total) : hooks_(hooks), total_(total) {}

  void add(std::uint64_t bytes) {
    const std::uint64_t done = done_ += bytes;
    if (!hooks_.on_progress) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) hooks_.on_progress({"reading", done, total_});
  }

 private:
  const RunHooks& hooks_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
};

// One worker's tools for the way from bytes to signatures.
class BlockScanner {
 public:
  BlockScanner(const Inputs& inputs, const Settings& settings, const ScanRequest& request)
      : inputs_(inputs),
        settings_(settings),
        request_(request),
        shingler_(settings.shingle),
        longest_row_(MemoryBudget{settings.memory_bytes}.longest_row(settings.threads)),
        wants_length_(asks_for_length(settings)),
        parsers_(inputs, fields_of_scan(inputs, settings)) {
    if (request.banding) {
      hasher_.emplace(request.banding->components, settings.seed, settings.sketch);
      signature_.resize(static_cast<std::size_t>(request.banding->components));
      keys_.resize(static_cast<std::size_t>(request.banding->bands));
    }
  }

  void scan(const BlockRange& range, ScannedBlock& out) {
    reader_.open(inputs_.files[range.file], range);
    const Format& format = *inputs_.list[range.file].format;
    row_keys_.clear();
    for (RowView row; reader_.next(row);) {
      ++out.lines;
      if (format.is_blank != nullptr && format.is_blank(row.bytes)) {
        ++out.blank_lines;
        continue;
      }
      scan_row(range.file, row, out);
    }
    transpose_keys(out);
  }

 private:
  void scan_row(std::uint32_t file, const RowView& row, ScannedBlock& out) {
    const RowLocator locator{row.offset, row.length, file};
    if (row.length > longest_row_) refuse_long(locator);
    RowState state = RowState::normal;
    try {
      parsers_.parse(file, row.bytes, record_);
    } catch (const RowError& error) {
      const BadRow bad{locator, row.offset + error.offset(), error.what()};
      if (settings_.bad_rows == BadRows::stop) throw BadRow(bad);
      out.bad_rows.push_back(bad);
      state = settings_.bad_rows == BadRows::skip ? RowState::skipped : RowState::unmatched;
      record_.text = record_.id = {};
      record_.others.assign(inputs_.fields.others.size(), FieldValue{});
    }
    const bool bad = state != RowState::normal;
    if (!bad) {
      shingler_.read(record_.text);
      if (shingler_.shingles().empty()) state = RowState::empty;
    }
    out.locators.push_back(locator);
    out.states.push_back(state);
    append_values(file, bad, out);
    sketch(state, out);
  }

  [[noreturn]] void refuse_long(const RowLocator& row) const {
    const std::uint64_t enough =
        row.length * MemoryBudget::kFormsOfRow * settings_.threads / kMebibyte + 1;
    throw Error(
        ErrorKind::limit_exceeded,
        fmt::format("{}: row of {} bytes is too large for --memory {}M", place_of_row(inputs_, row),
                    row.length, settings_.memory_bytes / kMebibyte),
        fmt::format("--memory {}M is enough for it; so are fewer --threads, perhaps", enough));
  }

  void append_values(std::uint32_t file, bool bad, ScannedBlock& out) {
    if (!inputs_.numbers_rows_of(file)) {
      out.id_hashes.push_back(bad ? 0 : XXH3_64bits(record_.id.data(), record_.id.size()));
    }
    if (wants_length_) out.text_bytes.push_back(static_cast<std::uint32_t>(record_.text.size()));
    for (std::size_t i = 0; i < inputs_.fields.others.size(); ++i) {
      const FieldValue& value = record_.others[i];
      RankValue rank;
      if (value.kind == FieldValue::Kind::number) {
        rank = {RankValue::Kind::number, value.number, {}};
      } else if (value.kind == FieldValue::Kind::text) {
        rank = {RankValue::Kind::text, 0, std::string(value.text)};
      }
      out.rank_values.push_back(std::move(rank));
    }
  }

  void sketch(RowState state, ScannedBlock& out) {
    const bool normal = state == RowState::normal;
    out.text_hashes.push_back(normal ? shingler_.text_hash() : Hash128{});
    if (normal || state == RowState::empty) out.words += shingler_.token_count();
    if (normal) {
      out.short_rows += shingler_.token_count() < request_.short_below ? 1U : 0U;
    }
    if (!hasher_) return;
    const std::size_t k = signature_.size();
    out.filters.resize(out.filters.size() + k);
    if (normal) {
      hasher_->sketch(shingler_.shingles(), signature_);
      band_keys(signature_, request_.banding->rows, keys_);
      filter_signature(signature_, std::span(out.filters).last(k));
    }
    row_keys_.insert(row_keys_.end(), keys_.begin(), keys_.end());
  }

  // Grouping reads one band of all rows at a time.
  void transpose_keys(ScannedBlock& out) {
    const std::size_t bands = keys_.size();
    const std::size_t rows = out.rows();
    out.band_keys.resize(bands * rows);
    for (std::size_t row = 0; row < rows && bands > 0; ++row) {
      for (std::size_t band = 0; band < bands; ++band) {
        out.band_keys[band * rows + row] = row_keys_[row * bands + band];
      }
    }
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const ScanRequest& request_;
  TextShingler shingler_;
  std::uint64_t longest_row_;
  std::optional<MinHasher> hasher_;
  bool wants_length_;
  BlockReader reader_;
  RowParsers parsers_;
  Record record_;
  std::vector<std::uint32_t> signature_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> row_keys_;
};

// The field that a reason such as "field 'txt' is missing" is about; empty: about none.
std::string_view field_in(std::string_view reason) {
  constexpr std::string_view kBegin = "field '";
  if (!reason.starts_with(kBegin)) return {};
  reason.remove_prefix(kBegin.size());
  return reason.substr(0, reason.find('\''));
}

std::string field_hint(const Inputs& inputs, const RowLocator& locator, std::string_view field) {
  if (inputs.list[locator.file].format->has_header) return {};
  std::string bytes(locator.length, '\0');
  inputs.files[locator.file].read_at(locator.offset, bytes.data(), bytes.size());
  const auto names = inputs.list[locator.file].format->field_names(bytes);
  if (names.empty()) return {};
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view nearest = nearest_name(field, views);
  return fmt::format(
      "{}the fields there are: {}; --column FIELD names the text, --id FIELD the id",
      nearest.empty() || nearest == field ? "" : fmt::format("did you mean '{}'? ", nearest),
      fmt::join(names, ", "));
}

[[noreturn]] void report(const Inputs& inputs, const BadRow& bad) {
  const std::string_view field = field_in(bad.reason);
  throw Error(
      ErrorKind::malformed_input,
      fmt::format("{}: {}", place_of_row(inputs, {bad.trouble, 0, bad.row.file}), bad.reason),
      !field.empty() ? field_hint(inputs, bad.row, field)
                     : "--on-bad-row skip leaves such rows out, keep passes them through");
}

BlockFacts facts_of(const ScannedBlock& block) {
  BlockFacts facts{.rows = static_cast<std::uint32_t>(block.rows()),
                   .blank_lines = block.blank_lines,
                   .words = block.words,
                   .short_rows = block.short_rows};
  for (const RowState state : block.states) {
    facts.empty += state == RowState::empty ? 1U : 0U;
    facts.skipped += state == RowState::skipped ? 1U : 0U;
    facts.unmatched += state == RowState::unmatched ? 1U : 0U;
  }
  for (const RowLocator& row : block.locators) facts.row_bytes += row.length;
  return facts;
}

std::uint64_t memory_of(const ScannedBlock& block) {
  const auto bytes = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
  std::uint64_t sum = bytes(block.locators) + bytes(block.states) + bytes(block.text_hashes) +
                      bytes(block.id_hashes) + bytes(block.band_keys) + bytes(block.filters) +
                      bytes(block.text_bytes) + bytes(block.rank_values) + bytes(block.bad_rows);
  for (const RankValue& value : block.rank_values) sum += value.text.capacity();
  for (const BadRow& bad : block.bad_rows) sum += bad.reason.capacity();
  return sum;
}

// Scans blocks window by window: what a window leaves behind stays in memory until all is too much;
// from then on it goes to scratch.
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
        progress_(hooks, total_bytes(inputs)),
        workers_(pool.size()) {}

  Corpus run() {
    std::vector<RowSource> sources;
    for (std::uint32_t i = 0; i < inputs_.list.size(); ++i) sources.push_back(inputs_.source(i));
    corpus_.ranges = cut_into_blocks(sources, budget_.block_bytes(pool_.size()), pool_);
    corpus_.facts.resize(corpus_.ranges.size());
    corpus_.blocks.resize(corpus_.ranges.size());
    const std::size_t blocks = corpus_.ranges.size();
    try {
      for (std::size_t begin = 0; begin < blocks;) {
        const std::size_t end = std::min(blocks, begin + next_window(begin));
        scan_window(begin, end);
        begin = end;
      }
    } catch (const BadRow& bad) {
      forget_rows_from(bad);
      finish_window(blocks);
      finish();
      check_unique_ids(inputs_, corpus_);  // an earlier row's fault comes first
      report(inputs_, bad);
    }
    finish();
    return std::move(corpus_);
  }

 private:
  static std::uint64_t total_bytes(const Inputs& inputs) {
    std::uint64_t total = 0;
    for (const File& file : inputs.files) total += file.size();
    return total;
  }

  // How many blocks may be scanned before memory is looked at again: from what the blocks so far
  // have left behind, and carefully at first.
  [[nodiscard]] std::size_t next_window(std::size_t done) const {
    const std::size_t least = 2 * std::size_t{pool_.size()};
    if (done == 0) return least;
    const std::uint64_t of_block = all_bytes_ / done + 1;
    return std::clamp<std::size_t>(budget_.window() / of_block, least, 3 * done);
  }

  void scan_window(std::size_t begin, std::size_t end) {
    window_begin_ = begin;
    pool_.for_each(end - begin, [&](unsigned worker, std::size_t i) {
      auto& scanner = workers_[worker];
      if (!scanner) scanner = std::make_unique<BlockScanner>(inputs_, settings_, request_);
      const BlockRange& range = corpus_.ranges[begin + i];
      scanner->scan(range, corpus_.blocks[begin + i]);
      progress_.add(range.end - range.begin);
    });
    finish_window(end);
  }

  // Numbers the rows of the window that ends at `end`, and makes room for the next one.
  void finish_window(std::size_t end) {
    for (std::size_t i = window_begin_; i < end; ++i) {
      ScannedBlock& block = corpus_.blocks[i];
      block.first_row = corpus_.rows;
      corpus_.facts[i] = facts_of(block);
      corpus_.facts[i].first_row = block.first_row;
      kept_bytes_ += memory_of(block);
      all_bytes_ += memory_of(block);
      if (block.rows() >= kNoRow - corpus_.rows) {
        throw Error(ErrorKind::limit_exceeded, "more than 4,294,967,294 rows in one run");
      }
      corpus_.rows += static_cast<RowId>(block.rows());
      if (corpus_.ranges[i].file < inputs_.first_own_file) corpus_.first_own_row = corpus_.rows;
    }
    const bool too_much = kept_bytes_ > budget_.kept_by_scan() && corpus_.rows > kFewRows;
    const bool can_spill = request_.may_spill && request_.banding;
    if (!corpus_.spilled && too_much && can_spill) {
      corpus_.spilled =
          std::make_shared<SpilledRows>(scratch_, inputs_, settings_, *request_.banding);
      window_begin_ = 0;
    }
    if (corpus_.spilled) {
      const auto window = std::span(corpus_.blocks).subspan(window_begin_, end - window_begin_);
      corpus_.spilled->add(window, pool_);
      for (ScannedBlock& block : window) block = ScannedBlock{};
    }
    window_begin_ = end;
  }

  void finish() {
    workers_.clear();
    if (!corpus_.spilled) return;
    corpus_.spilled->finish();
    std::vector<ScannedBlock>().swap(corpus_.blocks);
  }

  // Leaves the rows before the bad one.
  void forget_rows_from(const BadRow& bad) {
    for (std::size_t i = window_begin_; i < corpus_.ranges.size(); ++i) {
      const BlockRange& range = corpus_.ranges[i];
      const bool behind =
          range.file != bad.row.file ? range.file > bad.row.file : range.begin > bad.row.offset;
      if (behind) corpus_.blocks[i] = ScannedBlock{};
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
  std::size_t window_begin_ = 0;  // the first block that is not numbered yet
  std::uint64_t kept_bytes_ = 0;  // of all blocks while they are in memory
  std::uint64_t all_bytes_ = 0;   // of all blocks
};

}  // namespace

FieldRequest fields_of_scan(const Inputs& inputs, const Settings& settings) {
  FieldRequest fields = inputs.fields;
  if (!asks_for_length(settings)) fields.form = settings.shingle.text_form();
  return fields;
}

const ScannedBlock& Corpus::block_of(RowId row) const noexcept {
  const auto after = std::upper_bound(
      blocks.begin(), blocks.end(), row,
      [](RowId value, const ScannedBlock& block) { return value < block.first_row; });
  // Blocks without rows share the first row of the next one: step back to the one that has it.
  auto found = after - 1;
  while (found->rows() == 0) --found;
  return *found;
}

RowLocator Corpus::locator(RowId row) const {
  if (spilled) return spilled->locator(row);
  const ScannedBlock& block = block_of(row);
  return block.locators[row - block.first_row];
}

RowState Corpus::state(RowId row) const {
  if (spilled) return spilled->state(row);
  const ScannedBlock& block = block_of(row);
  return block.states[row - block.first_row];
}

void Corpus::for_each_row(
    std::size_t block_number,
    const std::function<void(RowId, const RowLocator&, RowState)>& each) const {
  if (spilled) {
    spilled->for_each_row(facts[block_number].first_row, facts[block_number].rows, each);
    return;
  }
  const ScannedBlock& block = blocks[block_number];
  for (std::size_t i = 0; i < block.rows(); ++i) {
    each(block.first_row + static_cast<RowId>(i), block.locators[i], block.states[i]);
  }
}

void Corpus::for_each_bad_row(const std::function<void(const BadRow&)>& each) const {
  if (spilled) spilled->for_each_bad_row(each);
  for (const ScannedBlock& block : blocks) {
    for (const BadRow& bad : block.bad_rows) each(bad);
  }
}

Corpus scan(const Inputs& inputs, const Settings& settings, const ScanRequest& request,
            Scratch& scratch, ThreadPool& pool, const RunHooks& hooks) {
  return WindowedScan(inputs, settings, request, scratch, pool, hooks).run();
}

}  // namespace sosie
