#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "data/row_writer.h"
#include "io/output_file.h"
#include "io/output_tree.h"

namespace sosie {

// True for a row that is kept. Not called for bad rows that were left out. Called concurrently by
// several threads, unless rows are in scratch.
using KeepRow = std::function<bool(RowNumber)>;

// Edits the bytes of a kept row, including its line end, before they are written; row is
// kNoRowNumber for a header. Empty: no edits.
using EditRow = std::function<void(const RowLocator& place, RowNumber row, std::string& bytes)>;

// The fields to add to kept rows of columnar files.
struct AddFields {
  std::vector<std::string> names;  // none: nothing is added
  std::vector<Cell> examples;      // one for each name: a value of its type
  std::function<std::vector<AddedField>(RowNumber row)> of;
};

// The edits to make to kept rows before they are written.
struct RowEdits {
  EditRow bytes;     // edits of formats that have lines
  AddFields fields;  // edits of columnar formats
};

// The destination of rows: a single file, or a folder with a file for each input file. If neither
// is set, rows are not written.
struct RowsOutput {
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<OutputTree> tree;
  std::vector<std::string> paths = {};  // in the tree, of the run's own files

  // The path in the tree to which the rows of the run's own file `i` are written.
  [[nodiscard]] std::string path_of(std::size_t i) const { return tree->path_for(paths[i]); }
  void finish() const;
  void commit() const;
};

// The source from which rows are copied.
struct KeptSource {
  const Inputs& inputs;
  const Corpus& corpus;
  ThreadPool& pool;
  const RunHooks& hooks;
};

// Copies the bytes of all rows for which keep(row) is true, in input order. A row without a line
// end gets one if another row follows. The first header in the inputs is written once, at the
// beginning; the header of a vector file is adapted to the number of vectors written. Rows of
// columnar files are copied with the first file's columns, compression and metadata.
void write_kept_rows(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                     OutputFile& out);

// Writes rows of items that are sets of rows (source.inputs.grouped), for formats with lines: the
// rows of all sets for which keep(set) is true; `edit` receives the set. The rows go to a single
// file or, for each input file, to a separate file in the tree, which is compressed if the input
// file is.
void write_kept_groups(const KeptSource& source, const KeepRow& keep, const EditRow& edit,
                       OutputFile& out);
void write_kept_groups_tree(const KeptSource& source, const KeepRow& keep, const EditRow& edit,
                            const RowsOutput& out);

// Like write_kept_rows(), but writes the rows of each input file to a separate file in the tree.
// There is a file for each input of the run, even if none of its rows is kept. A document is copied
// unchanged if it is kept; otherwise, it has no file.
void write_kept_tree(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                     const RowsOutput& out);

// Calls the one of these functions that fits the destination.
void write_rows(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                const RowsOutput& out);

}  // namespace sosie
