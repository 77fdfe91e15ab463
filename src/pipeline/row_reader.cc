#include "pipeline/row_reader.h"

#include <fmt/format.h>

#include "sosie/error.h"

namespace sosie {

RowReader::RowReader(const Inputs& inputs, const Corpus& corpus, FieldRequest fields)
    : inputs_(inputs), corpus_(corpus), fields_(std::move(fields)), parsers_(inputs.list.size()) {}

const Record& RowReader::read(RowId row) {
  const RowLocator& locator = corpus_.locator(row);
  bytes_.set_size(0);
  bytes_.reserve(locator.length);
  inputs_.files[locator.file].read_at(locator.offset, bytes_.data(), locator.length);
  bytes_.set_size(locator.length);
  std::string_view line = bytes_.view();
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  auto& parser = parsers_[locator.file];
  if (!parser) parser = inputs_.list[locator.file].format->make_parser(fields_);
  try {
    parser->parse(line, record_);
  } catch (const Error& error) {
    throw Error(ErrorKind::io, fmt::format("{}: changed while it was read ({})",
                                           place_of_row(inputs_, locator), error.what()));
  }
  return record_;
}

std::string RowReader::id_of(RowId row) {
  if (inputs_.ids_are_rows) return std::to_string(row);
  if (corpus_.state(row) == RowState::unmatched) return {};
  return std::string(read(row).id);
}

}  // namespace sosie
