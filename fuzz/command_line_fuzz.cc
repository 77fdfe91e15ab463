// Runs the whole command line on arbitrary files (command_line.h). It must exit with a documented
// code, count every row, and write only rows of its input.
#include "fuzz/command_line.h"
#include "fuzz/command_line_mutator.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return sosie::fuzz::mutate_command_line(data, size, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sosie::fuzz::run_command_line({reinterpret_cast<const char*>(data), size}, nullptr);
  return 0;
}
