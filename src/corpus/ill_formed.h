#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/corpus.h"

namespace sosie {

// Rows whose text is invalid in its encoding take part like all others, and each ill-formed byte
// counts as a character of its own. These rows are counted and listed among the bad rows, so that
// --rejects contains them.

// Position of the ill-formed bytes in a row, and the reason; nullopt if there are none (a lone
// surrogate escaped in JSON is no fault of the encoding).
struct IllFormedPlace {
  std::size_t offset = 0;
  std::string reason;
};
[[nodiscard]] std::optional<IllFormedPlace> find_ill_formed_place(std::string_view row,
                                                                  const FileEncoding& encoding);

// True if the row is bad because its text is invalid in its encoding.
[[nodiscard]] bool is_ill_formed(const BadRow& bad) noexcept;

// Counts of the rows of one collection.
struct IllFormedCount {
  std::uint64_t rows = 0;
  std::uint64_t ill_formed = 0;

  // True if there are more than 10 and more than 1 %: the file probably has another encoding.
  [[nodiscard]] bool is_too_much() const noexcept {
    return ill_formed > 10 && ill_formed * 100 > rows;
  }
};

// Bytes that are not UTF-8, from which another encoding is suggested.
class IllFormedBytes {
 public:
  void add(std::string_view text) noexcept;
  // The encoding to suggest: windows-1252 if there are bytes from 0x80 to 0x9F and all of them are
  // characters in it, latin-1 if there are no such bytes, empty otherwise.
  [[nodiscard]] std::string_view likely_encoding() const noexcept;

 private:
  bool has_windows_letters_ = false;
  bool has_others_ = false;  // from 0x80 to 0x9F, in neither encoding
};
// Returns the ill-formed bytes at the beginning of a file.
[[nodiscard]] IllFormedBytes ill_formed_bytes(const Inputs& inputs, std::uint32_t file);

// The file that contains a collection's first row with invalid text.
struct IllFormedFile {
  std::function<std::string()> first;     // place and reason of that row
  std::function<IllFormedBytes()> bytes;  // some of the ill-formed bytes
  const ToldOfFile& told;
  bool may_be_decoded = true;  // --encoding applies to it
};
// The result refers to both arguments.
[[nodiscard]] IllFormedFile ill_formed_file(const Inputs& inputs, const BadRow& first);

// Throws Error{malformed_input} if the count is too high, unless the options show that the encoding
// is intended.
void check_encoding(const IllFormedCount& count, const Settings& settings,
                    const IllFormedFile& file);

// Calls check_encoding() for each collection in a corpus in memory. Items of an index are exempt,
// since they were checked when they were added.
void check_encodings(const Inputs& inputs, const Corpus& corpus, const Settings& settings);

}  // namespace sosie
