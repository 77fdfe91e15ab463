#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace sosie {

// A file that a collection contains under two names, so that its rows are read twice.
struct RepeatedFile {
  std::string name;
  std::string first;  // the name under which it was listed first
};

// A folder or a pattern among the inputs: files added there later become inputs of the next run.
struct InputPlace {
  std::string name;         // the path as typed
  bool is_pattern = false;  // else a folder
  bool takes_all = false;   // regardless of file extensions
  bool takes_hidden = false;
};

// Files that the run may treat differently from the user's expectations.
struct InputNotes {
  std::vector<std::string> passed_over;  // files next to record files in folders
  std::vector<std::string> hidden;       // hidden in folders and left out; folders end with a slash
  std::vector<std::string> links;        // symbolic links in folders, left out
  std::vector<RepeatedFile> repeated;
  std::vector<std::string> dead_links;  // with --follow: broken, or leading to a parent folder
  std::vector<std::string> literal;     // files whose names look like PATH::column=FIELD
  std::vector<InputPlace> places;

  void append(InputNotes more) {
    const auto move_behind = [](auto& from, auto& to) {
      std::move(from.begin(), from.end(), std::back_inserter(to));
    };
    move_behind(more.passed_over, passed_over);
    move_behind(more.hidden, hidden);
    move_behind(more.links, links);
    move_behind(more.repeated, repeated);
    move_behind(more.dead_links, dead_links);
    move_behind(more.literal, literal);
    move_behind(more.places, places);
  }
};

}  // namespace sosie
