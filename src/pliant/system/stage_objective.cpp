#include "pliant/system/stage_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "pliant/base/parallel.hpp"
#include "pliant/base/timer.hpp"
#include "pliant/base/vector_ops.hpp"
#include "pliant/system/rotations.hpp"

namespace pliant {

namespace {
constexpr Index kAtOnce = 4096;    ///< numbers
constexpr Index kVertices = 1024;  ///< likewise
}  // namespace

StageObjective::StageObjective(const Model& model, ResidualNorm norm, const StretchRange& range)
    : model_(model), norm_(norm), range_(range), layout_(make_layout(model.vertex_count())) {
  for (const auto& prototype : model.stage_terms) stage_terms_.push_back(prototype->clone());
  for (const auto& prototype : model.contacts) add_contact(*prototype);
  Index next = model.mass.size();
  const auto add = [&](Potential* part) {
    parts_.push_back(part);
    part_start_.push_back(next);
    next += part->contributions();
    roundoff_ += part->roundoff();
    const auto* constant = dynamic_cast<const ConstantProxy*>(part);
    if (constant != nullptr) constant_parts_.push_back(constant);
    projective_parts_ = projective_parts_ && constant != nullptr && constant->is_projective();
    constant_hessian_ = constant_hessian_ && dynamic_cast<const ConstantHessian*>(part) != nullptr;
  };
  constant_hessian_ = !places_;
  for (const Term& term : model.terms) add(term.potential.get());
  for (const auto& term : stage_terms_) add(term.get());
  for (StageTerm* term : contact_terms_) add(term);
  part_start_.push_back(next);
  energies_.setZero(next);
  reference_.setZero(next);
}

void StageObjective::add_contact(const Contact& prototype) {
  if (prototype.couples() == Couples::bodies_after_the_step) return;
  contacts_.push_back(prototype.clone_contact());
  Contact* contact = contacts_.back().get();
  for (StageTerm* term : contact->energies()) {
    contact_terms_.push_back(term);
    contact_of_term_.push_back(contact);
  }
  FeasiblePlaces* places = contact->feasible_places();
  if (places && places_) throw std::invalid_argument("two contacts of a model say which places are feasible");
  if (places) places_ = places;
}

bool StageObjective::same_hessian_as(const Stage& stage) const {
  return stage.c_a == stage_.c_a && stage.c_v == stage_.c_v && stage.time_step == stage_.time_step &&
         equal(stage.x_step, stage_.x_step) && model_.fixed_dofs(stage.holding()) == fixed_;
}

void StageObjective::begin(const Stage& stage) {
  hessian_holds_ = hessian_holds_ && stiffening_ == 1 && same_hessian_as(stage);
  stage_ = stage;
  stiffening_ = 1;
  last_.whole = false;
  from_zero_ = true;
  fixed_ = model_.fixed_dofs(stage.holding());
  // A scripted vertex adds no inertia to the objective: it would only be a large constant. It moves with the
  // velocity of its script.
  place_scripted(stage_.x_a);
  if (model_.consistent_mass && stage_.c_a > 0)
    stage_.x_a -= model_.script_accelerations(stage_.time - stage_.delay, stage_.holding()) / stage_.c_a;
  Vector velocity = Vector::Zero(size());
  model_.apply_scripts(stage_.time, stage_.holding(), stage_.x_v, &velocity);
  if (stage_.c_v > 0) stage_.x_v -= velocity / stage_.c_v;
  Vector& metric = metric_.host();
  metric.resize(size());
  free_mass_ = 0;
  for (Index i = 0; i < model_.mass.size(); ++i)
    if (!fixed_[3 * i]) free_mass_ += model_.mass[i];
  for (Index d = 0; d < size(); ++d) metric[d] = stage_.c_a * model_.mass[d / 3];
  for (const auto& term : stage_terms_) term->begin_stage(stage_);
  const ScopedTimer timer(contact_seconds_);
  for (StageTerm* term : contact_terms_) term->begin_stage(stage_);
  for (const auto& contact : contacts_) contact->begin({stage_, fixed_, model_.diameter});
}

void StageObjective::evaluate_inertia(const Vector& x, Vector* gradient) {
  const double *at = x.data(), *target = stage_.x_a.data(), *metric = metric_.host().data();
  double *energies = energies_.data(), *to = gradient ? gradient->data() : nullptr;
  parallel_chunks(model_.mass.size(), kVertices, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double a = at[3 * i] - target[3 * i], b = at[3 * i + 1] - target[3 * i + 1],
                   c = at[3 * i + 2] - target[3 * i + 2];
      energies[i] = 0.5 * metric[3 * i] * (a * a + b * b + c * c);
    }
    for (Index d = 3 * begin; to && d < 3 * end; ++d) to[d] = metric[d] * (at[d] - target[d]);
  });
  if (!model_.consistent_mass) return;
  const Vector offset = x - stage_.x_a;
  Vector shared;
  model_.consistent_mass->multiply(offset, shared);
  for (Index d = 0; d < size(); ++d) {
    energies_[d / 3] += 0.5 * stage_.c_a * offset[d] * shared[d];
    if (gradient) (*gradient)[d] += stage_.c_a * shared[d];
  }
}

