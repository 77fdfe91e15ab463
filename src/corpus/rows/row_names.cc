// Reads the names and shown fields of many rows in file order, and finds rows by id, through hashes
// of ids in memory and the rows themselves.
#include "corpus/rows/row_names.h"

#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace sosie {
namespace {

bool was_read(RowState state) noexcept {
  return state == RowState::normal || state == RowState::empty;
}

std::uint64_t hash_of(std::string_view id) { return XXH3_64bits(id.data(), id.size()); }

// A number in the form that names a row: without leading characters.
std::optional<std::uint64_t> number_in(std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_padded = text.size() > 1 && text.front() == '0';
  const bool is_one = error == std::errc{} && end == text.data() + text.size() && !is_padded;
  return is_one ? std::optional(number) : std::nullopt;
}

}  // namespace

RowNames::RowNames(const Inputs& inputs, const Corpus& corpus, std::vector<std::string> show,
                   ThreadPool& pool)
    : corpus_(corpus), show_count_(show.size()), pool_(pool) {
  const FieldRequest fields{inputs.fields.column, inputs.fields.id, std::move(show)};
  for (unsigned i = 0; i < pool.size(); ++i) {
    readers_.push_back(std::make_unique<RowReader>(inputs, corpus, fields));
  }
}

RowNames::Entry RowNames::read(RowReader& reader, RowNumber row) const {
  Entry entry;
  if (!was_read(corpus_.state(row))) return entry;
  const bool numbered = reader.is_numbered(row);
  if (numbered) {
    RowName name = reader.name_of(row);
    entry.id = std::move(name.id);
    entry.id_is_integer = name.is_integer;
    if (show_count_ == 0) return entry;
  }
  const Record& record = reader.read(row);
  if (!numbered) {
    entry.id = record.id;
    entry.id_is_integer = record.id_is_integer;
  }
  for (const FieldValue& value : record.others) entry.shown.emplace_back(value.text);
  return entry;
}

std::vector<RowNames::Entry> RowNames::look_up(std::span<const RowNumber> rows) {
  constexpr std::size_t kShare = 256;
  std::vector<Entry> entries(rows.size());
  pool_.for_each((rows.size() + kShare - 1) / kShare, [&](unsigned worker, std::size_t share) {
    const std::size_t begin = share * kShare;
    for (std::size_t i = begin; i < std::min(rows.size(), begin + kShare); ++i) {
      const bool repeated = i > begin && rows[i] == rows[i - 1];
      entries[i] = repeated ? entries[i - 1] : read(*readers_[worker], rows[i]);
    }
  });
  return entries;
}

RowIds::RowIds(const Inputs& inputs, const Corpus& corpus, Of collection)
    : inputs_(inputs),
      corpus_(corpus),
      is_other_(collection == Of::other),
      begin_(is_other_ ? 0 : corpus.first_own_row),
      end_(is_other_ ? corpus.first_own_row : corpus.rows),
      are_numbered_(is_other_ ? inputs.against_id.empty() : inputs.ids_are_rows),
      reader_(inputs, corpus, inputs.fields) {
  if (const std::vector<std::string>* names = given_names()) {
    for (RowNumber i = 0; i < names->size(); ++i) {
      const RowNumber row = begin_ + i;
      if (was_read(corpus.state(row))) rows_.emplace_back(hash_of((*names)[i]), row);
    }
  }
  if (are_numbered_) {
    std::sort(rows_.begin(), rows_.end());
    return;
  }
  for (const ScannedBlock& block : corpus.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const RowNumber row = block.first_row + static_cast<RowNumber>(i);
      if (row < begin_ || row >= end_ || !was_read(block.state(i))) continue;
      rows_.emplace_back(block.id_hashes[i], row);
    }
  }
  std::sort(rows_.begin(), rows_.end());
}

const std::vector<std::string>* RowIds::given_names() const {
  const ItemIds* names = is_other_ ? inputs_.against_names : inputs_.own_names;
  const bool given = are_numbered_ && names != nullptr && !names->names.empty();
  return given ? &names->names : nullptr;
}

std::optional<RowNumber> RowIds::find(std::string_view id) {
  const std::vector<std::string>* names = given_names();
  if (are_numbered_ && names == nullptr) {
    return inputs_.rows_by_file ? find_in_file(id) : find_number(id);
  }
  if (corpus_.spilled && names == nullptr) return find_in_scratch(id);
  const std::pair<std::uint64_t, RowNumber> least{hash_of(id), 0};
  auto at = std::lower_bound(rows_.begin(), rows_.end(), least);
  for (; at != rows_.end() && at->first == least.first; ++at) {
    const RowNumber row = at->second;
    if (names != nullptr ? (*names)[corpus_.number_of(row)] == id : reader_.id_of(row) == id) {
      return row;
    }
  }
  return std::nullopt;
}

std::optional<RowNumber> RowIds::find_number(std::string_view id) const {
  const auto number = number_in(id);
  if (!number || *number >= end_ - begin_) return std::nullopt;
  const RowNumber row = begin_ + static_cast<RowNumber>(*number);
  return was_read(corpus_.state(row)) ? std::optional(row) : std::nullopt;
}

std::optional<RowNumber> RowIds::find_in_scratch(std::string_view id) {
  for (RowNumber row = begin_; row < end_; ++row) {
    if (was_read(corpus_.state(row)) && reader_.id_of(row) == id) return row;
  }
  return std::nullopt;
}

// "crawl/a.jsonl:17"
std::optional<RowNumber> RowIds::find_in_file(std::string_view id) const {
  const std::size_t colon = id.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto number = number_in(id.substr(colon + 1));
  const auto own = inputs_.list.begin() + inputs_.first_own_file;
  const auto begin = is_other_ ? inputs_.list.begin() : own;
  const auto end = is_other_ ? own : inputs_.list.end();
  const auto file = std::find_if(
      begin, end, [&](const InputFile& input) { return input.name == id.substr(0, colon); });
  if (!number || file == end) return std::nullopt;
  const auto row =
      FileRows(corpus_).row_of(static_cast<std::uint32_t>(file - inputs_.list.begin()), *number);
  return row && was_read(corpus_.state(*row)) ? row : std::nullopt;
}

}  // namespace sosie
