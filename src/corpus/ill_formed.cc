// Detects rows with text that is not in its encoding, and decides when there are too many.
#include "corpus/ill_formed.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "core/utf8.h"
#include "io/append_escaped.h"
#include "options/items_as_file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kReason = "not ";

}  // namespace

std::optional<IllFormedPlace> find_ill_formed_place(std::string_view row,
                                                    const FileEncoding& encoding) {
  const std::size_t at = find_ill_formed_utf8(row);
  if (at == std::string_view::npos) return std::nullopt;
  char32_t byte = static_cast<unsigned char>(row[at]);
  if (encoding.codec) byte = next_of_decoded(row, at).code_point - kByteEscapes;
  return IllFormedPlace{
      at, fmt::format("{}{}: byte 0x{:02X}", kReason, encoding.codec ? encoding.name : "UTF-8",
                      static_cast<unsigned>(byte))};
}

bool is_ill_formed(const BadRow& bad) noexcept { return bad.reason.starts_with(kReason); }

void IllFormedBytes::add(std::string_view text) noexcept {
  constexpr std::string_view kOthers = "\x81\x8D\x8F\x90\x9D";
  for (std::size_t at = find_ill_formed_utf8(text); at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0xA0) {
      const bool is_other = kOthers.find(text[at]) != std::string_view::npos;
      (is_other ? has_others_ : has_windows_letters_) = true;
    }
    text.remove_prefix(at + 1);
    at = find_ill_formed_utf8(text);
  }
}

std::string_view IllFormedBytes::likely_encoding() const noexcept {
  if (has_others_) return {};
  return has_windows_letters_ ? "windows-1252" : "latin-1";
}

IllFormedBytes ill_formed_bytes(const Inputs& inputs, std::uint32_t file) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 20;
  IllFormedBytes bytes;
  if (inputs.encoding_of(file).codec) return bytes;
  std::string head(std::min(kMost, inputs.files[file].known_size()), '\0');
  head.resize(inputs.files[file].read_some(0, head.data(), head.size()));
  bytes.add(head);
  return bytes;
}

void check_encoding(const IllFormedCount& count, const Settings& settings,
                    const IllFormedFile& file) {
  if (!count.is_too_much() || !settings.stops_for_encoding) return;
  const std::string_view likely = file.bytes().likely_encoding();
  const std::string way_to_decode =
      file.may_be_decoded
          ? fmt::format("{0} {1} reads them, {0} auto detects many; ", file.told.option("encoding"),
                        likely.empty() ? "NAME (cp850 for DOS, macintosh for old Macs, ...)"
                                       : std::string(likely) + " (or another name)")
          : std::string();
  throw Error(
      ErrorKind::malformed_input,
      fmt::format("{}; {} of {} rows are not", file.first(), count_text(count.ill_formed),
                  count_text(count.rows)),
      way_to_decode + "--on-bad-row keep passes such rows through unchanged, skip leaves them out");
}

IllFormedFile ill_formed_file(const Inputs& inputs, const BadRow& first) {
  const std::uint32_t file = first.row.file;
  return {[&inputs, &first, file] {
            return place_of_row(inputs, {first.trouble, 0, file}) + ": " + first.reason;
          },
          [&inputs, file] { return ill_formed_bytes(inputs, file); }, inputs.list[file].told,
          inputs.list[file].format->row_ends != RowEnds::record};
}

void check_encodings(const Inputs& inputs, const Corpus& corpus, const Settings& settings) {
  for (const bool own : {false, true}) {
    IllFormedCount count;
    const BadRow* first = nullptr;
    for (std::size_t i = 0; i < corpus.facts.size(); ++i) {
      const std::uint32_t file = corpus.ranges[i].file;
      const bool is_judged = index_items_of(inputs.list[file]) == nullptr;
      if (!is_judged || (file >= inputs.first_own_file) != own) continue;
      count.rows += corpus.facts[i].rows;
      count.ill_formed += corpus.facts[i].ill_formed;
      const auto& bad_rows = corpus.blocks[i].bad_rows;
      const auto bad = std::find_if(bad_rows.begin(), bad_rows.end(), is_ill_formed);
      if (first == nullptr && bad != bad_rows.end()) first = &*bad;
    }
    if (first != nullptr) check_encoding(count, settings, ill_formed_file(inputs, *first));
  }
}

}  // namespace sosie
