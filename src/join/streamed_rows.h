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

// The beginning of a stream, up to and including its header, which determines how rows are divided
// into fields. Formats without columns have no header.
class StreamHead {
 public:
  StreamHead(const Format* format, const Options& options) : format_(format), options_(options) {}

  // Adds text that was received. Returns true once the header is complete.
  bool add(std::string_view text);
  // Must be called at the end of the stream. If it contained no line feed, its lines end with
  // carriage returns.
  void finish();
  // All received text.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  // Sets the format of `input`, in the dialect of the stream, and returns an object that divides it
  // into rows and already contains the head. Errors: as for find_titles() and find_dialect().
  [[nodiscard]] RowFeed feed(InputFile& input, Scratch& scratch) const;

 private:
  [[nodiscard]] std::optional<std::string_view> header() const;

  const Format* format_;
  const Options& options_;
  std::string text_;
};

// Functions that receive the rows of a stream.
struct StreamedRowSteps {
  // Called when it is known what names the rows: before the first row and, in formats without a
  // header, again if a later row provides more.
  std::function<void()> named;
  // Receives some rows, which are valid until it returns.
  std::function<void(std::span<const FedRow>)> answer;
  // Called when no more rows are available for the moment, so that answers should now be passed on
  // to the reader.
  std::function<void()> flush;
};

// The rows of an INPUT that are answered as they arrive, from a pipe or a terminal. Blank lines are
// not rows. The dialect of CSV is detected from the header alone, so that no row has to wait for
// later rows.
class StreamedRows {
 public:
  // `options.inputs` is ignored; `options.column` must be a text field. All arguments must outlive
  // this object.
  StreamedRows(const InputFile& input, const Options& options, const Settings& settings,
               Scratch& scratch, const RunHooks& hooks);

  // Reads the stream to its end. Throws Error{io}, Error{limit_exceeded} for a row that is too long
  // for the memory (after all rows before it have been answered), and as inputs_of_stream() and the
  // steps do.
  void read(const StreamedRowSteps& steps);

  // Available once steps.named has been called. The address of the result does not change.
  [[nodiscard]] const Inputs& inputs() const noexcept { return inputs_; }
  [[nodiscard]] const Format& format() const noexcept { return *input_.format; }
  // The place of a line in messages: "<stdin>:7".
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

// The physical line that contains the fault in a row, `offset` bytes after the row's beginning.
[[nodiscard]] std::uint64_t trouble_line(const FedRow& row, std::size_t offset);

}  // namespace sosie
