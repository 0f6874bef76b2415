#include "pliant/system/places_alone.hpp"

#include <algorithm>
#include <numeric>

#include "pliant/base/parallel.hpp"
#include "pliant/minimize/descend.hpp"
#include "pliant/minimize/directions.hpp"
#include "pliant/minimize/line_searches.hpp"

namespace pliant {

namespace {
constexpr int kOutside = -1, kInside = -2;  ///< of a region, not yet in a sub-model of it
}

void PlacesAlone::list_neighbours() {
  const BlockPattern& pattern = model_.pattern;
  const auto for_each_pair = [&](auto visit) {
    for (int row = 0; row < pattern.rows(); ++row)
      for (const int column : pattern.columns_of(row))
        if (column != pattern.vertex(row)) visit(pattern.vertex(row), column);
  };
  start_.assign(pattern.rows() + 1, 0);
  for_each_pair([&](int a, int b) {
    ++start_[a + 1];
    ++start_[b + 1];
  });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  neighbours_.resize(start_.back());
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for_each_pair([&](int a, int b) {
    neighbours_[next[a]++] = b;
    neighbours_[next[b]++] = a;
  });
}

std::vector<SubModel> PlacesAlone::find(const Vector& gradient) {
  const int count = model_.vertex_count();
  std::vector<double> heat(count);  // squares of velocities, times masses
  for (int i = 0; i < count; ++i) heat[i] = gradient.segment<3>(3 * Index{i}).squaredNorm() / model_.mass[i];
  const double hot = constants_.hot * std::accumulate(heat.begin(), heat.end(), 0.0) / count;
  std::vector<int> region;
  std::vector<int> sub_model_of(count, kOutside);
  const auto take = [&](int vertex) {
    if (sub_model_of[vertex] == kOutside) region.push_back(vertex);
    sub_model_of[vertex] = kInside;
  };
  for (int i = 0; i < count; ++i)
    if (heat[i] > hot) take(i);
  if (region.empty() || std::ssize(region) > constants_.most * count) return {};
  if (start_.empty()) list_neighbours();
  for (int ring = 0; ring < constants_.rings; ++ring)
    for (size_t k = 0, last = region.size(); k < last; ++k)
      for (const int other : neighbours(region[k])) take(other);
  if (std::ssize(region) > constants_.most * count) return {};
  return split(region, sub_model_of);
}

std::vector<SubModel> PlacesAlone::split(const std::vector<int>& region,
                                         std::vector<int>& sub_model_of) const {
  std::vector<SubModel> sub_models;
  for (const int seed : region) {
    if (sub_model_of[seed] != kInside) continue;
    const int number = static_cast<int>(sub_models.size());
    std::vector<int> members{seed};
    sub_model_of[seed] = number;
    for (size_t k = 0; k < members.size(); ++k)
      for (const int other : neighbours(members[k]))
        if (sub_model_of[other] == kInside) {
          sub_model_of[other] = number;
          members.push_back(other);
        }
    SubModel sub_model;
    sub_model.vertices = members;
    for (const int member : members)
      sub_model.vertices.insert(sub_model.vertices.end(), neighbours(member).begin(),
                                neighbours(member).end());
    std::sort(sub_model.vertices.begin(), sub_model.vertices.end());
    sub_model.vertices.erase(std::unique(sub_model.vertices.begin(), sub_model.vertices.end()),
                             sub_model.vertices.end());
    for (const int vertex : sub_model.vertices) sub_model.free.push_back(sub_model_of[vertex] == number);
    sub_models.push_back(std::move(sub_model));
  }
  return sub_models;
}

int PlacesAlone::move(const SubModel& sub_model, const std::vector<char>& fixed, double tolerance,
                      Vector& x) const {
  const std::unique_ptr<Model> model = model_.sub_model(sub_model, fixed);
  StageObjective objective(*model, ResidualNorm::velocity);
  objective.begin(objective_.stage().of(sub_model));
  NewtonCg direction(constants_.sigma);
  StrongWolfe search;
  Field moved(sub_model.taken(x));
  const Outcome outcome = descend(objective, direction, search,
                                  {.tolerance = tolerance, .max_iterations = constants_.iterations}, moved);
  sub_model.put(moved.host(), x);
  return outcome.linear_solves;
}

int PlacesAlone::move(const std::vector<SubModel>& sub_models, const Vector& gradient, Vector& x) const {
  const double tolerance = constants_.enough * objective_.velocity_error(gradient);
  std::vector<int> solves(sub_models.size());
  std::vector<char> fixed(objective_.fixed().begin(), objective_.fixed().end());
  if (objective_.feasible_places()) objective_.feasible_places()->mark_active(fixed);
  parallel_tasks(std::ssize(sub_models),
                 [&](Index number) { solves[number] = move(sub_models[number], fixed, tolerance, x); });
  return std::accumulate(solves.begin(), solves.end(), 0);
}

/// Contacts that are found anew would be others in a place.
PlacesAlone::Proposal PlacesAlone::propose(int iterations, const SearchPoint& here, Field& x) {
  const auto is_found_anew = [](const auto& contact) { return contact->is_found_anew(); };
  const auto& contacts = objective_.contacts();
  if (iterations <= constants_.from || model_.consistent_mass ||
      std::any_of(contacts.begin(), contacts.end(), is_found_anew))
    return {};
  const std::vector<SubModel> sub_models = find(here.gradient.host());
  if (sub_models.empty()) return {};
  copy(here.x, x);
  return {.made = true, .linear_solves = move(sub_models, here.gradient.host(), x.host())};
}

}  // namespace pliant
