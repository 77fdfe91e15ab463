// Main function of the program `sosie`.
#include <algorithm>

#include "command.h"

int main(int argc, char** argv) {
  return sosie::cli::run_command({argv + 1, argv + std::max(1, argc)},
                                 {.program = argc > 0 ? argv[0] : "sosie"});
}
