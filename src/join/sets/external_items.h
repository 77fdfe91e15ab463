#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/rows/row_reader.h"
#include "options/settings.h"
#include "represent/text_shingler.h"
#include "sosie/join.h"
#include "store/index/index_files.h"
#include "store/index/index_folder.h"

namespace sosie {

// The files of an index that does not keep its items.
class ExternalItems {
 public:
  // `options`: with_index_options(). Throws Error{io} for a file that is gone, else as
  // open_inputs().
  ExternalItems(const IndexFolder& folder, const Options& options, const Settings& settings,
                Scratch& scratch, ThreadPool& pool, const RunHooks& hooks);

  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }
  [[nodiscard]] const IndexFiles& files() const noexcept { return *files_; }

 private:
  const Settings& settings_;
  std::shared_ptr<const IndexFiles> files_;
  Inputs inputs_;
};

// Reads items again from where they lie. Belongs to one thread.
class IndexedRowReader {
 public:
  explicit IndexedRowReader(const ExternalItems& rows);

  // The elements of an item, ascending. Throws Error{malformed_input} if its row is another than it
  // was when it was added, Error{io}.
  void read(const IndexItem& item, std::vector<std::uint64_t>& elements);

 private:
  const ExternalItems& rows_;
  Corpus row_;  // the one row that is read
  RowReader reader_;
  TextShingler shingler_;
  std::vector<std::uint64_t> scratch_;
};

}  // namespace sosie
