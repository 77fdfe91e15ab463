# sosie_precompiled(TARGET): TARGET's files see the headers that most of them include anyway as one
# precompiled header; parsing these is a third of a typical file's compile time. Each file still
# includes what it uses: a build with `-D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON` shows a missing one.
function(sosie_precompiled target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <cstdint> <filesystem> <functional> <map> <memory> <mutex> <optional> <span>
    <string> <string_view> <tuple> <unordered_map> <utility> <vector>
    <fmt/format.h>)
endfunction()
