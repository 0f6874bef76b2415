// One stage's problem, E(x) = c_a/2 |x - x_a|^2_M + Phi(x): x.mtx (the first guess), x_a.mtx, mass.mtx (a
// number a dof, or a matrix where it is consistent), gradient.mtx and hessian.mtx (both at x; not made
// definite, the rows and columns of held dofs are those of the identity).
#include "dump_problem.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/scene.hpp"
#include "pliant/system/stage_objective.hpp"
#include "scene_folders.hpp"

namespace pliant {

namespace {

void write_array(const std::filesystem::path& path, const Vector& values) {
  std::string text = format("%%MatrixMarket matrix array real general\n{} 1\n", values.size());
  for (const double value : values) text += format("{}\n", value);
  write_file_atomically(path, text);
}

/// The lower triangle.
void write_matrix(const std::filesystem::path& path, const BlockMatrix& matrix) {
  const BlockPattern& pattern = matrix.pattern();
  std::string entries;
  Index count = 0;
  for (int row = 0; row < pattern.rows(); ++row) {
    const auto columns = pattern.columns_of(row);
    for (Index c = 0; c < std::ssize(columns); ++c) {
      for (int k = 0; k < 9; ++k) {
        const Index i = 3 * Index{pattern.vertex(row)} + k / 3, j = 3 * Index{columns[c]} + k % 3;
        if (c == 0 && j > i) continue;  // the other triangle of a diagonal block
        entries += format("{} {} {}\n", std::max(i, j) + 1, std::min(i, j) + 1,
                          matrix.block(pattern.row_start(row) + c)[k]);
        ++count;
      }
    }
  }
  const Index size = 3 * Index{pattern.rows()};
  write_file_atomically(
      path,
      format("%%MatrixMarket matrix coordinate real symmetric\n{} {} {}\n", size, size, count) + entries);
}

}  // namespace

int dump_problem_command(const DumpProblemOptions& options) {
  const Scene scene = read_scene(scene_gallery().find(options.scene.scene), options.scene.overrides);
  Simulation simulation = build(scene);
  const double dt = 1 / (simulation.frame_rate * simulation.steps_per_frame);
  for (int step = 1; step < options.step; ++step) {
    simulation.step(dt);
    simulation.state.time = step / (simulation.frame_rate * simulation.steps_per_frame);
    if (simulation.tearing) simulation.tearing->after_step(simulation);
  }

  const Model& model = *simulation.model;
  const Stage stage = simulation.scheme->first_stage(simulation.state, dt);
  StageObjective objective(model, solver_options(scene.keys.solver).norm);
  objective.begin(stage);
  Vector x = stage.x_a;
  objective.place_scripted(x);
  Vector gradient(objective.size());
  objective.evaluate(x, &gradient);
  Vector mass(objective.size());
  for (Index dof = 0; dof < mass.size(); ++dof) mass[dof] = model.mass[dof / 3];

  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  if (failed) throw IoError(format("cannot create folder {}: {}", options.folder.string(), failed.message()));
  write_array(options.folder / "x.mtx", x);
  write_array(options.folder / "x_a.mtx", stage.x_a);
  if (model.consistent_mass) {
    BlockMatrix M = model.consistent_mass->matrix(model.pattern);
    M.add_diagonal(mass);
    write_matrix(options.folder / "mass.mtx", M);
  } else {
    write_array(options.folder / "mass.mtx", mass);
  }
  write_array(options.folder / "gradient.mtx", gradient);
  write_matrix(options.folder / "hessian.mtx", objective.hessian(x, Definiteness::none));
  write_file_atomically(
      options.folder / "stage.toml",
      format("time = {}  # s\nc_a = {}  # 1/s^2\nc_v = {}  # 1/s\n", stage.time, stage.c_a, stage.c_v));
  log::info(format("step {} at {} s, c_a = {} 1/s^2, {} unknowns, into {}", options.step, stage.time,
                   stage.c_a, objective.size(), options.folder.string()));
  return 0;
}

}  // namespace pliant
