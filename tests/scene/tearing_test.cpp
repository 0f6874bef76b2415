// Bodies that tear, from the scene to the run folder.
#include "pliant/scene/tearing.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

#include "errors.hpp"
#include "lasting_files.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/run/output_folder.hpp"
#include "pliant/run/run.hpp"
#include "pliant/run/run_folder.hpp"
#include "scene/complaints.hpp"

namespace pliant::tearing_test {
namespace {

namespace fs = std::filesystem;

/// A strip that two clamps pull apart, of which the middle is left to give way.
std::string strip(const std::string& solver, const std::string& shape, const std::string& material) {
  return format(R"(name = "Strip"
duration = 0.5
frame_rate = 30
gravity = [0, 0, 0]
[solver]
{}
[[body]]
name = "strip"
shape = {}
material = {}
[[body.script]]
region = {{ box = {{ min = [-2, -2, -2], max = [-0.45, 2, 2] }} }}
[[body.script]]
region = {{ box = {{ min = [0.45, -2, -2], max = [2, 2, 2] }} }}
velocity = [2, 0, 0]
)",
                solver, shape, material);
}

const std::string kCloth =
    R"({ kind = "cloth", length = 1, width = 0.4, cells = [20, 8, 1], thickness = 0.001 })";
const std::string kTriangles = R"({ model = "neo-hookean", young = 1e5, poisson = 0.3, tear = 1.3 })";
const std::string kLbfgs = "method = \"lbfgs\"\niterations = 8\nlbfgs.refresh_steps = 3";

Simulation simulation_of(const std::string& text) {
  return build(place_scene(parse_scene(text, "s.toml"), "."));
}

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "tearing-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
};

RunResult run_into(const fs::path& folder, const std::string& text, std::optional<int> frames = {}) {
  Simulation simulation = simulation_of(text);
  return run(simulation, {.folder = folder, .frames = frames, .resume = true});
}

/// Parts that hang together.
size_t parts_of(const TetMesh& mesh) {
  std::vector<int> part(mesh.vertices.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int v) {
    while (part[v] != v) v = part[v];
    return v;
  };
  const auto join = [&](const auto& cells) {
    for (const auto& cell : cells)
      for (const int v : cell) part[root(v)] = root(cell[0]);
  };
  join(mesh.triangles);
  join(mesh.tets);
  join(mesh.edges);
  size_t count = 0;
  for (size_t v = 0; v < part.size(); ++v) count += part[v] == static_cast<int>(v);
  return count;
}

TEST(Tearing, PartsABodyThatIsPulledApart) {
  const std::vector<std::array<std::string, 3>> cases = {
      {kLbfgs, kCloth, kTriangles},
      {"method = \"newton-cg\"", kCloth, kTriangles},
      {"method = \"local-global\"\niterations = 10", kCloth,
       R"({ model = "springs", young = 1e5, bending_springs = 0.01, tear = 1.3 })"},
      {kLbfgs, R"({ kind = "box", size = [1, 0.2, 0.2], cells = [10, 2, 2] })",
       R"({ model = "fixed-corotated", young = 1e5, tear = 1.4 })"},
      {"method = \"newton-cg\"", R"({ kind = "strand", length = 1, cells = [20, 1, 1], thickness = 0.01 })",
       R"({ model = "springs", young = 1e6, tear = 1.2 })"}};
  for (const auto& [solver, shape, material] : cases) {
    Folder folder;
    EXPECT_EQ(run_into(folder.path, strip(solver, shape, material)).status, RunStatus::completed) << shape;
    const RunFolder found(folder.path);
    EXPECT_EQ(parts_of(found.bodies()[0].rest), 1U) << shape;
    const auto torn = found.bodies_in(found.frame_count() - 1);
    EXPECT_GE(parts_of((*torn)[0].rest), 2U) << shape << material;
    EXPECT_EQ(std::ssize(found.frame(found.frame_count() - 1)), vertex_count(*torn)) << shape;
  }
}

