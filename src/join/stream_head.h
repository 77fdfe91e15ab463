#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/scratch.h"
#include "options/input_list.h"
#include "read/row_feed.h"
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

}  // namespace sosie
