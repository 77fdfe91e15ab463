// numpy's .npy files: numbers of every width and byte order, by rows or by columns. The format:
// numpy/lib/format.py.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "core/half_float.h"
#include "core/most_rows.h"
#include "core/nearest_name.h"
#include "read/vector_files.h"

namespace sosie {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeader = 1 << 16;

struct NpyHeader {
  std::string type;  // "<f4"
  bool by_columns = false;
  std::uint64_t rows = 0;
  std::uint64_t dimension = 0;
  std::uint64_t data_begin = 0;
  std::size_t spare = 0;  // components for which room is left
};

// Value of 'key' in the header, which is a Python dictionary.
std::string_view value_of(const File& file, std::string_view text, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "'";
  std::size_t at = text.find(quoted);
  if (at != std::string_view::npos) at = text.find(':', at + quoted.size());
  if (at == std::string_view::npos) {
    refuse_vectors(file, "the .npy header has no '" + std::string(key) + "'");
  }
  text.remove_prefix(at + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// "(1000, 128)"; empty for any other number of dimensions.
std::optional<std::pair<std::uint64_t, std::uint64_t>> parse_shape(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  text = text.substr(1, text.find(')') - 1);
  std::uint64_t sizes[2] = {};
  for (std::uint64_t& size : sizes) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (text.find_first_not_of(" ,") != std::string_view::npos) return std::nullopt;
  return std::pair{sizes[0], sizes[1]};
}

std::string read_text(const File& file, std::uint64_t offset, std::size_t size) {
  std::string text(size, '\0');
  text.resize(file.read_some(offset, text.data(), size));
  return text;
}

NpyHeader read_header(const File& file) {
  const std::string start = read_text(file, 0, 12);
  if (!start.starts_with(kMagic) || start.size() < 12) refuse_vectors(file, "is not a .npy file");
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) {
    refuse_vectors(file, "is a .npy file of version " + std::to_string(version) +
                             "; versions 1 to 3 are read");
  }
  const std::size_t size_bytes = version == 1 ? 2 : 4;
  std::uint32_t size = 0;
  std::memcpy(&size, start.data() + 8, size_bytes);
  if (size > kMostHeader) {
    refuse_vectors(file, "claims a .npy header of " + std::to_string(size) + " bytes; at most " +
                             std::to_string(kMostHeader) + " are read");
  }
  const std::string text = read_text(file, 8 + size_bytes, size);
  if (text.size() < size) refuse_vectors(file, "ends within its .npy header");
  NpyHeader header;
  header.data_begin = 8 + size_bytes + size;
  const std::string_view type = value_of(file, text, "descr");
  header.type = type.substr(0, type.find_first_of(",}"));
  if (header.type.size() > 2 && header.type.front() == '\'') {
    header.type = header.type.substr(1, header.type.find('\'', 1) - 1);
  }
  header.by_columns = value_of(file, text, "fortran_order").starts_with("True");
  const auto shape = parse_shape(value_of(file, text, "shape"));
  if (!shape) {
    refuse_vectors(file, "is not a two-dimensional array", "one row per vector: a.reshape(n, -1)");
  }
  std::tie(header.rows, header.dimension) = *shape;
  return header;
}

void check_size(const File& file, const NpyHeader& header, std::uint64_t component_bytes) {
  const std::uint64_t bytes = header.rows * header.dimension * component_bytes;
  const std::uint64_t there = file.size() - std::min(file.size(), header.data_begin);
  if (there == bytes) return;
  refuse_vectors(file, "the header announces " + std::to_string(header.rows) + " rows of " +
                           std::to_string(header.dimension) + " components, " +
                           std::to_string(bytes) + " bytes, but " + std::to_string(there) +
                           " follow");
}

[[noreturn]] void refuse_component(const File& file, std::uint64_t row, std::uint64_t component,
                                   const std::string& why) {
  refuse_vectors(
      file, "row " + std::to_string(row) + ", component " + std::to_string(component) + ": " + why);
}

// A number in the form of the file, and in the form in which it is kept.
struct Half {
  std::uint16_t bits;
};
struct Flag {
  std::uint8_t byte;
};

template <typename Kept, typename T>
Kept kept_as(T number) {
  if constexpr (std::is_same_v<T, Half>) {
    return from_half_float(number.bits);
  } else if constexpr (std::is_same_v<T, Flag>) {
    return number.byte;
  } else {
    return static_cast<Kept>(number);
  }
}

// The reason why a number cannot be kept; empty if it can.
template <typename T>
std::string fault_of(T value) {
  if constexpr (std::is_same_v<T, Flag>) {
    if (value.byte > 1) return "is not a truth value";
  } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr auto kMost = T{1} << 53;
    bool is_exact = value <= kMost;
    if constexpr (std::is_signed_v<T>) is_exact = is_exact && value >= -kMost;
    if (!is_exact) return std::to_string(value) + " is not a double: beyond 2^53";
  }
  return {};
}

template <typename T>
void reverse_bytes(std::vector<T>& numbers) {
  for (T& number : numbers) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(number);
    std::reverse(bytes.begin(), bytes.end());
    number = std::bit_cast<T>(bytes);
  }
}

