#pragma once

#include "data/row_writer.h"

// Writers of text formats, one file each; options/formats.h has the table that names them.
namespace sosie {

extern const RowWriter kCsvRowWriter;          // RFC 4180
extern const RowWriter kTsvRowWriter;          // escapes, as docs/formats.md says
extern const RowWriter kTerminalTsvRowWriter;  // TSV whose texts cannot steer a terminal
extern const RowWriter kJsonlRowWriter;        // an object a line

}  // namespace sosie