TEST(Tearing, IsTheSameForAnyNumberOfThreadsAndWhereverItIsResumed) {
  Folder folder;
  const std::string text = strip(kLbfgs, kCloth, kTriangles);
  run_into(folder.path / "whole", text);
  const auto expected = lasting_files(folder.path / "whole");
  EXPECT_GT(expected.size(), 20U);
  const int threads_before = threads();
  set_threads(1);
  run_into(folder.path / "one", text);
  set_threads(threads_before);
  EXPECT_EQ(lasting_files(folder.path / "one"), expected);
  for (int frame = 1; frame < 15; ++frame) run_into(folder.path / "resumed", text, frame);
  run_into(folder.path / "resumed", text);
  EXPECT_EQ(lasting_files(folder.path / "resumed"), expected);
}

/// What solvers find must not depend on the factor that they start from.
TEST(Tearing, LeadsToTheSameMinimaWithAnOldFactor) {
  const auto end = [](const std::string& solver) {
    Simulation simulation = simulation_of(strip(solver, kCloth, kTriangles));
    int tears = 0;
    for (int i = 0; i < 8; ++i) {
      const StepReport report = simulation.scheme->step(simulation.state, 1.0 / 30);
      simulation.state.time = (i + 1) / 30.0;
      EXPECT_TRUE(is_converged(report.outcome.status)) << solver << i;
      tears += simulation.tearing->after_step(simulation);
    }
    EXPECT_GT(tears, 0);
    return simulation.state.x;
  };
  const Vector expected = end("method = \"newton-cholesky\"\ntolerance = 1e-9");
  for (const char* steps : {"1", "3", "100"}) {
    const Vector found = end(format(
        "method = \"lbfgs\"\ntolerance = 1e-9\nmax_iterations = 5000\nlbfgs.refresh_steps = {}", steps));
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-6) << steps;
  }
}

TEST(Tearing, LeavesPlacesAndSpeedsAsTheyAre) {
  Simulation simulation = simulation_of(strip(kLbfgs, kCloth, kTriangles));
  for (int i = 0; i < 15; ++i) {
    simulation.scheme->step(simulation.state, 1.0 / 30);
    simulation.state.time = (i + 1) / 30.0;
    const Vector x = simulation.state.x, v = simulation.state.v;
    const double mass = simulation.model->mass.sum();
    if (!simulation.tearing->after_step(simulation)) continue;
    EXPECT_LT(simulation.model->mass.sum(), mass);
    EXPECT_GT(simulation.model->mass.sum(), 0.5 * mass);
    EXPECT_EQ(simulation.state.x.size(), 3 * simulation.model->mass.size());
    for (Index k = 0; k < simulation.state.x.size(); k += 3) {
      bool known = false;
      for (Index j = 0; j < x.size() && !known; j += 3)
        known = x.segment<3>(j) == simulation.state.x.segment<3>(k) &&
                v.segment<3>(j) == simulation.state.v.segment<3>(k);
      EXPECT_TRUE(known) << "vertex " << k / 3 << " is where none was";
    }
  }
}

TEST(Tearing, OverwritesWhatItHasWritten) {
  Folder folder;
  const std::string text = strip(kLbfgs, kCloth, kTriangles);
  run_into(folder.path / "out", text);
  EXPECT_GT(RunFolder(folder.path / "out").bodies_since(15), 0);
  Simulation simulation = simulation_of(text);
  run(simulation, {.folder = folder.path / "out", .frames = 1, .overwrite = true});
  EXPECT_EQ(RunFolder(folder.path / "out").bodies_since(15), 0);
}

/// After some steps, with what has torn in its state.
Simulation torn_strip(const std::string& text, int steps = 8) {
  Simulation simulation = simulation_of(text);
  for (int i = 0; i < steps; ++i) {
    simulation.scheme->step(simulation.state, 1.0 / 30);
    simulation.state.time = (i + 1) / 30.0;
    simulation.tearing->after_step(simulation);
  }
  simulation.tearing->save(simulation.state);
  return simulation;
}

