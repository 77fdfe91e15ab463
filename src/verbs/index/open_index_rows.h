#pragma once

#include <memory>
#include <string>

#include "sosie/stored_index.h"

namespace sosie {

// Rows for an open index: in lines of JSON, or an array.
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
  // The rows as a file, and a path for it.
  [[nodiscard]] std::shared_ptr<const MemoryFile> file() const;
  [[nodiscard]] std::string path() const;
  // True unless these are an array without names.
  [[nodiscard]] bool may_have_names() const noexcept {
    return array_ == nullptr || array_->file->names() != nullptr;
  }
  // Throws Error{malformed_input} for an array without names, or with two rows of one name.
  void expect_names() const;

 private:
  JsonRows json_;
  const ArrayRows* array_ = nullptr;
};

}  // namespace sosie
