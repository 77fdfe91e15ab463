// Files that a saved run reads its rows from.
#include "store/run/run_files.h"

#include <algorithm>
#include <filesystem>

#include "sosie/error.h"

namespace sosie {

RunFiles::RunFiles(const RunFolder& run, std::string column, bool against)
    : path_(run.path()),
      column_(std::move(column)),
      id_field_(against ? run.facts().against_id : run.facts().id_field),
      rank_fields_(run.facts().rank_fields) {
  const auto& files = run.facts().files;
  const auto own = files.begin() + run.facts().first_own_file;
  files_.assign(against ? files.begin() : own, against ? own : files.end());
}

Sketches::Fields RunFiles::fields() const {
  const bool columnar = std::any_of(files_.begin(), files_.end(),
                                    [](const InputFile& file) { return file.format->columnar; });
  return {column_, id_field_, rank_fields_, columnar};
}

InputList RunFiles::inputs() const {
  InputList list;
  for (const InputFile& file : files_) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file.path, none)) {
      throw Error(ErrorKind::io, file.path + ": is not there, or no regular file",
                  path_ + " shows its rows from there");
    }
    list.files.push_back(file);
  }
  return list;
}

void RunFiles::refuse_changed(std::size_t number) const {
  throw Error(ErrorKind::malformed_input, files_[number].name + ": has changed since the run",
              "run dedup --save again");
}

}  // namespace sosie
