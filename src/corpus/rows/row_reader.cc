// Rereads individual rows by their locators.
#include "corpus/rows/row_reader.h"

#include <fmt/format.h>

#include "core/line_end.h"
#include "sosie/error.h"

namespace sosie {

RowReader::RowReader(const Inputs& inputs, const Corpus& corpus, FieldRequest fields)
    : inputs_(inputs), corpus_(corpus), parsers_(inputs, std::move(fields)) {}

std::string_view RowReader::bytes_of(const RowLocator& locator) {
  const std::uint64_t skipped = locator.offset - at_hand_.offset;  // huge if it begins before
  if (locator.file == at_hand_.file && skipped <= at_hand_.bytes.size() &&
      locator.length <= at_hand_.bytes.size() - skipped) {
    return at_hand_.bytes.substr(skipped, locator.length);
  }
  bytes_.set_size(0);
  bytes_.reserve(locator.length);
  inputs_.files[locator.file].read_at(locator.offset, bytes_.data(), locator.length);
  bytes_.set_size(locator.length);
  return bytes_.view();
}

const Record& RowReader::read(RowNumber row) {
  const RowLocator& locator = corpus_.locator(row);
  record_.id_is_integer = false;
  const std::string_view line = row_line(*inputs_.list[locator.file].format, bytes_of(locator));
  try {
    parsers_.parse(locator.file, line, record_);
  } catch (const RowError& error) {
    throw Error(ErrorKind::io, fmt::format("{}: changed while it was read ({})",
                                           place_of_row(inputs_, locator), error.what()));
  }
  return record_;
}

bool RowReader::is_numbered(RowNumber row) const noexcept {
  return row < corpus_.first_own_row ? inputs_.against_id.empty() : inputs_.ids_are_rows;
}

RowName RowReader::name_by_number(RowNumber row) {
  const bool own = row >= corpus_.first_own_row;
  const ItemIds* names = own ? inputs_.own_names : inputs_.against_names;
  const std::uint64_t number = corpus_.number_of(row);
  if (names != nullptr && !names->names.empty()) {
    return {names->name_of(number), names->is_integer(number)};
  }
  if (!inputs_.rows_by_file) return {std::to_string(number), true};
  if (!file_rows_) file_rows_.emplace(corpus_);
  const std::uint32_t file = corpus_.locator(row).file;
  return {inputs_.numbered_name(file, number, file_rows_->number_of(row, file)), false};
}

RowName RowReader::name_of(RowNumber row) {
  if (is_numbered(row)) return name_by_number(row);
  if (corpus_.state(row) == RowState::unmatched) return {};
  const Record& record = read(row);
  return {std::string(record.id), record.id_is_integer};
}

std::string_view row_line(const Format& format, std::string_view row) {
  const bool is_line = format.row_ends == RowEnds::line || format.row_ends == RowEnds::quoted_line;
  return is_line ? without_line_end(row) : row;
}

}  // namespace sosie
