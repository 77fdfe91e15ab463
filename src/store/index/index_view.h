#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/index/index_folder.h"

namespace sosie {

// Indexes that an argument names: "one.index", or several as "one.index,two.index", unless a file
// or folder is called so. Empty if none of its paths is an index.
[[nodiscard]] std::vector<std::string> indexes_in(const std::string& argument);

// One index, or several of one plan that are read as one: the items of each follow the
// items of the index before, and are numbered so. Safe for many threads at once, each with a buffer
// of its own.
class IndexView {
 public:
  // Views one index, which outlives this; its writer may change it.
  explicit IndexView(const IndexFolder& folder);
  // Views the states of at least one index. The caller has checked that they were built alike.
  explicit IndexView(std::vector<std::unique_ptr<IndexFolder>> folders);
  IndexView(const IndexView&) = delete;
  IndexView& operator=(const IndexView&) = delete;
  ~IndexView() = default;

  // "one.index,two.index".
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool is_several() const noexcept { return parts_.size() > 1; }
  // Path of the index that an item lies in, by its number.
  [[nodiscard]] const std::string& path_of(std::uint64_t number) const;
  // Manifest of the first one, with the files and the dimension of all.
  [[nodiscard]] const IndexManifest& manifest() const noexcept {
    return joined_ ? *joined_ : parts_.front().folder->manifest();
  }
  [[nodiscard]] std::uint64_t items() const noexcept;
  [[nodiscard]] std::uint64_t next_number() const noexcept;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t runs() const noexcept;
  [[nodiscard]] std::uint64_t log_items() const noexcept;

  // Like the functions of IndexFolder. A name that several items have is that of the first.
  void find(std::span<const std::uint64_t> keys, IndexBuffer& buffer,
            std::vector<ItemPlace>& found) const;
  [[nodiscard]] bool find_in_band(std::size_t band, std::span<const RowKey> keys, std::size_t most,
                                  IndexBuffer& buffer, std::vector<RowPlace>& found) const;
  void begin_items(std::span<const ItemPlace> places) const;
  void begin_filters(std::span<const ItemPlace> places) const;
  [[nodiscard]] std::optional<ItemPlace> find_name(std::string_view name,
                                                   IndexBuffer& buffer) const;
  [[nodiscard]] std::string_view filter(const ItemPlace& place, IndexBuffer& buffer) const;
  [[nodiscard]] IndexItem item(const ItemPlace& place, IndexBuffer& buffer) const;
  void for_each(const std::function<void(const IndexItem& item)>& take,
                std::uint64_t first = 0) const;

 private:
  struct Part {
    const IndexFolder* folder;
    std::uint64_t first_number = 0;
    std::uint32_t first_source = 0;  // counts on in ItemPlace
    std::uint32_t first_file = 0;    // counts on in RowLocator
  };

  [[nodiscard]] const Part& part_of(const ItemPlace& place) const noexcept;
  [[nodiscard]] static ItemPlace place_in(const Part& part, const ItemPlace& place) noexcept {
    return {place.source - part.first_source, place.item};
  }
  [[nodiscard]] static IndexItem placed(const Part& part, IndexItem item) noexcept;

  std::vector<std::unique_ptr<IndexFolder>> owned_;
  std::vector<Part> parts_;
  std::string path_;
  std::optional<IndexManifest> joined_;  // where there are several
};

}  // namespace sosie
