// Recognises by their first bytes files that are often mistaken for text.
#include "io/foreign_format.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "core/utf8.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using namespace std::string_view_literals;

struct Foreign {
  std::string_view magic;
  std::string_view what;
  std::string_view way_out;
  std::size_t at = 0;
};

constexpr std::string_view kExtract = "extract the text first";
constexpr std::string_view kLfsPointer = "version https://git-lfs.github.com/spec/";

// TABLE: formats that are not plain text, with their first bytes.
constexpr std::array kForeign = {
    Foreign{"\xFD"
            "7zXZ\0"sv,
            "is compressed with xz", kUnpackFirst},
    Foreign{"1AY&SY"sv, "is compressed with bzip2", kUnpackFirst, 4},  // behind BZh and a digit
    Foreign{"\x04\x22\x4D\x18"sv, "is compressed with lz4", kUnpackFirst},
    Foreign{"\x1F\x9D"sv, "is compressed with compress", kUnpackFirst},
    Foreign{"LZIP\x01"sv, "is compressed with lzip", kUnpackFirst},
    Foreign{"\xFF\x06\0\0sNaPpY"sv, "is compressed with snappy", kUnpackFirst},
    Foreign{"7z\xBC\xAF\x27\x1C"sv, "is a 7-Zip archive", kUnpackFirst},
    Foreign{"Rar!\x1A\x07"sv, "is a RAR archive", kUnpackFirst},
    Foreign{"ustar"sv, "is a tar archive", kUnpackFirst, 257},
    Foreign{"PK\x03\x04"sv, "is a ZIP archive or a spreadsheet",
            "extract it first, or save the sheet as CSV"},
    Foreign{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "is a spreadsheet or another Office file",
            kSaveAsCsv},
    Foreign{"PAR1\x15"sv, "is a Parquet file", "name it .parquet, or use --format parquet"},
    Foreign{"ARROW1\0\0"sv, "is an Arrow file", "name it .arrow, or use --format arrow"},
    Foreign{"\x93NUMPY"sv, "is a NumPy file", "name it .npy, or use --format npy"},
    Foreign{"Obj\x01"sv, "is an Avro file", "save it as Parquet or JSONL"},
    Foreign{"ORC\x08"sv, "is an ORC file", "save it as Parquet or JSONL"},
    Foreign{"SQLite format 3\0"sv, "is an SQLite database", "export the table as CSV"},
    Foreign{"\x89HDF\r\n\x1A\n"sv, "is an HDF5 file", "save it as Parquet or .npy"},
    Foreign{"%PDF-1."sv, "is a PDF file", kExtract},
    Foreign{"%PDF-2."sv, "is a PDF file", kExtract},
    Foreign{"\x89PNG\r\n\x1A\n"sv, "is an image (PNG)", kExtract},
    Foreign{"\xFF\xD8\xFF"sv, "is an image (JPEG)", kExtract},
    Foreign{"GIF89a"sv, "is an image (GIF)", kExtract},
    Foreign{"\x7F"
            "ELF"sv,
            "is a program", kExtract},
    Foreign{"MZ\x90\0"sv, "is a program", kExtract},
    Foreign{"\xCF\xFA\xED\xFE"sv, "is a program", kExtract},
};

bool begins_so(const Foreign& foreign, std::string_view head) {
  return head.substr(std::min(foreign.at, head.size())).starts_with(foreign.magic);
}

// True for UTF-8 without control characters, except that the last character may be incomplete.
bool is_plain_text(std::string_view head) {
  constexpr std::size_t kLongestCut = 3;
  const bool has_control = std::any_of(head.begin(), head.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && (c < '\t' || c > '\r');
  });
  const std::size_t fault = find_ill_formed_utf8(head);
  const bool is_utf8 = fault == std::string_view::npos || fault + kLongestCut >= head.size();
  return is_utf8 && !has_control;
}

}  // namespace

void refuse_lfs_pointer(const std::string& path) {
  constexpr std::uintmax_t kMostBytes = 1023;  // longer ones are none, by the specification
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  if (std::filesystem::file_size(path, error) > kMostBytes || error) return;
  std::ifstream file(path, std::ios::binary);
  std::string head(kLfsPointer.size(), '\0');
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size())) || head != kLfsPointer) {
    return;
  }
  throw Error(ErrorKind::unsupported, BadPlace{path},
              "is a Git LFS pointer, not the file it stands for", "git lfs pull fetches it");
}

void refuse_foreign_format(std::string_view head, const std::string& name) {
  if (is_plain_text(head)) return;  // which may begin with such letters: "GIF89a,text"
  const auto* found = std::find_if(kForeign.begin(), kForeign.end(), [&](const Foreign& foreign) {
    return begins_so(foreign, head);
  });
  if (found == kForeign.end()) return;
  throw Error(ErrorKind::unsupported, BadPlace{name}, std::string(found->what),
              std::string(found->way_out));
}

}  // namespace sosie
