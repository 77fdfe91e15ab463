// Columns and sets of a corpus in scratch: written block by block, sorted, and read by row.
#include "corpus/spill/spilled_rows.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sosie {
namespace {

constexpr int kStateShift = 30;  // fewer files than 2^30
constexpr std::uint32_t kFileMask = (std::uint32_t{1} << kStateShift) - 1;

// Plain values, stored consecutively in a file of bytes.
template <class T>
void append_value(RecordFile& bytes, const T& value) {
  bytes.append(&value, sizeof value);
}

void append_text(RecordFile& bytes, std::string_view text) {
  append_value(bytes, std::uint64_t{text.size()});
  bytes.append(text.data(), text.size());
}

// Writes a value to memory, or reads it from there, and moves the pointer behind it.
template <class T>
void put_value(char*& at, const T& value) {
  std::memcpy(at, &value, sizeof value);
  at += sizeof value;
}

template <class T>
T take_value(const char*& at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

// Reads the bytes back.
class ByteReader {
 public:
  ByteReader(const RecordFile& bytes, std::uint64_t at) : bytes_(bytes), at_(at) {}

  [[nodiscard]] bool at_end() const noexcept { return at_ == bytes_.size(); }
  template <class T>
  T value() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string text(value<std::uint64_t>(), '\0');
    read(text.data(), text.size());
    return text;
  }

 private:
  void read(void* out, std::size_t count) {
    bytes_.read(at_, count, out);
    at_ += count;
  }

  const RecordFile& bytes_;
  std::uint64_t at_;
};

}  // namespace

SpilledRows::SpilledRows(Scratch& scratch, const Inputs& inputs, const Settings& settings,
                         const BandingPlan& banding)
    : components_(static_cast<std::size_t>(banding.components)),
      rank_fields_(inputs.fields.others.size()),
      rows_(scratch, sizeof(StoredRow), kSmallPage),
      text_hashes_(scratch, sizeof(Hash128), kSmallPage),
      ids_(scratch, MemoryBudget{settings.memory_bytes}.sorts() /
                        (static_cast<std::size_t>(banding.bands) + 1)) {
  const std::size_t share =
      MemoryBudget{settings.memory_bytes}.sorts() / (static_cast<std::size_t>(banding.bands) + 1);
  for (int band = 0; band < banding.bands; ++band) {
    bands_.push_back(std::make_unique<ExternalSort<KeyedRow>>(scratch, share));
  }
  if (components_ > 0) {
    filters_ = std::make_unique<RecordFile>(scratch, components_, kSmallPage);
  }
  if (settings.ranks_by_length()) {
    text_bytes_ = std::make_unique<RecordFile>(scratch, sizeof(std::uint32_t), kSmallPage);
  }
  if (rank_fields_ > 0) {
    rank_offsets_ = std::make_unique<RecordFile>(scratch, sizeof(std::uint64_t), kSmallPage);
    rank_bytes_ = std::make_unique<RecordFile>(scratch, 1, kSmallPage);
  }
  bad_rows_ = std::make_unique<RecordFile>(scratch, 1, kSmallPage);
}

void SpilledRows::add(std::span<const ScannedBlock> blocks, ThreadPool& pool) {
  constexpr std::size_t kColumns = 6;
  pool.for_each(kColumns + bands_.size(), [&](unsigned, std::size_t task) {
    for (const ScannedBlock& block : blocks) {
      switch (task) {
        case 0:
          add_locators(block);
          break;
        case 1:
          if (filters_ && block.rows() > 0) filters_->append(block.filters.data(), block.rows());
          break;
        case 2:
          text_hashes_.append(block.text_hashes.data(), block.rows());
          break;
        case 3:
          add_values(block);
          break;
        case 4:
          add_bad_rows(block);
          break;
        case 5:
          add_ids(block);
          break;
        default:
          add_keys(block, task - kColumns);
      }
    }
  });
}

void SpilledRows::add_locators(const ScannedBlock& block) {
  for (std::size_t i = 0; i < block.rows(); ++i) {
    const RowLocator& row = block.locators[i];
    const auto state = static_cast<std::uint32_t>(block.states[i]);
    const StoredRow stored{row.offset, row.length, row.file | state << kStateShift};
    rows_.append(&stored, 1);
  }
}

