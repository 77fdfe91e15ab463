// Finds ids that occur in several files before all rows are read.
#include "corpus/first_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "corpus/row_parsers.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kRowsAFile = 4;
constexpr std::uint32_t kMostFiles = 1024;  // if there are more files, a sample of this many

struct FirstId {
  std::string id;
  RowLocator row;

  [[nodiscard]] bool stands_before(const FirstId& other) const noexcept {
    return std::pair(row.file, row.offset) < std::pair(other.row.file, other.row.offset);
  }
};

std::vector<FirstId> first_ids_of(const Inputs& inputs, std::uint32_t file) {
  const Format& format = *inputs.list[file].format;
  FieldRequest request;
  request.column = inputs.fields.column;
  request.id = inputs.fields.id;
  RowParsers parsers(inputs, request);
  std::vector<FirstId> found;
  RowStream rows(inputs.source(file));
  Record record;
  for (RowView row; found.size() < kRowsAFile && rows.next(row);) {
    if (format.is_blank != nullptr && format.is_blank(row.bytes)) continue;
    try {
      parsers.parse(file, row.bytes, record);
    } catch (const RowError&) {
      break;
    }
    found.push_back({std::string(record.id), {row.offset, row.length, file}});
  }
  return found;
}

void check_files(const Inputs& inputs, const std::vector<std::uint32_t>& files, ThreadPool& pool) {
  if (files.size() < 2) return;
  std::vector<std::vector<FirstId>> by_file(files.size());
  pool.for_each(files.size(), [&](unsigned /*worker*/, std::size_t i) {
    by_file[i] = first_ids_of(inputs, files[i]);
  });
  std::vector<FirstId> ids;
  for (std::vector<FirstId>& some : by_file) {
    std::move(some.begin(), some.end(), std::back_inserter(ids));
  }
  std::sort(ids.begin(), ids.end(), [](const FirstId& a, const FirstId& b) {
    return a.id != b.id ? a.id < b.id : a.stands_before(b);
  });
  const FirstId* first = nullptr;
  const FirstId* second = nullptr;  // earliest row whose id was there before
  for (std::size_t i = 1; i < ids.size(); ++i) {
    if (ids[i].id != ids[i - 1].id) continue;
    if (second != nullptr && !ids[i].stands_before(*second)) continue;
    first = &ids[i - 1];
    second = &ids[i];
  }
  if (second != nullptr) refuse_same_id(inputs, second->id, first->row, second->row);
}

// Files whose rows contain ids.
std::vector<std::uint32_t> named_files(const Inputs& inputs, std::uint32_t begin,
                                       std::uint32_t end) {
  std::vector<std::uint32_t> files;
  const std::uint32_t step = 1 + (end - begin) / kMostFiles;
  for (std::uint32_t i = begin; i < end; i += step) {
    const Format& format = *inputs.list[i].format;
    if (format.make_parser == nullptr || format.is_document() || inputs.list[i].memory) continue;
    if (!inputs.numbers_rows_of(i)) files.push_back(i);
  }
  return files;
}

}  // namespace

void check_first_ids(const Inputs& inputs, ThreadPool& pool) {
  const auto files = static_cast<std::uint32_t>(inputs.list.size());
  check_files(inputs, named_files(inputs, 0, inputs.first_own_file), pool);
  check_files(inputs, named_files(inputs, inputs.first_own_file, files), pool);
}

void refuse_same_id(const Inputs& inputs, const std::string& id, const RowLocator& first,
                    const RowLocator& second) {
  const auto& repeated = inputs.notes.repeated;
  const bool is_one_file =
      std::any_of(repeated.begin(), repeated.end(), [&](const RepeatedFile& file) {
        return file.name == inputs.list[second.file].name &&
               file.first == inputs.list[first.file].name;
      });
  throw Error(ErrorKind::malformed_input, BadPlace{place_of_row(inputs, second)},
              fmt::format("id '{}' is already used by {}", id, place_of_row(inputs, first)),
              is_one_file ? "both names refer to the same file"
                          : fmt::format("{0} file:row identifies rows by their file and their "
                                        "number in it, {0} row by their number",
                                        inputs.list[second.file].told.option("id")));
}

}  // namespace sosie