Change StageObjective::evaluate(const Field& x, Field* gradient, double enough) {
  return evaluate(x.host(), gradient ? &gradient->host() : nullptr, enough);
}

Change StageObjective::evaluate(const Vector& x, Vector* gradient, double enough) {
  if (from_zero_) clear_reference();
  if (gradient) gradient->resize(size());
  is_reference_ = false;
  evaluate_inertia(x, gradient);
  if (gradient && stiffening_ == 1) {
    evaluate_apart(x, enough);
    add_kept(*gradient);
  } else {
    last_.whole = false;
    for (size_t k = 0; k < parts_.size(); ++k)
      if (!is_contact(k) && (stiffening_ == 1 || !is_elastic(k))) evaluate_part(k, x, gradient);
    if (stiffening_ != 1) evaluate_stiffened(x, gradient);
    evaluate_contacts(x, gradient, enough);
    if (gradient) zero_fixed(*gradient);
  }
  const auto [magnitude, difference] = totals_of(energies_, reference_);
  noise_ = 4 * std::numeric_limits<double>::epsilon() * magnitude + stiffening_ * roundoff_ +
           (places_ ? places_->roundoff() : 0);
  return {magnitude < std::numeric_limits<double>::infinity() ? difference : magnitude, noise_};
}

void StageObjective::zero_fixed(Vector& gradient) const {
  parallel_chunks(size(), kAtOnce, [&](Index begin, Index end) {
    for (Index d = begin; d < end; ++d)
      if (fixed_[d]) gradient[d] = 0;
  });
}

/// All parts, with gradients of the model's potentials and of the stage's terms kept for those who ask for
/// them where a descent has ended.
void StageObjective::evaluate_apart(const Vector& x, double enough) {
  last_.whole = true;
  copy(x, last_.x);
  set_zero(size(), last_.potential);
  for (size_t k = 0; k < model_.terms.size(); ++k) evaluate_part(k, x, &last_.potential);
  if (parts_.size() == model_.terms.size()) return;
  set_zero(size(), last_.stage);
  for (size_t k = model_.terms.size(); k < parts_.size(); ++k)
    if (!is_contact(k)) evaluate_part(k, x, &last_.stage);
  evaluate_contacts(x, &last_.stage, enough);
}

/// Adds these gradients to that of the inertia.
void StageObjective::add_kept(Vector& gradient) const {
  const bool staged = parts_.size() > model_.terms.size();
  parallel_chunks(size(), kAtOnce, [&](Index begin, Index end) {
    double* to = gradient.data();
    for (Index d = begin; d < end; ++d) to[d] += last_.potential[d];
    for (Index d = begin; staged && d < end; ++d) to[d] += last_.stage[d];
    for (Index d = begin; d < end; ++d) to[d] = fixed_[d] ? 0 : to[d];
  });
}

double StageObjective::difference() const {
  return parallel_sum(energies_.size(), kAtOnce, [&](Index begin, Index end) {
    double partial = 0;
    for (Index i = begin; i < end; ++i) partial += energies_[i] - reference_[i];
    return partial;
  });
}

/// Costly ones come last, and not at all where the rest is higher than the start already (gast-2014, section
/// 3.3): they could only make it higher, and the search turns away either way.
void StageObjective::evaluate_contacts(const Vector& x, Vector* gradient, double enough) {
  const ScopedTimer timer(contact_seconds_);
  const size_t first = parts_.size() - contact_terms_.size();
  for (const bool costly : {false, true})
    for (size_t k = first; k < parts_.size(); ++k) {
      if (contact_of_term_[k - first]->is_costly() != costly) {
        if (!costly) std::fill(energies_.data() + part_start_[k], energies_.data() + part_start_[k + 1], 0.0);
        continue;
      }
      if (costly && std::isfinite(enough) && !(difference() <= enough)) {
        last_.whole = false;
        continue;
      }
      evaluate_part(k, x, gradient);
    }
}

void StageObjective::evaluate_stiffened(const Vector& x, Vector* gradient) {
  if (gradient) scale(1 / stiffening_, *gradient);
  for (size_t k = 0; k < parts_.size(); ++k) {
    if (!is_elastic(k)) continue;
    evaluate_part(k, x, gradient);
    for (Index i = part_start_[k]; i < part_start_[k + 1]; ++i) energies_[i] *= stiffening_;
  }
  if (gradient) scale(stiffening_, *gradient);
}

