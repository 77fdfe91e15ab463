// Reads the codec of an Arrow IPC file from its FlatBuffers.
#include "arrow_ipc_codec.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

namespace sosie::arrow_files {
namespace {

// A FlatBuffer table. Anything outside of the buffer counts as missing.
class FlatTable {
 public:
  FlatTable(const std::vector<char>& bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  // The root of the buffer, or the table to which the field refers.
  static std::optional<FlatTable> at_reference(const std::vector<char>& bytes, std::size_t at) {
    const auto offset = read<std::uint32_t>(bytes, at);
    return offset ? std::optional(FlatTable(bytes, at + *offset)) : std::nullopt;
  }

  template <typename T>
  [[nodiscard]] std::optional<T> field(unsigned number) const {
    const auto place = place_of(number);
    return place ? read<T>(bytes_, *place) : std::nullopt;
  }

  [[nodiscard]] std::optional<FlatTable> table(unsigned number) const {
    const auto place = place_of(number);
    return place ? at_reference(bytes_, *place) : std::nullopt;
  }

 private:
  template <typename T>
  static std::optional<T> read(const std::vector<char>& bytes, std::size_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
  }

  [[nodiscard]] std::optional<std::size_t> place_of(unsigned number) const {
    const auto back = read<std::int32_t>(bytes_, at_);
    if (!back) return std::nullopt;
    const std::size_t fields = at_ - static_cast<std::size_t>(std::int64_t{*back});
    const auto size = read<std::uint16_t>(bytes_, fields);
    const std::size_t entry = 4 + 2 * std::size_t{number};  // behind the two sizes
    if (!size || entry + 2 > *size) return std::nullopt;
    const auto offset = read<std::uint16_t>(bytes_, fields + entry);
    return offset && *offset != 0 ? std::optional(at_ + *offset) : std::nullopt;
  }

  const std::vector<char>& bytes_;
  std::size_t at_;
};

constexpr std::uint8_t kRecordBatch = 3;  // type of Message.header

// The fields of Message: type of the header, the header, and the length of the data after it.
constexpr unsigned kHeaderType = 1;
constexpr unsigned kHeader = 2;
constexpr unsigned kBodyLength = 3;

std::string codec_of(const FlatTable& record_batch) {
  const auto compression = record_batch.table(3);
  if (!compression) return {};
  return compression->field<std::int8_t>(0).value_or(0) == 1 ? "zstd" : "lz4";
}

}  // namespace

std::string arrow_ipc_codec(const std::string& path) {
  constexpr std::uint32_t kMostMetadata = std::uint32_t{1} << 28;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> magic{};
  file.read(magic.data(), magic.size());
  if (std::memcmp(magic.data(), "ARROW1", 6) != 0) file.seekg(0);  // a stream has none
  std::array<std::uint32_t, 2> head{};  // 0xFFFFFFFF and the size of the metadata
  while (file.read(reinterpret_cast<char*>(head.data()), sizeof(head))) {
    if (head[0] != 0xFFFFFFFFU || head[1] == 0 || head[1] > kMostMetadata) return {};
    std::vector<char> metadata;
    constexpr std::size_t kStep = std::size_t{1} << 20;  // no more room than the file has bytes
    while (metadata.size() < head[1] && file) {
      const std::size_t had = metadata.size();
      metadata.resize(std::min<std::size_t>(head[1], had + kStep));
      file.read(metadata.data() + had, static_cast<std::streamsize>(metadata.size() - had));
    }
    const auto message = FlatTable::at_reference(metadata, 0);
    if (!file || !message) return {};
    const auto header = message->table(kHeader);
    if (message->field<std::uint8_t>(kHeaderType) == kRecordBatch && header) {
      return codec_of(*header);
    }
    const std::int64_t body = message->field<std::int64_t>(kBodyLength).value_or(0);
    if (body < 0) return {};  // or this message would be read again without end
    file.seekg(body, std::ios::cur);
  }
  return {};
}

}  // namespace sosie::arrow_files
