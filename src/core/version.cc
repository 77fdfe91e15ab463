// Version of the library, from the build.
#include "sosie/version.h"

#include "core/mix64.h"

namespace sosie {

const char* version() noexcept { return SOSIE_VERSION; }
int recipe_version() noexcept { return kRecipeVersion; }

}  // namespace sosie
