#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "document.hpp"
#include "messages.hpp"
#include "pliant/base/text.hpp"
#include "pliant/integrate/account.hpp"
#include "potentials.hpp"
#include "simulation.hpp"

namespace pliant::python {

namespace {

/// One of the bodies of a simulation.
struct BodyNow {
  std::string name;
  PaintedMesh mesh;
  int first_vertex;
};

nb::list bodies_of(const PythonSimulation& simulation) {
  simulation.require_readable();
  nb::list all;
  for (const Body& body : simulation.get().model->bodies)
    all.append(BodyNow{body.name, {body.rest}, body.first_vertex});
  return all;
}

nb::object fixed_of(const PythonSimulation& simulation) {
  simulation.require_readable();
  const std::vector<char> fixed = simulation.get().model->fixed_dofs(simulation.get().state.time);
  auto* data = new bool[std::max<size_t>(fixed.size(), 1)];
  nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<bool*>(memory); });
  std::copy(fixed.begin(), fixed.end(), data);
  return nb::cast(nb::ndarray<nb::numpy, bool>(data, {fixed.size() / 3, 3}, owner));
}

std::string name_of(RunStatus status) {
  return status == RunStatus::completed     ? "completed"
         : status == RunStatus::interrupted ? "interrupted"
                                            : "stopped";
}

void bind_body(nb::module_& module) {
  nb::class_<BodyNow>(module, "SimulatedBody", "One of the bodies of a simulation.")
      .def_ro("name", &BodyNow::name)
      .def_ro("mesh", &BodyNow::mesh, "Its rest shape where it was placed.")
      .def_prop_ro(
          "vertices",
          [](const BodyNow& body) {
            const int count = static_cast<int>(body.mesh.mesh.vertices.size());
            return nb::slice(body.first_vertex, body.first_vertex + count);
          },
          nb::sig("def vertices(self) -> slice"), "Which rows of sim.x are its: sim.x[body.vertices].")
      .def("__repr__", [](const BodyNow& body) {
        return format("<pliant.SimulatedBody {}: {} vertices>", body.name, body.mesh.mesh.vertices.size());
      });
}

void bind_result(nb::module_& module) {
  nb::class_<RunResult>(module, "RunResult", "How a run ended.")
      .def_prop_ro(
          "status", [](const RunResult& result) { return name_of(result.status); },
          "completed, interrupted (it can be resumed) or stopped (at a step that did not converge).")
      .def_prop_ro("exit_code", &RunResult::exit_code,
                   "As of the program: 0 done, 3 some step did not converge, 130 interrupted.")
      .def_prop_ro(
          "frames", [](const RunResult& result) { return result.totals.frames; },
          "Computed after frame 0, earlier parts of a resumed run included.")
      .def_prop_ro("steps", [](const RunResult& result) { return result.totals.steps; })
      .def_prop_ro("failed_steps", [](const RunResult& result) { return result.totals.failed_steps(); })
      .def_prop_ro("iterations", [](const RunResult& result) { return result.totals.iterations; })
      .def("__repr__", [](const RunResult& result) {
        return format("<pliant.RunResult: {}, {} frames, {} steps>", name_of(result.status),
                      result.totals.frames, result.totals.steps);
      });
}

