#include "pliant/view/energy_density.hpp"

#include <numeric>

#include "errors.hpp"
#include "meshes.hpp"
#include "pliant/base/error.hpp"
#include "pliant/integrate/account.hpp"
#include "pliant/mesh/rectangle.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/vtu.hpp"
#include "runs.hpp"

namespace pliant::energy_density_test {
namespace {

std::string scene_with(const std::string& body) {
  return "name = \"One\"\nduration = 1\n[[body]]\nname = \"it\"\n" + body;
}

/// What the energies at the vertices add up to, beside what the model says, for a random deformation. Between
/// the run and the look at it the file goes away.
void expect_same_total(const std::string& scene, const std::filesystem::path& file = {}) {
  const TemporaryFolder folder;
  run_scene(folder / "out", scene);
  Simulation simulation = simulation_of(scene);
  if (!file.empty()) std::filesystem::remove(file);
  const RunFolder run(folder / "out");
  const EnergyDensity energy(read_file(folder / "out/scene.toml"), folder / "out/scene.toml", run.bodies());
  const Vector noise = testing::random_vector(simulation.state.x.size(), 5);
  std::vector<float> frame;
  for (Index i = 0; i < simulation.state.x.size(); ++i) {
    frame.push_back(static_cast<float>(simulation.state.x[i] + 0.02 * noise[i]));
    simulation.state.x[i] = frame.back();
  }
  const double expected = energies_of(*simulation.model, simulation.state).of("elastic");
  ASSERT_GT(expected, 0);
  const std::vector<double> energies = energy.energies(frame), densities = energy.densities(frame);
  EXPECT_NEAR(std::accumulate(energies.begin(), energies.end(), 0.0), expected, 1e-9 * expected);
  double of_densities = 0;
  size_t first = 0;
  for (const Body& body : simulation.model->bodies) {
    const std::vector<double> volumes = lumped_masses(body.rest, 1);
    for (size_t i = 0; i < volumes.size(); ++i) of_densities += volumes[i] * densities[first + i];
    first += volumes.size();
  }
  EXPECT_NEAR(of_densities, expected, 1e-9 * expected);
}

TEST(EnergyDensity, OfASolidAddsUpToTheEnergyOfTheModel) {
  expect_same_total(scene_with(R"(
shape = { kind = "box", size = [1, 1, 1], cells = [3, 3, 3], tets_per_cell = 5 }
material = { model = "stable-neo-hookean", young = 1e4, poisson = 0.3, density = 1000, volume = 300 })"));
}

TEST(EnergyDensity, OfHexahedraAddsUpToTheEnergyOfTheModel) {
  expect_same_total(scene_with(R"(
shape = { kind = "box", size = [1, 1, 1], cells = [3, 3, 3], elements = "hexahedra" }
material = { model = "corotated", young = 1e4, poisson = 0.3, density = 1000 })"));
}

TEST(EnergyDensity, OfHexahedraOfAnyKindAddsUpToTheEnergyOfTheModel) {
  for (const char* shape : {R"(kind = "box", size = [1, 2, 1], cells = [3, 3, 3], tets_per_cell = 6)",
                            R"(kind = "torus", cell = 0.15)"})
    expect_same_total(scene_with(std::string("shape = { elements = \"hexahedra\", ") + shape + R"( }
rotate = { axis = [1, 2, 3], angle = 40 }
translate = [0, 10, 0]
material = { model = "corotated", young = 1e4, poisson = 0.3, density = 1000 })"));
}

TEST(EnergyDensity, OfALaggedMaterialAddsUpToTheEnergyOfTheModel) {
  expect_same_total(scene_with(R"(
shape = { kind = "box", size = [1, 1, 1], cells = [2, 2, 2], tets_per_cell = 5 }
material = { model = "lagged-corotated", young = 1e4, poisson = 0.3, density = 1000 })"));
}

TEST(EnergyDensity, OfASheetWithHingesAddsUpToTheEnergyOfTheModel) {
  expect_same_total(scene_with(R"(
shape = { kind = "cloth", length = 1, cells = [5, 4, 1], thickness = 0.01 }
material = { model = "fixed-corotated", young = 1e5, poisson = 0.3, density = 100, bending = 1 })"));
}

TEST(EnergyDensity, OfSpringsAddsUpToTheEnergyOfTheModel) {
  expect_same_total(scene_with(R"(
shape = { kind = "cloth", length = 1, cells = [5, 4, 1], thickness = 0.01 }
material = { model = "springs", young = 1e5, density = 100, bending_springs = 0.1 })"));
}

TEST(EnergyDensity, OfAPlanarBodyAddsUpToTheEnergyOfTheModel) {
  expect_same_total(scene_with(R"(
shape = { kind = "rectangle", size = [1, 1, 0.2], cells = [3, 3, 1] }
material = { model = "fixed-corotated", young = 1e4, poisson = 0.3, density = 1000 })"));
}

TEST(EnergyDensity, OfThinBodiesOfUsualThicknessAddsUpToTheEnergyOfTheModel) {
  for (const char* shape : {R"({ kind = "strand", curve = "helix", radius = 0.1, cells = [40, 1, 1] })",
                            R"({ kind = "ribbon", curve = "helix", rest = "flat", cells = [20, 2, 1] })"})
    expect_same_total(scene_with(std::string("shape = ") + shape +
                                 "\nmaterial = { young = 1e6, density = 100, bending_springs = 0.1 }"));
}

TEST(EnergyDensity, OfASheetWhoseFileHasGoneAddsUpToTheEnergyOfTheModel) {
  const TemporaryFolder folder;
  const TetMesh cloth = make_rectangle({.size = {1, 1, 1}, .cells = {5, 5}});
  write_obj(folder / "cloth.obj", TriangleMesh{cloth.vertices, cloth.triangles});
  const std::string file = (folder / "cloth.obj").string();
  expect_same_total(
      scene_with("shape = { kind = \"sheet\", file = \"" + file + "\", thickness = 0.02 }\n" + R"(
material = { model = "fixed-corotated", young = 1e5, poisson = 0.3, density = 100, bending = 1 })"),
      file);
}

TEST(EnergyDensity, OfAStrandWhoseFileHasGoneAddsUpToTheEnergyOfTheModel) {
  const TemporaryFolder folder;
  MeshContents lines;
  for (int i = 0; i < 10; ++i) lines.vertices.emplace_back(0.1 * i, 0.01 * i * i, 0);
  for (int i = 1; i < 10; ++i) lines.edges.push_back({i - 1, i});
  write_vtu(folder / "thread.vtu", lines);
  const std::string file = (folder / "thread.vtu").string();
  expect_same_total(scene_with("shape = { kind = \"strand\", file = \"" + file + "\" }\n" + R"(
material = { young = 1e7, density = 100, bending_springs = 1 })"),
                    file);
}

TEST(EnergyDensity, ReadsNoFileThatTheSceneNames) {
  const TemporaryFolder folder;
  run_scene(folder / "out", kSolidScene);
  const RunFolder run(folder / "out");
  write_file_atomically(folder / "out/scene.toml", R"(
name = "Gone"
duration = 1
[[body]]
name = "block"
mesh = "/nowhere/block.msh"
material = { young = 1e4 }
)");
  const EnergyDensity energy(read_file(folder / "out/scene.toml"), folder / "out/scene.toml", run.bodies());
  const std::vector<Vec3> start = run.frame(0);
  std::vector<float> frame;
  for (const Vec3& x : start)
    for (int k = 0; k < 3; ++k) frame.push_back(static_cast<float>(1.1 * x[k]));
  const std::vector<double> energies = energy.energies(frame);
  EXPECT_GT(std::accumulate(energies.begin(), energies.end(), 0.0), 0) << "with the run's own mesh";
}

TEST(EnergyDensity, SaysWhyTheSceneCannotBeBuiltAnyMore) {
  const TemporaryFolder folder;
  run_scene(folder / "out", kSolidScene);
  const RunFolder run(folder / "out");
  write_file_atomically(folder / "out/scene.toml", "name = \"Gone\"\nduration = -1\n[[body]]\n");
  EXPECT_ERROR(InputError, "duration",
               EnergyDensity(read_file(folder / "out/scene.toml"), folder / "out/scene.toml", run.bodies()));
}

TEST(EnergyDensity, RefusesASceneOfOtherBodies) {
  const TemporaryFolder folder;
  run_scene(folder / "out", kSolidScene);
  run_fake(folder / "fake", 1);
  EXPECT_ERROR(InputError, "describes other bodies than those that ran",
               EnergyDensity(read_file(folder / "out/scene.toml"), folder / "out/scene.toml",
                             RunFolder(folder / "fake").bodies()));
}

}  // namespace
}  // namespace pliant::energy_density_test
