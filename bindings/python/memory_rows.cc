// Rows in memory for the library to read: arrays in place, other objects as lines of JSON.
#include "memory_rows.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "python_json.h"
#include "python_table.h"

namespace nb = nanobind;

namespace sosie::python {
namespace {

using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using BitRows = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Rows of bytes as lines of hexadecimal digits.
class HexLines final : public MemoryFile {
 public:
  explicit HexLines(BitRows rows)
      : rows_(std::move(rows)), bytes_(rows_.data()), line_(2 * rows_.shape(1) + 1) {}

  [[nodiscard]] std::uint64_t size() const noexcept override { return rows_.shape(0) * line_; }

  void read(std::uint64_t offset, char* out, std::size_t size) const override {
    constexpr char kDigits[] = "0123456789abcdef";
    const std::uint64_t width = line_ / 2;
    std::uint64_t row = offset / line_;
    std::uint64_t digit = offset % line_;
    for (; size > 0; --size) {
      const bool is_end = digit == line_ - 1;
      const std::uint8_t byte = is_end ? 0 : bytes_[row * width + digit / 2];
      *out++ = is_end ? '\n' : kDigits[digit % 2 == 0 ? byte >> 4 : byte & 15];
      if (++digit == line_) digit = 0, ++row;
    }
  }

 private:
  BitRows rows_;
  const std::uint8_t* bytes_;
  std::uint64_t line_;
};

std::span<const char> chars_of(const void* data, std::size_t size) {
  return {static_cast<const char*>(data), size};
}

MemoryRows array_rows(const nb::bytes& header, Bytes data, std::uint64_t rows) {
  struct Owned {
    std::string header;
    Bytes data;
  };
  auto owned =
      std::make_shared<const Owned>(Owned{{header.c_str(), header.size()}, std::move(data)});
  return {memory_file_of({chars_of(owned->header.data(), owned->header.size()),
                          chars_of(owned->data.data(), owned->data.size())},
                         owned),
          ".npy", rows};
}

MemoryRows bit_rows(BitRows rows) {
  const std::uint64_t count = rows.shape(0);
  return {std::make_shared<const HexLines>(std::move(rows)), ".txt", count};
}

// Text in pieces, so that no piece moves when others are added.
class Pieces {
 public:
  // Returns the string to append to.
  std::string& next() {
    constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
    if (texts_->empty() || texts_->back().size() >= kPieceBytes) texts_->emplace_back();
    return texts_->back();
  }

  [[nodiscard]] MemoryRows rows() const {
    std::vector<std::span<const char>> pieces;
    for (const std::string& text : *texts_) pieces.push_back(chars_of(text.data(), text.size()));
    return {memory_file_of(std::move(pieces), texts_), ".jsonl"};
  }

 private:
  std::shared_ptr<std::vector<std::string>> texts_ = std::make_shared<std::vector<std::string>>();
};

MemoryRows list_rows(const nb::sequence& list, const std::vector<std::string>& columns) {
  Pieces pieces;
  std::size_t number = 0;
  for (const nb::handle row : list) append_json_line(row, columns, number++, pieces.next());
  return pieces.rows();
}

MemoryRows sparse_rows(const Numbers& ends, const Numbers& indices, const nb::object& counts,
                       const std::string& column) {  // makes JSON
  Pieces pieces;
  const bool counted = !counts.is_none();
  const Numbers often = counted ? nb::cast<Numbers>(counts) : indices;
  const std::string begin = "{" + column + (counted ? ": {" : ": [");
  for (std::size_t row = 0; row + 1 < ends.shape(0); ++row) {
    std::string& line = pieces.next();
    line += begin;
    for (auto i = ends.data()[row]; i < ends.data()[row + 1]; ++i) {
      if (i > ends.data()[row]) line += ", ";
      const std::string index = std::to_string(indices.data()[i]);
      line += counted ? "\"" + index + "\": " + std::to_string(often.data()[i]) : index;
    }
    line += counted ? "}}\n" : "]}\n";
  }
  return pieces.rows();
}

MemoryRows arrow_rows(const nb::object& data, const std::vector<std::string>& columns) {
  if (!has_arrow_stream(data)) throw_no_rows(data);
  ArrowArrayStream stream = arrow_stream_of(data);
  return {json_lines_of(&stream, columns), ".jsonl"};
}

nb::bytes content(const MemoryRows& rows) {
  std::string bytes(rows.file->size(), '\0');
  rows.file->read(0, bytes.data(), bytes.size());
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void define_memory_rows(nb::module_& module) {
  nb::class_<MemoryRows>(module, "MemoryRows")
      .def_ro("extension", &MemoryRows::extension)
      .def("content", content);
  module.def("array_rows", array_rows, nb::arg("header"), nb::arg("data"), nb::arg("rows"));
  module.def("bit_rows", bit_rows, nb::arg("rows"));
  module.def("list_rows", list_rows, nb::arg("rows"), nb::arg("columns"));
  module.def("sparse_rows", sparse_rows, nb::arg("ends"), nb::arg("indices"),
             nb::arg("counts").none(), nb::arg("column"));
  module.def("arrow_rows", arrow_rows, nb::arg("data").none(), nb::arg("columns"));
}

}  // namespace sosie::python
