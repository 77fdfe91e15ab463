#pragma once

#include <array>
#include <string_view>

#include "data/format.h"
#include "read/row_parsers.h"
#include "read/vector_files.h"
#include "read/warc.h"
#include "write/row_writers.h"

// TABLE: every format, once: its name, files, reader and writer. Options, help, messages, Python
// and docs/formats.md take names and extensions from here.
namespace sosie {

[[nodiscard]] inline bool is_white(std::string_view row) {
  return row.find_first_not_of(" \t\r") == std::string_view::npos;
}

[[nodiscard]] inline bool is_fps_header(std::string_view row) {
  return row.starts_with('#') || is_white(row);
}

[[nodiscard]] inline bool is_empty(std::string_view row) { return row.empty(); }

inline constexpr std::array kFormatTable = {
    Format{.name = "jsonl",
           .extensions = {".jsonl", ".ndjson"},
           .looked_into = ".json",
           .row_words = "a line that holds a JSON object; blank lines are skipped; `.json` files "
                        "are inspected",
           .item_words = "`--column` (default `text`)",
           .has_fields = true,
           .is_blank = is_white,
           .make_parser = make_jsonl_row_parser,
           .field_names = jsonl_field_names,
           .written_value = jsonl_written_value,
           .writer = &kJsonlRowWriter},
    Format{.name = "csv",
           .extensions = {".csv", ""},
           .row_words = "a record ([below](#csv-and-tsv)); quoted fields may contain line breaks; "
                        "the first record is the header",
           .item_words = "`--column`",
           .row_ends = RowEnds::quoted_line,
           .dialect = {.separator = ','},
           .has_dialects = true,
           .has_fields = true,
           .has_header = true,
           .is_blank = is_empty,
           .make_parser = make_csv_row_parser,
           .field_names = csv_field_names,
           .written_value = csv_written_value,
           .writer = &kCsvRowWriter},
    Format{.name = "tsv",
           .extensions = {".tsv", ""},
           .row_words = "a record, as in CSV",
           .item_words = "`--column`",
           .row_ends = RowEnds::quoted_line,
           .dialect = {.separator = '\t'},
           .has_fields = true,
           .has_header = true,
           .is_blank = is_empty,
           .make_parser = make_tsv_row_parser,
           .field_names = tsv_field_names,
           .written_value = tsv_written_value,
           .writer = &kTsvRowWriter},
    Format{.name = "txt",
           .extensions = {".txt", ""},
           .row_words = "a line, even an empty one",
           .item_words = "the line",
           .make_parser = make_text_row_parser,
           .field_names = text_line_field_names},
    Format{
        .name = "sets",
        .extensions = {".sets", ""},
        .kind = kSetItems,
        .row_words = "a line that holds a set: elements of any bytes, separated by spaces or tabs",
        .item_words = "the set",
        .make_parser = make_text_row_parser,
        .field_names = text_line_field_names},
    Format{.name = "wet",
           .extensions = {".wet", ".warc"},
           .row_words =
               "a WARC record with the plain text of a page; other records are skipped; the fields "
               "are `id`, `url`, `date`, `text` and the other headers in lower case",
           .item_words = "`--column` (default `text`)",
           .row_ends = RowEnds::record,
           .has_fields = true,
           .only_read = true,
           .is_blank = is_about_records,
           .make_parser = make_warc_row_parser,
           .field_names = warc_field_names},
    Format{.name = "fps",
           .extensions = {".fps", ""},
           .kind = kBitItems,
           .row_words = "a chemfp line: a fingerprint in hexadecimal digits, a tab and its `id`",
           .item_words = "the fingerprint",
           .has_fields = true,
           .only_read = true,
           .declares_bits = true,
           .is_blank = is_fps_header,
           .make_parser = make_fps_row_parser,
           .field_names = fps_field_names},
    Format{.name = "files",
           .extensions = {},
           .row_words = "a file, named by its relative path; only with `--format files`",
           .item_words = "the file",
           .row_ends = RowEnds::file,
           .make_parser = make_text_row_parser,
           .field_names = text_line_field_names},
    Format{.name = "parquet",
           .extensions = {".parquet", ""},
           .row_words = "a row",
           .item_words = "`--column`",
           .has_fields = true,
           .columnar = true,
           .make_parser = make_jsonl_row_parser,
           .field_names = jsonl_field_names},
    Format{.name = "arrow",
           .extensions = {".arrow", ".feather"},
           .row_words = "a row of an Arrow IPC file or stream (Feather V2)",
           .item_words = "`--column`",
           .has_fields = true,
           .columnar = true,
           .make_parser = make_jsonl_row_parser,
           .field_names = jsonl_field_names},
    Format{
        .name = "npy",
        .extensions = {".npy", ""},
        .kind = kVectorItems,
        .row_words =
            "a row of a two-dimensional array of bool (bits), float16 to float64, int8 to int64 or "
            "uint8 to uint64",
        .item_words = "the row",
        .row_ends = RowEnds::file,
        .read_vectors = read_npy,
        .vector_rows = npy_rows,
        .kind_of = npy_kind,
        .vector_header = npy_header},
    Format{.name = "fvecs",
           .extensions = {".fvecs", ""},
           .kind = kVectorItems,
           .row_words = "a 32-bit dimension, followed by that many float32",
           .item_words = "these numbers",
           .row_ends = RowEnds::file,
           .read_vectors = read_fvecs,
           .vector_rows = rows_of_words},
    Format{.name = "bvecs",
           .extensions = {".bvecs", ""},
           .kind = kVectorItems,
           .row_words = "a 32-bit dimension, followed by that many uint8",
           .item_words = "these numbers",
           .row_ends = RowEnds::file,
           .read_vectors = read_bvecs,
           .vector_rows = rows_of_bytes},
    Format{.name = "ivecs",
           .extensions = {".ivecs", ""},
           .kind = kVectorItems,
           .row_words = "a 32-bit dimension, followed by that many int32",
           .item_words = "these numbers",
           .row_ends = RowEnds::file,
           .read_vectors = read_ivecs,
           .vector_rows = rows_of_words},
};

// Words joined at compile time, for rows of other tables.
struct FormatWords {
  std::array<char, 160> bytes{};
  std::size_t size = 0;

  constexpr void add(std::string_view word, std::string_view between) {
    if (size > 0) append(between);
    append(word);
  }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return {bytes.data(), size}; }

 private:
  constexpr void append(std::string_view text) {
    for (const char c : text) bytes[size++] = c;
  }
};

// "jsonl, csv, ..."
inline constexpr FormatWords kFormatNames = [] {
  FormatWords words;
  for (const Format& format : kFormatTable) words.add(format.name, ", ");
  return words;
}();

// ".jsonl .csv ...": the extensions of tables.
inline constexpr FormatWords kTableExtensions = [] {
  FormatWords words;
  for (const Format& format : kFormatTable) {
    if (format.has_tables()) words.add(format.extensions.front(), " ");
  }
  return words;
}();

}  // namespace sosie
