// Files that fuzzing found worth keeping, and whole ones: every reader reads or refuses every one of them.
#include <sys/resource.h>

#include <filesystem>

#include "fuzz/readers.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"

namespace pliant::kept_test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> kept_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PLIANT_SOURCE_DIR) / "tests/fuzz/kept"))
    if (entry.is_regular_file()) files.push_back(entry.path());
  return files;
}

long peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Whether it was read.
bool read_or_refuse(const FuzzedReader& reader, const std::string& bytes) {
  try {
    reader.read(bytes);
    return true;
  } catch (const InputError& error) {
    EXPECT_FALSE(error.complaints().empty());
    return false;
  }
}

TEST(KeptFiles, AreReadOrRefusedByEveryReaderInLittleMemory) {
  const std::vector<fs::path> files = kept_files();
  ASSERT_GT(files.size(), 20u);
  const long before = peak_kilobytes();
  for (const fs::path& file : files) {
    const std::string bytes = read_file(file);
    for (const FuzzedReader& reader : fuzzed_readers()) {
      SCOPED_TRACE(file.string() + " by " + std::string(reader.name));
      EXPECT_NO_FATAL_FAILURE(read_or_refuse(reader, bytes));
    }
  }
  EXPECT_LT(peak_kilobytes() - before, 200'000) << "of a few hundred kB of files";
}

TEST(KeptFiles, SomeAreReadAndSomeRefusedByTheirOwnReader) {
  for (const FuzzedReader& reader : fuzzed_readers()) {
    int read = 0, refused = 0;
    for (const fs::path& file : kept_files())
      if (file.parent_path().filename() == reader.name)
        ++(read_or_refuse(reader, read_file(file)) ? read : refused);
    EXPECT_GT(read, 0) << reader.name;
    EXPECT_GT(refused, 0) << reader.name;
  }
}

}  // namespace
}  // namespace pliant::kept_test
