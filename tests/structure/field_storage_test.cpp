// Who minimises knows fields by their verbs alone: vectors can live elsewhere than on the host one day.
#include <gtest/gtest.h>

#include <regex>

#include "source_files.hpp"

namespace pliant::structure {
namespace {

/// The code of a line, without what a comment says.
std::string code_of(const std::string& line) { return line.substr(0, line.find("//")); }

/// Lines that reach the storage of fields, or hold vectors that can only be on the host.
std::vector<std::string> reaches(const std::vector<SourceFile>& files) {
  static const std::regex kReach(R"re((\.|->)\s*(host|data)\s*\(|\bEigen::|\bVector\b)re");
  std::vector<std::string> complaints;
  for (const SourceFile& file : files)
    for (size_t i = 0; i < file.lines.size(); ++i)
      if (std::regex_search(code_of(file.lines[i]), kReach))
        complaints.push_back(at(file, static_cast<int>(i) + 1) + file.lines[i]);
  return complaints;
}

TEST(FieldStorage, IsNotReachedByWhoMinimises) {
  const std::vector<SourceFile> files = read_sources({"src/pliant/minimize"});
  ASSERT_GT(files.size(), 10u);
  for (const std::string& complaint : reaches(files)) ADD_FAILURE() << complaint;
}

TEST(FieldStorage, EachWayToReachItIsFoundWithItsPlace) {
  for (const std::string line : {"x.host() = y;", "use(step->data());", "const Vector& g = f;",
                                 "Eigen::MatrixXd A;", "std::vector<Vector> all;", "at.host ()[0] = 1;"})
    EXPECT_EQ(reaches({{"src/a.cpp", {"int a;", line}}}), std::vector<std::string>{"src/a.cpp:2: " + line});
}

TEST(FieldStorage, WordsThatAreNoneOfTheseAreLeftAlone) {
  EXPECT_TRUE(reaches({{"src/a.cpp",
                        {"// x.host() of a Vector, by Eigen::Map", "std::vector<double> vector;",
                         "hosts.visit();", "#include \"pliant/base/vector_ops.hpp\"", "host(data);",
                         "SecantPairs pairs;  // in a Vector"}}})
                  .empty());
}

}  // namespace
}  // namespace pliant::structure
