// Tests of WARC records: where they end, what they contain, and which bytes are not records.
#include "read/warc.h"

#include <gtest/gtest.h>

#include <string>

#include "data/format.h"

namespace sosie {
namespace {

constexpr std::string_view kRecord =
    "WARC/1.0\r\nWARC-Type: conversion\r\nwarc-target-uri:  http://a.example/ \r\n"
    "X-Folded: one\r\n two\r\nContent-Length: 7\r\n\r\na\r\n\r\nbc\r\n\r\n";

TEST(Warc, ARecordEndsBehindItsContent) {
  const std::size_t content = kRecord.find("a\r\n");
  EXPECT_EQ(warc_record_bytes(kRecord), content + 7);
  for (std::size_t size = 0; size < content; ++size) {
    EXPECT_EQ(warc_record_bytes(kRecord.substr(0, size)), std::nullopt) << size;
  }
  for (std::size_t size = content; size <= kRecord.size(); ++size) {
    EXPECT_EQ(warc_record_bytes(kRecord.substr(0, size)), content + 7) << size;
  }
}

TEST(Warc, HeadersAreFoundInAnyCase) {
  const WarcRecord record = read_warc_record(kRecord);
  EXPECT_EQ(record.content, "a\r\n\r\nbc");
  EXPECT_EQ(record.type(), "conversion");
  EXPECT_EQ(record.header("WARC-Target-URI"), "http://a.example/");
  EXPECT_EQ(record.header("x-folded"), "one\r\n two");
  EXPECT_EQ(record.header("WARC-Date"), "");
  EXPECT_FALSE(is_about_records(kRecord));
  EXPECT_TRUE(is_about_records("WARC/1.1\nWARC-Type: warcinfo\nContent-Length: 0\n\n"));
}

std::string reason_of(const std::string& bytes) {
  try {
    (void)read_warc_record(bytes);
  } catch (const RowError& error) {
    return error.what();
  }
  return "none";
}

TEST(Warc, LineEndsInFrontBelongToARecord) {
  const std::string late = "\r\n\n" + std::string(kRecord);
  EXPECT_EQ(warc_record_bytes(late), *warc_record_bytes(kRecord) + 3);
  EXPECT_EQ(read_warc_record(late).content, read_warc_record(kRecord).content);
  EXPECT_EQ(warc_record_bytes("\r\n\r\n"), std::nullopt);
  EXPECT_TRUE(is_about_records("\r\n\n"));
  EXPECT_TRUE(is_about_records("\nWARC/1.0\nWARC-Type: Metadata\nWARC-Type: conversion\n\n"));
}

TEST(Warc, WhatIsNoRecordIsRefused) {
  const std::string head = "WARC/1.0\r\nWARC-Type: conversion\r\n";
  EXPECT_EQ(reason_of("HTTP/1.1 200 OK\r\n\r\n"), "no WARC record begins here");
  EXPECT_EQ(reason_of(head + "\r\n"), "this WARC record has no Content-Length");
  for (const std::string length :
       {"-1", "1e3", "", "99999999999999999999", "4611686018427387905"}) {
    EXPECT_EQ(reason_of(head + "Content-Length: " + length + "\r\n\r\nx"),
              "Content-Length is '" + length + "'");
  }
  EXPECT_EQ(reason_of(head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy"),
            "Content-Length is given twice, the second time as '2'");
  EXPECT_EQ(reason_of(head + "Content-Length: 4\r\n\r\nabc"), "this WARC record is cut short");
  EXPECT_EQ(reason_of(head), "this WARC record is cut short");
  EXPECT_EQ(reason_of("WARC/1.0\n" + std::string(2 << 20, 'a')),
            "the headers of this WARC record do not end within 1 MiB");
  for (const std::string_view bytes : {"", " ", "WARC", "\n a"}) {
    EXPECT_FALSE(is_about_records(bytes)) << bytes;
  }
}

}  // namespace
}  // namespace sosie
