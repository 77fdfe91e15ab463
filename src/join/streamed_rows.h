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

// Beginning of a stream up to its header, which determines how rows are divided. Formats without
// columns have no header.
class StreamHead {
 public:
  StreamHead(const Format* format, const Options& options) : format_(format), options_(options) {}

  // Adds received text. Returns true once the header is complete.
  bool add(std::string_view text);
  // Called at the end of the stream: lines of a stream without a line feed end with carriage
  // returns.
  void finish();
  // All received text.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  // Stores the format in the dialect of the stream in `input`, and returns the divider of its rows,
  // with the head first. Errors: as find_titles() and find_dialect().
  [[nodiscard]] RowFeed feed(InputFile& input, Scratch& scratch) const;

 private:
  [[nodiscard]] std::optional<std::string_view> header() const;

  const Format* format_;
  const Options& options_;
  std::string text_;
};

// Functions that receive the rows of a stream.
struct StreamedRowSteps {
  // Called when the source of row names is known: before any row, and again if a later row provides
  // more, in formats without a header.
  std::function<void()> named;
  // Receives some rows, which live until it returns.
  std::function<void(std::span<const FedRow>)> answer;
  // Called when no more rows are available at the moment: answers should now reach the reader.
  std::function<void()> flush;
};

// The rows of an INPUT that are answered as they arrive, from a pipe or a terminal. Blank lines are
// not rows. The dialect of CSV is detected from the header alone, so that no row waits for others.
class StreamedRows {
 public:
  // `options.inputs` is ignored, `options.column` is a text field. All arguments must outlive this
  // object.
  StreamedRows(const InputFile& input, const Options& options, const Settings& settings,
               Scratch& scratch, const RunHooks& hooks);

  // Reads to the end. Throws Error{io}, Error{limit_exceeded} for a row that is too long for the
  // memory (after answering the rows before it), and as inputs_of_stream() and the steps do.
  void read(const StreamedRowSteps& steps);

  // Available once steps.named has been called; its address does not change.
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

// The physical line of the fault in a row, `offset` bytes after its beginning.
[[nodiscard]] std::uint64_t trouble_line(const FedRow& row, std::size_t offset);

}  // namespace sosie