double StageObjective::set_reference() {
  if (!is_reference_) energies_.swap(reference_);
  is_reference_ = true;
  return noise_;
}

void StageObjective::clear_reference() {
  if (is_reference_) energies_.swap(reference_);
  is_reference_ = from_zero_ = false;
  reference_.setZero();
}

/// To a matrix of zeros.
void StageObjective::add_elastic_hessian(const Vector& x, Definiteness definiteness) {
  if (!hessian_) hessian_.emplace(model_.pattern);
  hessian_->set_zero();
  for (size_t k = 0; k < parts_.size(); ++k)
    if (is_elastic(k)) parts_[k]->add_hessian(x, definiteness, *hessian_);
}

const BlockMatrix& StageObjective::hessian(const Vector& x, Definiteness definiteness) {
  if (hessian_holds_ && stiffening_ == 1) return *hessian_;
  hessian_holds_ = constant_hessian_ && stiffening_ == 1;
  add_elastic_hessian(x, definiteness);
  if (stiffening_ != 1) hessian_->scale(stiffening_);
  for (size_t k = 0; k < parts_.size(); ++k)
    if (!is_elastic(k) && !is_contact(k)) parts_[k]->add_hessian(x, definiteness, *hessian_);
  {
    const ScopedTimer timer(contact_seconds_);
    for (const StageTerm* term : contact_terms_) term->add_hessian(x, definiteness, *hessian_);
  }
  add_inertia();
  hessian_->fix_dofs(fixed_);
  const ScopedTimer timer(contact_seconds_);
  if (places_) places_->restrict_hessian(definiteness, metric_.host(), *hessian_);
  return *hessian_;
}

int StageObjective::number() {
  const auto same = [&](const Known& of) {
    return of.c_a == stage_.c_a && of.c_v == stage_.c_v && of.fixed == fixed_;
  };
  const auto found = std::find_if(matrices_.begin(), matrices_.end(), same);
  if (found != matrices_.end()) {
    std::rotate(matrices_.begin(), found, found + 1);
  } else {
    constexpr size_t kKept = 8;
    if (matrices_.size() == kKept) matrices_.pop_back();
    matrices_.insert(matrices_.begin(), {matrices_met_++, stage_.c_a, stage_.c_v, fixed_});
  }
  return matrices_.front().number;
}

ScalarMatrix StageObjective::matrix() {
  ScalarMatrix matrix(model_.pattern);
  for (const ConstantProxy* part : constant_parts_) part->add_proxy(range_, matrix);
  for (int i = 0; i < model_.mass.size(); ++i) matrix.add_diagonal(i, metric_.host()[3 * Index{i}]);
  std::vector<char> fixed(model_.mass.size());
  for (size_t i = 0; i < fixed.size(); ++i)
    fixed[i] = fixed_[3 * i] && fixed_[3 * i + 1] && fixed_[3 * i + 2];
  matrix.fix_vertices(fixed);
  return matrix;
}

bool StageObjective::is_projective() const { return !places_ && projective_parts_; }

Vector StageObjective::rest_places() const {
  Vector rest(size());
  for (const Body& body : model_.bodies)
    for (size_t i = 0; i < body.rest.vertices.size(); ++i)
      rest.segment<3>(3 * (body.first_vertex + static_cast<Index>(i))) = body.rest.vertices[i];
  return rest;
}

const BlockMatrix& StageObjective::rest_hessian() {
  hessian_holds_ = false;
  add_elastic_hessian(rest_places(), Definiteness::clamp);
  add_inertia();
  hessian_->fix_dofs(fixed_);
  return *hessian_;
}

void StageObjective::add_inertia() {
  hessian_->add_diagonal(metric_.host());
  if (!model_.consistent_mass) return;
  if (!consistent_mass_) consistent_mass_ = model_.consistent_mass->matrix(model_.pattern);
  hessian_->add_scaled(*consistent_mass_, stage_.c_a);
}

std::vector<Mat3> StageObjective::rotations(const Field& x) const {
  return neighbourhood_rotations(model_.pattern, rest_places(), x.host());
}

double StageObjective::softness() {
  if (!elastic_trace_) {
    add_elastic_hessian(rest_places(), Definiteness::none);
    hessian_holds_ = false;
    elastic_trace_ = hessian_->trace();
  }
  double others = metric_.host().sum();
  for (const auto& term : stage_terms_) others += term->stiffness();
  return *elastic_trace_ > 0 ? others / *elastic_trace_ : 1;
}

