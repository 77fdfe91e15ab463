// Row parsers, one for each file with a different format or header.
#include "corpus/row_parsers.h"

#include <algorithm>

namespace sosie {

void RepeatedHeaders::refuse_same(std::uint32_t file, std::string_view row) {
  if (file != last_file_) {
    const FileHeader& header = inputs_.headers[file];
    last_header_.resize(header.length);
    inputs_.files[file].read_at(header.offset, last_header_.data(), header.length);
    while (last_header_.ends_with('\n') || last_header_.ends_with('\r')) last_header_.pop_back();
    last_file_ = file;
  }
  if (row == last_header_) {
    throw RowError("the row repeats the header, as when files are concatenated with their headers");
  }
}

const RowParsers::Known& RowParsers::known_for(std::uint32_t file) {
  if (file == last_file_) return known_[last_known_];
  const Format* format = inputs_.list[file].format;
  const bool against = file < inputs_.first_own_file;
  const std::vector<std::string>& header = inputs_.headers[file].names;
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
    return known.format == format && known.against == against && *known.header == header &&
           known.column == inputs_.list[file].told.column;
  });
  last_known_ = static_cast<std::size_t>(found - known_.begin());
  if (found == known_.end()) {
    FieldRequest request = inputs_.request_for(file, fields_);
    request.dialect = format->dialect;
    known_.push_back({format, against, &header, inputs_.list[file].told.column, !request.id.empty(),
                      format->make_parser(request, header)});
  }
  last_file_ = file;
  return known_[last_known_];
}

void RowParsers::parse(std::uint32_t file, std::string_view row, Record& out) {
  const Known& known = known_for(file);
  headers_.refuse(file, row);
  known.parser->parse(row, out);
  if (known.wants_id && known.format->row_ends == RowEnds::file) {
    out.id = inputs_.list[file].document_id;
  }
}

}  // namespace sosie
