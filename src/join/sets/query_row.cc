// Reads the rows of a stream as items to look up: sets, signatures and names.
#include "join/sets/query_row.h"

#include <algorithm>

#include "corpus/ill_formed.h"
#include "corpus/scan.h"
#include "join/streamed_rows.h"
#include "kernels/intersection_size.h"
#include "sketch/band_keys.h"

namespace sosie {
namespace {

FieldRequest fields_of_asked(const Inputs& inputs, const Settings& settings) {
  FieldRequest fields = fields_of_scan(inputs, settings);
  fields.others = settings.show;
  return fields;
}

}  // namespace

QueryRowReader::QueryRowReader(const Inputs& inputs, const Settings& settings,
                               const std::optional<BandingPlan>& banding)
    : inputs_(inputs),
      settings_(settings),
      banding_(banding),
      shingler_(settings.shingle),
      parsers_(inputs, fields_of_asked(inputs, settings)) {
  if (!banding_) return;
  hasher_.emplace(banding_->components, settings.seed, settings.sketch);
  signature_.resize(static_cast<std::size_t>(banding_->components));
}

void QueryRowReader::read(const FedRow& row, std::uint64_t number, QueryRow& out) {
  out = QueryRow{};
  record_.id_is_integer = false;
  try {
    parsers_.parse(0, row.bytes, record_);
  } catch (const RowError& error) {
    out.reason = error.what();
    out.trouble_line = trouble_line(row, error.offset());
    return;
  }
  shingler_.read_set(record_.text);
  if (!shingler_.is_well_formed() && !take_ill_formed(row, out)) return;
  name(number, out);
  represent(out);
}

// Returns false if the row is to be left out.
bool QueryRowReader::take_ill_formed(const FedRow& row, QueryRow& out) const {
  const auto place = find_ill_formed_place(row.bytes, inputs_.encoding_of(0));
  if (!place) return true;
  out.trouble_line = trouble_line(row, place->offset);
  const bool skips = settings_.bad_rows == BadRows::skip;
  (skips ? out.reason : out.encoding_fault) = place->reason;
  return !skips;
}

void QueryRowReader::name(std::uint64_t number, QueryRow& out) const {
  const bool numbered = inputs_.ids_are_rows;
  out.id = numbered ? inputs_.numbered_name(0, number, number) : std::string(record_.id);
  out.id_is_integer = numbered ? !inputs_.rows_by_file : record_.id_is_integer;
  for (const FieldValue& value : record_.others) out.shown.emplace_back(value.text);
}

void QueryRowReader::represent(QueryRow& out) {
  out.tokens = shingler_.token_count();
  const auto shingles = shingler_.shingles();
  if (shingles.empty()) {
    out.state = RowState::empty;
    return;
  }
  out.hash = shingler_.text_hash();
  out.set.assign(shingles.begin(), shingles.end());
  scratch_.resize(std::max(scratch_.size(), out.set.size()));
  out.set.resize(kernels::sort_unique_hashes(out.set.data(), out.set.size(), scratch_.data()));
  if (!hasher_) return;
  hasher_->sketch(shingles, signature_);
  out.keys.resize(static_cast<std::size_t>(banding_->bands));
  band_keys(signature_, banding_->rows, out.keys);
  out.filter.resize(signature_.size());
  filter_signature(signature_, out.filter);
}

}  // namespace sosie