// Reads the array of T as rows of Kept, which represents each number exactly.
template <typename T, typename Kept = T>
VectorColumn read_as(const File& file, const NpyHeader& header) {
  constexpr std::uint64_t kBatch = std::uint64_t{1} << 17;
  check_size(file, header, sizeof(T));
  const std::uint64_t count = header.rows * header.dimension;
  std::vector<Kept> components;
  components.reserve(count + header.spare);
  components.resize(count);
  std::vector<T> batch;
  std::uint64_t row = 0;
  std::uint64_t component = 0;
  for (std::uint64_t at = 0; at < count; at += batch.size()) {
    batch.resize(std::min(kBatch, count - at));
    file.read_at(header.data_begin + at * sizeof(T), reinterpret_cast<char*>(batch.data()),
                 batch.size() * sizeof(T));
    if (header.type.front() == '>') reverse_bytes(batch);
    for (const T number : batch) {
      if (const std::string fault = fault_of(number); !fault.empty()) {
        refuse_component(file, row, component, fault);
      }
      components[row * header.dimension + component] = kept_as<Kept>(number);
      if (header.by_columns) {
        if (++row == header.rows) row = 0, ++component;
      } else if (++component == header.dimension) {
        component = 0, ++row;
      }
    }
  }
  return {header.rows, header.dimension, std::move(components)};
}

// Numbers kept in the form of the file, which is the case for most files: read in place.
template <typename T>
VectorColumn read_plain(const File& file, const NpyHeader& header) {
  if (header.by_columns || header.type.front() == '>') return read_as<T>(file, header);
  check_size(file, header, sizeof(T));
  std::vector<T> components;
  components.reserve(header.rows * header.dimension + header.spare);
  components.resize(header.rows * header.dimension);
  file.read_at(header.data_begin, reinterpret_cast<char*>(components.data()),
               components.size() * sizeof(T));
  return {header.rows, header.dimension, std::move(components)};
}

// TABLE: number types, without the byte order that precedes them.
struct NumberType {
  std::string_view name;
  VectorColumn (*read)(const File& file, const NpyHeader& header);
};

constexpr std::array kTypes = {
    NumberType{"f2", read_as<Half, float>},
    NumberType{"f4", read_plain<float>},
    NumberType{"f8", read_plain<double>},
    NumberType{"i1", read_plain<std::int8_t>},
    NumberType{"u1", read_plain<std::uint8_t>},
    NumberType{"i2", read_as<std::int16_t, float>},
    NumberType{"u2", read_as<std::uint16_t, float>},
    NumberType{"i4", read_as<std::int32_t, double>},
    NumberType{"u4", read_as<std::uint32_t, double>},
    NumberType{"i8", read_as<std::int64_t, double>},
    NumberType{"u8", read_as<std::uint64_t, double>},
    NumberType{"b1", read_as<Flag, std::uint8_t>},
};

const NumberType* type_of(const NpyHeader& header) {
  const std::string_view type = header.type;
  if (type.empty() || std::string_view("<>|=").find(type.front()) == std::string_view::npos) {
    return nullptr;
  }
  return find_by_name(std::span<const NumberType>(kTypes), type.substr(1));
}

[[noreturn]] void refuse_type(const File& file, const NpyHeader& header) {
  if (header.type.find('O') != std::string::npos) {
    refuse_vectors(file, "holds Python objects, not numbers",
                   "save an array with one numeric type: a.astype('float32')");
  }
  refuse_vectors(file, "holds numbers of type " + header.type,
                 "bool, float16 to float64, int8 to int64 and uint8 to uint64 are read: "
                 "a.astype('float32')");
}

// The header in the form of a version 1 file.
std::string text_of(const NpyHeader& header) {
  constexpr std::size_t kAlign = 64;
  constexpr std::size_t kFixed = 10;  // magic, version and size
  std::string text = "{'descr': '" + header.type +
                     "', 'fortran_order': " + (header.by_columns ? "True" : "False") +
                     ", 'shape': (" + std::to_string(header.rows) + ", " +
                     std::to_string(header.dimension) + "), }";
  text.append(kAlign - (kFixed + text.size() + 1) % kAlign, ' ');
  text += '\n';
  std::string out(kMagic);
  out += {'\1', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return out + text;
}

// "<f4": the size in bytes comes last.
std::uint64_t component_bytes(const NpyHeader& header) {
  return static_cast<std::uint64_t>(header.type.back() - '0');
}

}  // namespace

VectorRows npy_rows(const File& file) {
  const NpyHeader header = read_header(file);
  const std::uint64_t bytes = component_bytes(header);
  return {header.data_begin, header.dimension * bytes, header.by_columns ? bytes : 0};
}

KindBit npy_kind(const File& file) {
  const NumberType* type = type_of(read_header(file));
  return type != nullptr && type->name == "b1" ? kBitItems : kVectorItems;
}

std::string npy_header(const File& file, std::uint64_t rows) {
  NpyHeader header = read_header(file);
  header.rows = rows;
  return text_of(header);
}

std::string npy_header(ItemArray::Type type, std::uint64_t rows, std::uint64_t dimension) {
  constexpr std::array<std::string_view, 4> kNames = {"|i1", "|u1", "<f4", "<f8"};
  return text_of({.type = std::string(kNames.at(static_cast<std::size_t>(type))),
                  .rows = rows,
                  .dimension = dimension});
}

VectorColumn read_npy(const File& file, std::size_t spare) {
  NpyHeader header = read_header(file);
  header.spare = spare;
  if (header.dimension > kMaxDimension ||
      header.rows >= std::numeric_limits<std::uint32_t>::max()) {
    refuse_vectors(file, "has " + std::to_string(header.rows) + " rows of " +
                             std::to_string(header.dimension) + " components; at most 2^32 of " +
                             std::to_string(kMaxDimension) + " are read");
  }
  check_rows_of_run(header.rows);
  if (header.dimension == 0 && header.rows > 0) refuse_vectors(file, "its rows are empty");
  const NumberType* type = type_of(header);
  if (type == nullptr) refuse_type(file, header);
  return type->read(file, header);
}

}  // namespace sosie
