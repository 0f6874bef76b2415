#include "pliant/integrate/rosenbrock.hpp"

#include <cmath>

#include "pliant/base/error.hpp"
#include "pliant/base/timer.hpp"

namespace pliant {

namespace {

/// Sources: Lang and Teleaga 2008 (ros3pl), Rang 2015 (ros3prl2), Rang and Angermann 2005 (ros34pw2).
const RosenbrockTableau kRosenbrockTableaus[] = {
    {"ros3pl",
     "third order, four linear systems a step with one matrix; no safeguards",
     3,
     0.43586652150845899942,
     {{},
      {1.1471401801395208599},
      {2.4630707730300532286, 1.1471401801395208599},
      {2.4630707730300532286, 1.1471401801395208599, 0}},
     {{},
      {-2.6318611857810647374},
      {-1.3023641581130951373, 2.7694320222513035446},
      {-1.5525689587323999747, 2.5877435012151524935, -1.4169932983520201407}},
     {2.4630707730300532286, 1.1471401801395208599, 0.0, 1.0},
     {0.0, 0.5, 1.0, 1.0},
     {0.43586652150845899942, -0.064133478491541000584, 0.11102817251250503467, 0.0},
     {2.346947683513665, 0.456530569451895, 0.056949243945495, 0.738684936166224}},
    {"ros3prl2",
     "as ros3pl, without loss of order for stiff parts; gains energy with long steps",
     3,
     0.43586652150845899942,
     {{},
      {3.0},
      {4.5885607205580834396, 1.1471401801395208599},
      {4.5885607205580834396, 1.1471401801395208599, 0}},
     {{},
      {-6.8828410808371251595},
      {-12.579179703104494621, -2.9475127180857163791},
      {3.5565924505803769725, -0.46631243151283740935, 3.5452602553351021418}},
     {4.5885607205580834396, 1.1471401801395208599, 0.0, 1.0},
     {0.0, 1.3075995645253769982, 1.0, 1.0},
     {0.43586652150845899942, -0.87173304301691799883, -0.83398659670404028135, 0.0},
     {3.7076970942676946, 0.84302343082810198, -0.14248471842891299, 0.73868493616622447}},
    {"ros34pw2",
     "third order with any matrix, four linear systems a step; no safeguards",
     3,
     0.435866521508459,
     {{},
      {2.0},
      {1.4192173174557647, -0.25923221167296971},
      {4.1847604823191607, -0.28519201735549591, 2.2942803602790417}},
     {{},
      {-4.5885607205580835},
      {-4.1847604823191607, 0.28519201735549591},
      {-6.3681792001283578, -6.7956209444668362, 2.8700986043310561}},
     {4.1847604823191601, -0.28519201735549587, 2.2942803602790414, 1.0},
     {0.0, 0.87173304301691801, 0.73157995778885238, 1.0},
     {0.435866521508459, -0.43586652150845901, -0.41333337623388649, 0.0},
     {3.907010534671192, 1.1180478778205032, 0.52165023261149065, 0.5}},
};

constexpr const char* kLaggedPlaces = "x_before";

}  // namespace

std::span<const RosenbrockTableau> rosenbrock_tableaus() { return kRosenbrockTableaus; }

Rosenbrock::Rosenbrock(const Model& model, RosenbrockTableau tableau, Jacobian jacobian)
    : Scheme(model, tableau.name, {}),
      model_(model),
      tableau_(std::move(tableau)),
      jacobian_(jacobian),
      objective_(model, ResidualNorm::velocity),
      cholesky_(make_cholesky()) {}

Stage Rosenbrock::first_stage(const State& state, double dt) {
  const double length = tableau_.gamma * dt;
  Stage stage = stage_at(state, dt, state.time);
  stage.c_v = 1 / length;
  stage.x_v = state.x;
  stage.c_a = 1 / (length * length);
  stage.x_a = state.x + length * state.v;
  return stage;
}

/// M / (gamma h)^2 + D / (gamma h) + K.
bool Rosenbrock::factor(const State& state, double dt, Outcome& outcome) {
  objective_.begin(first_stage(state, dt));
  const Vector* before = jacobian_ == Jacobian::lagged ? state.kept(kLaggedPlaces) : nullptr;
  const BlockMatrix* H = nullptr;
  {
    const ScopedTimer timer(outcome.assembly_seconds);
    H = &objective_.hessian(before ? *before : state.x,
                            jacobian_ == Jacobian::projected ? Definiteness::clamp : Definiteness::none);
  }
  const ScopedTimer timer(outcome.linear_seconds);
  const BlockMatrix& merged = merged_.of(*H);
  definite_ = cholesky_->factor(merged);
  outcome.indefinite = !definite_;
  return definite_ || lu_.factor(merged);
}

void Rosenbrock::solve(const Vector& b, Vector& x) {
  if (definite_)
    cholesky_->solve(b, x);
  else
    lu_.solve(b, x);
}

/// On free vertices; scripts move the others.
Vector Rosenbrock::force(const State& state, double dt, double time, const Vector& x, const Vector& v,
                         Outcome& outcome) {
  ++outcome.evaluations;
  objective_.begin(instant(state, dt, time, x, v));
  Vector placed = x;
  objective_.place_scripted(placed);
  Vector gradient = objective_.potential_gradient(placed);
  objective_.add_stage_gradient(placed, gradient);
  if (model_.consistent_mass) gradient += model_.momentum(model_.script_accelerations(time, state.time + dt));
  for (Index d = 0; d < gradient.size(); ++d) gradient[d] = objective_.fixed()[d] ? 0 : -gradient[d];
  return gradient;
}

/// Of all that depends on the stage, at the start of the step with another velocity: it is linear in that, as
/// D of the matrix is.
Vector Rosenbrock::stage_gradient(const State& state, double dt, const Vector& v, Outcome& outcome) {
  Vector gradient = Vector::Zero(v.size());
  if (model_.stage_terms.empty() && objective_.contact_terms().empty()) return gradient;
  ++outcome.evaluations;
  Stage stage = first_stage(state, dt);
  stage.c_v = 1;
  stage.x_v = state.x - v;
  objective_.begin(stage);
  objective_.add_stage_gradient(state.x, gradient);
  return gradient;
}

/// df/dt at the start of the step: scripts, targets and obstacles move on, all else stands still. From
/// moments before anything turns, since to the force a corner of a script is a jump: the slope at 0 of the
/// polynomial through the values at 1 to 6, which is as exact as the tests of one step ask for. Weights of a
/// slope sum to zero: that of the value at 1 is left out, and what does not change has no rate to the last
/// digit.
Vector Rosenbrock::force_rate(const State& state, double dt, Outcome& outcome) {
  Vector rate = Vector::Zero(state.x.size());
  if (model_.scripts.empty() && model_.stage_terms.empty() && objective_.contact_terms().empty()) return rate;
  constexpr double kWeights[] = {1755.0 / 60, -2540.0 / 60, 1980.0 / 60, -810.0 / 60, 137.0 / 60};
  const double little = 1e-2 * std::min(dt, model_.next_key(state.time) - state.time);
  const auto at = [&](int k) { return force(state, dt, state.time + k * little, state.x, state.v, outcome); };
  const Vector first = at(1);
  for (int k = 2; k <= 6; ++k) rate += kWeights[k - 2] / little * (at(k) - first);
  return rate;
}

/// Adds the stages to `next`, and what the embedded weights make of them otherwise to `error`; false where
/// the matrix is singular or a stage not finite.
bool Rosenbrock::add_stages(const State& state, double dt, State& next, StepError& error, Outcome& outcome) {
  const Vector rate = force_rate(state, dt, outcome);
  if (!factor(state, dt, outcome)) return false;
  const double length = tableau_.gamma * dt;
  const Vector still = stage_gradient(state, dt, Vector::Zero(state.x.size()), outcome);
  std::vector<Vector> U(tableau_.stages()), V(tableau_.stages());
  for (size_t i = 0; i < tableau_.stages(); ++i) {
    // Equations 11 to 13, written for U_i. With V_i = U_i / (gamma h) - w, w = vhat + sum_j (c_ij / h) U_j,
    // the product of the stiffness with w cancels, and that of the damping stays.
    Vector u_hat = state.x, v_hat = state.v, u_sum = Vector::Zero(state.x.size()), v_sum = u_sum;
    for (size_t j = 0; j < i; ++j) {
      u_hat += tableau_.a[i][j] * U[j];
      v_hat += tableau_.a[i][j] * V[j];
      u_sum += (tableau_.c[i][j] / dt) * U[j];
      v_sum += (tableau_.c[i][j] / dt) * V[j];
    }
    const Vector w = v_hat + u_sum;
    Vector rhs = stage_gradient(state, dt, w, outcome) - still +
                 force(state, dt, state.time + tableau_.alphas[i] * dt, u_hat, v_hat, outcome) +
                 tableau_.gammas[i] * dt * rate;
    const ScopedTimer timer(outcome.linear_seconds);
    Vector v = v_sum + w / length;
    for (Index d = 0; d < v.size(); ++d)
      if (objective_.fixed()[d]) v[d] = 0;
    rhs += model_.momentum(v);
    for (Index d = 0; d < rhs.size(); ++d)
      if (objective_.fixed()[d]) rhs[d] = 0;
    solve(rhs, U[i]);
    if (!U[i].allFinite()) return false;
    V[i] = U[i] / length - w;
    next.x += tableau_.m[i] * U[i];
    next.v += tableau_.m[i] * V[i];
    error.x += (tableau_.m[i] - tableau_.embedded[i]) * U[i];
    error.v += (tableau_.m[i] - tableau_.embedded[i]) * V[i];
  }
  for (Index d = 0; d < error.v.size(); ++d)
    if (objective_.fixed()[d]) error.x[d] = error.v[d] = 0;  // scripts make no error
  return true;
}

StepReport Rosenbrock::advance(State& state, double dt) {
  StepAccount account(model_, objective_, state, potentials_);
  objective_.begin(instant(state, dt, state.time, state.x, state.v));
  account.sample(dt / 2, state.x, state.v);
  StepReport report;
  Outcome& outcome = report.outcome;
  outcome.iterations = 1;
  outcome.linear_solves = static_cast<int>(tableau_.stages());
  State next = state;
  next.time = state.time + dt;
  StepError error{Vector::Zero(state.x.size()), Vector::Zero(state.x.size()), tableau_.order};
  bool solved = add_stages(state, dt, next, error, outcome) && next.x.allFinite() && next.v.allFinite();
  if (solved) {
    model_.apply_scripts(next.time, next.x, &next.v);
    potentials_.move_to(next.x, model_, objective_);
    solved = std::isfinite(potentials_.energies.of(kElasticEnergy));
  }
  // What depends on the stage sees no end that has blown up.
  if (solved) {
    outcome.status = Status::converged;
    report.error = std::move(error);
    objective_.begin(instant(state, dt, next.time, next.x, next.v));
    account.sample(dt / 2, next.x, next.v);
    account.close(next, report, {}, false);
  } else {
    put_back(model_, state, next, report);
  }
  if (jacobian_ == Jacobian::lagged) next.keep(kLaggedPlaces, state.x);
  report.contacts.seconds += objective_.take_contact_seconds();
  state = std::move(next);
  return report;
}

}  // namespace pliant
