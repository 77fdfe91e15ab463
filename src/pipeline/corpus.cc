#include "pipeline/corpus.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "core/nearest_name.h"
#include "pipeline/identical.h"
#include "pipeline/row_parsers.h"
#include "represent/text_shingles.h"
#include "sketch/band_keys.h"
#include "sketch/minhash.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 20;

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
        wants_length_(asks_for_length(settings)),
        parsers_(inputs, fields_of_scan(inputs, settings)) {
    if (request.banding) {
      hasher_.emplace(request.banding->components, settings.seed, settings.sketch);
      signature_.resize(static_cast<std::size_t>(request.banding->components));
      keys_.resize(static_cast<std::size_t>(request.banding->bands));
    }
  }

  void scan(const BlockRange& range, ScannedBlock& out) {
    reader_.open(inputs_.source(range.file), range);
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
    RowState state = RowState::normal;
    try {
      parsers_.parse(file, row.bytes, record_);
      if (const TableColumns* table = inputs_.table_of(file)) table->fill(row.number, record_);
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

// Leaves the rows before the bad one.
void forget_rows_from(const BadRow& bad, Corpus& corpus) {
  for (std::size_t i = 0; i < corpus.ranges.size(); ++i) {
    const BlockRange& range = corpus.ranges[i];
    const bool behind =
        range.file != bad.row.file ? range.file > bad.row.file : range.begin > bad.row.offset;
    if (behind) corpus.blocks[i] = ScannedBlock{};
  }
}

[[noreturn]] void report(const Inputs& inputs, const BadRow& bad) {
  const std::string_view field = field_in(bad.reason);
  throw Error(
      ErrorKind::malformed_input,
      fmt::format("{}: {}", place_of_row(inputs, {bad.trouble, 0, bad.row.file}), bad.reason),
      !field.empty() ? field_hint(inputs, bad.row, field)
                     : "--on-bad-row skip leaves such rows out, keep passes them through");
}

// Gives the blocks their first rows.
void number_rows(const Inputs& inputs, Corpus& corpus) {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < corpus.blocks.size(); ++i) {
    ScannedBlock& block = corpus.blocks[i];
    block.first_row = static_cast<RowId>(rows);
    rows += block.rows();
    if (corpus.ranges[i].file < inputs.first_own_file) {
      corpus.first_own_row = static_cast<RowId>(rows);
    }
    if (rows >= kNoRow) {
      throw Error(ErrorKind::limit_exceeded, "more than 4,294,967,294 rows in one run");
    }
  }
  corpus.rows = static_cast<RowId>(rows);
}

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

const RowLocator& Corpus::locator(RowId row) const noexcept {
  const ScannedBlock& block = block_of(row);
  return block.locators[row - block.first_row];
}

RowState Corpus::state(RowId row) const noexcept {
  const ScannedBlock& block = block_of(row);
  return block.states[row - block.first_row];
}

Corpus scan(const Inputs& inputs, const Settings& settings, const ScanRequest& request,
            ThreadPool& pool, const RunHooks& hooks) {
  Corpus corpus;
  std::vector<RowSource> sources;
  for (std::uint32_t i = 0; i < inputs.list.size(); ++i) sources.push_back(inputs.source(i));
  corpus.ranges = cut_into_blocks(sources, kBlockBytes, pool);
  corpus.blocks.resize(corpus.ranges.size());
  std::uint64_t total = 0;
  for (const File& file : inputs.files) total += file.size();
  ByteProgress progress(hooks, total);
  std::vector<std::unique_ptr<BlockScanner>> workers(pool.size());
  try {
    pool.for_each(corpus.ranges.size(), [&](unsigned worker, std::size_t i) {
      if (!workers[worker]) {
        workers[worker] = std::make_unique<BlockScanner>(inputs, settings, request);
      }
      workers[worker]->scan(corpus.ranges[i], corpus.blocks[i]);
      progress.add(corpus.ranges[i].end - corpus.ranges[i].begin);
    });
  } catch (const BadRow& bad) {
    forget_rows_from(bad, corpus);
    number_rows(inputs, corpus);
    check_unique_ids(inputs, corpus);  // an earlier row's fault comes first
    report(inputs, bad);
  }
  number_rows(inputs, corpus);
  return corpus;
}

}  // namespace sosie
