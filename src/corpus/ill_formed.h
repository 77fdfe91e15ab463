#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/corpus.h"

namespace sosie {

// Rows whose text is not in its encoding take part like all others, each ill-formed byte a letter
// of its own. They are counted and listed among the bad rows, so that --rejects has them.

// Where the bytes of a row are ill-formed, and why; nothing when they are not (a lone surrogate
// that JSON escapes is no fault of the encoding).
struct IllFormedPlace {
  std::size_t offset = 0;
  std::string reason;
};
[[nodiscard]] std::optional<IllFormedPlace> find_ill_formed_place(std::string_view row,
                                                                  const FileEncoding& encoding);

// True if the row is bad because its text is not in its encoding.
[[nodiscard]] bool is_ill_formed(const BadRow& bad) noexcept;

// Counts of the rows of one collection.
struct IllFormedCount {
  std::uint64_t rows = 0;
  std::uint64_t ill_formed = 0;

  // More than 10 and more than 1 %: the encoding is another one.
  [[nodiscard]] bool is_too_much() const noexcept {
    return ill_formed > 10 && ill_formed * 100 > rows;
  }
};

// Bytes that are not UTF-8, by which another encoding is suggested.
class IllFormedBytes {
 public:
  void add(std::string_view text) noexcept;
  // windows-1252 if there are bytes from 0x80 to 0x9F that it has letters for, latin-1 if there are
  // none at all; empty: neither.
  [[nodiscard]] std::string_view likely_encoding() const noexcept;

 private:
  bool has_windows_letters_ = false;
  bool has_others_ = false;  // from 0x80 to 0x9F, which neither has
};
// Returns the ones at the beginning of a file.
[[nodiscard]] IllFormedBytes ill_formed_bytes(const Inputs& inputs, std::uint32_t file);

// The file that holds the first such row of a collection.
struct IllFormedFile {
  std::function<std::string()> first;     // place and reason of that row
  std::function<IllFormedBytes()> bytes;  // some of what is ill-formed
  const ToldOfFile& told;
  bool may_be_decoded = true;  // --encoding applies to it
};
// Refers to both.
[[nodiscard]] IllFormedFile ill_formed_file(const Inputs& inputs, const BadRow& first);

// Ends the run with Error{malformed_input} for such a count, unless the options say that this is
// meant.
void check_encoding(const IllFormedCount& count, const Settings& settings,
                    const IllFormedFile& file);

// Checks each collection of a corpus in memory as check_encoding() does. Items of an index were
// judged when they were added.
void check_encodings(const Inputs& inputs, const Corpus& corpus, const Settings& settings);

}  // namespace sosie
