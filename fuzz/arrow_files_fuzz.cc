// Runs the command line on arbitrary Parquet and Arrow IPC files, which the plugin's own code,
// linked into this target, reads (command_line.h). Built only if Arrow is found.
#include "fuzz/command_line.h"
#include "fuzz/command_line_mutator.h"

extern "C" const sosie::TableFiles* sosie_table_files_1();

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return sosie::fuzz::mutate_command_line(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sosie::fuzz::run_command_line({reinterpret_cast<const char*>(data), size}, sosie_table_files_1());
  return 0;
}
