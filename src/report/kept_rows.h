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

// True for a row that is kept, of those that were not left out as bad. Several threads ask at once,
// unless rows are in scratch.
using KeepRow = std::function<bool(RowNumber)>;

// Edits the bytes of a kept row, line end included, before they are written; row is kNoRowNumber
// for a header. Empty: nothing.
using EditRow = std::function<void(const RowLocator& place, RowNumber row, std::string& bytes)>;

// Fields that are added to kept rows of columnar files.
struct AddFields {
  std::vector<std::string> names;  // none: nothing is added
  std::vector<Cell> examples;      // one for each name: a value of its type
  std::function<std::vector<AddedField>(RowNumber row)> of;
};

// Edits of kept rows before they are written.
struct RowEdits {
  EditRow bytes;     // edits of formats that have lines
  AddFields fields;  // edits of columnar formats
};

// Where rows are copied to: one file, or a folder with a file for each input file. Neither:
// nowhere.
struct RowsOutput {
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<OutputTree> tree;
  std::vector<std::string> paths = {};  // in the tree, of the run's own files

  // Where to write the rows of the run's own file `i`, in the tree.
  [[nodiscard]] std::string path_of(std::size_t i) const { return tree->path_for(paths[i]); }
  void finish() const;
  void commit() const;
};

// Where rows are copied from.
struct KeptSource {
  const Inputs& inputs;
  const Corpus& corpus;
  ThreadPool& pool;
  const RunHooks& hooks;
};

// Copies the bytes of all rows for which keep(row) holds, in input order. A row without a line end
// gets one if another row follows. The first header among the inputs comes once, in front; files of
// vectors get the one that goes with as many vectors. Of columnar files the rows are copied, with
// the first one's columns, compression and metadata.
void write_kept_rows(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                     OutputFile& out);

// Writes the rows of items that are sets of rows (source.inputs.grouped) in formats that have
// lines: the rows of all sets for which keep(set) holds, with the set for `edit`; into one file, or
// each input file's rows into a file of their own in the tree, as it came: packed or not.
void write_kept_groups(const KeptSource& source, const KeepRow& keep, const EditRow& edit,
                       OutputFile& out);
void write_kept_groups_tree(const KeptSource& source, const KeepRow& keep, const EditRow& edit,
                            const RowsOutput& out);

// Writes like write_kept_rows(), but each input file's rows into a file of their own in the tree:
// one for each input of the run, though no row of it is kept. Documents are copied as they are if
// they are kept, and else are not there.
void write_kept_tree(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                     const RowsOutput& out);

// Each of these for what there is to write to.
void write_rows(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
                const RowsOutput& out);

}  // namespace sosie
