// Fields of rows without text, for the page of --report.
#include "report/row_fields.h"

#include <algorithm>

#include "corpus/row_reader.h"

namespace sosie {

std::vector<ReportField> row_fields(const Inputs& inputs, const Corpus& corpus, RowId row) {
  const RowLocator place = corpus.locator(row);
  const Format& format = *inputs.list[place.file].format;
  if (format.read_vectors != nullptr) return {};
  std::string bytes(place.length, '\0');
  inputs.files[place.file].read_at(place.offset, bytes.data(), bytes.size());
  if (!format.has_fields) return {{{}, bytes}};
  FieldRequest request;
  request.others = format.has_columns() ? inputs.headers[place.file].names
                                        : format.field_names(bytes, format.separator);
  const std::string& id = place.file < inputs.first_own_file ? inputs.against_id : inputs.fields.id;
  std::erase_if(request.others, [&](const std::string& name) { return name == id; });
  RowReader reader(inputs, corpus, request);
  const Record& record = reader.read(row);
  std::vector<ReportField> fields;
  for (std::size_t i = 0; i < record.others.size(); ++i) {
    if (record.others[i].text.empty()) continue;
    fields.push_back({request.others[i], std::string(record.others[i].text)});
  }
  return fields;
}

}  // namespace sosie
