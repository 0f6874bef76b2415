// Headers of other libraries are slow to compile and must not reach those who use ours.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "source_files.hpp"

namespace pliant::structure {
namespace {

/// The library that a header in angle brackets comes from; empty for the C++ library, the system, Eigen and
/// our own, which may be used anywhere.
std::string library_of(const Include& include) {
  static const std::set<std::string> kSystem = {"dlfcn.h",  "elf.h",     "execinfo.h", "fcntl.h",  "link.h",
                                                "poll.h",   "pthread.h", "sched.h",    "signal.h", "sys",
                                                "unistd.h", "Eigen",     "pliant"};
  if (include.quoted) return "";
  const size_t slash = include.name.find('/');
  const std::string first = include.name.substr(0, slash);
  const bool standard = slash == std::string::npos && first.find('.') == std::string::npos;
  return standard || kSystem.contains(first) ? "" : first;
}

/// Headers that none of those installed may include: those with packs, whose width depends on the machine,
/// and those for text and JSON.
bool is_internal(const std::string& path) {
  return path.ends_with("_kernel.hpp") || path.ends_with("/pack.hpp") || path.ends_with("/text.hpp") ||
         path.ends_with("/json.hpp");
}

std::vector<std::string> libraries_in_many_files(const std::vector<SourceFile>& files) {
  std::map<std::string, std::string> first_place;
  std::vector<std::string> complaints;
  for (const SourceFile& file : files) {
    std::set<std::string> of_this_file;
    for (const Include& include : includes_of(file)) {
      const std::string library = library_of(include);
      if (library.empty() || !of_this_file.insert(library).second) continue;
      const auto [first, is_new] = first_place.emplace(library, file.path);
      if (!is_new)
        complaints.push_back(at(file, include.line) + library + " is already included in " + first->second);
    }
  }
  return complaints;
}

std::vector<std::string> leaks_of_public_headers(const std::vector<SourceFile>& files) {
  std::vector<std::string> complaints;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".hpp") || is_internal(file.path)) continue;
    for (const Include& include : includes_of(file))
      if (is_internal(include.name) || !library_of(include).empty())
        complaints.push_back(at(file, include.line) + "an installed header may not include " + include.name);
  }
  return complaints;
}

TEST(Libraries, EachIsIncludedInOneFile) {
  for (const std::string& complaint : libraries_in_many_files(read_sources({"src", "apps"})))
    ADD_FAILURE() << complaint;
}

TEST(Libraries, InstalledHeadersIncludeNone) {
  for (const std::string& complaint : leaks_of_public_headers(read_sources({"src"})))
    ADD_FAILURE() << complaint;
}

TEST(Libraries, ASecondFileIsFoundWithItsPlace) {
  const SourceFile a{"src/a.cpp", {"#include <tbb/parallel_for.h>", "#include <tbb/partitioner.h>"}};
  const SourceFile b{"src/b.cpp", {"#include <vector>", "#include <tbb/task.h>"}};
  EXPECT_TRUE(libraries_in_many_files({a}).empty());
  EXPECT_EQ(libraries_in_many_files({a, b}),
            std::vector<std::string>{"src/b.cpp:2: tbb is already included in src/a.cpp"});
}

TEST(Libraries, TheLanguageTheSystemAndEigenMayBeUsedAnywhere) {
  const std::vector<std::string> lines = {"#include <vector>", "#include <sys/stat.h>",
                                          "#include <Eigen/LU>"};
  EXPECT_TRUE(libraries_in_many_files({{"src/a.cpp", lines}, {"src/b.cpp", lines}}).empty());
}

TEST(Libraries, APackInAnInstalledHeaderIsFound) {
  EXPECT_EQ(leaks_of_public_headers({{"src/pliant/a.hpp", {"#include \"pliant/base/pack.hpp\""}}}).size(),
            1u);
  EXPECT_EQ(leaks_of_public_headers({{"src/pliant/a.hpp", {"#include <fmt/core.h>"}}}).size(), 1u);
}

TEST(Libraries, SourcesAndInternalHeadersMayUsePacks) {
  const std::vector<std::string> lines = {"#include \"pliant/base/pack.hpp\""};
  EXPECT_TRUE(
      leaks_of_public_headers({{"src/pliant/a.cpp", lines}, {"src/pliant/a_kernel.hpp", lines}}).empty());
}

}  // namespace
}  // namespace pliant::structure
