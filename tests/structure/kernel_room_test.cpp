// What elements compute stands alone: a compiler for GPUs must be able to take it. kernel_alone.cpp compiles
// it without anything else; here is what that cannot see.
#include <gtest/gtest.h>

#include <regex>

#include "source_files.hpp"

namespace pliant::structure {
namespace {

std::vector<std::string> complaints_of(const std::vector<SourceFile>& files) {
  static const std::regex kFine(R"(pliant/(kernel/\w+|base/scalar)\.hpp)"), kBinding(R"(\bauto\s*&?&?\s*\[)"),
      kList(R"(\bfor\s*\(.*:\s*\{)"), kUnmarked(R"(^\s*explicit\s+\w+\()");
  std::vector<std::string> complaints;
  for (const SourceFile& file : files) {
    if (!file.path.starts_with("src/pliant/kernel/")) continue;
    for (const Include& include : includes_of(file))
      if (include.quoted ? !std::regex_match(include.name, kFine)
                         : include.name.find('/') != std::string::npos)
        complaints.push_back(at(file, include.line) + "a kernel may not include " + include.name);
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const auto complain = [&](const std::regex& form, const std::string& words) {
        if (std::regex_search(file.lines[i], form))
          complaints.push_back(at(file, static_cast<int>(i) + 1) + "a kernel may not have " + words);
      };
      complain(kBinding, "structured bindings");
      complain(kList, "a loop over a list in braces");
      complain(kUnmarked, "a constructor without PLIANT_KERNEL");
    }
  }
  return complaints;
}

TEST(KernelRoom, HoldsNothingThatACompilerForGpusDoesNotTake) {
  const auto files = read_sources({"src"});
  EXPECT_GT(std::count_if(files.begin(), files.end(),
                          [](const SourceFile& f) { return f.path.starts_with("src/pliant/kernel/"); }),
            20);
  for (const std::string& complaint : complaints_of(files)) ADD_FAILURE() << complaint;
}

TEST(KernelRoom, EveryMistakeIsFoundWithItsPlace) {
  for (const char* line :
       {"#include \"pliant/base/pack.hpp\"", "#include <Eigen/LU>", "  for (const auto& [p, q] : kPairs) {",
        "for (const T& entry : {s.xy, s.xz}) {", "    explicit Rest(const T* r) {"})
    EXPECT_EQ(complaints_of({{"src/pliant/kernel/a.hpp", {"#pragma once", line}}}).size(), 1u) << line;
  EXPECT_TRUE(complaints_of({{"src/pliant/kernel/a.hpp",
                              {"#include <string_view>", "#include \"pliant/kernel/svd.hpp\"",
                               "  PLIANT_KERNEL explicit Rest(const T* r) {"}}})
                  .empty());
}

}  // namespace
}  // namespace pliant::structure
