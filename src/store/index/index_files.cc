// Files that an index without kept items reads its rows from.
#include "store/index/index_files.h"

#include <algorithm>
#include <filesystem>

#include "sosie/error.h"
#include "store/sketch_options.h"

namespace sosie {

Sketches::Fields IndexFiles::fields() const {
  const auto& files = contents_.files;
  const bool columnar = std::any_of(files.begin(), files.end(), [](const SketchedFile& file) {
    return file.input.format->columnar;
  });
  return {made_with(contents_, "column"), made_with(contents_, "id"), {}, columnar};
}

InputList IndexFiles::inputs() const {
  InputList list;
  for (const SketchedFile& file : contents_.files) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file.input.path, none)) {
      throw Error(ErrorKind::io, file.input.name + ": is not there, or no regular file",
                  path_ + " reads its items from there; --keep-items yes keeps them");
    }
    list.files.push_back(file.input);
  }
  return list;
}

void IndexFiles::refuse_changed(std::size_t number) const {
  throw Error(ErrorKind::malformed_input,
              contents_.files[number].input.name + ": a row has changed since it was added",
              "take its items out of " + path_ + " and add them again");
}

}  // namespace sosie
