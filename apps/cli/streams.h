#pragma once

#include <string_view>

namespace sosie::cli {

// Opens any standard stream that is closed, so that reading and writing it fail. Otherwise, a file
// that the run opens could take its place and receive the messages. Must be called before anything
// is opened.
void reserve_standard_streams() noexcept;

// Writes to standard error. Drops a message that cannot be written (closed stream, full disk, no
// reader), because it must not make the run fail. Waits for a slow reader until a signal arrives.
void write_message(std::string_view text) noexcept;

// Write like write_message() and write_result(), but fold lines between words if the stream is a
// terminal.
void write_lines(std::string_view text);
void write_result_lines(std::string_view text);

// Writes everything to standard output. Throws Error{io} on failure, Error{cancelled} if a signal
// arrives while the reader is slow, and ClosedOutput if the reader of a pipe is gone.
void write_result(std::string_view text);

// The reader of standard output has gone; the run ends without a message.
class ClosedOutput {};

}  // namespace sosie::cli
