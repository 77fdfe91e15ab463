#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/row_writer.h"
#include "report/kept_rows.h"

namespace sosie {

// Copies the kept rows of the columnar files begin .. end - 1 into one such file, with all their
// columns, and with the fields that are added. Throws Error{malformed_input} when the files'
// columns differ, Error{io} when one has changed since it was read.
void write_kept_table(const KeptSource& source, const KeepRow& keep, const AddFields& fields,
                      std::uint32_t begin, std::uint32_t end, OutputFile& out);

}  // namespace sosie