void bind_state(nb::class_<PythonSimulation>& simulation) {
  simulation
      .def_prop_ro("x", &PythonSimulation::x, nb::sig("def x(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Positions, (n, 3), m; read-only, always those of now.")
      .def_prop_ro("v", &PythonSimulation::v, nb::sig("def v(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Velocities, (n, 3), m/s; read-only, always those of now.")
      .def_prop_ro(
          "time", [](const PythonSimulation& self) { return self.get().state.time; }, "s")
      .def_prop_ro("name", [](const PythonSimulation& self) { return self.get().name; })
      .def_prop_ro("dt", &PythonSimulation::usual_step,
                   "The step of the scene, s: 1 / (frame_rate * steps_per_frame).")
      .def_prop_ro(
          "frames", [](const PythonSimulation& self) { return self.get().frames; },
          "That a run computes after frame 0.")
      .def_prop_ro(
          "frame_rate", [](const PythonSimulation& self) { return self.get().frame_rate; }, "Hz")
      .def_prop_ro(
          "text", [](const PythonSimulation& self) { return self.get().scene_text; },
          "The scene with every default filled in, in TOML.")
      .def_prop_ro("bodies", &bodies_of, nb::sig("def bodies(self) -> list[SimulatedBody]"),
                   "In the order of the rows of x.")
      .def_prop_ro(
          "mass",
          [](const PythonSimulation& self) {
            self.require_readable();
            const Vector& mass = self.get().model->mass;
            return numbers_array({mass.data(), mass.data() + mass.size()});
          },
          nb::sig("def mass(self) -> numpy.typing.NDArray[numpy.float64]"), "Of each vertex, (n,), kg.")
      .def_prop_ro("fixed", &fixed_of, nb::sig("def fixed(self) -> numpy.typing.NDArray[numpy.bool_]"),
                   "Which coordinates are held or scripted now, (n, 3) bool.")
      .def_prop_ro(
          "energies",
          [](const PythonSimulation& self) {
            self.require_readable();
            return energies_dict(energies_of(*self.get().model, self.get().state));
          },
          nb::sig("def energies(self) -> dict[str, float]"),
          "Of now, J: kinetic, each kind that the model has by its name, and total.")
      .def_prop_ro(
          "contact_forces", &PythonSimulation::contact_forces,
          nb::sig("def contact_forces(self) -> numpy.typing.NDArray[numpy.float64]"),
          "That contacts pressed each vertex with at the end of the last step, (n, 3), N, along the normals. "
          "Contacts that act after the solve (program, post-process) and friction are not among them.");
}

void bind_actions(nb::class_<PythonSimulation>& simulation) {
  simulation
      .def("set_state", &PythonSimulation::set_state, nb::arg("x") = nb::none(), nb::arg("v") = nb::none(),
           nb::arg("time") = nb::none(),
           nb::sig("def set_state(self, x: numpy.typing.ArrayLike | None = None, v: numpy.typing.ArrayLike | "
                   "None = None, time: float | None = None) -> None"),
           "Sets positions (m), velocities (m/s) or the time (s). What schemes remember of earlier steps is "
           "forgotten; scripted vertices stay where their scripts say.")
      .def("step", &PythonSimulation::step, nb::arg("dt") = nb::none(), nb::arg("check") = false,
           "Takes a step of `dt` seconds, by default that of the scene. With `check` a step that does not "
           "converge "
           "raises NotConverged. Other threads of Python run meanwhile.")
      .def(
          "run",
          [](PythonSimulation& self, const std::filesystem::path& folder, std::optional<int> frames,
             bool resume, bool overwrite, nb::object on_step) {
            return self.run(
                {{.folder = folder, .frames = frames, .resume = resume, .overwrite = overwrite}, on_step});
          },
          nb::arg("folder"), nb::kw_only(), nb::arg("frames") = nb::none(), nb::arg("resume") = false,
          nb::arg("overwrite") = false, nb::arg("on_step") = nb::none(),
          nb::sig("def run(self, folder: str | os.PathLike, *, frames: int | None = None, resume: bool = "
                  "False, overwrite: bool = False, on_step: collections.abc.Callable[[StepReport], object] | "
                  "None = None) -> RunResult"),
          "Computes frames and writes the run folder that every other command reads. `on_step` is called "
          "with the "
          "report of each step; where it returns False the run ends and can be resumed. So it does by "
          "Ctrl-C, "
          "after the step in work, before KeyboardInterrupt is raised.");
}

}  // namespace

void bind_simulation(nb::module_& module) {
  bind_body(module);
  bind_result(module);
  nb::class_<PythonSimulation> simulation(
      module, "Simulation",
      "Bodies with positions and velocities, and how they move. Made by Scene.build().\n\n"
      "The arrays x and v are read-only, (n, 3) float64, and show the present state as long as they are "
      "kept; "
      "where bodies tear, ask for new ones. Copy what shall stay.");
  simulation.def(
      "__init__",
      [](PythonSimulation* self, const SceneDocument& document) {
        const auto built = [&] {
          const nb::gil_scoped_release others_run;
          return build(read_scene(document));
        };
        new (self) PythonSimulation(built());
        try {
          deliver_messages();
        } catch (...) {
          self->~PythonSimulation();
          throw;
        }
      },
      nb::arg("document"));
  simulation.def("__repr__", [](const PythonSimulation& self) {
    return format("<pliant.Simulation {}: {} vertices, t = {:.6g} s>", self.get().name,
                  self.get().state.vertices(), self.get().state.time);
  });
  bind_state(simulation);
  bind_actions(simulation);
  bind_potentials(simulation);
}

}  // namespace pliant::python
