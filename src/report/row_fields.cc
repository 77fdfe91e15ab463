// Fields of rows without text, for the page of --report.
#include "report/row_fields.h"

#include <algorithm>

#include "corpus/row_parsers.h"
#include "corpus/rows/row_reader.h"
#include "data/padded_bytes.h"

namespace sosie {

std::vector<ReportField> row_fields(const Inputs& inputs, const Corpus& corpus, RowId row) {
  const RowLocator place = corpus.locator(row);
  if (inputs.list[place.file].format->read_vectors != nullptr) return {};
  std::string bytes(place.length, '\0');
  inputs.files[place.file].read_at(place.offset, bytes.data(), bytes.size());
  return row_fields(inputs, place, bytes);
}

std::vector<ReportField> row_fields(const Inputs& inputs, const RowLocator& place,
                                    std::string_view bytes) {
  const Format& format = *inputs.list[place.file].format;
  if (format.read_vectors != nullptr) return {};
  if (!format.has_fields) return {{{}, std::string(bytes)}};
  FieldRequest request;
  request.others = format.has_columns() ? inputs.headers[place.file].names
                                        : format.field_names(bytes, format.dialect);
  const std::string& id = place.file < inputs.first_own_file ? inputs.against_id : inputs.fields.id;
  std::erase_if(request.others, [&](const std::string& name) { return name == id; });
  PaddedBytes padded;
  padded.assign(row_line(format, bytes));
  RowParsers parsers(inputs, request);
  Record record;
  parsers.parse(place.file, padded.view(), record);
  std::vector<ReportField> fields;
  for (std::size_t i = 0; i < record.others.size(); ++i) {
    if (record.others[i].text.empty()) continue;
    fields.push_back({request.others[i], std::string(record.others[i].text)});
  }
  return fields;
}

}  // namespace sosie
