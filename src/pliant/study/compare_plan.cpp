#include "pliant/study/compare_plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/scene/value.hpp"
#include "pliant/scene/writer.hpp"

namespace pliant {

namespace {

/// Whether a key says how to compute and not what.
bool is_numerical(const std::string& key) {
  return key == "time" || key == "solver" || key.starts_with("time.") || key.starts_with("solver.");
}

/// Keys that are chosen for the reference, whatever the members have.
bool is_chosen_for_reference(const std::string& key) {
  constexpr std::array kKeys = {"time.scheme", "time.steps_per_frame", "time.tolerance", "solver.tolerance"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

/// Of several overrides of a key the last.
std::vector<std::string> last_of_each_key(const std::vector<std::string>& overrides) {
  std::vector<std::string> kept;
  for (auto item = overrides.begin(); item != overrides.end(); ++item)
    if (std::none_of(item + 1, overrides.end(),
                     [&](const std::string& later) { return key_of(later) == key_of(*item); }))
      kept.push_back(*item);
  return kept;
}

/// Two scenes whose texts are the same are the same problem, solved in some way or other.
std::string problem_text(SceneKeys keys) {
  keys.name.clear();
  keys.time = {};
  keys.solver = {};
  return to_toml(std::move(keys));
}

/// What is wrong with some members, each thing once, in the words of the option that it came from.
class Complaints {
 public:
  explicit Complaints(const std::vector<VariedKey>& varied) : varied_(varied) {}

  void add(const InputError& error) {
    for (Complaint complaint : error.complaints()) {
      constexpr std::string_view kSet = "--set ";
      if (complaint.file.starts_with(kSet) && is_varied(complaint.file.substr(kSet.size())))
        complaint.file.replace(0, kSet.size(), "--vary ");
      if (seen_.insert(complaint.text()).second) all_.push_back(complaint);
    }
  }
  void add(const std::string& message) { all_.push_back({"", 0, 0, message}); }
  void throw_if_any() const {
    if (!all_.empty()) throw InputError(all_);
  }

 private:
  bool is_varied(const std::string& key_and_value) const {
    return std::any_of(varied_.begin(), varied_.end(),
                       [&](const VariedKey& varied) { return varied.key == key_of(key_and_value); });
  }

  const std::vector<VariedKey>& varied_;
  std::vector<Complaint> all_;
  std::set<std::string> seen_;
};

class Planner {
 public:
  explicit Planner(const CompareQuestion& question)
      : question_(question), text_(read_file(question.scene)), complaints_(question.varied) {}

  ComparePlan plan() {
    for (const VariedKey& varied : question_.varied)
      for (const std::string& set : question_.overrides)
        if (key_of(set) == varied.key)
          throw InputError(format("{} is both set and varied; leave out --set {}", varied.key, set));
    plan_.varied = question_.varied;
    for (const GridMember& member : make_grid(question_.varied)) {
      names_.push_back(member.name);
      add({.name = member.name, .overrides = overrides_of(member.values), .values = member.values});
    }
    complaints_.throw_if_any();
    build_from(0);
    complaints_.throw_if_any();
    if (question_.reference) add_references();
    for (PlannedMember& member : plan_.members) member.overrides.push_back("name=" + toml_text(member.name));
    return std::move(plan_);
  }

 private:
  std::vector<std::string> overrides_of(const std::vector<std::string>& values) const {
    std::vector<std::string> overrides = question_.overrides;
    for (size_t i = 0; i < values.size(); ++i) overrides.push_back(question_.varied[i].key + "=" + values[i]);
    return overrides;
  }

  /// Reads its keys.
  void add(PlannedMember member) {
    try {
      SceneKeys keys = parse_scene(text_, question_.scene.string(), member.overrides);
      const std::string problem = problem_text(keys);
      member.problem = problems_.try_emplace(problem, static_cast<int>(problems_.size())).first->second;
      keys_.push_back(std::move(keys));
      plan_.members.push_back(std::move(member));
    } catch (const InputError& error) {
      complaints_.add(error);
    }
  }

  /// Builds the members from `first` on, with the meshes of a problem made once.
  void build_from(size_t first) {
    for (const auto& [text, problem] : problems_) {
      std::optional<Scene> placed;
      for (size_t i = first; i < plan_.members.size(); ++i) {
        if (plan_.members[i].problem != problem) continue;
        try {
          if (!placed) placed = place_scene(keys_[i], question_.scene.parent_path());
          placed->keys.name = plan_.members[i].name;
          placed->keys.time = keys_[i].time;
          placed->keys.solver = keys_[i].solver;
          note(plan_.members[i], build(*placed));
        } catch (const InputError& error) {
          complaints_.add(error);
        }
      }
    }
  }

  void note(PlannedMember& member, const Simulation& simulation) const {
    member.scene_text = simulation.scene_text;
    member.order = simulation.scheme->order();
    member.frames = question_.frames.value_or(simulation.frames);
    member.vertices = static_cast<int>(simulation.model->vertex_count());
    member.frame_rate = simulation.frame_rate;
    member.tolerance = simulation.tolerance;
  }

  void add_references() {
    const size_t first = grid_size_ = plan_.members.size();
    std::map<std::vector<std::string>, int> found;
    for (size_t i = 0; i < first; ++i) {
      const std::vector<std::string> overrides = reference_overrides(plan_.members[i]);
      const auto [entry, is_new] = found.try_emplace(overrides, static_cast<int>(plan_.members.size()));
      if (is_new) {
        add({.name = "", .overrides = overrides, .values = values_in(overrides), .is_reference = true});
        if (std::ssize(plan_.members) == entry->second) refuse_reference(overrides);
      }
      plan_.members[i].reference = entry->second;
    }
    for (size_t i = first; i < plan_.members.size(); ++i)
      name_reference(plan_.members[i], plan_.members.size() - first);
    build_from(first);
    for (size_t i = first; i < plan_.members.size(); ++i)
      if (plan_.members[i].scene_text.empty()) refuse_reference(plan_.members[i].overrides);
    keep_members_that_are_references(first);
  }

  [[noreturn]] void refuse_reference(const std::vector<std::string>& overrides) {
    std::string all;
    for (const std::string& item : overrides) all += (all.empty() ? "" : ", ") + item;
    complaints_.add(
        format("the reference, with {}, is not possible; choose another with --reference "
               "KEY=VALUE,KEY=VALUE or leave it out with --no-reference",
               all));
    complaints_.throw_if_any();
    throw InputError("the reference is not possible");
  }

  std::vector<std::string> reference_overrides(const PlannedMember& member) const {
    std::vector<std::string> overrides = question_.overrides, firsts = member.values;
    for (size_t i = 0; i < firsts.size(); ++i) {
      const VariedKey& varied = question_.varied[i];
      if (is_numerical(varied.key)) firsts[i] = varied.values.front();
      if (!is_chosen_for_reference(varied.key)) overrides.push_back(varied.key + "=" + firsts[i]);
    }
    const auto first = std::find_if(plan_.members.begin(), plan_.members.end(),
                                    [&](const PlannedMember& other) { return other.values == firsts; });
    const SceneKeys& base = keys_[static_cast<size_t>(first - plan_.members.begin())];
    for (const std::string& choice : fine_choices(base)) overrides.push_back(choice);
    overrides.insert(overrides.end(), question_.reference_choices.begin(), question_.reference_choices.end());
    return last_of_each_key(overrides);
  }

  /// What makes a scene with these keys an accurate one.
  std::vector<std::string> fine_choices(const SceneKeys& base) const {
    constexpr double kFinerSteps = 10, kFinerTolerance = 1e-3;
    constexpr double kRoundoff = 1e-9;  // of the solver's norms: less is not to be had everywhere
    constexpr int kIterations = 500;
    int most_steps = 1;
    std::optional<double> least_step_tolerance;
    double least_tolerance = keys_.front().solver.tolerance;
    for (size_t i = 0; i < grid_size_; ++i) {
      const SceneKeys& keys = keys_[i];
      most_steps = std::max(most_steps, keys.time.steps_per_frame);
      least_tolerance = std::min(least_tolerance, keys.solver.tolerance);
      if (keys.time.tolerance)
        least_step_tolerance =
            std::min(*keys.time.tolerance, least_step_tolerance.value_or(*keys.time.tolerance));
    }
    std::vector<std::string> choices;
    // A tableau would have to go with its scheme.
    choices.push_back(base.time.tableau ? "time={scheme=\"sdirk2\"}" : "time.scheme=sdirk2");
    if (least_step_tolerance)
      choices.push_back(format("time.tolerance={}", *least_step_tolerance / (kFinerSteps * kFinerSteps)));
    else
      choices.push_back(format("time.steps_per_frame={}", static_cast<long>(kFinerSteps * most_steps)));
    const double tolerance =
        std::max(kFinerTolerance * least_tolerance, std::min(kRoundoff, least_tolerance));
    choices.push_back(format("solver.tolerance={}", tolerance));
    if (base.solver.method != "newton-cg" && base.solver.method != "newton-cholesky")
      choices.push_back("solver.method=newton-cg");
    if (base.solver.iterations != 0) choices.push_back("solver.iterations=0");
    if (base.solver.max_iterations < kIterations)
      choices.push_back(format("solver.max_iterations={}", kIterations));
    return choices;
  }

  /// What overrides say of the varied keys.
  std::vector<std::string> values_in(const std::vector<std::string>& overrides) const {
    std::vector<std::string> values;
    for (const VariedKey& varied : question_.varied) {
      values.emplace_back();
      for (const std::string& item : overrides)
        if (key_of(item) == varied.key) values.back() = item.substr(varied.key.size() + 1);
    }
    return values;
  }

  /// "reference"; where there are several, with what tells them apart.
  void name_reference(PlannedMember& member, size_t count) {
    std::vector<VariedKey> telling;
    std::vector<std::string> values;
    for (size_t i = 0; count > 1 && i < question_.varied.size(); ++i) {
      if (is_numerical(question_.varied[i].key) || member.values[i].empty()) continue;
      telling.push_back(question_.varied[i]);
      values.push_back(member.values[i]);
    }
    member.name =
        unique_name(telling.empty() ? "reference" : "reference_" + member_name(telling, values), names_);
  }

  /// A reference that is in the grid already need not run twice.
  void keep_members_that_are_references(size_t first) {
    std::vector<int> now(plan_.members.size());
    std::vector<PlannedMember> kept;
    std::map<std::string, int> places;  // of what is kept, by what it says
    for (size_t i = 0; i < plan_.members.size(); ++i) {
      const auto [same, is_new] = places.try_emplace(to_toml(keys_[i]), static_cast<int>(kept.size()));
      now[i] = i < first ? static_cast<int>(kept.size()) : same->second;
      if (i < first || is_new)
        kept.push_back(plan_.members[i]);
      else
        kept[static_cast<size_t>(now[i])].is_reference = true;
    }
    for (PlannedMember& member : kept)
      member.reference = member.is_reference ? -1 : now[static_cast<size_t>(member.reference)];
    plan_.members = std::move(kept);
  }

  const CompareQuestion& question_;
  std::string text_;
  Complaints complaints_;
  ComparePlan plan_;
  std::vector<SceneKeys> keys_;          ///< of each member of the plan
  size_t grid_size_ = 0;                 ///< members before the references
  std::map<std::string, int> problems_;  ///< by their text
  std::vector<std::string> names_;       ///< taken
};

}  // namespace

ComparePlan plan_comparison(const CompareQuestion& question) { return Planner(question).plan(); }

}  // namespace pliant