TEST(Tearing, RefusesAStateThatIsDamaged) {
  const std::string text = strip(kLbfgs, kCloth, kTriangles);
  const State whole = torn_strip(text, 5).state;
  for (const char* name : {"tear.0.origin", "tear.0.corners", "factor.0.used.values", "factor.0.state"})
    ASSERT_TRUE(whole.arrays.contains(name)) << name;
  const auto is_refused = [&](const State& state) {
    Simulation other = simulation_of(text);
    other.state = state;
    try {
      other.tearing->restore(other);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(is_refused(whole));
  for (const auto& [name, array] : whole.arrays) {
    const Vector& values = array.values;
    State missing = whole, shorter = whole, longer = whole, infinite = whole;
    missing.arrays.erase(name);
    if (values.size() > 0) shorter.arrays[name] = StateArray::of_whole(values.head(values.size() - 1));
    longer.arrays[name] = StateArray::of_whole(Vector::Zero(values.size() + 1));
    longer.arrays[name].values.head(values.size()) = values;
    if (values.size() > 0)
      infinite.arrays[name].values[values.size() / 2] = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(is_refused(missing)) << name;
    EXPECT_TRUE(is_refused(longer)) << name;
    if (values.size() == 0) continue;
    EXPECT_TRUE(is_refused(shorter)) << name;
    EXPECT_TRUE(is_refused(infinite)) << name;
  }
  State flat = whole;
  flat.arrays["tear.0.corners"].values.setZero();
  EXPECT_TRUE(is_refused(flat));
}

/// Stages of two lengths have a factor each, which stays when something tears.
TEST(Tearing, GoesWithEveryScheme) {
  for (const char* scheme : {"tr-bdf2-b", "bdf2", "newmark", "generalized-alpha", "sdirk2", "ros34pw2"}) {
    const std::string text = strip(kLbfgs, kCloth, kTriangles) + format("[time]\nscheme = \"{}\"\n", scheme);
    Folder folder;
    run_into(folder.path / "whole", text);
    const RunFolder found(folder.path / "whole");
    EXPECT_GT(found.bodies_since(15), 0) << scheme;
    for (const Vec3& place : found.frame(15)) EXPECT_LT(place.norm(), 5) << scheme;
    for (int frame = 4; frame < 15; frame += 3) run_into(folder.path / "resumed", text, frame);
    run_into(folder.path / "resumed", text);
    EXPECT_EQ(lasting_files(folder.path / "resumed"), lasting_files(folder.path / "whole")) << scheme;
  }
}

TEST(Tearing, GoesWithStepsByToleranceWhereverItIsResumed) {
  const std::string text = strip("method = \"newton-cg\"", kCloth, kTriangles) +
                           "[time]\nscheme = \"tr-bdf2\"\ntolerance = 1e-3\n";
  Folder folder;
  EXPECT_EQ(run_into(folder.path / "whole", text).status, RunStatus::completed);
  EXPECT_GT(RunFolder(folder.path / "whole").bodies_since(15), 0);
  for (int frame = 1; frame < 15; frame += 2) run_into(folder.path / "resumed", text, frame);
  run_into(folder.path / "resumed", text);
  EXPECT_EQ(lasting_files(folder.path / "resumed"), lasting_files(folder.path / "whole"));
}

/// A script that lets go is another matrix, too.
TEST(Tearing, IsTheSameWhereverItIsResumedWhenAScriptLetsGo) {
  std::string text = strip(kLbfgs, kCloth, kTriangles);
  text.insert(text.find("velocity = [2, 0, 0]"), "release = 0.3\n");
  Folder folder;
  run_into(folder.path / "whole", text);
  for (int frame = 1; frame < 15; ++frame) run_into(folder.path / "resumed", text, frame);
  run_into(folder.path / "resumed", text);
  EXPECT_EQ(lasting_files(folder.path / "resumed"), lasting_files(folder.path / "whole"));
}

/// Of a body that starts turned and stretched scripts hold the vertices where they started, torn or not.
TEST(Tearing, LeavesHeldVerticesWhereTheyAre) {
  std::string text = strip(kLbfgs, kCloth, kTriangles);
  text.insert(text.find("[[body.script]]"),
              "start = { stretch = [1.2, 1, 1], rotate = { axis = [0, 1, 0], angle = 30 } }\n");
  const auto held = [](const Simulation& simulation) {
    const Script& script = simulation.model->scripts[0];
    std::map<double, Vec3> places;  // along the clamp
    for (const int vertex : script.vertices) {
      const Vec3 place = simulation.state.x.segment<3>(3 * Index{vertex});
      places[std::round(1e6 * place.z())] = place;
    }
    return places;
  };
  const auto before = held(simulation_of(text));
  const Simulation torn = torn_strip(text, 12);
  ASSERT_TRUE(torn.state.arrays.contains("tear.0.origin"));
  EXPECT_EQ(held(torn).size(), before.size());
  for (const auto& [z, place] : held(torn)) {
    ASSERT_TRUE(before.contains(z));
    EXPECT_LT((before.at(z) - place).norm(), 1e-12);
  }
}

TEST(Tearing, BooksTheEnergyOfWhatGoes) {
  Folder folder;
  run_into(folder.path, strip("method = \"newton-cholesky\"\ntolerance = 1e-10", kCloth, kTriangles));
  std::istringstream table(read_file(folder.path / "steps.csv"));
  std::string line;
  std::getline(table, line);
  std::map<std::string, double> row;
  std::vector<std::string> names;
  const auto cells = [](const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string cell; std::getline(stream, cell, ',');) all.push_back(cell);
    return all;
  };
  names = cells(line);
  std::optional<double> before;  // of the start the table has no row
  double torn = 0, largest = 0;
  while (std::getline(table, line)) {
    const std::vector<std::string> values = cells(line);
    for (size_t i = 0; i < values.size(); ++i) row[names[i]] = std::atof(values[i].c_str());
    const double change = row["work_script"] - row["loss_damping"] - row["loss_scheme"] - row["loss_tear"];
    if (before) {
      EXPECT_NEAR(row["total"], *before + change, 1e-6 * (1 + std::abs(row["total"])));
    }
    before = row["total"];
    torn += row["loss_tear"];
    largest = std::max(largest, row["total"]);
  }
  EXPECT_GT(torn, 0.01 * largest);
}

/// Triangles that leave the middle of a sheet take no edge with them.
TEST(Tearing, ShowsHolesOfAnySize) {
  const std::string text = R"(name = "Sheet"
duration = 0.003
frame_rate = 2000
gravity = [0, 0, 0]
[solver]
method = "newton-cg"
[[body]]
name = "sheet"
shape = { kind = "cloth", length = 1, width = 1, cells = [6, 6, 1], thickness = 0.001 }
material = { model = "neo-hookean", young = 1e5, poisson = 0.3, tear = 1.05 }
start = { move = [{ vertex = 24, to = [0.03, 0.12, 0.02] }] }
)";
  Folder folder;
  run_into(folder.path, text);
  const RunFolder found(folder.path);
  ASSERT_GT(found.bodies_since(6), 0);
  for (int frame = 0; frame < found.frame_count(); ++frame) {
    const auto bodies = found.bodies_in(frame);
    EXPECT_EQ(std::ssize(found.frame(frame)), vertex_count(*bodies));
    if (found.bodies_since(frame) == 0) continue;
    ASSERT_EQ((*bodies)[0].origin.size(), (*bodies)[0].rest.vertices.size());
    for (size_t i = 0; i < (*bodies)[0].origin.size(); ++i)
      EXPECT_EQ((*bodies)[0].rest.vertices[i], found.bodies()[0].rest.vertices[(*bodies)[0].origin[i]]);
  }
}

TEST(Tearing, SaysWhatCannotTear) {
  EXPECT_TRUE(
      contains(complaints_about(kHead + "[[body]]\nshape = { kind = \"box\" }\nmaterial = { tear = 1 }\n"),
               "1.5 lets it tear"));
  const std::string hexes = kHead +
                            "[[body]]\nshape = { kind = \"box\", elements = \"hexahedra\" }\nmaterial = { "
                            "tear = 1.5 }\n";
  EXPECT_ERROR(InputError, "hexahedra, which do not tear", simulation_of(hexes));
}

}  // namespace
}  // namespace pliant::tearing_test
