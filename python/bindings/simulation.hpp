#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
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

/// A simulation with the arrays that Python looks at. All is called with Python's lock, which is released while
/// the library computes; one thread at a time may have it do so.
class PythonSimulation {
 public:
  explicit PythonSimulation(Simulation simulation) : simulation_(std::move(simulation)) {}

  const Simulation& get() const { return simulation_; }
  double usual_step() const { return 1 / (simulation_.frame_rate * simulation_.steps_per_frame); }

  nb::object x() { return x_.show(simulation_.state.x); }
  nb::object v() { return v_.show(simulation_.state.v); }
  void set_state(nb::handle x, nb::handle v, std::optional<double> time);

  /// `dt` in s; without it that of the scene.
  Report step(std::optional<double> dt, bool check);

  struct RunWish {
    RunOptions options;
    nb::object on_step;  ///< called with a report; False ends the run
  };
  RunResult run(RunWish wish);

  /// Throws RuntimeError where another thread computes with it.
  void require_idle() const;

 private:
  class Busy;
  class Watcher;

  Report report_of(const StepReport& step) const;
  void refresh();

  Simulation simulation_;
  LiveArray x_, v_;
  std::atomic<bool> busy_ = false;
};

void bind_simulation(nb::module_& module);

}  // namespace pliant::python
