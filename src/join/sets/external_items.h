#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/rows/row_reader.h"
#include "options/settings.h"
#include "represent/text_shingler.h"
#include "sosie/join.h"
#include "corpus/sketches.h"
#include "store/index/index_folder.h"
#include "store/index/index_manifest.h"

namespace sosie {

// The files that the items of an index lie in, where these are not kept: inputs to read rows of
// again, nothing else.
class IndexFiles final : public FilesOfRows {
 public:
  IndexFiles(std::string path, const SketchContents& contents)
      : path_(std::move(path)), contents_(contents) {}

  [[nodiscard]] std::vector<std::string> paths() const override { return {path_}; }
  [[nodiscard]] const SavedPlan& plan() const noexcept override { return contents_.plan; }
  [[nodiscard]] const std::string& id_field() const noexcept override { return contents_.id_field; }
  [[nodiscard]] Fields fields() const override;
  [[nodiscard]] InputList inputs() const override;
  [[noreturn]] void refuse_changed(std::size_t number) const override;

 private:
  std::string path_;
  const SketchContents& contents_;
};

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
