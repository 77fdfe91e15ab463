// Reads names and shown fields of many rows in the order of their files.
#include "corpus/rows/row_names.h"

#include <utility>

namespace sosie {

RowNames::RowNames(const Inputs& inputs, const Corpus& corpus, std::vector<std::string> show,
                   ThreadPool& pool)
    : corpus_(corpus), show_count_(show.size()), pool_(pool) {
  const FieldRequest fields{inputs.fields.column, inputs.fields.id, std::move(show)};
  for (unsigned i = 0; i < pool.size(); ++i) {
    readers_.push_back(std::make_unique<RowReader>(inputs, corpus, fields));
  }
}

RowNames::Entry RowNames::read(RowReader& reader, RowId row) const {
  Entry entry;
  if (corpus_.state(row) == RowState::unmatched) return entry;
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

std::vector<RowNames::Entry> RowNames::look_up(std::span<const RowId> rows) {
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

}  // namespace sosie
