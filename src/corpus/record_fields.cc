// Fields of records in the form in which they are compared.
#include "corpus/record_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "corpus/value_numbers.h"
#include "data/padded_bytes.h"
#include "represent/text_shingles.h"

namespace sosie {
namespace {

constexpr std::size_t kRecordsATask = 1024;
constexpr int kCharacters = 3;

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

// Cleaned values of one column, each made when it is first needed.
class CleanedValues {
 public:
  CleanedValues(const RecordColumn& column, const FieldForm& form)
      : column_(column), cleaner_(form), is_known_(column.distinct()), texts_(column.distinct()) {}

  [[nodiscard]] const std::string& of(std::uint32_t record) {
    const std::uint32_t value = column_.values[record];
    if (!is_known_[value]) texts_[value] = cleaner_.clean(column_.text(value));
    is_known_[value] = true;
    return texts_[value];
  }

 private:
  const RecordColumn& column_;
  FieldCleaner cleaner_;
  std::vector<bool> is_known_;
  std::vector<std::string> texts_;
};

// A field of one column: a value is numbered once.
void fill_from_one(const RecordColumn& from, const FieldForm& form, ValueNumbers& numbers) {
  FieldCleaner cleaner(form);
  std::vector<std::uint32_t> number_of(from.distinct());
  std::array<std::string, ValueNumbers::kAtOnce> cleaned;
  std::array<std::string_view, ValueNumbers::kAtOnce> texts;
  for (std::uint32_t begin = 0; begin < from.distinct(); begin += ValueNumbers::kAtOnce) {
    const std::size_t count = std::min<std::size_t>(ValueNumbers::kAtOnce, from.distinct() - begin);
    for (std::uint32_t i = 0; i < count; ++i) {
      cleaned[i] = cleaner.clean(from.text(begin + i));
      texts[i] = cleaned[i];
    }
    numbers.numbers_of(std::span(texts).first(count), std::span(number_of).subspan(begin, count));
  }
  for (const std::uint32_t value : from.values) numbers.append(number_of[value]);
}

void fill_from_several(const std::vector<const RecordColumn*>& from, const FieldForm& form,
                       ValueNumbers& numbers) {
  std::vector<CleanedValues> parts;
  parts.reserve(from.size());
  for (const RecordColumn* column : from) parts.emplace_back(*column, form);
  std::string joined;
  for (std::uint32_t record = 0; record < from.front()->values.size(); ++record) {
    joined.clear();
    for (CleanedValues& part : parts) {
      const std::string& text = part.of(record);
      if (!joined.empty() && !text.empty()) joined += ' ';
      joined += text;
    }
    numbers.add(joined);
  }
}

// Sets of the records of one task, one behind another.
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

void join_text(const RecordTable& fields, std::span<const std::uint32_t> chosen,
               std::uint32_t record, std::string& text) {
  text.clear();
  for (const std::uint32_t f : chosen) {
    const std::string_view part = fields.columns[f].text_of(record);
    if (!text.empty() && !part.empty()) text += ' ';
    text += part;
  }
}

}  // namespace

std::vector<std::string> columns_of(const std::vector<LinkField>& fields, bool of_right) {
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

RecordTable make_fields(RecordRows& left, RecordRows* right, const std::vector<LinkField>& fields) {
  RecordTable made;
  made.left = left.rows;
  made.across = right != nullptr;
  made.right = right == nullptr ? 0 : right->rows;
  made.columns.resize(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    made.columns[f].name = fields[f].name;
    made.columns[f].values.reserve(made.size());
    ValueNumbers numbers(made.columns[f]);
    const auto fill = [&](RecordRows& rows, bool of_right) {
      const std::vector<std::string>& names = columns_for(fields[f], of_right);
      const auto from = columns_called(rows, names);
      if (from.size() == 1) {
        fill_from_one(*from.front(), fields[f].form, numbers);
      } else {
        fill_from_several(from, fields[f].form, numbers);
      }
      const auto later = columns_of({fields.begin() + f + 1, fields.end()}, of_right);
      std::erase_if(rows.columns, [&](const RecordColumn& column) {
        return std::find(later.begin(), later.end(), column.name) == later.end();
      });
    };
    fill(left, /*of_right=*/false);
    if (right != nullptr) fill(*right, /*of_right=*/true);
    made.columns[f].bytes.shrink_to_fit();
    made.columns[f].starts.shrink_to_fit();
    made.columns[f].counts.shrink_to_fit();
  }
  return made;
}

HashedSets joined_character_sets(const RecordTable& fields, std::span<const std::uint32_t> chosen,
                                 ThreadPool& pool) {
  const std::size_t records = fields.size();
  std::vector<TaskSets> tasks((records + kRecordsATask - 1) / kRecordsATask);
  pool.for_each(tasks.size(), [&](unsigned /*worker*/, std::size_t task) {
    pool.check_cancelled();
    ShingleRecipe recipe;
    recipe.unit = ShingleUnit::chars;
    recipe.size = kCharacters;
    TextShingler shingler(recipe);
    PaddedBytes padded;
    std::string text;
    const std::size_t end = std::min(records, (task + 1) * kRecordsATask);
    for (std::size_t record = task * kRecordsATask; record < end; ++record) {
      join_text(fields, chosen, static_cast<std::uint32_t>(record), text);
      append_set(text, padded, shingler, tasks[task]);
    }
  });
  HashedSets sets;
  sets.starts.reserve(records + 1);
  for (TaskSets& task : tasks) {
    sets.hashes.insert(sets.hashes.end(), task.hashes.begin(), task.hashes.end());
    for (const std::uint32_t size : task.sizes) sets.starts.push_back(sets.starts.back() + size);
    task = {};
  }
  return sets;
}

}  // namespace sosie
