#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "read/arrow_layout.h"
#include "read/written_time.h"

namespace sosie {

// Converts the values of an array of any type (including lists and structs) to JSON. Refers to the
// array's buffers.
//   strings, binaries: unchanged, even if they are ill-formed UTF-8
//   UUIDs, binaries of 16 bytes: as the text of a UUID, because many files store UUIDs as binaries
//   dates, times, timestamps: as text (read/written_time.h)
//   durations: as the integers that store them
//   numbers: exactly; NaN as null, infinities as the strings "Infinity" and "-Infinity"
//   maps: as objects; a key that is not a string is replaced with the text of its JSON
class ArrowJson {
 public:
  // `first`: first slot of the array, not counting the array's own offset. Throws
  // Error{unsupported} with the type of the column (such as a union) if it cannot be converted to
  // JSON here.
  ArrowJson(const ArrowSchema& schema, const ArrowArray& array, std::int64_t first);

  // Appends the value at `position`.
  void append(std::int64_t position, std::string& out) const;
  // Appends the struct at `position`. Returns the total size of the members flagged in `counted`:
  // of strings and binaries as they are, of other values as JSON.
  std::uint64_t append_counted(std::int64_t position, const std::vector<bool>& counted,
                               std::string& out) const;

 private:
  enum class Shape : std::uint8_t {
    value,
    decimal,
    fixed_binary,
    uuid,
    dictionary,
    list32,
    list64,
    list_view32,
    list_view64,
    fixed_list,
    map,
    object,
    runs,  // each value covers a run of positions; the ends of runs are stored
  };

  void take_shape(const ArrowSchema& schema);
  void take_values(const ArrowSchema& schema, std::int64_t first);
  void add_children(const ArrowSchema& schema, std::int64_t first);
  [[nodiscard]] bool is_null(std::int64_t slot) const noexcept;
  void append_value(std::int64_t position, std::string& out) const;
  void append_decimal(std::int64_t slot, std::string& out) const;
  void append_uuid(std::int64_t slot, std::string& out) const;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> list_at(std::int64_t slot) const;
  void append_list(std::int64_t slot, std::string& out) const;
  void append_map(std::int64_t slot, std::string& out) const;
  [[nodiscard]] std::uint64_t counted_bytes(std::int64_t position, std::size_t json_bytes) const;
  [[nodiscard]] std::int64_t run_at(std::int64_t slot) const;

  const ArrowArray* array_;
  std::int64_t first_;
  Shape shape_ = Shape::value;
  std::optional<ArrowLayout> layout_;  // layout of `values_`
  std::optional<WrittenTime> time_;    // form of `values_`, if they are dates or times
  std::optional<ArrowChunk> values_;   // values; indexes of a dictionary; ends of runs
  std::int64_t width_ = 0;             // width of a fixed list or binary; scale of a decimal
  std::size_t decimal_bytes_ = 0;
  std::vector<std::string> names_;   // names of the children, as JSON, with the colon
  std::vector<ArrowJson> children_;  // the values, for a dictionary and runs
};

// Appends a text as a JSON string. Bytes that need no escape are copied unchanged.
void append_json_string(std::string_view text, std::string& out);

}  // namespace sosie
