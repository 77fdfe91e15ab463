// Uses the installed package: prints its version.
#include <sosie/version.h>

#include <cstdio>

int main() { std::printf("%s recipe %d\n", sosie::version(), sosie::recipe_version()); }
