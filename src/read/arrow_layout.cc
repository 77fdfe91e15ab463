// Layouts of Arrow columns by format string, and access to single values.
#include "read/arrow_layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "core/half_float.h"

namespace sosie {
namespace {

struct FormatRow {
  std::string_view format;
  ArrowLayout layout;
};

constexpr std::array kFormats = {
    FormatRow{"n", ArrowLayout::none},      FormatRow{"u", ArrowLayout::offsets32},
    FormatRow{"z", ArrowLayout::offsets32}, FormatRow{"U", ArrowLayout::offsets64},
    FormatRow{"Z", ArrowLayout::offsets64}, FormatRow{"vu", ArrowLayout::views},
    FormatRow{"vz", ArrowLayout::views},    FormatRow{"b", ArrowLayout::bit},
    FormatRow{"c", ArrowLayout::int8},      FormatRow{"C", ArrowLayout::uint8},
    FormatRow{"s", ArrowLayout::int16},     FormatRow{"S", ArrowLayout::uint16},
    FormatRow{"i", ArrowLayout::int32},     FormatRow{"I", ArrowLayout::uint32},
    FormatRow{"l", ArrowLayout::int64},     FormatRow{"L", ArrowLayout::uint64},
    FormatRow{"e", ArrowLayout::float16},   FormatRow{"f", ArrowLayout::float32},
    FormatRow{"g", ArrowLayout::float64},   FormatRow{"tdD", ArrowLayout::int32},
    FormatRow{"tdm", ArrowLayout::int64},   FormatRow{"tts", ArrowLayout::int32},
    FormatRow{"ttm", ArrowLayout::int32},   FormatRow{"ttu", ArrowLayout::int64},
    FormatRow{"ttn", ArrowLayout::int64},
};

// True for timestamps ("tsu:Europe/Paris") and durations ("tDs").
bool is_instant(std::string_view format) noexcept {
  return format.starts_with("ts") || format.starts_with("tD");
}

bool bit_at(const void* bits, std::int64_t position) noexcept {
  const auto byte = static_cast<const std::uint8_t*>(bits)[position / 8];
  return (byte >> (position % 8) & 1) != 0;
}

}  // namespace

std::optional<ArrowLayout> arrow_layout(std::string_view format) noexcept {
  const auto* found = std::find_if(kFormats.begin(), kFormats.end(),
                                   [&](const FormatRow& row) { return row.format == format; });
  if (found != kFormats.end()) return found->layout;
  return is_instant(format) ? std::optional(ArrowLayout::int64) : std::nullopt;
}

bool is_fraction(ArrowLayout layout) noexcept {
  return layout == ArrowLayout::float16 || layout == ArrowLayout::float32 ||
         layout == ArrowLayout::float64;
}

bool is_text(ArrowLayout layout) noexcept {
  return layout == ArrowLayout::offsets32 || layout == ArrowLayout::offsets64 ||
         layout == ArrowLayout::views;
}

ArrowChunk::ArrowChunk(const ArrowArray& array, ArrowLayout layout, std::int64_t first,
                       std::optional<ArrowLayout> dictionary)
    : array_(&array), layout_(layout), first_(first + array.offset) {
  if (dictionary && array.dictionary != nullptr) {
    dictionary_ = std::make_unique<ArrowChunk>(*array.dictionary, *dictionary, 0, std::nullopt);
  }
}

template <typename T>
T ArrowChunk::at(std::int64_t slot) const noexcept {
  T value;
  std::memcpy(
      &value,
      static_cast<const char*>(array_->buffers[1]) + static_cast<std::size_t>(slot) * sizeof(T),
      sizeof(T));
  return value;
}

bool ArrowChunk::is_null(std::int64_t slot) const noexcept {
  if (layout_ == ArrowLayout::none) return true;
  const void* validity = array_->buffers[0];
  return validity != nullptr && !bit_at(validity, slot);
}

std::string_view ArrowChunk::view(std::int64_t slot) const noexcept {
  constexpr std::int32_t kInline = 12;  // bytes that fit into the view itself
  struct View {
    std::int32_t length;
    std::int32_t prefix;
    std::int32_t buffer;
    std::int32_t offset;
  };
  const char* views = static_cast<const char*>(array_->buffers[1]);
  const View view = at<View>(slot);
  const auto length = static_cast<std::size_t>(view.length);
  if (view.length <= kInline) {
    return {views + static_cast<std::size_t>(slot) * sizeof(View) + sizeof(view.length), length};
  }
  return {static_cast<const char*>(array_->buffers[2 + view.buffer]) + view.offset, length};
}

std::string_view ArrowChunk::text(std::int64_t slot) const noexcept {
  if (layout_ == ArrowLayout::views) return view(slot);
  const bool wide = layout_ == ArrowLayout::offsets64;
  const std::int64_t begin = wide ? at<std::int64_t>(slot) : at<std::int32_t>(slot);
  const std::int64_t end = wide ? at<std::int64_t>(slot + 1) : at<std::int32_t>(slot + 1);
  return {static_cast<const char*>(array_->buffers[2]) + begin,
          static_cast<std::size_t>(end - begin)};
}

long double ArrowChunk::number(std::int64_t slot) const noexcept {
  switch (layout_) {
    case ArrowLayout::bit:
      return bit_at(array_->buffers[1], slot) ? 1 : 0;
    case ArrowLayout::int8:
      return at<std::int8_t>(slot);
    case ArrowLayout::uint8:
      return at<std::uint8_t>(slot);
    case ArrowLayout::int16:
      return at<std::int16_t>(slot);
    case ArrowLayout::uint16:
      return at<std::uint16_t>(slot);
    case ArrowLayout::int32:
      return at<std::int32_t>(slot);
    case ArrowLayout::uint32:
      return at<std::uint32_t>(slot);
    case ArrowLayout::int64:
      return static_cast<long double>(at<std::int64_t>(slot));
    case ArrowLayout::uint64:
      return static_cast<long double>(at<std::uint64_t>(slot));
    case ArrowLayout::float16:
      return from_half_float(at<std::uint16_t>(slot));
    case ArrowLayout::float32:
      return at<float>(slot);
    case ArrowLayout::float64:
      return at<double>(slot);
    default:
      return 0;
  }
}

FieldValue ArrowChunk::value(std::int64_t position) const {
  const std::int64_t slot = first_ + position;
  if (is_null(slot)) return {};
  if (dictionary_) return dictionary_->value(static_cast<std::int64_t>(number(slot)));
  if (is_text(layout_)) return {FieldValue::Kind::text, 0, text(slot)};
  const long double value = number(slot);
  if (value != value) return {};  // NaN: no number to rank by
  return {FieldValue::Kind::number, value, {}};
}

std::string arrow_metadata(const char* metadata, std::string_view key) {
  if (metadata == nullptr) return {};
  const auto number = [&] {
    std::int32_t value = 0;
    std::memcpy(&value, metadata, sizeof value);
    metadata += sizeof value;
    return std::max(value, 0);
  };
  const auto text = [&] {
    const std::int32_t size = number();
    const std::string_view bytes(metadata, static_cast<std::size_t>(size));
    metadata += size;
    return bytes;
  };
  for (std::int32_t left = number(); left > 0; --left) {
    const std::string_view found = text();
    const std::string_view value = text();
    if (found == key) return std::string(value);
  }
  return {};
}

}  // namespace sosie