double StageObjective::residual(const Vector& gradient) const {
  return norm_ == ResidualNorm::gradient ? pliant::norm(gradient) : velocity_error(gradient);
}

double StageObjective::velocity_error(const Vector& gradient) const {
  const double weighted = parallel_sum(model_.mass.size(), kVertices, [&](Index begin, Index end) {
    double partial = 0;
    for (Index i = begin; i < end; ++i) {
      const double* g = gradient.data() + 3 * i;
      partial += (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / model_.mass[i];
    }
    return partial;
  });
  return free_mass_ > 0 ? std::sqrt(weighted / (free_mass_ * stage_.c_a)) : 0;
}

/// What is active is labelled last, by the gradient of all energies.
Renewal StageObjective::begin_iteration(const Field& x, Field& gradient) {
  const ScopedTimer timer(contact_seconds_);
  Renewal all;
  for (const auto& contact : contacts_) {
    const Renewal renewal = contact->begin_iteration(x.host(), gradient.host());
    all.fresh += renewal.fresh;
    all.all += renewal.all;
    if (!renewal.changed) continue;
    all.changed = true;
    zero_fixed(gradient.host());
    measure_anew(*contact, x.host());
  }
  if (!places_) return all;
  all.fresh += places_->label(x.host(), gradient.host());
  all.all += places_->active_vertices();
  return all;
}

/// The energies of a contact are others at x, the reference.
void StageObjective::measure_anew(const Contact& contact, const Vector& x) {
  last_.whole = hessian_holds_ = false;
  const size_t first = parts_.size() - contact_terms_.size();
  for (size_t k = first; k < parts_.size(); ++k) {
    if (contact_of_term_[k - first] != &contact) continue;
    evaluate_part(k, x, nullptr);
    std::copy(energies_.data() + part_start_[k], energies_.data() + part_start_[k + 1],
              reference_.data() + part_start_[k]);
  }
}

/// A contact may shorten parts of the step, after which what others have said of it no longer holds: all are
/// asked until none does. On the way from the start of the step obstacles move.
double StageObjective::limit(const Field& x, Field& step) {
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  std::vector<StepLimit*> limits;
  for (const auto& contact : contacts_)
    if (StepLimit* limit = contact->step_limit()) limits.push_back(limit);
  if (limits.empty() || !all_finite(step)) return kUnlimited;
  const ScopedTimer timer(contact_seconds_);
  const bool begins = equal(x.host(), stage_.x_step);
  const Interval of_obstacles{begins ? stage_.time_step : stage_.time, stage_.time};
  const Vector asked = step.host();
  Vector before;
  double share = kUnlimited;
  do {
    before = step.host();
    share = kUnlimited;
    for (StepLimit* limit : limits)
      share = std::min(share, limit->limit(x.host(), step.host(), of_obstacles));
  } while (limits.size() > 1 && !equal(before, step.host()));
  return equal(asked, step.host()) ? share : std::min(share, 1.0);
}

bool StageObjective::renew(const Field& x) {
  bool renewed = false;
  for (const auto& contact : contacts_) renewed |= contact->renew(x.host());
  if (renewed) last_.whole = hessian_holds_ = false;
  return renewed;
}

void StageObjective::project(Vector& x) {
  if (!places_) return;
  const ScopedTimer timer(contact_seconds_);
  places_->project(x);
}

double StageObjective::slope(const Field& gradient, const Field& step) const {
  return places_ ? places_->slope(gradient.host(), step.host()) : dot(gradient, step);
}

Vector StageObjective::potential_gradient(const Vector& x) {
  if (is_last(x)) return last_.potential;
  last_.whole = is_reference_ = false;
  Vector gradient = Vector::Zero(size());
  for (size_t k = 0; k < model_.terms.size(); ++k) evaluate_part(k, x, &gradient);
  return gradient;
}

void StageObjective::add_stage_gradient(const Vector& x, Vector& gradient) {
  if (parts_.size() == model_.terms.size()) return;
  if (is_last(x)) {
    gradient += last_.stage;
    return;
  }
  size_t k = model_.terms.size();
  for (; k < parts_.size() && !is_contact(k); ++k) evaluate_part(k, x, &gradient);
  const ScopedTimer timer(contact_seconds_);
  for (; k < parts_.size(); ++k) evaluate_part(k, x, &gradient);
}

void StageObjective::evaluate_part(size_t k, const Vector& x, Vector* gradient) {
  parts_[k]->evaluate(x, {energies_.data() + part_start_[k], energies_.data() + part_start_[k + 1]},
                      gradient);
}

std::span<const double> StageObjective::energies_of(size_t term) const {
  const double* energies = (is_reference_ ? reference_ : energies_).data();
  return {energies + part_start_[term], energies + part_start_[term + 1]};
}

}  // namespace pliant
