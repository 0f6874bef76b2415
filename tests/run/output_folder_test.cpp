#include "pliant/run/output_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <chrono>
#include <thread>

#include "errors.hpp"
#include "fake_simulation.hpp"
#include "pliant/base/error.hpp"

namespace pliant::output_folder_test {
namespace {

namespace fs = std::filesystem;

void overwrite(const fs::path& folder) { OutputFolder(folder, false, true); }

TEST(OutputFolder, IsCreatedWithTheFoldersAboveIt) {
  TemporaryFolder folder;
  OutputFolder(folder / "a/b/c", false, false);
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
}

TEST(OutputFolder, AnEmptyOneIsTaken) {
  TemporaryFolder folder;
  fs::create_directory(folder / "out");
  EXPECT_FALSE(OutputFolder(folder / "out", false, false).holds_run());
}

TEST(OutputFolder, ANonEmptyOneIsRefusedAndBothWaysOutAreNamed) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  try {
    OutputFolder(folder / "out", false, false);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--resume"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("--overwrite"), std::string::npos);
  }
}

TEST(OutputFolder, OverwritingEmptiesARun) {
  TemporaryFolder folder;
  run_fake(folder / "out", 3);
  overwrite(folder / "out");
  EXPECT_TRUE(fs::is_empty(folder / "out"));
}

TEST(OutputFolder, OverwritingTakesTemporaryFilesOfAKilledRunAlong) {
  TemporaryFolder folder;
  run_fake(folder / "out", 3);
  write_file_atomically(folder / "out/frames/000004.npy.tmp", "half");
  overwrite(folder / "out");
  EXPECT_TRUE(fs::is_empty(folder / "out"));
}

TEST(OutputFolder, OverwritingRefusesAndKeepsAFolderWithAForeignFile) {
  for (const char* name : {"notes.txt", "frames/holiday.npy", "bodies/one.stl", "frames/0001.npy"}) {
    TemporaryFolder folder;
    run_fake(folder / "out", 1);
    write_file_atomically(folder / "out" / name, "mine");
    const auto before = lasting_files(folder / "out");
    EXPECT_ERROR(InputError, name, overwrite(folder / "out")) << name;
    EXPECT_EQ(lasting_files(folder / "out"), before) << name;
  }
}

TEST(OutputFolder, OverwritingRefusesAFolderWithAForeignFolder) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  fs::create_directories(folder / "out/frames/frames");
  EXPECT_ERROR(InputError, "it holds \"frames/frames\"", overwrite(folder / "out"));
}

TEST(OutputFolder, OverwritingDoesNotFollowALink) {
  TemporaryFolder folder;
  run_fake(folder / "out", 1);
  fs::create_directory(folder / "elsewhere");
  write_file_atomically(folder / "elsewhere/000000.npy", "mine");
  fs::remove_all(folder / "out/frames");
  fs::create_directory_symlink(folder / "elsewhere", folder / "out/frames");
  EXPECT_ERROR(InputError, "it holds \"frames\"", overwrite(folder / "out"));
  EXPECT_EQ(read_file(folder / "elsewhere/000000.npy"), "mine");
}

TEST(OutputFolder, OverwritingRefusesASceneThatNoRunHasWritten) {
  TemporaryFolder folder;
  fs::create_directory(folder / "scenes");
  write_file_atomically(folder / "scenes/scene.toml", "name = \"mine\"");
  EXPECT_ERROR(InputError, "it has no summary.json that a run has written", overwrite(folder / "scenes"));
  EXPECT_TRUE(fs::exists(folder / "scenes/scene.toml"));
}

TEST(OutputFolder, OverwritingRefusesASummaryThatNoRunHasWritten) {
  TemporaryFolder folder;
  fs::create_directory(folder / "other");
  write_file_atomically(folder / "other/summary.json", "{\"sales\": 3}");
  EXPECT_ERROR(InputError, "it has no summary.json that a run has written", overwrite(folder / "other"));
}

TEST(OutputFolder, ResumingRefusesAFolderWithoutARun) {
  TemporaryFolder folder;
  fs::create_directory(folder / "other");
  write_file_atomically(folder / "other/notes.txt", "mine");
  EXPECT_ERROR(InputError, "it holds \"notes.txt\"", OutputFolder(folder / "other", true, false));
}

TEST(OutputFolder, ResumingAndOverwritingExcludeEachOther) {
  TemporaryFolder folder;
  EXPECT_ERROR(InputError, "either be resumed or overwritten", OutputFolder(folder / "out", true, true));
}

TEST(OutputFolder, AFileInItsPlaceIsRefused) {
  TemporaryFolder folder;
  write_file_atomically(folder / "out", "text");
  EXPECT_ERROR(InputError, "is a file; a run needs a folder", OutputFolder(folder / "out", false, true));
}

TEST(OutputFolder, OneThatCannotBeCreatedIsADiskFailure) {
  TemporaryFolder folder;
  write_file_atomically(folder / "file", "text");
  EXPECT_ERROR(IoError, "cannot create folder", OutputFolder(folder / "file/out", false, false));
}

TEST(OutputFolder, IsWaitedForWhileSomebodyLooksAtIt) {
  TemporaryFolder folder;
  fs::create_directory(folder / "out");
  const int handle = ::open((folder / "out").c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(handle, LOCK_SH | LOCK_NB), 0);
  std::jthread looker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::close(handle);
  });
  EXPECT_NO_THROW(OutputFolder(folder / "out", false, false));
}

TEST(OutputFolder, FramesAreNamedInOneWay) {
  EXPECT_EQ(frame_number("000000"), 0);
  EXPECT_EQ(frame_number("000042"), 42);
  EXPECT_EQ(frame_number("1234567"), 1'234'567);
  for (const char* name :
       {"", "42", "00042", "0000042", "000000042", "00004x", "-00042", "+00042", "1234567890"})
    EXPECT_EQ(frame_number(name), std::nullopt) << name;
}

TEST(OutputFolder, IsRefusedWhileAnotherRunWritesToIt) {
  TemporaryFolder folder;
  {
    const OutputFolder first(folder / "out", false, false);
    EXPECT_ERROR(InputError, "another run is writing to this folder",
                 OutputFolder(folder / "out", true, false));
  }
  EXPECT_NO_THROW(OutputFolder(folder / "out", true, false));
}

}  // namespace
}  // namespace pliant::output_folder_test
