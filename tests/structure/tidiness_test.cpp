// Files stay short and finished.
#include <gtest/gtest.h>

#include <regex>

#include "source_files.hpp"

namespace pliant::structure {
namespace {

constexpr size_t kLongest = 500;

std::vector<SourceFile> all_sources() {
  return read_sources({"src", "apps", "python", "tests", "bench", "cmake", "tools", "viewer/src"});
}

std::vector<std::string> overlong(const std::vector<SourceFile>& files) {
  std::vector<std::string> complaints;
  for (const SourceFile& file : files)
    if (file.lines.size() > kLongest)
      complaints.push_back(at(file, static_cast<int>(file.lines.size())) + "longer than 500 lines");
  return complaints;
}

std::vector<std::string> lines_with(const std::regex& sought, const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const SourceFile& file : files)
    for (size_t i = 0; i < file.lines.size(); ++i)
      if (std::regex_search(file.lines[i], sought))
        found.push_back(at(file, static_cast<int>(i) + 1) + file.lines[i]);
  return found;
}

// In two pieces, or this file would find itself.

/// Work that is promised instead of done.
std::vector<std::string> promises(const std::vector<SourceFile>& files) {
  static const std::regex kPromise(
      "\\b(TO"
      "DO|FIX"
      "ME)\\b");
  return lines_with(kPromise, files);
}

/// Tests that are content with any message of an error: a file may be refused for the wrong reason.
std::vector<std::string> unread_errors(const std::vector<SourceFile>& files) {
  static const std::regex kThrow(
      "(EXPECT|ASSERT)_(ANY_)?"
      "THROW\\(");
  return lines_with(kThrow, files);
}

TEST(Tidiness, NoFileIsOverlong) {
  for (const std::string& complaint : overlong(all_sources())) ADD_FAILURE() << complaint;
}

TEST(Tidiness, NothingIsPromised) {
  for (const std::string& complaint : promises(all_sources())) ADD_FAILURE() << complaint;
}

TEST(Tidiness, WhatErrorsSayIsLookedAt) {
  for (const std::string& complaint : unread_errors(all_sources()))
    ADD_FAILURE() << complaint << ": tests/errors.hpp has EXPECT_ERROR";
}

TEST(Tidiness, AnOverlongFileIsFound) {
  EXPECT_EQ(overlong({{"src/a.cpp", std::vector<std::string>(501)}}).size(), 1u);
  EXPECT_TRUE(overlong({{"src/a.cpp", std::vector<std::string>(500)}}).empty());
}

TEST(Tidiness, APromiseIsFoundWithItsPlace) {
  const std::string line =
      "// TO"
      "DO: think";
  EXPECT_EQ(promises({{"src/a.cpp", {"int a;", line}}}), std::vector<std::string>{"src/a.cpp:2: " + line});
  EXPECT_TRUE(promises({{"src/a.cpp", {"int TODOS;"}}}).empty());
}

TEST(Tidiness, AnErrorThatIsNotLookedAtIsFound) {
  const std::string line =
      "  EXPECT_"
      "THROW(read(file), InputError);";
  EXPECT_EQ(unread_errors({{"tests/a.cpp", {line}}}), std::vector<std::string>{"tests/a.cpp:1: " + line});
  EXPECT_TRUE(unread_errors({{"tests/a.cpp", {"  EXPECT_NO_THROW(read(file));"}}}).empty());
}

}  // namespace
}  // namespace pliant::structure
