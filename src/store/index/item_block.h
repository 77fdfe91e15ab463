#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "store/index/index_item.h"

namespace sosie {

// Values that an item of a block takes over from the one before it (docs/formats/index.md).
struct ItemBefore {
  std::uint64_t next_number = 0;
  std::string id = {};
  std::uint32_t file = 0;
  std::uint64_t end = 0;       // end of its row
  std::uint64_t distance = 0;  // between the last two rows whose places were stored in full
};

// Stores the items of a block, each by what distinguishes it from the one before it. Filter
// signatures are not among the bytes.
class ItemPacker {
 public:
  void add(const IndexItem& item);
  [[nodiscard]] std::size_t items() const noexcept { return items_; }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  void clear();

 private:
  [[nodiscard]] std::uint8_t flags_of(const IndexItem& item) const noexcept;
  void put_id(std::string_view id);

  std::string bytes_;
  std::size_t items_ = 0;
  ItemBefore before_;
};

// The form in which a run stores the items of a block.
struct ItemForm {
  bool is_packed = true;       // by ItemPacker; otherwise as sizes and items of pack_item()
  std::size_t components = 0;  // bytes of a filter signature within an item
};

// Reads the items of a block; in ascending order, each byte is read once.
class ItemBlock {
 public:
  ItemBlock() = default;
  // `content`: must outlive the object.
  ItemBlock(std::string_view content, std::size_t items, const ItemForm& form);

  // An item, valid until the next call; null if the bytes do not form a block.
  [[nodiscard]] const IndexItem* item(std::size_t number);

 private:
  [[nodiscard]] const IndexItem* sized_item(std::size_t number);
  void begin(std::size_t skipped);
  [[nodiscard]] bool read_next();
  void read_id();
  void read_place(std::uint8_t flags);

  std::string_view content_;
  std::size_t items_ = 0;
  ItemForm form_;
  ItemBytes rest_{{}};
  std::size_t read_ = 0;  // number of items before `rest_`
  ItemBefore before_;
  IndexItem item_;  // the last of them
};

}  // namespace sosie
