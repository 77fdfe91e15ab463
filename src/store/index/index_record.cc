// Records of the log of an index, as bytes.
#include "store/index/index_record.h"

#include "sketch/band_keys.h"
#include "store/packed_writer.h"

namespace sosie {

std::string pack_record(const IndexRecord& record) {
  PackedWriter out;
  out.value(std::uint64_t{record.removed.size()});
  for (const ItemPlace& place : record.removed) {
    out.value(place.source);
    out.value(place.item);
  }
  out.value(record.next_number);
  out.value(std::uint64_t{record.items.size()});
  for (const IndexRecord::Item& item : record.items) {
    out.text(item.bytes);
    out.column(std::span<const std::uint64_t>(item.keys));
  }
  return out.bytes();
}

IndexRecord unpack_record(std::string_view bytes, const IndexShape& shape,
                          const std::string& path) {
  PackedReader in(bytes, path, "restore the folder from a copy, or build the index again");
  IndexRecord record;
  record.removed.resize(in.count(2 * sizeof(std::uint32_t)));
  for (ItemPlace& place : record.removed) {
    place.source = in.value<std::uint32_t>();
    place.item = in.value<std::uint32_t>();
  }
  record.next_number = in.value<std::uint64_t>();
  record.items.resize(in.count(sizeof(std::uint64_t)));
  for (IndexRecord::Item& item : record.items) {
    item.bytes = in.text();
    const auto unpacked = unpack_item(item.bytes, shape.components);
    if (!unpacked) in.refuse();
    if (unpacked->size == 0) continue;
    item.keys = in.column<std::uint64_t>(shape.bands);
    for (const std::uint64_t key : item.keys) {
      if (key >> kBandKeyBits != 0) in.refuse();
    }
  }
  in.expect_end();
  return record;
}

}  // namespace sosie
