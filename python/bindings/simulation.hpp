#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "arrays.hpp"
#include "pliant/run/run.hpp"
#include "report.hpp"

namespace pliant::python {

/// A step that did not converge, for who asked to be told so.
struct NotConverged {
  Report report;
};

/// A simulation with the arrays that Python looks at. All is called with Python's lock, which is released
/// while the library computes; one thread at a time may have it do so.
class PythonSimulation {
 public:
  explicit PythonSimulation(Simulation simulation)
      : simulation_(std::move(simulation)), x_(simulation_.state.x), v_(simulation_.state.v) {}

  const Simulation& get() const { return simulation_; }
  double usual_step() const { return 1 / (simulation_.frame_rate * simulation_.steps_per_frame); }

  nb::object x() const { return x_.array(); }
  nb::object v() const { return v_.array(); }
  /// Of the last step.
  nb::object contact_forces() const;
  void set_state(nb::handle x, nb::handle v, std::optional<double> time);

  /// `dt` in s; without it that of the scene.
  Report step(std::optional<double> dt, bool check);

  struct RunWish {
    RunOptions options;
    nb::object on_step;  ///< called with a report; False ends the run
  };
  RunResult run(RunWish wish);

  /// Throws RuntimeError where a step is being computed: nothing can be read now.
  void require_readable() const;

 private:
  class Busy;
  class Watcher;

  /// Throws RuntimeError where it is stepped or run: nothing can be changed now.
  void require_idle() const;
  Report report_of(const StepReport& step) const;
  void take_over(const StepReport& step);
  void refresh();

  Simulation simulation_;
  LiveArray x_, v_;
  Vector contact_forces_;
  bool busy_ = false;       ///< somebody steps it
  bool computing_ = false;  ///< and is in the library
};

void bind_simulation(nb::module_& module);

}  // namespace pliant::python
