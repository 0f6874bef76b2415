#include "potentials.hpp"

#include <nanobind/stl/string.h>

#include "matrices.hpp"
#include "pliant/integrate/potential_energy.hpp"

namespace pliant::python {

namespace {

Vector places(const PythonSimulation& self, nb::handle x) {
  self.require_readable();
  return x.is_none() ? self.get().state.x : to_points(x, "x", self.get().state.vertices());
}

double energy(const PythonSimulation& self, nb::handle x) {
  const Vector at = places(self, x);
  return PotentialEnergy(*self.get().model, self.get().state).evaluate(at, nullptr);
}

nb::object gradient(const PythonSimulation& self, nb::handle x) {
  const Vector at = places(self, x);
  Vector gradient;
  PotentialEnergy(*self.get().model, self.get().state).evaluate(at, &gradient);
  return points_array(gradient);
}

Definiteness definiteness_of(const std::string& name) {
  if (name == "none") return Definiteness::none;
  if (name == "clamp") return Definiteness::clamp;
  if (name == "abs") return Definiteness::abs;
  throw nb::value_error("definiteness is none, clamp or abs");
}

nb::object hessian(const PythonSimulation& self, nb::handle x, const std::string& definiteness) {
  const Vector at = places(self, x);
  return to_scipy(
      PotentialEnergy(*self.get().model, self.get().state).hessian(at, definiteness_of(definiteness)));
}

}  // namespace

void bind_potentials(nb::class_<PythonSimulation>& simulation) {
  simulation
      .def("energy", &energy, nb::arg("x") = nb::none(),
           nb::sig("def energy(self, x: numpy.typing.ArrayLike | None = None) -> float"),
           "The potential energy at positions x (m), those of now unless given, J: elasticity, gravity, "
           "attachments and contacts that are energies, as they are at this time. Held vertices are not left "
           "out.")
      .def("gradient", &gradient, nb::arg("x") = nb::none(),
           nb::sig("def gradient(self, x: numpy.typing.ArrayLike | None = None) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "Of that energy, (n, 3), N; minus the forces.")
      .def(
          "hessian", &hessian, nb::arg("x") = nb::none(), nb::arg("definiteness") = "none",
          nb::sig("def hessian(self, x: numpy.typing.ArrayLike | None = None, definiteness: str = 'none') -> "
                  "scipy.sparse.bsr_array"),
          "Of that energy, (3 n, 3 n), N/m. Negative eigenvalues of elements stay (none), become zero "
          "(clamp) "
          "or change their sign (abs). Needs scipy.");
}

}  // namespace pliant::python
