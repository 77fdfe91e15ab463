# sosie_precompiled(TARGET): precompiles the headers that most files of TARGET include, because
# parsing them takes a third of a typical file's compile time. Each file still includes what it
# uses: a build with `-D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON` reveals missing includes. Precompiling
# takes as long as parsing the headers three times, so it pays off with four batches or more.
function(sosie_precompiled target)
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <condition_variable> <cstdint> <cstring> <filesystem> <functional>
    <map> <memory> <mutex> <numeric> <optional> <span> <string> <string_view> <thread> <tuple>
    <unordered_map> <utility> <variant> <vector>
    <fmt/format.h> <sosie/error.h>)
endfunction()
