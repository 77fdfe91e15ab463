#pragma once

#include <string>

namespace sosie::arrow_files {

// Codec of the buffers of an Arrow IPC file (Feather V2): "lz4", "zstd", or "" for none and for
// other files. Arrow's readers know it and do not tell. Source: the format's Message.fbs;
// FlatBuffers internals ("tables").
[[nodiscard]] std::string arrow_ipc_codec(const std::string& path);

}  // namespace sosie::arrow_files
