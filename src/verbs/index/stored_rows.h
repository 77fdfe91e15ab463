#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/inputs.h"
#include "data/padded_bytes.h"
#include "join/sets/index_lookup.h"
#include "join/sets/query_row.h"
#include "sketch/minhash.h"
#include "sosie/stored_index.h"
#include "store/index/index_manifest.h"

namespace sosie {

// Rows for an open index: as lines of JSON, or an array.
class OpenIndexRows {
 public:
  OpenIndexRows(JsonRows rows) : json_(rows) {}            // NOLINT(google-explicit-constructor)
  OpenIndexRows(const ArrayRows& rows) : array_(&rows) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::size_t size() const noexcept {
    return array_ == nullptr ? json_.size() : static_cast<std::size_t>(array_->rows);
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  // Throws Error{unsupported} for an array.
  [[nodiscard]] JsonRows json() const;
  // The rows as a file, and its path.
  [[nodiscard]] std::shared_ptr<const MemoryFile> file() const;
  [[nodiscard]] std::string path() const;
  // True unless the rows are an array without names.
  [[nodiscard]] bool may_have_names() const noexcept {
    return array_ == nullptr || array_->file->names() != nullptr;
  }
  // Throws Error{malformed_input} for an array without names, or with two rows with the same name.
  void expect_names() const;

 private:
  JsonRows json_;
  const ArrayRows* array_ = nullptr;
};

// Rows for an open index: how JSON lines become sets, and the options given when it was opened.
struct StoredShape {
  // `run`: threads, memory and scratch. Throws as with_index_options() and resolve().
  StoredShape(const Options& run, const IndexManifest& manifest, const std::string& path);

  Options options;  // with the build options of the index
  Settings settings;
  BandingPlan plan;
  Inputs asked;  // for rows that are looked up, which need no names
  Inputs added;  // for rows that become items
};

// A thread's memory for the steps from a line to its hits.
class StoredRowReader {
 public:
  explicit StoredRowReader(const StoredShape& shape);

  // Throws Error{malformed_input} with the place "row NUMBER".
  void read_asked(std::string_view line, std::uint64_t number) { read(asked_, line, number); }
  void read_added(std::string_view line, std::uint64_t number) { read(added_, line, number); }
  // The item in the row last passed to read_asked().
  [[nodiscard]] std::string_view asked_text() const noexcept { return asked_.text(); }
  // Recomputes the sketch of an item from its elements.
  void sketch(SetView elements);

  QueryRow row;
  IndexLookup::Finder finder;
  std::vector<IndexHit> hits;

 private:
  void read(QueryRowReader& reader, std::string_view line, std::uint64_t number);

  const StoredShape& shape_;
  QueryRowReader asked_;
  QueryRowReader added_;
  MinHasher hasher_;
  std::vector<std::uint32_t> signature_;
  PaddedBytes bytes_;
};

// Readers that no thread is using; creating a reader costs more than a look-up.
class StoredRowReaders {
 public:
  explicit StoredRowReaders(const StoredShape& shape) : shape_(shape) {}

  // Provides a reader until `use` returns.
  template <class Use>
  void with_reader(const Use& use) {
    std::unique_ptr<StoredRowReader> reader = take();
    use(*reader);
    give_back(std::move(reader));  // if use() throws, the reader is discarded
  }

 private:
  [[nodiscard]] std::unique_ptr<StoredRowReader> take();
  void give_back(std::unique_ptr<StoredRowReader> reader);

  const StoredShape& shape_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<StoredRowReader>> idle_;
};

}  // namespace sosie
