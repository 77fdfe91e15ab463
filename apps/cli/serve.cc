// Starts the server, which is a separate program because HTTP would make this one larger by a
// quarter.
#include "serve.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "arguments.h"
#include "sosie/error.h"
#include "sosie/program_folder.h"

namespace sosie::cli {
namespace {

namespace fs = std::filesystem;

const Verb& serve_verb() {
  const auto verbs = verb_table();
  return *std::find_if(verbs.begin(), verbs.end(),
                       [](const Verb& verb) { return verb.bit == kServe; });
}

}  // namespace

void become_server(std::span<char* const> arguments) {
  (void)read_arguments(serve_verb(), arguments);  // errors look the same for all verbs
  const fs::path folder = program_folder();
  for (const char* place : {"libexec/sosie", "../libexec/sosie", "."}) {
    std::string program = (folder / place / "sosie-server").lexically_normal().string();
    if (::access(program.c_str(), X_OK) != 0) continue;
    std::vector<char*> all{program.data()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.push_back(nullptr);
    ::execv(program.c_str(), all.data());
    throw Error(ErrorKind::io, program + ": " + std::generic_category().message(errno));
  }
  throw Error(ErrorKind::unsupported, "serve: sosie-server is not installed with this program",
              "build with -D SOSIE_SERVER=ON, and install libexec/sosie/sosie-server with it");
}

}  // namespace sosie::cli
