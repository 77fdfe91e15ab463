#include "write/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/terminal_text.h"
#include "core/utf8.h"
#include "data/table_note.h"
#include "io/compression.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using Columns = std::span<const std::string>;
using Cells = std::span<const Cell>;

// A cell as text, without quoting.
void append_plain(std::string& out, const Cell& cell) {
  struct Append {
    std::string& out;
    void operator()(std::string_view text) const { out += text; }
    void operator()(std::uint64_t number) const { out += std::to_string(number); }
    void operator()(Decimal number) const {
      fmt::format_to(std::back_inserter(out), "{:.6f}", number.value);
    }
    void operator()(bool flag) const { out += flag ? "true" : "false"; }
    void operator()(const IdText& id) const { out += id.text; }
  };
  std::visit(Append{out}, cell);
}

// A text that begins with a quote is put in quotes, or it would be read as if it were.
void append_tsv(std::string& out, std::string_view text) {
  const bool quoted = text.starts_with('"');
  if (quoted) out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out.append(quoted ? 2 : 1, c);
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
  if (quoted) out += '"';
}

void append_csv(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// Appends the byte sequence at `at` that is no ASCII character, ill-formed UTF-8 as U+FFFD, and
// returns its size.
std::size_t append_code_point(std::string& out, std::string_view text, std::size_t at) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
  std::array<unsigned char, 4> encoded{};
  const std::size_t size = encode_code_point(decoded.code_point, encoded.data());
  out.append(encoded.begin(), encoded.begin() + size);
  return decoded.size;
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      i += append_code_point(out, text, i) - 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

using AppendText = void (*)(std::string&, std::string_view);

void append_cell(std::string& out, const Cell& cell, AppendText quote) {
  if (const auto* text = std::get_if<std::string_view>(&cell)) {
    quote(out, *text);
  } else if (const auto* id = std::get_if<IdText>(&cell); id != nullptr && !id->is_integer) {
    quote(out, id->text);
  } else {
    append_plain(out, cell);
  }
}

void append_terminal_tsv(std::string& out, std::string_view text) {
  std::string escaped;
  append_tsv(escaped, text);
  append_terminal_text(out, escaped);
}

template <char kSeparator, AppendText kQuote>
void separated_header(std::string& out, Columns columns) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) out += kSeparator;
    kQuote(out, columns[i]);
  }
  out += '\n';
}

template <char kSeparator, AppendText kQuote>
void separated_row(std::string& out, Columns /*columns*/, Cells cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += kSeparator;
    append_cell(out, cells[i], kQuote);
  }
  out += '\n';
}

void jsonl_header(std::string& /*out*/, Columns /*columns*/) {}

void jsonl_row(std::string& out, Columns columns, Cells cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out += i == 0 ? "{" : ", ";
    append_json(out, columns[i]);
    out += ": ";
    append_cell(out, cells[i], append_json);
  }
  out += "}\n";
}

constexpr std::array kTableFormats = {
    TableFormat{
        ".tsv", {}, true, separated_header<'\t', append_tsv>, separated_row<'\t', append_tsv>},
    TableFormat{
        ".csv", {}, true, separated_header<',', append_csv>, separated_row<',', append_csv>},
    TableFormat{".jsonl", {}, false, jsonl_header, jsonl_row},
    TableFormat{".parquet", "parquet", false, nullptr, nullptr},
    TableFormat{".arrow", "arrow", false, nullptr, nullptr},
    TableFormat{".feather", "arrow", false, nullptr, nullptr},
};

// TSV that is shown: ids and texts cannot steer the terminal.
constexpr TableFormat kTerminalTsv{".tsv",
                                   {},
                                   false,
                                   separated_header<'\t', append_terminal_tsv>,
                                   separated_row<'\t', append_terminal_tsv>};

const TableFormat& required_format(const std::string& path) {
  if (const TableFormat* format = table_format_for(path)) {
    const bool packed = without_compression_extension(path).size() < path.size();
    if (format->columnar.empty() || !packed) return *format;
    throw Error(ErrorKind::invalid_option,
                path + ": files of this format are packed inside: leave the last extension out");
  }
  throw Error(ErrorKind::invalid_option, path + ": cannot tell the format from the name",
              "side files end in .tsv, .csv, .jsonl (these may be packed: .tsv.gz, .csv.zst), "
              ".parquet or .arrow");
}

}  // namespace

std::span<const TableFormat> table_formats() noexcept { return kTableFormats; }

const TableFormat* table_format_for(std::string_view path) noexcept {
  path = without_compression_extension(path);
  const auto* found =
      std::find_if(kTableFormats.begin(), kTableFormats.end(),
                   [&](const TableFormat& format) { return path.ends_with(format.extension); });
  return found == kTableFormats.end() ? nullptr : found;
}

TableWriter::TableWriter(const std::string& path, std::vector<std::string> columns,
                         const std::atomic<bool>* cancel, const TableFiles* table_files,
                         std::string_view note)
    : format_(&required_format(path)),
      columns_(std::move(columns)),
      file_(std::make_unique<OutputFile>(path, cancel)) {
  if (!format_->columnar.empty()) {
    const TableFiles& files = table_files ? *table_files : installed_table_files(path);
    columnar_ = std::make_unique<ColumnarTable>(files, format_->columnar, columns_, *file_, path);
    columnar_->set_note(note);
    return;
  }
  if (format_->takes_note_line && !note.empty()) {
    line_ = fmt::format("{}{}\n", kTableNoteMark, note);
  }
  format_->header(line_, columns_);
  file_->write(line_);
}

TableWriter::TableWriter(int descriptor, std::vector<std::string> columns,
                         const std::atomic<bool>* cancel)
    : format_(kTableFormats.data()),
      columns_(std::move(columns)),
      file_(std::make_unique<OutputFile>(descriptor, "<stdout>", cancel)) {
  if (file_->is_terminal()) format_ = &kTerminalTsv;
  format_->header(line_, columns_);
  file_->write(line_);
}

void TableWriter::row(std::span<const Cell> cells) {
  if (columnar_) {
    columnar_->row(cells);
    return;
  }
  line_.clear();
  format_->row(line_, columns_, cells);
  file_->write(line_);
}

void TableWriter::flush() { file_->flush(); }

void TableWriter::finish() {
  if (columnar_) columnar_->finish();
  file_->finish();
}

void TableWriter::commit() { file_->commit(); }

}  // namespace sosie
