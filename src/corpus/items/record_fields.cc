// Fields of records in the form used for comparison.
#include "corpus/items/record_fields.h"

#include <algorithm>

#include "corpus/items/field_values.h"
#include "data/padded_bytes.h"
#include "represent/text_shingler.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 1024;

const std::vector<std::string>& columns_for(const LinkField& field, bool of_right) {
  return of_right && !field.columns_right.empty() ? field.columns_right : field.columns;
}

std::vector<const RecordColumn*> columns_called(const RecordRows& rows,
                                                const std::vector<std::string>& names) {
  std::vector<const RecordColumn*> found;
  found.reserve(names.size());
  for (const std::string& name : names) {
    found.push_back(&*std::find_if(rows.columns.begin(), rows.columns.end(),
                                   [&](const RecordColumn& c) { return c.name == name; }));
  }
  return found;
}

// Sets of the records of one task, stored one after another.
struct TaskSets {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint32_t> sizes;
};

void append_set(std::string_view text, PaddedBytes& padded, TextShingler& shingler,
                TaskSets& sets) {
  const std::size_t before = sets.hashes.size();
  if (!text.empty()) {
    padded.assign(text);
    shingler.read(padded.view());
    const auto shingles = shingler.shingles();
    sets.hashes.insert(sets.hashes.end(), shingles.begin(), shingles.end());
    const auto begin = sets.hashes.begin() + static_cast<std::ptrdiff_t>(before);
    std::sort(begin, sets.hashes.end());
    sets.hashes.erase(std::unique(begin, sets.hashes.end()), sets.hashes.end());
  }
  sets.sizes.push_back(static_cast<std::uint32_t>(sets.hashes.size() - before));
}

}  // namespace

std::vector<std::string> columns_of(std::span<const LinkField> fields, bool of_right) {
  std::vector<std::string> columns;
  for (const LinkField& field : fields) {
    for (const std::string& name : columns_for(field, of_right)) {
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) {
        columns.push_back(name);
      }
    }
  }
  return columns;
}

RecordTable make_record_fields(RecordRows& left, RecordRows* right,
                               const std::vector<LinkField>& fields) {
  RecordTable made;
  made.left = left.rows;
  made.across = right != nullptr;
  made.right = right == nullptr ? 0 : right->rows;
  made.columns.resize(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    made.columns[f].values.reserve(made.size());
    FieldValues values(fields[f], made.columns[f]);
    values.add(columns_called(left, columns_for(fields[f], /*of_right=*/false)), fields[f].form);
    if (right != nullptr) {
      values.add(columns_called(*right, columns_for(fields[f], /*of_right=*/true)),
                 fields[f].form_right());
    }
    values.finish();
    made.unparsed.push_back(values.unparsed());
    made.cut_lists.push_back(values.cut_lists());
    const auto give_up = [&](RecordRows& rows, bool of_right) {
      const auto later = columns_of(std::span(fields).subspan(f + 1), of_right);
      std::erase_if(rows.columns, [&](const RecordColumn& column) {
        return std::find(later.begin(), later.end(), column.name) == later.end();
      });
    };
    give_up(left, /*of_right=*/false);
    if (right != nullptr) give_up(*right, /*of_right=*/true);
    made.columns[f].bytes.shrink_to_fit();
    made.columns[f].starts.shrink_to_fit();
    made.columns[f].counts.shrink_to_fit();
  }
  return made;
}

void join_text(const RecordTable& fields, std::span<const std::uint32_t> chosen,
               std::uint32_t record, std::string& text) {
  text.clear();
  for (const std::uint32_t f : chosen) {
    const std::string_view part = fields.columns[f].text_of(record);
    if (!text.empty() && !part.empty()) text += ' ';
    text += part;
  }
}

RecordColumn joined_column(const RecordTable& fields, std::span<const std::uint32_t> chosen) {
  RecordColumn joined;
  ValueNumbers numbers(joined);
  FieldCleaner cleaner(FieldForm{});
  std::string text;
  for (std::uint32_t record = 0; record < fields.size(); ++record) {
    join_text(fields, chosen, record, text);
    numbers.add(cleaner.clean(text));
  }
  return joined;
}

HashedSets shingle_texts(std::size_t count, const WriteText& write, const ShingleRecipe& recipe,
                         ThreadPool& pool) {
  std::vector<TaskSets> tasks((count + kRecordsATask - 1) / kRecordsATask);
  pool.for_each(tasks.size(), [&](unsigned /*worker*/, std::size_t task) {
    pool.check_cancelled();
    TextShingler shingler(recipe);
    PaddedBytes padded;
    std::string text;
    const std::size_t end = std::min(count, (task + 1) * kRecordsATask);
    for (std::size_t i = task * kRecordsATask; i < end; ++i) {
      write(static_cast<std::uint32_t>(i), text);
      append_set(text, padded, shingler, tasks[task]);
    }
  });
  HashedSets sets;
  sets.starts.reserve(count + 1);
  for (TaskSets& task : tasks) {
    sets.hashes.insert(sets.hashes.end(), task.hashes.begin(), task.hashes.end());
    for (const std::uint32_t size : task.sizes) sets.starts.push_back(sets.starts.back() + size);
    task = {};
  }
  return sets;
}

HashedSets joined_sets(const RecordTable& fields, std::span<const std::uint32_t> chosen,
                       const ShingleRecipe& recipe, ThreadPool& pool) {
  return shingle_texts(
      fields.size(),
      [&](std::uint32_t record, std::string& text) { join_text(fields, chosen, record, text); },
      recipe, pool);
}

}  // namespace sosie
