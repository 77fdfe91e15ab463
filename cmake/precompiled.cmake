# sosie_precompiled(TARGET): TARGET's files see the headers that most of them include anyway as one
# precompiled header; parsing these is a third of a typical file's compile time. Each file still
# includes what it uses: a build with `-D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON` shows a missing one.
# Making it takes as long as parsing its headers three times: it pays from four batches on.
function(sosie_precompiled target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <condition_variable> <cstdint> <cstring> <filesystem> <functional>
    <map> <memory> <mutex> <numeric> <optional> <span> <string> <string_view> <thread> <tuple>
    <unordered_map> <utility> <variant> <vector>
    <fmt/format.h> <sosie/error.h>)
endfunction()
