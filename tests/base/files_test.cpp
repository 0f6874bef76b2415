#include "pliant/base/files.hpp"

#include <unistd.h>

#include <cstdlib>

#include "errors.hpp"
#include "pliant/base/error.hpp"

namespace pliant::files_test {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "pliant-files-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(Files, ReadingGivesBackWhatWasWritten) {
  const std::string contents("a\0b\n\xff", 5);
  write_file_atomically(folder_ / "file", contents, true);
  EXPECT_EQ(read_file(folder_ / "file"), contents);
}

TEST_F(Files, ReadingALargeFileGivesAllOfIt) {
  std::string contents(300000, 'x');
  contents[200000] = 'y';
  write_file_atomically(folder_ / "file", contents);
  EXPECT_EQ(read_file(folder_ / "file"), contents);
}

TEST_F(Files, WritingReplacesTheFile) {
  write_file_atomically(folder_ / "file", "a long first text");
  write_file_atomically(folder_ / "file", "short");
  EXPECT_EQ(read_file(folder_ / "file"), "short");
}

TEST_F(Files, WritingLeavesNothingElseBehind) {
  write_file_atomically(folder_ / "file", "text");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, WritingIntoAMissingFolderIsADiskFailure) {
  EXPECT_ERROR(IoError, "cannot create", write_file_atomically(folder_ / "missing/file", "text"));
}

TEST_F(Files, AFailedWriteLeavesNoTemporaryFile) {
  fs::create_directories(folder_ / "file/inner");  // cannot be renamed over
  EXPECT_ERROR(IoError, "cannot rename to", write_file_atomically(folder_ / "file", "text"));
  EXPECT_FALSE(fs::exists(folder_ / "file.tmp"));
}

TEST_F(Files, ReadingAMissingFileIsAMistakeOfTheInput) {
  EXPECT_ERROR(InputError, "cannot open: No such file", read_file(folder_ / "missing"));
}

TEST_F(Files, ReadingAFolderIsAMistakeOfTheInput) {
  EXPECT_ERROR(InputError, "cannot read: Is a directory", read_file(folder_));
}

TEST_F(Files, AppendingGoesToTheEnd) {
  AppendedFile file(folder_ / "file", 0);
  file.append("one\n");
  file.append("two\n");
  EXPECT_EQ(read_file(folder_ / "file"), "one\ntwo\n");
  EXPECT_EQ(file.length(), 8U);
}

TEST_F(Files, AppendingCutsToTheLengthAskedFor) {
  write_file_atomically(folder_ / "file", "one\ntwo\nthr");
  AppendedFile(folder_ / "file", 8).append("three\n");
  EXPECT_EQ(read_file(folder_ / "file"), "one\ntwo\nthree\n");
}

TEST_F(Files, AppendingRefusesAFileShorterThanThat) {
  write_file_atomically(folder_ / "file", "one");
  EXPECT_ERROR(InputError, "holds 3 bytes where at least 8 were written", AppendedFile(folder_ / "file", 8));
  EXPECT_EQ(read_file(folder_ / "file"), "one");
}

TEST_F(Files, AFolderBelowAFileIsADiskFailure) {
  write_file_atomically(folder_ / "file", "");
  EXPECT_ERROR(IoError, "cannot create folder", create_folders(folder_ / "file/inner"));
}

}  // namespace
}  // namespace pliant::files_test
