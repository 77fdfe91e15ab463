// Tests of option values that earlier versions accepted and saved in files.
#include "options/saved_option.h"

#include <gtest/gtest.h>

#include "options/settings.h"
#include "sosie/error.h"

namespace sosie {
namespace {

TEST(SavedOptions, AreReadAsTheyWereTakenOnce) {
  for (const auto& [name, value] :
       {std::pair("keep", "first,longest"), std::pair("keep", "max:a||b"), std::pair("id", "a,"),
        std::pair("column", "a||b"), std::pair("show", ",a")}) {
    Options options;
    EXPECT_THROW(set_option(options, name, value), Error) << value;
    set_saved_option(options, name, value);
    ASSERT_EQ(options.given.size(), 1U);
    EXPECT_EQ(options.given.front(), std::pair(std::string(name), std::string(value)));
    EXPECT_NO_THROW((void)resolve(options)) << value;
  }
  Options options;
  set_saved_option(options, "keep", "first,longest");
  set_saved_option(options, "id", "a,");
  EXPECT_EQ(options.keep, "first,longest");
  EXPECT_EQ(options.id, "a,");
}

TEST(SavedOptions, AreRefusedWhereTheyNeverWereTaken) {
  Options options;
  EXPECT_THROW(set_saved_option(options, "keep", "best"), Error);
  EXPECT_THROW(set_saved_option(options, "keep", "first,"), Error);
  EXPECT_THROW(set_saved_option(options, "id", std::string("a,,\0", 4)), Error);
  EXPECT_THROW(set_saved_option(options, "shingle", "words:0"), Error);
  set_saved_option(options, "shingle", "words:3");
  EXPECT_EQ(options.shingle, "words:3");
}

}  // namespace
}  // namespace sosie
