// The rooms of the library may use each other in one direction only.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "source_files.hpp"

namespace pliant::structure {
namespace {

using Table = std::map<std::string, std::vector<std::string>>;

/// What a room uses directly; it may also use whatever those use.
const Table kUses = {
    {"base", {}},
    {"kernel", {"base"}},
    {"mesh", {"kernel"}},
    {"spatial", {"mesh"}},
    {"material", {"kernel"}},
    {"linear", {"kernel"}},
    {"minimize", {"linear"}},
    {"potential", {"mesh", "material", "linear"}},
    {"contact", {"potential", "minimize", "spatial"}},
    {"system", {"contact"}},
    {"integrate", {"system"}},
    {"particle", {"system"}},
    {"asynchronous", {"integrate", "particle"}},
    {"shape", {"spatial"}},
    {"meshing", {"spatial"}},
    {"mesh_file", {"mesh"}},
    {"setup", {"asynchronous"}},
    {"run", {"setup", "mesh_file"}},
    {"scene", {"run", "shape", "meshing"}},
    {"picture", {"mesh"}},
    {"view", {"scene"}},
    {"study", {"view"}},
    {"apps", {"study", "picture"}},
    {"python", {"scene"}},
};

void add_reachable(const std::string& room, std::set<std::string>& reached) {
  if (!reached.insert(room).second) return;
  for (const std::string& used : kUses.at(room)) add_reachable(used, reached);
}

/// Rooms of which each uses the next and the last the first; empty where there are none. What is used must
/// be in the table.
std::vector<std::string> cycle_in(const Table& uses) {
  std::set<std::string> done;
  std::vector<std::string> way;
  const std::function<bool(const std::string&)> leads_back = [&](const std::string& room) {
    const auto before = std::find(way.begin(), way.end(), room);
    if (before != way.end()) {
      way.erase(way.begin(), before);
      return true;
    }
    if (done.contains(room)) return false;
    way.push_back(room);
    const std::vector<std::string>& used = uses.at(room);
    if (std::any_of(used.begin(), used.end(), leads_back)) return true;
    way.pop_back();
    done.insert(room);
    return false;
  };
  for (const auto& [room, used] : uses)
    if (leads_back(room)) return way;
  return {};
}

/// The room of src/pliant/ROOM/file, of pliant/ROOM/file or of apps/... and python/...; empty for a file in
/// no room.
std::string room_of(std::string path) {
  if (path.starts_with("src/")) path.erase(0, 4);
  if (path.starts_with("pliant/")) path.erase(0, 7);
  const size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::vector<std::string> broken_arrows(const std::vector<SourceFile>& files) {
  std::vector<std::string> complaints;
  for (const SourceFile& file : files) {
    const std::string room = room_of(file.path);
    if (room.empty()) continue;
    if (!kUses.contains(room)) {
      complaints.push_back(at(file, 1) + "no room is called " + room);
      continue;
    }
    std::set<std::string> allowed;
    add_reachable(room, allowed);
    for (const Include& include : includes_of(file)) {
      if (!include.name.starts_with("pliant/")) continue;
      const std::string used = room_of(include.name);
      if (!allowed.contains(used))
        complaints.push_back(at(file, include.line) + room + " may not use " + used);
    }
  }
  return complaints;
}

TEST(Arrows, RoomsUseOnlyRoomsBelowThem) {
  const auto files = read_sources({"src", "apps", "python"});
  EXPECT_GT(files.size(), 50u) << "the sources were not found";
  for (const std::string& complaint : broken_arrows(files)) ADD_FAILURE() << complaint;
}

TEST(Arrows, AnUpwardIncludeIsFoundWithItsPlace) {
  const SourceFile file{"src/pliant/base/types.hpp",
                        {"#pragma once", "#include \"pliant/linear/block_matrix.hpp\""}};
  EXPECT_EQ(broken_arrows({file}),
            std::vector<std::string>{"src/pliant/base/types.hpp:2: base may not use linear"});
}

TEST(Arrows, AnUpwardIncludeInAngleBracketsIsFound) {
  const SourceFile file{"src/pliant/base/types.hpp", {"#include <pliant/linear/block_matrix.hpp>"}};
  EXPECT_EQ(broken_arrows({file}).size(), 1u);
}

TEST(Arrows, NoneLeadsBack) {
  const std::vector<std::string> cycle = cycle_in(kUses);
  EXPECT_TRUE(cycle.empty()) << cycle.front() << " is used by a room that it uses";
}

TEST(Arrows, AWayBackIsFound) {
  using Rooms = std::vector<std::string>;
  EXPECT_EQ(cycle_in({{"a", {"b"}}, {"b", {"c", "d"}}, {"c", {}}, {"d", {"c", "b"}}}), (Rooms{"b", "d"}));
  EXPECT_EQ(cycle_in({{"a", {"a"}}}), Rooms{"a"});
  EXPECT_EQ(cycle_in({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}), Rooms{});
}

TEST(Arrows, ASidewaysIncludeIsFound) {
  const SourceFile file{"src/pliant/picture/studio.cpp", {"#include \"pliant/run/run_folder.hpp\""}};
  EXPECT_EQ(broken_arrows({file}).size(), 1u);
}

TEST(Arrows, AFarRoomBelowMayBeUsed) {
  const SourceFile file{"apps/pliant/main.cpp",
                        {"#include \"pliant/base/error.hpp\"", "#include \"pliant/picture/png.hpp\""}};
  EXPECT_TRUE(broken_arrows({file}).empty());
}

TEST(Arrows, AnUnknownRoomIsFound) {
  EXPECT_EQ(broken_arrows({{"src/pliant/utils/misc.cpp", {""}}}).size(), 1u);
}

}  // namespace
}  // namespace pliant::structure
