#pragma once

#include <string_view>

namespace sosie::cli {

// Opens what is closed of the standard streams so that reading and writing them fails: a file that
// the run opens must not take their place and get the messages. Call it before anything is opened.
void reserve_standard_streams() noexcept;

// Writes to standard error. A message that cannot be written (closed, a full disk, a reader that
// has gone) is dropped: no run fails for it. Waits for a slow reader until a signal comes.
void write_message(std::string_view text) noexcept;

// Write like write_message() and write_result(), lines folded between words where the stream is a
// terminal.
void write_lines(std::string_view text);
void write_result_lines(std::string_view text);

// Writes to standard output, all of it. Throws Error{io} when that fails, Error{cancelled} when a
// signal comes while the reader is slow, ClosedOutput when the reader of a pipe has gone.
void write_result(std::string_view text);

// The reader of standard output has gone: the run ends quietly.
class ClosedOutput {};

}  // namespace sosie::cli
