#pragma once

#include <string>

namespace sosie::arrow_files {

// What the buffers of an Arrow IPC file (Feather V2) are packed with: "lz4", "zstd", or "" for
// nothing. Arrow's readers know it and do not tell. Source: the format's Message.fbs; FlatBuffers
// internals ("tables"). "" for what is no such file.
[[nodiscard]] std::string arrow_ipc_codec(const std::string& path);

}  // namespace sosie::arrow_files
