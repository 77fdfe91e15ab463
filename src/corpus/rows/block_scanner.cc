// Scans one block of an input: rows, ids, shingle sets, signatures and hashes.
#include "corpus/rows/block_scanner.h"

#include <xxhash.h>

#include <algorithm>

#include "candidates/partner_elements.h"
#include "corpus/ill_formed.h"
#include "corpus/rank_rows.h"
#include "kernels/intersection_size.h"
#include "sketch/band_keys.h"

namespace sosie {

FieldRequest fields_of_scan(const Inputs& inputs, const Settings& settings) {
  FieldRequest fields = inputs.fields;
  if (!settings.ranks_by_length()) fields.form = settings.shingle.text_form();
  return fields;
}

void check_length(const Inputs& inputs, const RowLocator& row) {
  if (row.length <= inputs.row_limit.bytes()) return;
  refuse_long_row(inputs.row_limit, place_of_row(inputs, row), row.length);
}

BlockScanner::BlockScanner(const Inputs& inputs, const Settings& settings,
                           const ScanRequest& request)
    : inputs_(inputs),
      settings_(settings),
      request_(request),
      shingler_(settings.shingle),
      wants_length_(settings.ranks_by_length()),
      parsers_(inputs, fields_of_scan(inputs, settings)) {
  if (request.banding) {
    hasher_.emplace(request.banding->components, settings.seed, settings.sketch);
    signature_.resize(static_cast<std::size_t>(request.banding->components));
    keys_.resize(static_cast<std::size_t>(request.banding->bands));
  }
}

void BlockScanner::scan(const BlockRange& range, ScannedBlock& out) {
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

void BlockScanner::scan_row(std::uint32_t file, const RowView& row, ScannedBlock& out) {
  const RowLocator locator{row.offset, row.length, file};
  check_length(inputs_, locator);
  RowState state = RowState::normal;
  try {
    parsers_.parse(file, row.bytes, record_);
    if (const TableColumns* table = inputs_.table_of(file)) table->fill(row.number, record_);
    ranks_ = rank_values_of(record_, inputs_.fields.others);
  } catch (const RowError& error) {
    const BadRow bad{locator, row.offset + error.offset(), error.what()};
    if (settings_.bad_rows == BadRows::stop) throw BadRow(bad);
    out.bad_rows.push_back(bad);
    state = settings_.bad_rows == BadRows::skip ? RowState::skipped : RowState::unmatched;
    forget_record();
  }
  bool bad = state != RowState::normal;
  if (!bad) {
    shingler_.read_set(record_.text);
    if (shingler_.shingles().empty()) state = RowState::empty;
    if (!shingler_.is_well_formed()) bad = take_ill_formed(locator, row, out);
    if (bad) state = RowState::skipped;
  }
  out.locators.push_back(locator);
  out.states.push_back(state);
  append_values(file, bad, out);
  sketch(state, file, out);
}

void BlockScanner::forget_record() {
  record_.text = record_.id = {};
  ranks_.assign(inputs_.fields.others.size(), RankValue{});
}

// Lists a row whose text is not in its encoding. Returns true if the row is to be left out.
bool BlockScanner::take_ill_formed(const RowLocator& locator, const RowView& row,
                                   ScannedBlock& out) {
  const auto place = find_ill_formed_place(row.bytes, inputs_.encoding_of(locator.file));
  if (!place) return false;
  out.bad_rows.push_back({locator, row.offset + place->offset, place->reason});
  if (settings_.bad_rows != BadRows::skip) return false;
  forget_record();
  return true;
}

void BlockScanner::append_values(std::uint32_t file, bool bad, ScannedBlock& out) {
  if (!inputs_.numbers_rows_of(file)) {
    out.id_hashes.push_back(bad ? 0 : XXH3_64bits(record_.id.data(), record_.id.size()));
  }
  if (wants_length_) out.text_bytes.push_back(static_cast<std::uint32_t>(record_.text.size()));
  out.rank_values.insert(out.rank_values.end(), ranks_.begin(), ranks_.end());
}

void BlockScanner::sketch(RowState state, std::uint32_t file, ScannedBlock& out) {
  const bool normal = state == RowState::normal;
  out.text_hashes.push_back(normal ? shingler_.text_hash() : Hash128{});
  if (normal || state == RowState::empty) out.words += shingler_.token_count();
  if (normal) {
    out.short_rows += shingler_.token_count() < request_.short_below ? 1U : 0U;
  }
  if (request_.keep_sets) keep_set(normal, file, out.sets);
  if (!hasher_) return;
  const std::size_t k = signature_.size();
  out.filters.resize(out.filters.size() + k);
  if (normal) {
    hasher_->sketch(shingler_.shingles(), signature_);
    band_keys(signature_, request_.banding->rows, keys_);
    filter_signature(signature_, std::span(out.filters).last(k));
  } else {
    std::fill(keys_.begin(), keys_.end(), 0);
  }
  row_keys_.insert(row_keys_.end(), keys_.begin(), keys_.end());
}

// Sets that are similar to nothing in a small collection are not even sorted.
void BlockScanner::keep_set(bool normal, std::uint32_t file, HashedSets& sets) {
  const bool is_own = file >= inputs_.first_own_file;
  const bool is_asked = is_own == (request_.with_partners == ScannedRows::own);
  const PartnerElements* const partners = is_asked ? request_.partners : nullptr;
  const auto shingles = shingler_.shingles();
  if (normal && (partners == nullptr || partners->holds_any(shingles))) {
    hashes_.assign(shingles.begin(), shingles.end());
    scratch_.resize(std::max(scratch_.size(), hashes_.size()));
    hashes_.resize(kernels::sort_unique_hashes(hashes_.data(), hashes_.size(), scratch_.data()));
    if (partners == nullptr || partners->may_be_similar(hashes_)) {
      sets.hashes.insert(sets.hashes.end(), hashes_.begin(), hashes_.end());
    }
  }
  sets.starts.push_back(sets.hashes.size());
}

void BlockScanner::transpose_keys(ScannedBlock& out) {
  const std::size_t bands = keys_.size();
  const std::size_t rows = out.rows();
  out.band_keys.resize(bands * rows);
  for (std::size_t row = 0; row < rows && bands > 0; ++row) {
    for (std::size_t band = 0; band < bands; ++band) {
      out.band_keys[band * rows + row] = row_keys_[row * bands + band];
    }
  }
}

BlockFacts block_facts(const ScannedBlock& block) {
  BlockFacts facts{.rows = static_cast<std::uint32_t>(block.rows()),
                   .blank_lines = block.blank_lines,
                   .words = block.words,
                   .short_rows = block.short_rows,
                   .number_like = number_like_text(block.rank_values)};
  for (const RowState state : block.states) {
    facts.empty += state == RowState::empty ? 1U : 0U;
    facts.skipped += state == RowState::skipped ? 1U : 0U;
    facts.unmatched += state == RowState::unmatched ? 1U : 0U;
  }
  for (const BadRow& bad : block.bad_rows) facts.ill_formed += is_ill_formed(bad) ? 1U : 0U;
  for (const RowLocator& row : block.locators) facts.row_bytes += row.length;
  return facts;
}

std::uint64_t memory_of(const ScannedBlock& block) {
  const auto bytes = [](const auto& column) { return column.capacity() * sizeof(column[0]); };
  std::uint64_t sum = bytes(block.locators) + bytes(block.states) + bytes(block.text_hashes) +
                      bytes(block.id_hashes) + bytes(block.band_keys) + bytes(block.filters) +
                      bytes(block.text_bytes) + bytes(block.rank_values) + bytes(block.bad_rows) +
                      bytes(block.sets.hashes) + bytes(block.sets.starts);
  for (const RankValue& value : block.rank_values) sum += value.text.capacity();
  for (const BadRow& bad : block.bad_rows) sum += bad.reason.capacity();
  return sum;
}

}  // namespace sosie
