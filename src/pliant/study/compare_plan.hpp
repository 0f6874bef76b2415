#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pliant/study/grid.hpp"

namespace pliant {

/// A scene, the keys of it that vary, and what to measure the variants by.
struct CompareQuestion {
  std::filesystem::path scene;
  std::vector<std::string> overrides;  ///< of all members, `key=value`
  std::vector<VariedKey> varied;
  std::optional<int> frames = {};                   ///< instead of what the scene's duration asks for
  bool reference = true;                            ///< add a finely computed member to each problem
  std::vector<std::string> reference_choices = {};  ///< `key=value`, instead of the choices made for it
};

/// A scene to run, known to be right.
struct PlannedMember {
  std::string name;
  std::vector<std::string> overrides;  ///< all that it takes, the later ones win
  std::vector<std::string> values;     ///< of each varied key
  std::string scene_text = {};         ///< as it will run, every default filled in
  bool is_reference = false;
  int problem = 0;     ///< members of one number differ in [time] and [solver] only
  int reference = -1;  ///< the member that its distance is measured to; -1 where that is found at the end
  int order = 1;       ///< of its scheme
  int frames = 0;      ///< to compute after the start
  int vertices = 0;
  double frame_rate = 0;  ///< Hz
  double tolerance = 0;   ///< of its solver
};

struct ComparePlan {
  std::vector<VariedKey> varied;
  std::vector<PlannedMember> members;  ///< the grid in its order, then references
};

/// Every combination of values, each built once so that what is wrong comes to light before anything runs.
/// The scene of a member is called as the member is, so that pictures of several can be told apart.
///
/// A reference is the scene with `sdirk2`, ten times the most steps a frame of the grid (a hundredth of the
/// least `time.tolerance`, where steps are as long as that allows) and a thousandth of the least tolerance of
/// the solver. Whatever else varies under [time] and [solver] has its first value there. All other keys say
/// what is simulated, not how: there is a reference for each combination of their values, so that a member
/// is measured by the answer to its own question.
///
/// Throws InputError with every complaint.
ComparePlan plan_comparison(const CompareQuestion& question);

}  // namespace pliant
