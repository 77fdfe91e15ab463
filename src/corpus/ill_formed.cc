// Rows whose text is not in its encoding: how they are told, and when there are too many.
#include "corpus/ill_formed.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/number_text.h"
#include "core/utf8.h"
#include "io/escaped_text.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kReason = "not ";

}  // namespace

std::optional<IllFormedPlace> find_ill_formed_place(std::string_view row,
                                                    const FileEncoding& encoding) {
  const std::size_t at = find_ill_formed(row);
  if (at == std::string_view::npos) return std::nullopt;
  char32_t byte = static_cast<unsigned char>(row[at]);
  if (encoding.codec) byte = next_of_decoded(row, at).code_point - kByteEscapes;
  return IllFormedPlace{
      at, fmt::format("{}{}: byte 0x{:02X}", kReason, encoding.codec ? encoding.name : "UTF-8",
                      static_cast<unsigned>(byte))};
}

bool is_ill_formed(const BadRow& bad) noexcept { return bad.reason.starts_with(kReason); }

void check_encoding(const IllFormedCount& count, const Settings& settings,
                    const std::function<std::string()>& first) {
  if (!count.is_too_much() || !settings.stops_for_encoding) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}; {} of {} rows are not", first(), count_text(count.ill_formed),
                          count_text(count.rows)),
              "--encoding latin-1 (or another name) reads them, --encoding auto detects many; "
              "--on-bad-row keep goes on with the bytes as they are, skip leaves such rows out");
}

void check_encodings(const Inputs& inputs, const Corpus& corpus, const Settings& settings) {
  for (const bool own : {false, true}) {
    IllFormedCount count;
    const BadRow* first = nullptr;
    for (std::size_t i = 0; i < corpus.facts.size(); ++i) {
      if ((corpus.ranges[i].file >= inputs.first_own_file) != own) continue;
      count.rows += corpus.facts[i].rows;
      count.ill_formed += corpus.facts[i].ill_formed;
      const auto& bad_rows = corpus.blocks[i].bad_rows;
      const auto bad = std::find_if(bad_rows.begin(), bad_rows.end(), is_ill_formed);
      if (first == nullptr && bad != bad_rows.end()) first = &*bad;
    }
    check_encoding(count, settings, [&] {
      return place_of_row(inputs, {first->trouble, 0, first->row.file}) + ": " + first->reason;
    });
  }
}

}  // namespace sosie
