#include "pliant/system/model.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "pliant/base/groups.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/linear/block_jacobi.hpp"
#include "pliant/linear/conjugate_gradient.hpp"

namespace pliant {

namespace {

/// What a sub-model holds of a body; the sub-model holds all of an element or nothing.
Body part_of(const Body& body, const SubModel& sub_model) {
  const auto begin =
      std::lower_bound(sub_model.vertices.begin(), sub_model.vertices.end(), body.first_vertex);
  const auto end =
      std::lower_bound(begin, sub_model.vertices.end(), body.first_vertex + std::ssize(body.rest.vertices));
  Body part{body.name, {}, static_cast<int>(begin - sub_model.vertices.begin())};
  if (begin == end) return part;
  part.rest.thickness = body.rest.thickness;
  std::vector<int> local(body.rest.vertices.size(), -1);
  for (auto vertex = begin; vertex != end; ++vertex) {
    const int number = *vertex - body.first_vertex;
    local[number] = static_cast<int>(part.rest.vertices.size());
    part.rest.vertices.push_back(body.rest.vertices[number]);
  }
  const auto take = [&](const auto& elements, auto& taken) {
    for (auto corners : elements) {
      for (int& corner : corners) corner = local[corner];
      if (corners[0] >= 0) taken.push_back(corners);
    }
  };
  take(body.rest.tets, part.rest.tets);
  take(body.rest.triangles, part.rest.triangles);
  take(body.rest.edges, part.rest.edges);
  take(body.rest.hexes, part.rest.hexes);
  return part;
}

}  // namespace

void Model::finish() {
  require_owners();
  connect();
}

void Model::require_owners() const {
  for (const Obstacle& obstacle : obstacles) {
    const auto owns = [&](const auto& contact) {
      const auto owned = contact->obstacles();
      return std::find(owned.begin(), owned.end(), &obstacle) != owned.end();
    };
    if (std::none_of(contacts.begin(), contacts.end(), owns))
      throw std::invalid_argument(
          format("no contact of the model keeps bodies out of obstacle {}, which is to "
                 "be met by {}; add one to Model::contacts, as ModelBuilder does",
                 obstacle.name, pliant::name(obstacle.way)));
  }
  for (const auto& contact : contacts)
    if (contact->couples() == Couples::bodies_after_the_step && !contact->energies().empty())
      throw std::invalid_argument("a contact that acts after the step has no energies in it");
  const auto any = [&](bool (Contact::*is_so)() const) {
    return std::any_of(contacts.begin(), contacts.end(),
                       [&](const auto& contact) { return ((*contact).*is_so)(); });
  };
  if (any(&Contact::rubs) && !any(&Contact::slows_what_rubs))
    throw std::invalid_argument(
        "contacts of the model have friction that nothing sees to; add a FrictionAfterStep to "
        "Model::contacts, as ModelBuilder does");
}

/// Builds the pattern, attaches all terms and measures the diameter.
void Model::connect() {
  if (!(mass.array() > 0).all()) throw std::invalid_argument("every vertex must have a positive mass");
  std::vector<StageTerm*> staged;
  for (const auto& term : stage_terms) staged.push_back(term.get());
  for (const auto& contact : contacts)
    for (StageTerm* term : contact->energies()) staged.push_back(term);
  std::vector<std::pair<int, int>> edges;
  for (const Term& term : terms) term.potential->add_pattern(edges);
  for (const StageTerm* term : staged) term->add_pattern(edges);
  std::vector<Vec3> points;
  for (const Body& body : bodies)
    points.insert(points.end(), body.rest.vertices.begin(), body.rest.vertices.end());
  pattern = BlockPattern(vertex_count(), edges, std::move(points));
  for (Term& term : terms) term.potential->attach(pattern);
  for (StageTerm* term : staged) term->attach(pattern);

  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Body& body : bodies) {
    for (const Vec3& X : body.rest.vertices) {
      low = low.cwiseMin(X);
      high = high.cwiseMax(X);
    }
  }
  diameter = bodies.empty() ? 1.0 : (high - low).norm();
}

Index Model::dof_count() const {
  Index count = 0;
  for (const Body& body : bodies) count += (body.rest.planar() ? 2 : 3) * std::ssize(body.rest.vertices);
  return count;
}

