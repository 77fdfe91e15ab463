#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "core/half_float.h"
#include "read/vector_bytes.h"
#include "read/vector_files.h"

// The format: numpy/lib/format.py.
namespace sosie {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeader = 1 << 16;

struct Header {
  std::string type;  // "<f4"
  std::uint64_t rows = 0;
  std::uint64_t dimension = 0;
  std::uint64_t data_begin = 0;
};

// What stands behind 'key': in the header, a Python dictionary.
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

// "(1000, 128)"; nothing for another number of dimensions.
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

Header read_header(const File& file) {
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
  Header header;
  header.data_begin = 8 + size_bytes + size;
  const std::string_view type = value_of(file, text, "descr");
  header.type = type.substr(0, type.find_first_of(",}"));
  if (header.type.size() > 2 && header.type.front() == '\'') {
    header.type = header.type.substr(1, header.type.find('\'', 1) - 1);
  }
  if (value_of(file, text, "fortran_order").starts_with("True")) {
    refuse_vectors(file, "is in Fortran order", "save numpy.ascontiguousarray(a) instead");
  }
  const auto shape = parse_shape(value_of(file, text, "shape"));
  if (!shape) {
    refuse_vectors(file, "is not an array of two dimensions", "one row a vector: a.reshape(n, -1)");
  }
  std::tie(header.rows, header.dimension) = *shape;
  return header;
}

template <typename T>
std::vector<T> read_components(const File& file, const Header& header) {
  const std::uint64_t count = header.rows * header.dimension;
  const std::uint64_t there = file.size() - std::min(file.size(), header.data_begin);
  if (there != count * sizeof(T)) {
    refuse_vectors(file, "the header promises " + std::to_string(header.rows) + " rows of " +
                             std::to_string(header.dimension) + " components, " +
                             std::to_string(count * sizeof(T)) + " bytes, but " +
                             std::to_string(there) + " follow");
  }
  std::vector<T> components(count);
  file.read_at(header.data_begin, reinterpret_cast<char*>(components.data()), count * sizeof(T));
  return components;
}

template <typename T>
VectorColumn column_of(const Header& header, std::vector<T> components) {
  return {header.rows, header.dimension, std::move(components)};
}

// "<f4": its size in bytes comes last.
std::uint64_t component_bytes(const Header& header) {
  return static_cast<std::uint64_t>(header.type.back() - '0');
}

}  // namespace

VectorRows npy_rows(const File& file) {
  const Header header = read_header(file);
  return {header.data_begin, header.dimension * component_bytes(header)};
}

std::string npy_header(const File& file, std::uint64_t rows) {
  constexpr std::size_t kAlign = 64;
  constexpr std::size_t kFixed = 10;  // magic, version and size
  const Header header = read_header(file);
  std::string text = "{'descr': '" + header.type + "', 'fortran_order': False, 'shape': (" +
                     std::to_string(rows) + ", " + std::to_string(header.dimension) + "), }";
  text.append(kAlign - (kFixed + text.size() + 1) % kAlign, ' ');
  text += '\n';
  std::string out(kMagic);
  out += {'\1', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return out + text;
}

VectorColumn read_npy(const File& file) {
  const Header header = read_header(file);
  if (header.dimension > kMaxDimension ||
      header.rows >= std::numeric_limits<std::uint32_t>::max()) {
    refuse_vectors(file, "has " + std::to_string(header.rows) + " rows of " +
                             std::to_string(header.dimension) + " components; at most 2^32 of " +
                             std::to_string(kMaxDimension) + " are read");
  }
  if (header.dimension == 0 && header.rows > 0) refuse_vectors(file, "its rows are empty");
  if (header.type == "<f4") return column_of(header, read_components<float>(file, header));
  if (header.type == "<f8") return column_of(header, read_components<double>(file, header));
  if (header.type == "|i1") return column_of(header, read_components<std::int8_t>(file, header));
  if (header.type == "|u1") return column_of(header, read_components<std::uint8_t>(file, header));
  if (header.type == "<f2") {
    const auto halves = read_components<std::uint16_t>(file, header);
    std::vector<float> components(halves.size());
    for (std::size_t i = 0; i < halves.size(); ++i) components[i] = from_half(halves[i]);
    return column_of(header, std::move(components));
  }
  if (header.type.find('O') != std::string::npos) {
    refuse_vectors(file, "holds Python objects, not numbers",
                   "save an array of one kind of numbers: a.astype('float32')");
  }
  refuse_vectors(file, "holds numbers of type " + header.type,
                 "float16, float32, float64, int8 and uint8 are read: a.astype('float32')");
}

}  // namespace sosie
