#include "simulation.hpp"

#include <cmath>
#include <exception>
#include <stdexcept>

#include "messages.hpp"
#include "pliant/base/text.hpp"
#include "pliant/run/explain.hpp"

namespace pliant::python {

/// While it lives no other thread may use the simulation.
class PythonSimulation::Busy {
 public:
  explicit Busy(PythonSimulation& simulation) : simulation_(simulation) {
    simulation_.require_idle();
    simulation_.busy_ = true;
  }
  ~Busy() { simulation_.busy_ = simulation_.computing_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  /// Calls what computes, without Python's lock.
  template <class Compute>
  auto compute(Compute call) {
    simulation_.computing_ = true;
    const nb::gil_scoped_release others_run;
    return call();
  }

 private:
  PythonSimulation& simulation_;
};

/// Tells Python of the steps of a run, and the run of what Python wants: an exception there, that of Ctrl-C
/// included, ends it between two steps.
class PythonSimulation::Watcher : public RunObserver {
 public:
  Watcher(PythonSimulation& simulation, nb::object on_step)
      : simulation_(simulation), on_step_(std::move(on_step)) {}

  bool wants_end() {
    const nb::gil_scoped_acquire lock;
    guarded([&] {
      deliver_messages();
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    });
    return ends_;
  }

  void step_done(const RunTotals&, const StepReport& report) override {
    if (on_step_.is_none() || ends_) return;
    const nb::gil_scoped_acquire lock;
    simulation_.take_over(report);
    simulation_.computing_ = false;
    guarded([&] {
      const nb::object answer = on_step_(simulation_.report_of(report));
      ends_ |= answer.is(nb::handle(Py_False));
    });
    simulation_.computing_ = true;
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Call>
  void guarded(Call call) {
    if (error_) return;
    try {
      call();
    } catch (...) {
      error_ = std::current_exception();
      ends_ = true;
    }
  }

  PythonSimulation& simulation_;
  nb::object on_step_;
  std::exception_ptr error_;
  bool ends_ = false;
};

void PythonSimulation::require_idle() const {
  if (busy_)
    throw std::runtime_error(
        "this simulation is being stepped by another thread, or by the run that calls this");
}

void PythonSimulation::require_readable() const {
  if (computing_)
    throw std::runtime_error("another thread computes a step of this simulation; only x and v can be read");
}

nb::object PythonSimulation::contact_forces() const {
  require_readable();
  const Index size = simulation_.state.x.size();
  return points_array(contact_forces_.size() == size ? contact_forces_ : Vector(Vector::Zero(size)));
}

Report PythonSimulation::report_of(const StepReport& step) const {
  Report report{step, simulation_.state.time, ""};
  if (report.failed()) report.message = explain(step, simulation_.tolerance, simulation_.solver_name);
  return report;
}

void PythonSimulation::take_over(const StepReport& step) {
  contact_forces_ = step.contacts.forces;
  refresh();
}

void PythonSimulation::refresh() {
  x_.refresh(simulation_.state.x);
  v_.refresh(simulation_.state.v);
}

void PythonSimulation::set_state(nb::handle x, nb::handle v, std::optional<double> time) {
  require_idle();
  State& state = simulation_.state;
  const Index rows = state.vertices();
  const Vector new_x = x.is_none() ? state.x : to_points(x, "x", rows);
  const Vector new_v = v.is_none() ? state.v : to_points(v, "v", rows);
  if (time && !std::isfinite(*time)) throw nb::value_error("time must be finite");
  state.x = new_x;
  state.v = new_v;
  state.time = time.value_or(state.time);
  for (auto& [name, array] : state.arrays) array.forget_all();
  contact_forces_.resize(0);
  simulation_.model->apply_scripts(state.time, state.x, &state.v);
  refresh();
}

Report PythonSimulation::step(std::optional<double> dt, bool check) {
  Busy busy(*this);
  const double length = dt.value_or(usual_step());
  if (!(length > 0 && std::isfinite(length)))
    throw nb::value_error(format("a step of {} s is no step; dt must be positive", length).c_str());
  const StepReport step = busy.compute([&] {
    StepReport taken = simulation_.step(length);
    tear(simulation_, taken);
    return taken;
  });
  take_over(step);
  deliver_messages();
  Report report = report_of(step);
  if (check && report.failed()) throw NotConverged{std::move(report)};
  return report;
}

RunResult PythonSimulation::run(RunWish wish) {
  Busy busy(*this);
  if (simulation_.state.time != 0 && !wish.options.resume)
    throw nb::value_error(
        format("a run begins at 0 s and this simulation is at {:.6g} s; build another one, or set "
               "its time to 0",
               simulation_.state.time)
            .c_str());
  Watcher watcher(*this, std::move(wish.on_step));
  RunObserver* const observers[] = {&watcher};
  wish.options.interrupted = [&] { return watcher.wants_end(); };
  const RunResult result = busy.compute([&] { return pliant::run(simulation_, wish.options, observers); });
  refresh();
  watcher.rethrow();
  deliver_messages();
  return result;
}

}  // namespace pliant::python
