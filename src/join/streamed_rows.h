#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "corpus/corpus.h"
#include "io/scratch.h"
#include "options/input_list.h"
#include "options/settings.h"
#include "read/row_feed.h"
#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// Beginning of a stream until its header is there, which tells how rows are cut. Formats without
// columns have none.
class StreamHead {
 public:
  StreamHead(const Format* format, const Options& options) : format_(format), options_(options) {}

  // Adds what came. True once the header is there wholly.
  bool add(std::string_view text);
  // Called when no more comes: lines of a stream without a line feed end with carriage returns.
  void finish();
  // All that came.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  // Puts the format in the dialect of the stream into `input`, and returns what cuts its rows, the
  // head first. Errors: as find_titles() and find_dialect().
  [[nodiscard]] RowFeed feed(InputFile& input, Scratch& scratch) const;

 private:
  [[nodiscard]] std::optional<std::string_view> header() const;

  const Format* format_;
  const Options& options_;
  std::string text_;
};

// Functions that take the rows of a stream.
struct StreamedRowSteps {
  // It is known what names the rows. Comes before any row; again when a later row tells more, in
  // formats without a header.
  std::function<void()> named;
  // Some rows, which live until it returns.
  std::function<void(std::span<const FedRow>)> answer;
  // No more rows are there now: what is answered should reach who waits for it.
  std::function<void()> flush;
};

// The rows of an INPUT that are to be answered as they come, a pipe or a terminal. Blank lines are
// none. The dialect of CSV is found in the header alone, so that no row waits for others.
class StreamedRows {
 public:
  // `options.inputs` do not matter, `options.column` is a field of text. All of them outlive this.
  StreamedRows(const InputFile& input, const Options& options, const Settings& settings,
               Scratch& scratch, const RunHooks& hooks);

  // Reads to the end. Throws Error{io}, Error{limit_exceeded} for a row that is too long for the
  // memory (the rows before it are answered), and what inputs_of_stream() and the steps throw.
  void read(const StreamedRowSteps& steps);

  // Once steps.named has been called; it stays where it is.
  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const Format& format() const noexcept { return *input_.format; }
  // "<stdin>:7".
  [[nodiscard]] std::string place(std::uint64_t line) const;
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint64_t blank_lines() const noexcept { return blank_lines_; }

 private:
  void take(std::span<const FedRow> rows, const StreamedRowSteps& steps);
  void learn_names(const FedRow& row, const StreamedRowSteps& steps);
  [[nodiscard]] bool is_too_long(std::uint64_t length) const noexcept {
    return length > limit_.bytes();
  }

  InputFile input_;  // its format has the dialect of the stream once the header is there
  const Options& options_;
  const Settings& settings_;
  RowLimit limit_;
  Scratch& scratch_;
  const RunHooks& hooks_;
  StreamHead head_;
  std::optional<RowFeed> feed_;  // once the head is there
  FileEncoding encoding_;        // encoding of the stream; its rows are UTF-8
  bool knows_names_ = false;
  Inputs inputs_;
  std::uint64_t bytes_ = 0;
  std::uint64_t blank_lines_ = 0;
};

// The physical line in which the trouble of a row lies, `offset` bytes behind its beginning.
[[nodiscard]] std::uint64_t trouble_line(const FedRow& row, std::size_t offset);

}  // namespace sosie
