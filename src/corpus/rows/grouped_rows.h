#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/corpus.h"
#include "data/format.h"
#include "io/record_file.h"

namespace sosie {

// The original rows of grouped sets, by their places in files; `dedup` keeps or removes these rows.
// Takes 16 bytes per row in scratch.
struct GroupedRows {
  explicit GroupedRows(Scratch& scratch) : members(scratch, sizeof(Member), kLargePage) {}

  struct Member {
    std::uint64_t offset;
    std::uint32_t length;  // line end included
    std::uint32_t set;     // the number of its set in its collection
  };

  Inputs files;                     // the original files
  RecordFile members;               // members of all files, one file after another
  std::vector<std::uint64_t> ends;  // by file, in `members`
};

// Builds sets from rows that are (set, element) pairs, possibly with a weight (options.group_by,
// element, weight). The sets are in the order of their first rows; their other rows may be
// anywhere. The files of each collection are replaced with a single file in scratch that has a row
// per set, and inputs.grouped holds the original files. While sets are built, all of them are in
// memory. Throws Error{malformed_input} with the place of the first unreadable row, and
// Error{limit_exceeded} if the sets exceed half of the memory.
void group_rows(const Options& options, const Settings& settings, Scratch& scratch,
                ThreadPool& pool, Inputs& inputs);

// Format of sets built from other rows, for scratch only: one set per line, first its id and then
// its elements, separated by tabs. All are escaped, so that they may contain any bytes. The fields
// are called "id" and "elements".
[[nodiscard]] const Format& set_row_format() noexcept;

// Begins a row in this format. `id_is_integer`: the id is unquoted in JSON.
[[nodiscard]] std::string begin_set_row(std::string_view id, bool id_is_integer);
// Adds elements to such a row. `lines`: the elements in the form of ElementList.
void add_to_set_row(std::string_view lines, std::string& row);

}  // namespace sosie
