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

// The indexes that an argument names: "one.index", or several as "one.index,two.index", unless
// there is a file or folder with this whole name. Empty if none of the paths is an index.
[[nodiscard]] std::vector<std::string> indexes_in(const std::string& argument);

// One index, or several indexes with the same plan that are read as one: the items of each follow
// the items of the previous index and are numbered accordingly. Thread-safe if each thread has its
// own buffer.
class IndexView {
 public:
  // Views an index, which must outlive this object; its writer may change it.
  explicit IndexView(const IndexFolder& folder);
  // Views the states of at least one index. The caller must have checked that their build options
  // are equal.
  explicit IndexView(std::vector<std::unique_ptr<IndexFolder>> folders);
  IndexView(const IndexView&) = delete;
  IndexView& operator=(const IndexView&) = delete;
  ~IndexView() = default;

  // "one.index,two.index".
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool is_several() const noexcept { return parts_.size() > 1; }
  // Path of the index that contains an item, by its number.
  [[nodiscard]] const std::string& path_of(std::uint64_t number) const;
  // Manifest of the first index, with the files and the dimension of all.
  [[nodiscard]] const IndexManifest& manifest() const noexcept {
    return joined_ ? *joined_ : parts_.front().folder->manifest();
  }
  [[nodiscard]] std::uint64_t items() const noexcept;
  [[nodiscard]] std::uint64_t next_number() const noexcept;
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t runs() const noexcept;
  [[nodiscard]] std::uint64_t log_items() const noexcept;

  // Like the functions of IndexFolder. If several items have the same name, only the first is
  // found.
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
    std::uint32_t first_source = 0;  // offset for ItemPlace
    std::uint32_t first_file = 0;    // offset for RowLocator
  };

  [[nodiscard]] const Part& part_of(const ItemPlace& place) const noexcept;
  [[nodiscard]] static ItemPlace place_in(const Part& part, const ItemPlace& place) noexcept {
    return {place.source - part.first_source, place.item};
  }
  [[nodiscard]] static IndexItem placed(const Part& part, IndexItem item) noexcept;

  std::vector<std::unique_ptr<IndexFolder>> owned_;
  std::vector<Part> parts_;
  std::string path_;
  std::optional<IndexManifest> joined_;  // if there are several
};

}  // namespace sosie
