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

// The items of an on-disk index as a file of rows in memory, each with its name, whatever --id and
// --column say about other rows. The rows are either text rows or an array of vectors. In
// Options::memory_files, under the path of the index, this file takes the place of the index
// wherever a run reads rows.
class ItemsAsFile final : public MemoryFile {
 public:
  // Size of the whole index, of which these rows may be only a part.
  struct Whole {
    std::uint64_t items = 0;
    std::uint64_t bytes = 0;
    std::uint64_t declared_bits = 0;  // bits of a fingerprint; 0: unknown
  };

  ItemsAsFile(std::string name, const Whole& whole) : name_(std::move(name)), whole_(whole) {}

  // Appends a row. `item`: the contents of its item field; `fields`: names and values of its other
  // fields.
  using Fields = std::vector<std::pair<std::string, std::string>>;
  void add(std::uint64_t number, std::string_view id, bool id_is_integer, std::string_view item,
           const Fields& fields = {});
  // The byte range of text row i, including its line end.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> range_of(std::size_t row) const noexcept {
    return {begins_[row], row + 1 < begins_.size() ? begins_[row + 1] : text_.size()};
  }
  // Adds a row of an array, given its components as stored in memory.
  void add_vector(std::uint64_t number, std::string_view id, bool id_is_integer,
                  std::string_view components);
  [[nodiscard]] const std::string& components() const noexcept { return text_; }
  // Replaces the components of all rows so far, as is necessary when their type changes.
  void replace_components(std::string components) { text_ = std::move(components); }
  // Reserves memory for further components, so that adding them does not move the existing ones.
  void reserve(std::uint64_t bytes) { text_.reserve(bytes); }
  // Must be called after all rows of an array have been added; there must be at least one.
  void end_array(ItemArray::Type type, std::uint64_t dimension);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // The id of a row, and whether it is unquoted in JSON.
  [[nodiscard]] std::pair<std::string, bool> id(std::size_t row) const;
  [[nodiscard]] const Whole& whole() const noexcept { return whole_; }
  [[nodiscard]] bool is_array() const noexcept { return !header_.empty(); }
  // The number of each row in the index.
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
  // The format of the rows.
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

// The rows under a path if it stands for such a file; otherwise null.
[[nodiscard]] const ItemsAsFile* index_items_at(const std::string& path,
                                                const MemoryFiles& files) noexcept;
// The rows if an input is such a file; otherwise null.
[[nodiscard]] const ItemsAsFile* index_items_of(const InputFile& input) noexcept;
// The format of such text rows, which no file on disk has.
[[nodiscard]] const Format& format_of_index_items() noexcept;
// The number by which users know a row; in an index, it is the number of the item.
[[nodiscard]] std::uint64_t number_in_input(const InputFile& input, std::uint64_t row) noexcept;

}  // namespace sosie
