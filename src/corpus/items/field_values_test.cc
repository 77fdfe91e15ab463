// Tests building fields from columns: joined, cleaned, split into lists, with nicknames.
#include "corpus/items/field_values.h"

#include <gtest/gtest.h>

#include "data/columns_test.h"

namespace sosie {
namespace {

RecordColumn made_of(const LinkField& field, const std::vector<RecordColumn>& columns,
                     UnparsedValues* unparsed = nullptr) {
  RecordColumn made;
  std::vector<const RecordColumn*> from;
  for (const RecordColumn& column : columns) from.push_back(&column);
  FieldValues values(field, made);
  values.add(from, field.form);
  values.finish();
  if (unparsed != nullptr) *unparsed = values.unparsed();
  return made;
}

TEST(FieldValues, EqualCleanedValuesAreOneValue) {
  LinkField field;
  field.form.clean = FieldClean::fold;
  const RecordColumn made = made_of(field, {column_of({"Anna", "", "ANNA ", "n/a", "bert"})});
  EXPECT_EQ(made.distinct(), 3U);
  EXPECT_EQ(made.values[0], made.values[2]);
  EXPECT_EQ(made.values[1], RecordColumn::kMissing);
  EXPECT_EQ(made.values[3], RecordColumn::kMissing) << "n/a is missing";
  EXPECT_EQ(made.text_of(4), "bert");
  EXPECT_EQ(made.counts[made.values[0]], 2U);
}

TEST(FieldValues, SeveralColumnsAreJoinedByABlankWithoutMissingOnes) {
  LinkField field;
  field.form.clean = FieldClean::fold;
  const RecordColumn made =
      made_of(field, {column_of({"anna", "", "cleo"}), column_of({"mai", "bo", ""})});
  EXPECT_EQ(made.text_of(0), "anna mai");
  EXPECT_EQ(made.text_of(1), "bo");
  EXPECT_EQ(made.text_of(2), "cleo");
}

TEST(FieldValues, SwappedColumnsHaveAnotherValueByRecord) {
  LinkField field;
  field.form.clean = FieldClean::fold;
  field.swapped = true;
  const RecordColumn made =
      made_of(field, {column_of({"anna", "mai"}), column_of({"mai", "anna"})});
  ASSERT_EQ(made.swapped.size(), 2U);
  EXPECT_EQ(made.text(made.swapped[0]), "mai anna");
  EXPECT_EQ(made.swapped[0], made.values[1]);
  EXPECT_EQ(made.swapped[1], made.values[0]);
}

TEST(FieldValues, BriefColumnsStandInFront) {
  LinkField field;
  field.form.clean = FieldClean::words;
  field.columns = {"text", "name", "price"};
  field.brief = {"name"};
  const RecordColumn made =
      made_of(field, {column_of({"so good", "", "so good"}), column_of({"tv", "pen", ""}),
                      column_of({"12", "", ""})});
  EXPECT_EQ(made.text_of(0), "tv so good 12");
  EXPECT_EQ(made.text_of(1), "pen");
  EXPECT_EQ(made.brief_bytes, (std::vector<std::uint64_t>{0, 2, 3, 0}));
}

TEST(FieldValues, ListsHaveTheirMembersOnce) {
  LinkField field;
  field.form.clean = FieldClean::fold;
  field.separator = ";";
  const RecordColumn made = made_of(field, {column_of({"rome; oslo;rome", "oslo;rome", "bern"})});
  EXPECT_EQ(made.values[0], made.values[1]) << "order does not count";
  const auto members = made.members_of(made.values[0]);
  ASSERT_EQ(members.size(), 2U);
  const std::string both =
      std::string(made.text(members[0])) + " " + std::string(made.text(members[1]));
  EXPECT_TRUE(both == "rome oslo" || both == "oslo rome") << both;
  EXPECT_EQ(made.members_of(made.values[2]).size(), 1U);
}

TEST(FieldValues, WhatIsNoDayIsMissingAndShown) {
  LinkField field;
  field.form.type = FieldType::date;
  field.form.date_format = "%Y-%m-%d";
  UnparsedValues unparsed;
  const RecordColumn made =
      made_of(field, {column_of({"1999-12-31", "1999-02-30", "soon", "soon"})}, &unparsed);
  EXPECT_EQ(made.text_of(0), "19991231");
  EXPECT_EQ(made.values[1], RecordColumn::kMissing);
  EXPECT_EQ(unparsed.records, 3U);
  EXPECT_EQ(unparsed.first, (std::vector<std::string>{"1999-02-30", "soon"}));
}

TEST(FieldValues, WordsThatAreNicknamesKnowTheirRows) {
  LinkField field;
  field.form.clean = FieldClean::fold;
  field.nickname_rows = {{"william", "bill"}, {"anna", "ann"}};
  const RecordColumn made = made_of(field, {column_of({"bill ann", "carl", "ann william"})});
  const auto words = made.nicknames_of(made.values[0]);
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0], (NicknameWord{0, 0}));
  EXPECT_EQ(words[1], (NicknameWord{1, 1}));
  EXPECT_TRUE(made.nicknames_of(made.values[1]).empty());
  EXPECT_EQ(made.nicknames_of(made.values[2])[1], (NicknameWord{1, 0}));
}

}  // namespace
}  // namespace sosie
