// usage: sosie_docs ROOT           writes the generated documents below ROOT
//        sosie_docs --check ROOT   exit 1 when those below ROOT are not what would be written
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "documents.h"
#include "sosie/link.h"

namespace sosie::docs {
namespace {

struct Document {
  std::string_view path;
  std::string (*make)(const std::string& old);  // the whole text; `old`: what stands there
};

template <std::string (*kMake)()>
std::string anew(const std::string& /*old*/) {
  return kMake();
}

constexpr std::array kDocuments = {
    Document{"docs/reference.md", anew<reference>},
    Document{"docs/man/sosie.1", anew<man_page>},
    Document{"docs/completions/sosie.bash", anew<bash_completion>},
    Document{"docs/completions/_sosie", anew<zsh_completion>},
    Document{"docs/completions/sosie.fish", anew<fish_completion>},
    Document{"bindings/python/sosie/_verbs.py", anew<python_verbs>},
    Document{"docs/formats.md", formats_page},
    Document{"docs/formats/link-rules.schema.json", anew<link_rules_schema>},
};

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  return out.flush().good();
}

int run(const std::filesystem::path& root, bool check) {
  int status = 0;
  for (const Document& document : kDocuments) {
    const std::string old = read(root / document.path);
    const std::string text = document.make(old);
    if (old == text) continue;
    if (check) {
      fmt::print(stderr, "{}: differs from the option and format tables; run `make docs`\n",
                 document.path);
      status = 1;
    } else if (!write(root / document.path, text)) {
      fmt::print(stderr, "{}: cannot be written\n", document.path);
      return 4;
    }
  }
  return status;
}

}  // namespace
}  // namespace sosie::docs

int main(int argc, char** argv) {
  const bool check = argc == 3 && std::string_view(argv[1]) == "--check";
  if (argc != 2 && !check) {
    fmt::print(stderr, "usage: sosie_docs [--check] ROOT\n");
    return 2;
  }
  return sosie::docs::run(argv[argc - 1], check);
}