std::vector<char> Model::fixed_dofs(double t) const {
  std::vector<char> fixed = held;
  fixed.resize(3 * mass.size(), 0);
  for (const Script& script : scripts) {
    if (!script.holds(t)) continue;
    for (const int vertex : script.vertices) std::fill_n(fixed.begin() + 3 * Index{vertex}, 3, char{1});
  }
  for (const Body& body : bodies) {
    if (!body.rest.planar()) continue;
    for (size_t i = 0; i < body.rest.vertices.size(); ++i) fixed[3 * (body.first_vertex + i) + 2] = 1;
  }
  return fixed;
}

void Model::apply_scripts(double t, double holding, Vector& x, Vector* v) const {
  for (const Script& script : scripts) {
    if (!script.holds(holding)) continue;
    const Pose pose = script.motion.pose(t);
    for (size_t i = 0; i < script.vertices.size(); ++i) {
      const Index dof = 3 * Index{script.vertices[i]};
      const Vec3 place = pose.position(script.start[i]);
      x.segment<3>(dof) = place;
      if (v) v->segment<3>(dof) = pose.velocity(place);
    }
  }
  for (const Body& body : bodies) {
    if (!body.rest.planar()) continue;
    for (size_t i = 0; i < body.rest.vertices.size(); ++i) {
      const Index dof = 3 * (body.first_vertex + static_cast<Index>(i)) + 2;
      x[dof] = body.rest.vertices[i].z();
      if (v) (*v)[dof] = 0;
    }
  }
}

Vector Model::script_accelerations(double t, double holding) const {
  Vector accelerations = Vector::Zero(3 * mass.size());
  for (const Script& script : scripts) {
    if (!script.holds(holding)) continue;
    for (size_t i = 0; i < script.vertices.size(); ++i)
      accelerations.segment<3>(3 * Index{script.vertices[i]}) =
          script.motion.acceleration(script.start[i], t);
  }
  return accelerations;
}

double Model::next_key(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Script& script : scripts) next = std::min(next, script.motion.next_key(t));
  for (const Obstacle& obstacle : obstacles) next = std::min(next, obstacle.motion.next_key(t));
  for (const auto& term : stage_terms) next = std::min(next, term->next_key(t));
  for (const auto& contact : contacts)
    for (const StageTerm* term : contact->energies()) next = std::min(next, term->next_key(t));
  return next;
}

Vector Model::momentum(const Vector& v) const {
  Vector momentum = Vector::Zero(v.size());
  if (consistent_mass) consistent_mass->multiply(v, momentum);
  for (Index d = 0; d < v.size(); ++d) momentum[d] += mass[d / 3] * v[d];
  return momentum;
}

Vector Model::accelerations(const Vector& force, double t, double holding) const {
  const std::vector<char> fixed = fixed_dofs(holding);
  Vector a = Vector::Zero(force.size());
  if (!consistent_mass) {
    for (Index d = 0; d < a.size(); ++d)
      if (!fixed[d]) a[d] = force[d] / mass[d / 3];
    return a;
  }
  const Vector scripted = script_accelerations(t, holding), held_back = momentum(scripted);
  Vector diagonal(a.size()), b = force - held_back;
  for (Index d = 0; d < a.size(); ++d) {
    diagonal[d] = mass[d / 3];
    if (fixed[d]) b[d] = 0;
  }
  BlockMatrix M = consistent_mass->matrix(pattern);
  M.add_diagonal(diagonal);
  M.fix_dofs(fixed);
  BlockJacobi jacobi;
  jacobi.assign(M, Field(std::move(diagonal)));
  constexpr double kExact = 1e-15;
  constexpr int kMost = 100;  // the condition number is below 20 on any mesh
  Field answer;
  ConjugateGradient().solve(M, jacobi, Field(std::move(b)), kExact, answer, kMost);
  return answer.host() + scripted;
}

std::unique_ptr<Model> Model::with_terms_of(const SubModel& sub_model) const {
  auto made = std::make_unique<Model>();
  made->mass.resize(std::ssize(sub_model.vertices));
  for (Index i = 0; i < made->mass.size(); ++i) made->mass[i] = mass[sub_model.vertices[i]];
  if (consistent_mass)
    if (ConsistentMass part = consistent_mass->sub_model(sub_model); !part.empty())
      made->consistent_mass = std::move(part);
  for (const Term& term : terms)
    if (std::unique_ptr<Potential> part = term.potential->sub_model(sub_model))
      made->terms.push_back({term.body, term.energy, std::move(part)});
  for (const auto& term : stage_terms)
    if (std::unique_ptr<StageTerm> part = term->stage_sub_model(sub_model))
      made->stage_terms.push_back(std::move(part));
  return made;
}

