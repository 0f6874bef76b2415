#include "descend.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "messages.hpp"
#include "pliant/base/text.hpp"
#include "pliant/minimize/solver.hpp"
#include "python_objective.hpp"

namespace pliant::python {

namespace {

/// Where a descent ended.
struct Descent {
  nb::object x;
  double value = 0;
  Outcome outcome;
};

std::vector<char> mask_of(nb::handle held, Index numbers) {
  if (held.is_none()) return {};
  const auto given = doubles(held);
  if (static_cast<Index>(given.size()) != numbers)
    throw nb::value_error(format("held has {} entries for {} numbers", given.size(), numbers).c_str());
  std::vector<char> mask;
  for (size_t d = 0; d < given.size(); ++d) mask.push_back(given.data()[d] != 0);
  return mask;
}

SolverOptions solver_options_of(const std::optional<std::string>& method, bool has_hessian, double tolerance,
                                int max_iterations) {
  SolverOptions options;
  options.method = method.value_or(has_hessian ? "newton-tikhonov" : "lbfgs");
  options.tolerance = tolerance;
  options.max_iterations = max_iterations;
  options.lbfgs.initial = InitialHessian::identity;
  options.lbfgs.wolfe = true;
  return options;
}

Descent descend_in_python(nb::object fun, nb::handle x0, nb::object hess, std::optional<std::string> method,
                          double tolerance, int max_iterations, nb::handle held, nb::object callback) {
  if (method == "local-global")
    throw nb::value_error("local-global needs a constant matrix, which functions of Python do not have");
  const auto start = doubles(x0);
  const Index numbers = static_cast<Index>(start.size());
  if (numbers == 0) throw nb::value_error("x0 is empty");
  nb::object shape = nb::module_::import_("numpy").attr("shape")(x0);
  PythonObjective objective({std::move(fun), hess, std::move(shape)}, numbers, mask_of(held, numbers));
  Solver solver(solver_options_of(method, !hess.is_none(), tolerance, max_iterations));
  if (!callback.is_none())
    solver.set_watch([&](int iterations, const Field& x) { callback(iterations, objective.in_python(x)); });
  const Field guess = objective.padded(Eigen::Map<const Vector>(start.data(), numbers));
  Field x;
  const Outcome outcome = solver.solve(objective, {.all = {&guess, 1}}, x);
  objective.evaluate(x, nullptr, 0);
  deliver_messages();
  return {objective.in_python(x), objective.value(), outcome};
}

}  // namespace

void bind_descend(nb::module_& module) {
  nb::class_<Descent>(module, "Descent", "Where a descent ended.")
      .def_ro("x", &Descent::x, nb::sig("def x(self) -> numpy.typing.NDArray[numpy.float64]"),
              "The best point, in the shape of x0.")
      .def_ro("value", &Descent::value, "There.")
      .def_prop_ro(
          "status", [](const Descent& end) { return std::string(name(end.outcome.status)); },
          "From good to bad: converged, converged-to-roundoff, stalled, iteration-limit, not-finite.")
      .def_prop_ro("converged", [](const Descent& end) { return is_converged(end.outcome.status); })
      .def_prop_ro("iterations", [](const Descent& end) { return end.outcome.iterations; })
      .def_prop_ro(
          "evaluations", [](const Descent& end) { return end.outcome.evaluations; }, "Of fun, about.")
      .def_prop_ro(
          "residual", [](const Descent& end) { return end.outcome.residual; }, "Length of the gradient.")
      .def("__repr__", [](const Descent& end) {
        return format("<pliant.Descent: {}, value {:.6g}, {} iterations>", name(end.outcome.status),
                      end.value, end.outcome.iterations);
      });
  module.def(
      "descend", &descend_in_python, nb::arg("fun"), nb::arg("x0"), nb::kw_only(),
      nb::arg("hess") = nb::none(), nb::arg("method") = nb::none(), nb::arg("tolerance") = 1e-8,
      nb::arg("max_iterations") = 500, nb::arg("held") = nb::none(), nb::arg("callback") = nb::none(),
      nb::sig(
          "def descend(fun: collections.abc.Callable[[numpy.typing.NDArray[numpy.float64]], tuple[float, "
          "numpy.typing.ArrayLike]], x0: numpy.typing.ArrayLike, *, hess: collections.abc.Callable | None = "
          "None, method: str | None = None, tolerance: float = 1e-8, max_iterations: int = 500, held: "
          "numpy.typing.ArrayLike | None = None, callback: collections.abc.Callable | None = None) -> "
          "Descent"),
      "Minimises a function of your own by the loop that takes Pliant's steps. `fun(x)` returns the value, "
      "which "
      "may be infinite, and the gradient; `hess(x)` a symmetric matrix, of scipy.sparse or dense. x has any "
      "length and shape. `method` is a solver's name as in scene files: newton-tikhonov unless given, or "
      "lbfgs "
      "without hess. It ends where the gradient is no longer than `tolerance`. Numbers that are `held` stay "
      "as "
      "in x0. `callback(iterations, x)` is told each point.");
}

}  // namespace pliant::python