void SpilledRows::add_values(const ScannedBlock& block) {
  if (text_bytes_) text_bytes_->append(block.text_bytes.data(), block.text_bytes.size());
  for (const RankValue& value : block.rank_values) {
    const std::uint64_t offset = write_value(value);
    rank_offsets_->append(&offset, 1);
  }
}

std::uint64_t SpilledRows::write_value(const RankValue& value) {
  const std::uint64_t offset = rank_bytes_->size();
  append_value(*rank_bytes_, value.kind);
  if (value.kind == RankValue::Kind::number) append_value(*rank_bytes_, value.number);
  if (value.kind != RankValue::Kind::missing) append_text(*rank_bytes_, value.text);
  return offset;
}

RankValue SpilledRows::read_value(std::uint64_t offset) const {
  ByteReader reader(*rank_bytes_, offset);
  RankValue value;
  value.kind = reader.value<RankValue::Kind>();
  if (value.kind == RankValue::Kind::number) value.number = reader.value<long double>();
  if (value.kind != RankValue::Kind::missing) value.text = reader.text();
  return value;
}

void SpilledRows::add_bad_rows(const ScannedBlock& block) {
  for (const BadRow& bad : block.bad_rows) {
    append_value(*bad_rows_, bad.row);
    append_value(*bad_rows_, bad.trouble);
    append_text(*bad_rows_, bad.reason);
  }
}

void SpilledRows::add_ids(const ScannedBlock& block) {
  for (std::size_t i = 0; i < block.id_hashes.size(); ++i) {
    const RowState state = block.states[i];
    if (state == RowState::skipped || state == RowState::unmatched) continue;
    ids_.add({block.id_hashes[i], block.first_row + i});
  }
}

void SpilledRows::add_keys(const ScannedBlock& block, std::size_t band) {
  const std::uint64_t* keys = block.band_keys.data() + band * block.rows();
  for (std::size_t i = 0; i < block.rows(); ++i) {
    if (block.states[i] != RowState::normal) continue;
    const std::uint64_t key = filters_ ? keys[i] : block.text_hashes[i].low;
    bands_[band]->add({key, block.first_row + i});
  }
}

void SpilledRows::finish() {
  for (RecordFile* file : {&rows_, filters_.get(), &text_hashes_, text_bytes_.get(),
                           rank_offsets_.get(), rank_bytes_.get(), bad_rows_.get()}) {
    if (file != nullptr) file->finish();
  }
}

RowLocator SpilledRows::locator(RowNumber row) const {
  StoredRow stored;
  rows_.read(row, 1, &stored);
  return {stored.offset, stored.length, stored.file_and_state & kFileMask};
}

RowState SpilledRows::state(RowNumber row) const {
  StoredRow stored;
  rows_.read(row, 1, &stored);
  return static_cast<RowState>(stored.file_and_state >> kStateShift);
}

void SpilledRows::for_each_row(
    RowNumber first, std::uint64_t count,
    const std::function<void(RowNumber, const RowLocator&, RowState)>& each) const {
  ColumnReader<StoredRow> rows(rows_);
  for (std::uint64_t row = first; row < first + count; ++row) {
    const StoredRow& stored = rows[row];
    each(row, {stored.offset, stored.length, stored.file_and_state & kFileMask},
         static_cast<RowState>(stored.file_and_state >> kStateShift));
  }
}

void SpilledRows::for_each_bad_row(const std::function<void(const BadRow&)>& each) const {
  for (ByteReader reader(*bad_rows_, 0); !reader.at_end();) {
    BadRow bad;
    bad.row = reader.value<RowLocator>();
    bad.trouble = reader.value<std::uint64_t>();
    bad.reason = reader.text();
    each(bad);
  }
}

ScannedBlock SpilledRows::load(std::span<const RowNumber> rows) const {
  ScannedBlock block;
  RecordReader reader(*this);
  std::vector<char> record(record_bytes());
  for (const RowNumber row : rows) {
    reader.read(row, record.data());
    append(record.data(), block);
  }
  return block;
}