std::unique_ptr<Model> Model::sub_model(const SubModel& sub_model, const std::vector<char>& fixed) const {
  auto made = with_terms_of(sub_model);
  made->held.resize(3 * sub_model.vertices.size());
  for (size_t i = 0; i < sub_model.vertices.size(); ++i)
    for (size_t k = 0; k < 3; ++k)
      made->held[3 * i + k] = !sub_model.free[i] || fixed[3 * static_cast<size_t>(sub_model.vertices[i]) + k];
  for (const auto& contact : contacts)
    if (std::unique_ptr<Contact> part = contact->contact_sub_model(sub_model))
      made->contacts.push_back(std::move(part));
  made->connect();
  made->diameter = diameter;
  return made;
}

std::vector<SubModel> Model::components() const {
  Groups groups(static_cast<size_t>(vertex_count()));
  for (int row = 0; row < pattern.rows(); ++row)
    for (const int column : pattern.columns_of(row)) groups.join(pattern.vertex(row), column);
  for (const auto& contact : contacts)
    if (contact->couples() == Couples::bodies_in_the_solve)
      for (int vertex = 1; vertex < vertex_count(); ++vertex) groups.join(0, vertex);
  std::vector<SubModel> sub_models;
  std::vector<size_t> number(static_cast<size_t>(vertex_count()));
  for (int vertex = 0; vertex < vertex_count(); ++vertex) {
    const int first = groups.of(vertex);
    if (first == vertex) {
      number[first] = sub_models.size();
      sub_models.emplace_back();
    }
    sub_models[number[first]].vertices.push_back(vertex);
  }
  for (SubModel& sub_model : sub_models) sub_model.free.assign(sub_model.vertices.size(), 1);
  return sub_models;
}

std::unique_ptr<Model> Model::component(const SubModel& sub_model) const {
  auto made = with_terms_of(sub_model);
  made->obstacles = obstacles;
  for (const auto& contact : contacts) {
    if (contact->couples() == Couples::bodies_after_the_step) continue;  // it acts on the whole
    if (std::unique_ptr<Contact> part = contact->contact_component(sub_model))
      made->contacts.push_back(std::move(part));
    else if (contact->couples() == Couples::nothing)
      throw std::logic_error("a contact that couples nothing is missing in a component of the model");
  }
  if (!held.empty())
    for (const int vertex : sub_model.vertices)
      for (size_t k = 0; k < 3; ++k) made->held.push_back(held[3 * static_cast<size_t>(vertex) + k]);
  for (const Body& body : bodies)
    if (Body part = part_of(body, sub_model); !part.rest.vertices.empty())
      made->bodies.push_back(std::move(part));
  for (const Script& script : scripts) {
    Script part = script;
    part.vertices.clear();
    part.start.clear();
    for (size_t i = 0; i < script.vertices.size(); ++i) {
      const int local = sub_model.local(script.vertices[i]);
      if (local < 0) continue;
      part.vertices.push_back(local);
      part.start.push_back(script.start[i]);
    }
    if (!part.vertices.empty()) made->scripts.push_back(std::move(part));
  }
  made->connect();
  return made;
}

const Body& Model::body_of(int vertex) const {
  const auto after = std::upper_bound(bodies.begin(), bodies.end(), vertex,
                                      [](int v, const Body& body) { return v < body.first_vertex; });
  return *(after - 1);
}

Index Model::inverted_elements(const Vector& x) const {
  double count = 0;
  for (const Body& body : bodies) {
    const auto place = [&](int vertex) -> Vec3 {
      return x.segment<3>(3 * Index{body.first_vertex + vertex});
    };
    if (body.rest.thin()) continue;
    const auto inverted = [&](std::span<const int> t) {
      if (t.size() == 8) {
        std::array<Vec3, 8> corners;
        for (size_t c = 0; c < 8; ++c) corners[c] = place(t[c]);
        return smallest_volume(corners) < 0;
      }
      return t.size() == 3 ? signed_area(place(t[0]), place(t[1]), place(t[2])) < 0
                           : signed_volume(place(t[0]), place(t[1]), place(t[2]), place(t[3])) < 0;
    };
    count += parallel_sum(static_cast<Index>(body.rest.element_count()), 4096, [&](Index begin, Index end) {
      Index here = 0;
      for (Index e = begin; e < end; ++e) here += inverted(body.rest.element(static_cast<size_t>(e)));
      return static_cast<double>(here);
    });
  }
  return static_cast<Index>(count);
}

}  // namespace pliant
