#pragma once

#include <string>

namespace sosie::arrow_files {

// Codec of the buffers in an Arrow IPC file (Feather V2): "lz4", "zstd", or "" for no codec and for
// other files. Arrow's readers know the codec but do not report it. Source: the format's
// Message.fbs; FlatBuffers internals ("tables").
[[nodiscard]] std::string arrow_ipc_codec(const std::string& path);

}  // namespace sosie::arrow_files