std::size_t SpilledRows::record_bytes() const noexcept {
  return sizeof(StoredRow) + sizeof(Hash128) + (text_bytes_ ? sizeof(std::uint32_t) : 0) +
         rank_fields_ * sizeof(std::uint64_t) + components_;
}

void SpilledRows::append(const char* record, ScannedBlock& block) const {
  const auto stored = take_value<StoredRow>(record);
  block.locators.push_back({stored.offset, stored.length, stored.file_and_state & kFileMask});
  block.states.push_back(static_cast<RowState>(stored.file_and_state >> kStateShift));
  block.text_hashes.push_back(take_value<Hash128>(record));
  if (text_bytes_) block.text_bytes.push_back(take_value<std::uint32_t>(record));
  for (std::size_t field = 0; field < rank_fields_; ++field) {
    block.rank_values.push_back(read_value(take_value<std::uint64_t>(record)));
  }
  block.filters.insert(block.filters.end(), record, record + components_);
}

SpilledRows::RecordReader::RecordReader(const SpilledRows& rows)
    : rows_(rows), stored_rows_(rows.rows_), text_hashes_(rows.text_hashes_) {
  if (rows.text_bytes_) text_bytes_.emplace(*rows.text_bytes_);
  if (rows.rank_offsets_) rank_offsets_.emplace(*rows.rank_offsets_);
  if (rows.filters_) filters_.resize(rows.filters_->records_of_page() * rows.components_);
}

void SpilledRows::RecordReader::read(RowNumber row, char* record) {
  put_value(record, stored_rows_[row]);
  put_value(record, text_hashes_[row]);
  if (text_bytes_) put_value(record, (*text_bytes_)[row]);
  for (std::size_t field = 0; field < rows_.rank_fields_; ++field) {
    put_value(record, (*rank_offsets_)[row * rows_.rank_fields_ + field]);
  }
  if (!rows_.filters_) return;
  const std::size_t rows_of_page = rows_.filters_->records_of_page();
  const std::uint64_t page = row / rows_of_page;
  if (page != page_of_filters_) {
    rows_.filters_->read_page(page, filters_.data());
    page_of_filters_ = page;
  }
  std::memcpy(record, filters_.data() + row % rows_of_page * rows_.components_, rows_.components_);
}

void SpilledRows::drain_band(std::size_t band, const EachKey& each) {
  bands_[band]->drain([&](const KeyedRow& entry) { each(entry.key, entry.row); });
  bands_[band].reset();
}

void SpilledRows::drain_ids(const EachKey& each) {
  ids_.drain([&](const KeyedRow& entry) { each(entry.key, entry.row); });
}

SpilledSets::SpilledSets(Scratch& scratch)
    : hashes_(scratch, sizeof(std::uint64_t), kSmallPage),
      ends_(scratch, sizeof(std::uint64_t), kSmallPage) {}

void SpilledSets::add(std::span<ScannedBlock> blocks) {
  for (ScannedBlock& block : blocks) {
    for (std::size_t i = 0; i < block.sets.size(); ++i) {
      const std::uint64_t end = hashes_.size() + block.sets.starts[i + 1];
      ends_.append(&end, 1);
    }
    hashes_.append(block.sets.hashes.data(), block.sets.hashes.size());
    block.sets = {};
  }
}

void SpilledSets::finish() {
  hashes_.finish();
  ends_.finish();
}

void SpilledSets::for_each(
    const std::function<void(RowNumber, std::uint64_t, std::uint32_t)>& each) const {
  ColumnReader<std::uint64_t> ends(ends_);
  std::uint64_t begin = 0;
  for (RowNumber row = 0; row < ends_.size(); ++row) {
    const std::uint64_t end = ends[row];
    each(row, begin, static_cast<std::uint32_t>(end - begin));
    begin = end;
  }
}

void SpilledSets::read(std::uint64_t first, std::uint32_t count,
                       std::vector<std::uint64_t>& out) const {
  out.resize(out.size() + count);
  hashes_.read(first, count, out.data() + out.size() - count);
}

}  // namespace sosie
