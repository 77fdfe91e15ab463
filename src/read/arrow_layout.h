#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sosie/arrow_c_data.h"
#include "sosie/columns.h"

namespace sosie {

// The layout of a column's values in memory ("Format strings" in the Arrow C data interface).
enum class ArrowLayout : std::uint8_t {
  none,  // only nulls
  offsets32,
  offsets64,
  views,
  bit,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
};

// Returns nullopt for unsupported formats. If the column has a dictionary, this is the layout of
// its indexes. Dates, times and durations have the layout of the integers that store them.
[[nodiscard]] std::optional<ArrowLayout> arrow_layout(std::string_view format) noexcept;

[[nodiscard]] bool is_text(ArrowLayout layout) noexcept;
// True if its numbers may have fractions.
[[nodiscard]] bool is_fraction(ArrowLayout layout) noexcept;

// One array of a column. Refers to the ArrowArray's buffers.
class ArrowChunk {
 public:
  // `first`: first slot of the array, not counting the array's own offset (the struct that contains
  // the array provides it). `dictionary`: the layout of the array's dictionary, if it has one.
  ArrowChunk(const ArrowArray& array, ArrowLayout layout, std::int64_t first,
             std::optional<ArrowLayout> dictionary);

  [[nodiscard]] FieldValue value(std::int64_t position) const;

 private:
  [[nodiscard]] bool is_null(std::int64_t slot) const noexcept;
  [[nodiscard]] std::string_view text(std::int64_t slot) const noexcept;
  [[nodiscard]] std::string_view view(std::int64_t slot) const noexcept;
  [[nodiscard]] long double number(std::int64_t slot) const noexcept;
  template <typename T>
  [[nodiscard]] T at(std::int64_t slot) const noexcept;

  const ArrowArray* array_;
  ArrowLayout layout_;
  std::int64_t first_;
  std::unique_ptr<ArrowChunk> dictionary_;
};

// The value of a key in the metadata of an ArrowSchema: an i32 count, then keys and values, each as
// an i32 size and its bytes (the Arrow C data interface). Empty if there is no such key. `metadata`
// may be null.
[[nodiscard]] std::string arrow_metadata(const char* metadata, std::string_view key);

}  // namespace sosie
