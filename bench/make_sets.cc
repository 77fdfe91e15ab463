// Writes reproducible sets to stdout, one per line, for measuring command-line tools.
//
//     make_sets quest|uniform|zipf > NAME.sets

#include <cstdio>

#include "made_sets.h"

int main(int argc, char** argv) {
  const auto sets = sosie::bench::made_sets(argc == 2 ? argv[1] : "");
  if (sets.empty()) {
    std::fputs("make_sets quest|uniform|zipf > NAME.sets\n", stderr);
    return 2;
  }
  for (const auto& set : sets) {
    const char* separator = "";
    for (const std::uint64_t element : set) {
      std::printf("%s%llu", separator, static_cast<unsigned long long>(element));
      separator = " ";
    }
    std::putchar('\n');
  }
  return 0;
}
