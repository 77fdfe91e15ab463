#pragma once

#include "data/row_writer.h"

// Writers of text formats, one file each; options/formats.h has the table that names them.
namespace sosie {

extern const RowWriter kCsvWriter;          // RFC 4180
extern const RowWriter kTsvWriter;          // escapes, as docs/formats.md says
extern const RowWriter kTerminalTsvWriter;  // TSV whose texts cannot steer a terminal
extern const RowWriter kJsonlWriter;        // an object a line

}  // namespace sosie
