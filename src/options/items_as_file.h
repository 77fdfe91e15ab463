#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/format.h"
#include "options/input_list.h"
#include "sosie/item_array.h"
#include "sosie/memory_file.h"

namespace sosie {

// Items of an on-disk index as a file of rows in memory, each with its name, regardless of --id and
// --column for other rows: text rows, or an array of vectors. In Options::memory_files, under the
// path of the index, it stands for the index wherever a run reads rows.
class ItemsAsFile final : public MemoryFile {
 public:
  // Size of the index itself, of which these rows may be a part.
  struct Whole {
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
  };

  ItemsAsFile(std::string name, const Whole& whole) : name_(std::move(name)), whole_(whole) {}

  // Appends a row. `item`: the contents of its field; `fields`: names and values of other fields.
  using Fields = std::vector<std::pair<std::string, std::string>>;
  void add(std::uint64_t number, std::string_view id, bool id_is_integer, std::string_view item,
           const Fields& fields = {});
  // Byte range of text row i, including its line end.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> range_of(std::size_t row) const noexcept {
    return {begins_[row], row + 1 < begins_.size() ? begins_[row + 1] : text_.size()};
  }
  // Adds a row of an array: its components as stored in memory.
  void add_vector(std::uint64_t number, std::string_view id, bool id_is_integer,
                  std::string_view components);
  [[nodiscard]] const std::string& components() const noexcept { return text_; }
  // Replaces the components of all rows so far, as when their type changes.
  void replace_components(std::string components) { text_ = std::move(components); }
  // Reserves memory for further components, so that none is moved.
  void reserve(std::uint64_t bytes) { text_.reserve(bytes); }
  // Call it after all rows of an array, which has at least one.
  void end_array(ItemArray::Type type, std::uint64_t dimension);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Identifier of a row, and whether it is unquoted in JSON.
  [[nodiscard]] std::pair<std::string, bool> id(std::size_t row) const;
  [[nodiscard]] const Whole& whole() const noexcept { return whole_; }
  [[nodiscard]] bool is_array() const noexcept { return !header_.empty(); }
  // Number of each row in the index.
  [[nodiscard]] const std::vector<std::uint64_t>& numbers() const noexcept { return numbers_; }

  [[nodiscard]] std::uint64_t size() const noexcept override {
    return header_.size() + text_.size();
  }
  void read(std::uint64_t offset, char* out, std::size_t size) const override;
  [[nodiscard]] const NamesOfRows* names() const noexcept override {
    return is_array() ? &names_ : nullptr;
  }
  // Memory used by the rows and their names.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return size() + name_bytes_; }
  // Format of the rows.
  [[nodiscard]] const Format& format() const noexcept;

 private:
  std::string name_;
  Whole whole_;
  std::string header_;  // before an array
  std::string text_;    // rows, or components
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint64_t> begins_;  // start of each text row
  NamesOfRows names_;                  // names in an array
  std::uint64_t name_bytes_ = 0;
};

// The rows under a path if it is such a file; else null.
[[nodiscard]] const ItemsAsFile* index_items_at(const std::string& path,
                                                const MemoryFiles& files) noexcept;
// The rows, if an input is such a file; else null.
[[nodiscard]] const ItemsAsFile* index_items_of(const InputFile& input) noexcept;
// Format of such text rows, which no file on disk has.
[[nodiscard]] const Format& format_of_index_items() noexcept;
// Number by which users know a row: for an index, the item's number in it.
[[nodiscard]] std::uint64_t number_in_input(const InputFile& input, std::uint64_t row) noexcept;

}  // namespace sosie
