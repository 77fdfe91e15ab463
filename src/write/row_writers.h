#pragma once

#include "data/row_writer.h"

// Writers of text formats, one file each; the table in options/formats.h lists them.
namespace sosie {

extern const RowWriter kCsvRowWriter;          // RFC 4180
extern const RowWriter kTsvRowWriter;          // with escapes, see docs/formats.md
extern const RowWriter kTerminalTsvRowWriter;  // TSV without terminal control characters
extern const RowWriter kJsonlRowWriter;        // one object per line

}  // namespace sosie
